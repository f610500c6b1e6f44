import { BadRequest } from "../../refusals.ts";
import { listMilestones, type Milestone } from "../../service/history/milestones.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { choose, isWhollyNamed } from "../../service/naming/choose.ts";
import { isDay } from "../../text/day.ts";
import { resolveInBook } from "./resolve.ts";

/** A milestone as an argument means it; `title` is its name. */
type FoundMilestone = Milestone & { title: string; position: number };

function choicesOf(manuscript: Manuscript, bookId: string): FoundMilestone[] {
  const { milestones } = listMilestones(manuscript, bookId);
  return milestones.map((one, index) => ({ ...one, title: one.name, position: index + 1 }));
}

const LISTED_BY = "milestone list";

/** The milestone that an argument means, by its id, name or number. Throws as `resolveBook` does. */
export function resolveMilestone(
  manuscript: Manuscript,
  wanted: string,
  book: string | undefined,
): FoundMilestone {
  return resolveInBook(manuscript, wanted, {
    book,
    what: "milestone",
    listedBy: LISTED_BY,
    list: (bookId) => choicesOf(manuscript, bookId),
  });
}

/**
 * A moment of a book's history as an argument means it, in words that the service takes: a milestone by its id, name or
 * number, an act, a day, a time, or so long ago. Throws `NotFound`, `BadRequest`.
 */
export function resolvePoint(manuscript: Manuscript, bookId: string, wanted: string): string {
  const milestones = choicesOf(manuscript, bookId);
  if (!milestones.some((one) => isWhollyNamed(wanted, one))) {
    if (/^(?:act_|\d{4}-\d{2}-\d{2})/.test(wanted)) return wanted;
    if (/^(?:\d+[mhd]|\d{1,2}:\d{2})$/.test(wanted))
      return new Date(readMoment(wanted, manuscript.store.clock())).toISOString();
  }
  const hint = `"manuscript ${LISTED_BY}" lists them; an act, a day such as 2027-01-31 or "2d" ago will do, too`;
  return choose(wanted, milestones, { what: "milestone", hint }).id;
}

const FORMS =
  'a day such as 2027-01-31, with a time 2027-01-31 18:30, a time of today 18:30, or "30m", "2h", "3d" ago';

/**
 * A moment as the command line names it, in milliseconds since 1970: by the writer's clock, as `history` shows it, or so
 * long before `now`. Throws `BadRequest` for words that name none.
 */
export function readMoment(text: string, now: number): number {
  const ago = /^(\d{1,6})(m|h|d)$/.exec(text);
  if (ago !== null) return now - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS];
  const today = /^(\d{1,2}:\d{2})$/.test(text) ? `${localDate(now)}T${text.padStart(5, "0")}` : undefined;
  const isMoment =
    isDay(text.slice(0, 10)) && /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?$/.test(text);
  const at = new Date(
    today ?? (isDay(text) ? `${text}T00:00` : isMoment ? text.replace(" ", "T") : ""),
  ).getTime();
  if (Number.isNaN(at)) throw new BadRequest(`"${text}" is neither an act nor a time: give ${FORMS}.`);
  return at;
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function localDate(now: number): string {
  const at = new Date(now);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
