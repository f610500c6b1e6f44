import type { BlockId, ChapterId } from "../../ids.ts";
import { leafIds } from "../../prose/document/leaf.ts";
import { isLeaf } from "../../prose/document/leaves.ts";
import { readLeafTexts } from "../../prose/markdown/leaf-texts.ts";
import type { StoredProse } from "../../prose/plan/plan.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { proseAtRevision, storedProse } from "./stored-prose.ts";

/** A paragraph, heading, scene break or the like, by its place in the chapter. */
export interface NumberedParagraph {
  /** From 1, in reading order. */
  number: number;
  blockId: BlockId;
  /** What holds it at the top, `bullet_list` say; null for nothing. */
  within: string | null;
  /** Its own Markdown, without what a list or a quote puts around it. */
  markdown: string;
}

/** The paragraphs of a chapter at a revision, its newest without one. Throws `NotFound`. */
export function numberParagraphs(
  manuscript: Manuscript,
  chapterId: ChapterId,
  revision?: number,
): { revision: number; paragraphs: NumberedParagraph[] } {
  return manuscript.store.snapshot(() => {
    const chapter = theChapter(manuscript, chapterId);
    const at = revision ?? chapter.revision;
    const prose =
      at === chapter.revision
        ? storedProse(chapter, listBlocks(manuscript.store, chapterId))
        : proseAtRevision(manuscript.store, chapterId, at);
    return { revision: at, paragraphs: paragraphsOf(prose) };
  });
}

/** The number of each paragraph of a chapter as it is now, by `blockId`. */
export function paragraphNumbers({ store }: Manuscript, chapterId: ChapterId): Map<string, number> {
  const leaves = listBlocks(store, chapterId).flatMap((row) => row.leaves);
  return new Map(leaves.map((blockId, at) => [blockId, at + 1]));
}

function paragraphsOf(prose: StoredProse): NumberedParagraph[] {
  const holders = prose.blocks.flatMap((block) =>
    leafIds([block]).map(() => (isLeaf(block.node) ? null : block.node.type)),
  );
  return readLeafTexts(prose).map(({ leaf, markdown }, at) => ({
    number: at + 1,
    blockId: String(leaf.blockId),
    within: holders[at] ?? null,
    markdown,
  }));
}
