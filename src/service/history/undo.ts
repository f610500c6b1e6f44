import type { AnswerOf } from "../../contract/index.ts";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { ActId } from "../../ids.ts";
import { Conflict } from "../../refusals.ts";
import * as stored from "../../store/journal/acts.ts";
import { findAct, planUndo, undoAct as putBack } from "../../store/journal/undo.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { assertSeen } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { deriveStoredBlock } from "../prose/derive-block.ts";
import { assertAnchors, mendProse } from "./after-undo.ts";

/** Puts back everything that an act changed. Throws `Conflict` with what has changed since. */
export function undoAct(manuscript: Manuscript, id: ActId, caller: Caller): AnswerOf<"undoAct"> {
  const { store } = manuscript;
  const { seq } = findAct(store, id);
  const planned = planUndo(store, seq);
  return write(manuscript, "undoAct", { ...caller, source: "undo", undoes: seq }, (act) => {
    assertSeen(caller, "act", () => []); // an act has no tag
    putBack(store, planned, act, deriveStoredBlock);
    mendProse(store, act);
    assertAnchors(store, act);
    return () => ({ undone: id, chapters: stored.listTouchedChapters(store, act.seq) });
  });
}

/** Where a range of acts begins: with an act, or at a moment, in milliseconds since 1970. */
export type Since = { act: ActId } | { at: number };

/** The acts that undoing all since a moment, or an act and all after it, takes back: newest first. Throws `NotFound`. */
export function actsSince({ store }: Manuscript, since: Since): ActId[] {
  const seq = "act" in since ? findAct(store, since.act).seq : stored.findFirstSince(store, since.at);
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
): LocalAnswer<"undoneSince"> {
  const { store } = manuscript;
  return store.together(() => {
    const undone = actsSince(manuscript, since);
    if (undone.join() !== known.join())
      throw new Conflict("Something else was written meanwhile. Nothing was taken back; look and try again.");
    const answers = undone.map((id) => undoAct(manuscript, id, caller));
    const last = new Map(answers.flatMap(({ chapters }) => chapters.map((chapter) => [chapter.id, chapter])));
    const left = [...last.values()].filter(({ id }) => findChapter(store, id) !== undefined);
    return { acts: answers.flatMap(({ act }) => act ?? []), undone, chapters: left };
  }, caller);
}
