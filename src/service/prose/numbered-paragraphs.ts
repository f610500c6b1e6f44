import type { BlockId, ChapterId } from "../../ids.ts";
import { isLeaf, leafIds } from "../../prose/document/leaves.ts";
import { CHAPTER_ROOM } from "../../prose/document/room.ts";
import { parseMarkdown } from "../../prose/parse.ts";
import type { StoredProse } from "../../prose/plan.ts";
import { readLeafTexts } from "../../prose/write.ts";
import { BadRequest } from "../../refusals.ts";
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

/**
 * Markdown that is to take a paragraph's place, as its first block and the rest; undefined for what is one, and for all that
 * goes into code. Throws `BadRequest` within a list, a quote or a footnote.
 */
export function divideFor(
  { number, within, markdown: now }: NumberedParagraph,
  markdown: string,
): { first: string; rest: string } | undefined {
  const body = markdown
    .replace(/\r\n?/g, "\n")
    .replace(/^\s*\n/, "")
    .trimEnd();
  const { head, blocks } = parseMarkdown(body, "", CHAPTER_ROOM);
  const [first, ...others] = blocks;
  const isCode = parseMarkdown(now).blocks[0]?.node.type === "code_block";
  if (first === undefined || others.length === 0 || isCode || head.trim() !== "") return undefined;
  if (within !== null)
    throw new BadRequest(
      `¶${number} stands in a ${within.replaceAll("_", " ")}, where one paragraph takes the place of one; put the others behind it with insert_after.`,
    );
  return { first: first.source, rest: body.slice(head.length + first.source.length).trim() };
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
