import { STATUSES } from "../../contract/enums.ts";
import type { ChapterId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import * as stored from "../../store/rows/chapters.ts";
import { checkText, TEXTS } from "../field-rules.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, type WriteOn, write } from "../manuscript.ts";
import { toTime } from "../present.ts";

// Apart from the other operations on chapters: these never look at prose, and start without its libraries.

/** Sets a status; any may follow any, the same again is fine. Throws `NotFound`, `RevisionConflict`. */
export const setStatus: WriteOn<"setStatus", ChapterId> = (manuscript, id, { status }, caller) => {
  if (!STATUSES.includes(status)) throw new BadRequest(`status must be one of ${STATUSES.join(", ")}.`);
  return write(manuscript, "setStatus", caller, () => {
    const chapter = theChapter(manuscript, id);
    assertUnchanged(chapter, caller, { prose: false });
    stored.updateChapter(manuscript.store, id, { status });
    return () => ({
      id,
      status,
      previousStatus: chapter.status,
      revision: theChapter(manuscript, id).revision,
    });
  });
};

/** Sets the status of several chapters as one act. Throws as `setStatus` does. */
export function setStatuses(
  manuscript: Manuscript,
  ids: readonly ChapterId[],
  status: (typeof STATUSES)[number],
  caller: Caller,
) {
  return write(manuscript, "setStatus", caller, () => {
    const before = ids.map((id) => theChapter(manuscript, id));
    for (const { id } of before) stored.updateChapter(manuscript.store, id, { status });
    return () => ({
      chapters: before.map(({ id, title, status: previousStatus }) => ({
        id,
        title,
        status,
        previousStatus,
      })),
    });
  });
}

/** Saves the synopsis field, never the prose; an empty one clears it. Throws `NotFound`, `RevisionConflict`. */
export const saveSynopsis: WriteOn<"saveSynopsis", ChapterId> = (manuscript, id, { synopsis }, caller) => {
  checkText("synopsis", synopsis, TEXTS.synopsis);
  return write(manuscript, "saveSynopsis", caller, () => {
    const chapter = theChapter(manuscript, id);
    assertUnchanged(chapter, caller, { prose: false });
    stored.updateChapter(manuscript.store, id, { synopsis });
    return () => ({ id, synopsis, updatedAt: toTime(theChapter(manuscript, id).updatedAt) });
  });
};
