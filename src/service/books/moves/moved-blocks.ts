import type { BlockId } from "../../../ids.ts";
import { widen } from "../../../prose/definitions.ts";
import { leavesOf } from "../../../prose/document/leaves.ts";
import { joinBlocks } from "../../../prose/join-blocks.ts";
import type { NewProse, StoredBlock, StoredProse } from "../../../prose/plan.ts";
import { BadRequest, NotFound } from "../../../refusals.ts";
import type { ChapterRow } from "../../../store/rows/chapters.ts";
import type { MarkdownRequest } from "../../prose/replace-prose.ts";

/** The ids of a block's paragraphs, in order. */
export function idsOf({ node }: Pick<StoredBlock, "node">): BlockId[] {
  return leavesOf(node).map(({ attrs }) => attrs?.blockId as BlockId); // every stored leaf has one
}

/** Which block begins with a paragraph; `verb` says what is asked of it. Throws `NotFound`, `BadRequest`. */
export function indexOfBlock(blocks: readonly StoredBlock[], blockId: BlockId, verb: string): number {
  const at = blocks.findIndex((block) => idsOf(block).includes(blockId));
  const block = blocks[at];
  if (block === undefined) throw new NotFound("paragraph in this chapter");
  const [first] = idsOf(block);
  if (first !== blockId)
    throw new BadRequest(
      `Paragraph ${blockId} is inside a list, quote or footnote, which stays whole; ${verb} its first paragraph, ${first}.`,
    );
  return at;
}

/** Throws `BadRequest` for chapters of two books. */
export function assertOneBook(one: ChapterRow, other: ChapterRow): void {
  if (one.bookId !== other.bookId)
    throw new BadRequest(
      `“${other.title}” is a chapter of another book; paragraphs and chapters are moved and joined within one.`,
    );
}

/** Blocks with the line ends of the chapter that they come to. */
export function withLineEnds<Block extends StoredBlock>(
  blocks: readonly Block[],
  { eol }: StoredProse,
): Block[] {
  return blocks.map((block) => ({
    ...block,
    source: plainEnds(block.source, eol),
    gap: plainEnds(block.gap, eol),
  }));
}

/** A stretch of Markdown as a chapter with these line ends holds it. */
export function plainEnds(text: string, eol: StoredProse["eol"]): string {
  return eol === "mixed" ? text : text.replace(/\r\n?/g, "\n");
}

/**
 * Blocks that stand elsewhere than in the stretches that they come from: the last ends with its line, not with the blank one
 * that parted it from what came next, and others that got another neighbour have one.
 */
export function closed(blocks: readonly StoredBlock[], ...from: (readonly StoredBlock[])[]): StoredBlock[] {
  const followers = new Map(
    from.flatMap((all) => all.map(({ row }, at) => [row, all[at + 1]?.row] as const)),
  );
  return blocks.map((block, at) => {
    const next = blocks[at + 1];
    if (followers.get(block.row) === next?.row) return block;
    const end = next === undefined ? (/\r?\n/.exec(block.gap)?.[0] ?? "") : undefined;
    return { ...block, gap: end === undefined ? widen(block.gap) : block.gap.trimEnd() + end };
  });
}

/** The prose so that it reads as its blocks by itself: a link whose definition is elsewhere now is spelt out. */
export function standing({ bom, eol, head, blocks }: StoredProse): NewProse {
  const joined = joinBlocks({ head, blocks });
  if (joined === undefined)
    throw new BadRequest("Markdown cannot say what would come of it. Do it by hand.").helpedBy({
      call: "replaceProse",
    });
  return { bom, eol, ...joined };
}

/** Prose with blocks that stood in another chapter. */
export function asArrived(prose: NewProse, arrived: readonly StoredBlock[]): MarkdownRequest {
  return { kind: "markdown", prose, mentions: "keep", arrived: new Set(arrived.flatMap(idsOf)) };
}

/** Prose without blocks that are to stand in another chapter. */
export function asLeft(prose: NewProse, left: readonly StoredBlock[]): MarkdownRequest {
  const ids = left.flatMap(idsOf).map((id) => [id, { isEdited: false }] as const);
  return { kind: "markdown", prose, mentions: "keep", left: new Map(ids) };
}
