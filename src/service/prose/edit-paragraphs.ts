import type { ChapterId } from "../../ids.ts";
import { bareMarkdown } from "../../prose/markdown/join-chapter.ts";
import { assertSize } from "../../prose/markdown/parse-chapter.ts";
import { applyEdits, type ProseEdit } from "../../prose/plan/apply-edits.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { ahead } from "../ahead.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { describePlan, type ProseWrite, replaceIn, withPlan } from "./replace-prose.ts";
import { storedProse } from "./stored-prose.ts";

/**
 * Changes, adds and deletes paragraphs of a chapter, all in one act and one plan, mentions kept where the text stays; the
 * edits name paragraphs of that revision. Throws `RevisionConflict` if the chapter is at another, `BadRequest` where
 * Markdown cannot say what they come to.
 */
export function editParagraphs(
  manuscript: Manuscript,
  chapterId: ChapterId,
  { ifRevision, edits }: { ifRevision: number; edits: readonly ProseEdit[] },
  caller: Caller,
): ProseWrite {
  const { store } = manuscript;
  const make = () => {
    const chapter = theChapter(manuscript, chapterId);
    const made = new Set<string>();
    const mint = () => {
      const id = store.mint("block");
      made.add(id);
      return id;
    };
    const prose = applyEdits(storedProse(chapter, listBlocks(store, chapterId)), edits, mint);
    assertSize(bareMarkdown(prose));
    return withPlan(store, chapter, { kind: "markdown", prose, mentions: "keep", made });
  };
  return ahead(
    store,
    () => [chapterId],
    make,
    (recall) =>
      write(manuscript, "editParagraphs", { ...caller, skipsEmpty: true }, (act) => {
        const chapter = theChapter(manuscript, chapterId);
        assertUnchanged(chapter, caller, { ifRevision, prose: true });
        const plan = replaceIn(store, act, chapter, recall(chapterId));
        return () => describePlan(plan, theChapter(manuscript, chapterId));
      }),
  );
}
