import type { AnswerOf, BodyOf } from "../../contract/index.ts";
import type { ActId, BookId, ChapterId } from "../../ids.ts";
import { Busy, Conflict } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import * as stored from "../../store/journal/acts.ts";
import {
  assertUndoable,
  findAct,
  type PastRows,
  type PlannedUndo,
  planUndo,
  undoAct as putBack,
} from "../../store/journal/undo.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { findReplay, keepReplay } from "../../store/rows/replays.ts";
import { assertSeen } from "../guards.ts";
import {
  assertSubscription,
  type Caller,
  type Manuscript,
  write,
  writeOptimistically,
} from "../manuscript.ts";
import { deriveStoredBlock } from "../prose/stored-prose.ts";
import { lastAct } from "./acts.ts";
import { assertAnchors, listUnmended, mendProse } from "./back/after-undo.ts";
import { theAct } from "./back/folded-act.ts";

/** Puts back everything that an act changed. Throws `Conflict` with what has changed since. */
export function undoAct(manuscript: Manuscript, id: ActId, caller: Caller): AnswerOf<"undoAct"> {
  const { store } = manuscript;
  const seq = theAct(store, id);
  const plan = () => {
    assertUndoable(store, [seq]);
    return planUndo(store, seq, { derive: deriveStoredBlock });
  };
  return writeOptimistically(
    store,
    () => bookOf(store, seq),
    plan,
    (planned) => putBackAct(manuscript, { id, seq, planned, isLast: true }, new Undone(), caller),
  );
}

/** What the undos of one transaction have done so far, to be settled with the last of them. */
class Undone {
  /** `seq` of the first undo. */
  first: number | undefined;
  /** Chapters whose prose was put back in part. */
  readonly unmended = new Set<ChapterId>();
}

interface Undoing {
  id: ActId;
  seq: number;
  planned: () => PlannedUndo;
  isLast: boolean;
}

function putBackAct(
  manuscript: Manuscript,
  { id, seq, planned, isLast }: Undoing,
  undone: Undone,
  caller: Caller,
): AnswerOf<"undoAct"> {
  return write(manuscript, "undoAct", { ...caller, source: "undo", undoes: seq }, (act, store) => {
    assertSeen(caller, "act", () => []); // an act has no tag
    undone.first ??= act.seq;
    putBack(store, planned(), act, deriveStoredBlock);
    for (const chapterId of listUnmended(store, act)) undone.unmended.add(chapterId);
    if (isLast) {
      mendProse(store, act, undone.unmended);
      assertAnchors(store, act, undone.first);
    }
    return () => ({ undone: id, chapters: stored.listTouchedChapters(store, act.seq) });
  });
}

/** The one book that an act touched; null if it touched several, or none. */
function bookOf(store: Store, seq: number): BookId | null {
  const { books } = stored.readAct(store, seq).touched;
  const [bookId = null] = books;
  return books.length === 1 ? bookId : null;
}

/** Where a range of acts begins: with an act, or at a moment, in milliseconds since 1970. */
export type Since = { act: ActId } | { at: number };

/** The acts that undoing all since a moment, or an act and all after it, takes back: newest first. Throws `NotFound`. */
export function actsSince({ store }: Manuscript, since: Since): ActId[] {
  const seq = "act" in since ? theAct(store, since.act) : stored.findFirstSince(store, since.at);
  return seq === undefined ? [] : stored.listStanding(store, seq);
}

/**
 * Puts back everything that acts changed, newest first, all in one transaction. Throws `Conflict` and changes nothing,
 * also if they are no longer the acts that the caller knows of.
 */
export function undoSince(
  manuscript: Manuscript,
  since: Since,
  caller: Caller,
  known: readonly ActId[],
): AnswerOf<"undoActs"> {
  return manuscript.store.together(() => {
    const undone = actsSince(manuscript, since);
    if (undone.join() !== known.join())
      throw new Conflict("Something else was written meanwhile. Nothing was taken back; look and try again.");
    return undoEach(manuscript, undone, caller);
  }, caller);
}

/**
 * Puts back everything that these acts changed, or an act and all later ones that stand, or the newest that stands:
 * newest first, all in one transaction. Throws `NotFound`, and `Conflict` with what has changed since; then nothing is changed.
 */
export function undoActs(
  manuscript: Manuscript,
  wanted: BodyOf<"undoActs">,
  { once, ...caller }: Caller,
): AnswerOf<"undoActs"> {
  const { store } = manuscript;
  return store.together(() => {
    assertSubscription(manuscript);
    if (once !== undefined && findReplay(store, once) !== undefined) throw new Busy();
    const undone = actsWanted(manuscript, wanted);
    if (undone.length === 0) throw new Conflict("Since that act nothing was written that stands.");
    const answer = undoEach(manuscript, undone, caller);
    if (once !== undefined) keepReplay(store, once, { answer });
    return answer;
  }, caller);
}

function actsWanted(manuscript: Manuscript, wanted: BodyOf<"undoActs">): ActId[] {
  if ("since" in wanted) return actsSince(manuscript, { act: wanted.since });
  return "acts" in wanted ? newestFirst(manuscript.store, wanted.acts) : [lastAct(manuscript)];
}

function newestFirst(store: Store, ids: readonly ActId[]): ActId[] {
  const found = [...new Set(ids)].map((id) => ({ id, seq: theAct(store, id) }));
  return found.sort((a, b) => b.seq - a.seq).map(({ id }) => id);
}

function undoEach(manuscript: Manuscript, undone: readonly ActId[], caller: Caller): AnswerOf<"undoActs"> {
  const { store } = manuscript;
  const acts = undone.map((id) => ({ id, seq: findAct(store, id).seq }));
  assertUndoable(
    store,
    acts.map(({ seq }) => seq),
  );
  const done = new Undone();
  const past: PastRows = new Map();
  const answers = acts.map(({ id, seq }, at) => {
    const planned = () => planUndo(store, seq, { derive: deriveStoredBlock, past });
    return putBackAct(manuscript, { id, seq, planned, isLast: at === acts.length - 1 }, done, caller);
  });
  const last = new Map(answers.flatMap(({ chapters }) => chapters.map((chapter) => [chapter.id, chapter])));
  const left = [...last.values()].filter(({ id }) => findChapter(store, id) !== undefined);
  const undos = answers.flatMap(({ act }) => act ?? []);
  return { acts: undos, undone: [...undone], chapters: left, act: undos.at(-1) ?? null };
}
