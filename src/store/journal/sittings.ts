import type { ActId, ChapterId } from "../../ids.ts";
import type { Store } from "../file/store.ts";
import { undoOf } from "./acts.ts";

/** Acts of one hand on the prose of one chapter, with no long pause between; any other act is one by itself. */
export interface Sitting {
  /** `seq` of the newest act. */
  seq: number;
  /** Its first act. */
  first: ActId;
  /** When that was, in milliseconds since 1970. */
  from: number;
  /** Words added and removed by all of them. */
  added: number;
  removed: number;
  /** Oldest first. */
  acts: ActId[];
}

/** How far sittings are looked for, and what ends one. */
export interface SittingRange {
  /** Acts after this number, the oldest of them first; else the newest. */
  after?: number | undefined;
  before?: number | undefined;
  /** Sittings at most. */
  limit: number;
  pauseMs: number;
  /** Acts of one at most. */
  most: number;
}

/** What is written in a sitting, and taken back or done again. */
export const PROSE_KINDS: ReadonlySet<string> = new Set([
  "replaceProse",
  "replaceParagraph",
  "insertParagraphs",
  "deleteParagraph",
  "undoAct",
]);

interface Row {
  seq: number;
  id: ActId;
  at: number;
  kind: string;
  source: string;
  keyId: string | null;
  chapterId: ChapterId | null;
  chapters: number;
  /** 1 if an undo of it was written, which may have been undone in turn. */
  hasUndo: 0 | 1;
  added: number;
  removed: number;
}

/**
 * The acts of a range in sittings, the newest last; the range ends with the first act that would need one more. Acts that
 * are undone are in other sittings than those that stand. One look at each act of the range.
 */
export function listSittings(store: Store, { after, before, limit, ...ends }: SittingRange): Sitting[] {
  const order = after === undefined ? "DESC" : "ASC";
  const acts = store.prepare(
    `SELECT a.seq, a.id, a.at, a.kind, a.source, a.key_id AS keyId, i.id AS chapterId, count(r.chapter_no) AS chapters,
       EXISTS (SELECT 1 FROM acts u WHERE u.undoes = a.seq) AS hasUndo, coalesce(sum(r.added), 0) AS added, coalesce(sum(r.removed), 0) AS removed
     FROM acts a LEFT JOIN revision_entries r ON r.act = a.seq LEFT JOIN ids i ON i.no = r.chapter_no WHERE a.seq > ? AND a.seq < ? GROUP BY a.seq ORDER BY a.seq ${order}`,
  );
  const sittings: Sitting[] = [];
  const open = new Map<string, { sitting: Sitting; at: number }>();
  for (const row of acts.iterate(after ?? 0, before ?? Number.MAX_SAFE_INTEGER) as Iterable<Row>) {
    const key = keyOf(store, row);
    const known = key === undefined ? undefined : open.get(key);
    const goesOn =
      known !== undefined &&
      Math.abs(known.at - row.at) <= ends.pauseMs &&
      known.sitting.acts.length < ends.most;
    if (!goesOn && sittings.length === limit) break;
    const sitting = goesOn ? known.sitting : begin(row);
    if (!goesOn) sittings.push(sitting);
    if (key !== undefined) open.set(key, { sitting, at: row.at });
    add(sitting, row);
  }
  return sittings.sort((a, b) => a.seq - b.seq);
}

/** What acts of one sitting have in common; undefined for one that is a sitting by itself. */
function keyOf(store: Store, row: Row): string | undefined {
  const { seq, kind, source, keyId, chapterId, chapters, hasUndo } = row;
  if (chapters !== 1 || !PROSE_KINDS.has(kind)) return undefined;
  return JSON.stringify([source, keyId, chapterId, hasUndo === 1 && undoOf(store, seq) !== undefined]);
}

function begin({ seq, id, at }: Row): Sitting {
  return { seq, first: id, from: at, added: 0, removed: 0, acts: [] };
}

function add(sitting: Sitting, { seq, id, at, added, removed }: Row): void {
  sitting.added += added;
  sitting.removed += removed;
  if (sitting.acts.length > 0 && seq < sitting.seq) {
    sitting.first = id;
    sitting.from = at;
    sitting.acts.unshift(id);
  } else {
    sitting.seq = seq;
    sitting.acts.push(id);
  }
}
