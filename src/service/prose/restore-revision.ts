import type { ChapterId } from "../../ids.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import { NotFound } from "../../refusals.ts";
import { readRevision } from "../../store/journal/history.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Manuscript, type WriteOn, write } from "../manuscript.ts";
import { describePlan, type MarkdownRequest, replaceAhead, replaceIn } from "./replace-prose.ts";

/** Makes an older revision the newest; paragraphs get back the ids they had, and their detached marginalia with them. */
export const restoreRevision: WriteOn<"restoreRevision", ChapterId> = (
  manuscript,
  chapterId,
  { revision, ifRevision },
  caller,
) => {
  // What an older revision was never changes.
  const request = requestRevision(manuscript, chapterId, revision);
  return replaceAhead(manuscript, chapterId, request, (recall) =>
    write(manuscript, "restoreRevision", { ...caller, source: "restore" }, (act, store) => {
      const chapter = theChapter(manuscript, chapterId);
      assertUnchanged(chapter, caller, { ifRevision, prose: true });
      const plan = replaceIn(store, act, chapter, recall(chapterId));
      return () => describePlan(plan, theChapter(manuscript, chapterId));
    }),
  );
};

/** An older revision's prose, to be written again. Throws `NotFound`. */
function requestRevision(manuscript: Manuscript, chapterId: ChapterId, revision: number): MarkdownRequest {
  const { id } = theChapter(manuscript, chapterId);
  const old = readRevision(manuscript.store, id, revision);
  if (old === undefined) throw new NotFound("revision of this chapter");
  const blocks = old.blocks.map((block) => ({ ...block, node: nodeOf(block) }));
  const prose = { head: old.head, bom: old.bom === 1, eol: old.eol, blocks };
  return { kind: "markdown", prose, mentions: "keep", mayBeLarge: true };
}
