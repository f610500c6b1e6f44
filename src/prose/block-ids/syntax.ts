import { MINTED } from "../../ids.ts";

/**
 * A block's id as Obsidian writes one into Markdown: `^b-…` for `b_…`, because it takes no underscore there. Undefined
 * for an id of another shape: what reads marks would leave it in the prose. Source: https://obsidian.md/help/links.
 */
export function writeBlockId(blockId: string | null | undefined): string | undefined {
  return blockId != null && SHAPE.test(blockId) ? `^b-${blockId.slice(2)}` : undefined;
}

/** The block that the mark at the end of a leaf's Markdown names; the mark is all there is, or a blank stands before it. */
export function blockIdAtEnd(text: string): { blockId: string; mark: string } | undefined {
  const found = AT_END.exec(text)?.[1];
  return found === undefined ? undefined : { blockId: `b_${found}`, mark: `^b-${found}` };
}

/** Whether a mark may stand in the text: quick, and never false where one does. */
export function mayHoldBlockIds(text: string): boolean {
  return ANYWHERE.test(text);
}

/** The blocks that all marks in a text name, wherever they stand: `at` is an offset, a mark alone has blanks around it. */
export function findBlockIds(text: string): { blockId: string; mark: string; at: number }[] {
  return [...text.matchAll(BETWEEN_BLANKS)].map(({ 1: found, index }) => ({
    blockId: `b_${found}`,
    mark: `^b-${found}`,
    at: index,
  }));
}

const SHAPE = new RegExp(`^b_${MINTED}$`);
const AT_END = new RegExp(`(?:^|\\s)\\^b-(${MINTED})$`);
const BETWEEN_BLANKS = new RegExp(`(?<!\\S)\\^b-(${MINTED})(?!\\S)`, "g");
const ANYWHERE = new RegExp(`\\^b-${MINTED}`);
