import type { ActId, BookId, MilestoneId } from "../ids.ts";
import { BadRequest, NotFound } from "../refusals.ts";
import type { Store } from "../store/file/store.ts";
import { actUntil, findFirstActOf, lastActSeq, readAct } from "../store/journal/acts.ts";
import { findAct } from "../store/journal/undo.ts";
import { listMilestones, type PlacedMilestone } from "../store/rows/milestones.ts";
import { endOfDay, isDay } from "../text/day.ts";
import { localDay } from "./manuscript.ts";
import { toTime } from "./present.ts";

/** A moment of a book's history: after an act, or with 0 before there was any. */
export interface Point {
  seq: number;
  act: ActId | null;
  /** When the act was. */
  at: string | null;
  /** By which milestone it was named. */
  milestone: { id: MilestoneId; name: string } | null;
}

/**
 * The point that a text names: a milestone by its id or exact name, an act, a day, which means its end, or a time. Throws
 * `BadRequest` for a name that two milestones have, and for what names nothing.
 */
export function findPoint(store: Store, bookId: BookId, text: string): Point {
  const milestones = listMilestones(store, bookId);
  const named = milestones.filter(({ id, name }) => id === text || name === text);
  const [milestone, ...others] = named;
  if (milestone !== undefined && others.length === 0) return toPoint(milestone);
  if (milestone !== undefined) {
    const each = named.map(({ id, at }) => `${id} of ${toTime(at)}`).join(", ");
    throw new BadRequest(`${named.length} milestones are called "${text}"; name one by its id: ${each}.`);
  }
  if (text.startsWith("ms_")) throw new NotFound("milestone");
  if (text.startsWith("act_")) return pointAfter(store, findAct(store, text).seq);
  if (isToCome(text, store.clock()))
    throw new BadRequest(`"${text}" is still to come; name a moment that has been.`);
  const moment = momentOf(text);
  if (moment === undefined)
    throw new BadRequest(
      `"${text}" is no act, no day (2027-01-31), no time (2027-01-31T18:30) and no milestone of this book.`,
    ).helpedBy({ call: "listMilestones" });
  return pointAfter(store, actUntil(store, moment));
}

/** Where a comparison begins that says nothing of it: with the newest milestone, else as the book was first written. */
export function firstPoint(store: Store, bookId: BookId): Point {
  const newest = listMilestones(store, bookId).at(-1);
  return newest === undefined ? pointAfter(store, findFirstActOf(store, bookId)) : toPoint(newest);
}

/** The book as it is. */
export function lastPoint(store: Store): Point {
  return pointAfter(store, lastActSeq(store));
}

function toPoint({ id, name, act, actId, at }: PlacedMilestone): Point {
  return { seq: act, act: actId, at: toTime(at), milestone: { id, name } };
}

function pointAfter(store: Store, seq: number): Point {
  if (seq === 0) return { seq, act: null, at: null, milestone: null };
  const { id, at } = readAct(store, seq);
  return { seq, act: id, at: toTime(at), milestone: null };
}

/** True for a day after today, by the machine's clock, or a time after `now`. */
function isToCome(text: string, now: number): boolean {
  return isDay(text) ? text > localDay(now) : (momentOf(text) ?? 0) > now;
}

/** The last millisecond of a day by the machine's clock, or of a time; undefined for other text. */
function momentOf(text: string): number | undefined {
  if (isDay(text)) return endOfDay(text);
  const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/.test(text);
  const at = isTime && isDay(text.slice(0, 10)) ? new Date(text.replace(" ", "T")).getTime() : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
