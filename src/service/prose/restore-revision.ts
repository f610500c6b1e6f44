import type { BodyOf } from "../../contract/index.ts";
import type { ChapterId } from "../../ids.ts";
import { storedNode } from "../../prose/document/text.ts";
import { BadRequest } from "../../refusals.ts";
import { noRevision, readRevision, revisionAfter } from "../../store/journal/history.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Manuscript, type WriteOn, write } from "../manuscript.ts";
import { findPoint } from "../points.ts";
import { describePlan, type MarkdownRequest, replacePlanned, writePlanned } from "./replace-prose.ts";

/** Which revision: by its number, or by a moment of the book. */
type Wanted =
  | Pick<Extract<Body, { revision: number }>, "revision">
  | Pick<Extract<Body, { to: string }>, "to">;
type Body = BodyOf<"restoreRevision">;

/** Makes an older revision the newest; paragraphs get back the ids they had, and their detached marginalia with them. */
export const restoreRevision: WriteOn<"restoreRevision", ChapterId> = (
  manuscript,
  chapterId,
  { ifRevision, ...wanted },
  caller,
) => {
  // What an older revision was never changes.
  const request = requestRevision(manuscript, chapterId, wanted);
  return replacePlanned(manuscript, chapterId, request, (planned) =>
    write(manuscript, "restoreRevision", { ...caller, source: "restore" }, (act, store) => {
      const chapter = theChapter(manuscript, chapterId);
      assertUnchanged(chapter, caller, { ifRevision, prose: true });
      const plan = writePlanned(store, act, chapter, planned());
      return () => describePlan(plan, theChapter(manuscript, chapterId));
    }),
  );
};

/** An older revision's prose, to be written again. Throws `NotFound`, `BadRequest`. */
function requestRevision(manuscript: Manuscript, chapterId: ChapterId, wanted: Wanted): MarkdownRequest {
  const { store } = manuscript;
  const { id, bookId } = theChapter(manuscript, chapterId);
  const revision =
    "to" in wanted ? revisionAfter(store, id, findPoint(store, bookId, wanted.to).seq) : wanted.revision;
  if (revision === undefined)
    throw new BadRequest("The chapter was not there at that moment. Name one of its revisions.").helpedBy({
      call: "listRevisions",
    });
  const old = readRevision(store, id, revision);
  if (old === undefined) throw noRevision(store, id, revision);
  const blocks = old.blocks.map((block) => ({ ...block, node: storedNode(block) }));
  const prose = { head: old.head, bom: old.bom === 1, eol: old.eol, blocks };
  return { kind: "markdown", prose, mentions: "keep", mayBeLarge: true };
}
