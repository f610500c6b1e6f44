import { MINTED } from "../../ids.ts";

/**
 * A block's id as Obsidian writes one into Markdown: `^b-…` for `b_…`, because it takes no underscore there. Undefined
 * for an id of another shape: a reader of block ids would leave it in the prose. Source: https://obsidian.md/help/links.
 */
export function writeBlockId(blockId: string | null | undefined): string | undefined {
  return blockId != null && SHAPE.test(blockId) ? `^b-${blockId.slice(2)}` : undefined;
}

/** The block id at the end of a leaf's Markdown, and as it is written there; it is all there is, or a blank comes before it. */
export function blockIdAtEnd(text: string): { blockId: string; written: string } | undefined {
  const found = AT_END.exec(text)?.[1];
  return found === undefined ? undefined : { blockId: `b_${found}`, written: `^b-${found}` };
}

/** Whether a block id may be in the text: quick, and never false if one does. */
export function mayHoldBlockIds(text: string): boolean {
  return ANYWHERE.test(text);
}

/** All block ids in a text, each with blanks around it: `at` is an offset. */
export function findBlockIds(text: string): { blockId: string; written: string; at: number }[] {
  return [...text.matchAll(BETWEEN_BLANKS)].map(({ 1: found, index }) => ({
    blockId: `b_${found}`,
    written: `^b-${found}`,
    at: index,
  }));
}

const SHAPE = new RegExp(`^b_${MINTED}$`);
const AT_END = new RegExp(`(?:^|\\s)\\^b-(${MINTED})$`);
const BETWEEN_BLANKS = new RegExp(`(?<!\\S)\\^b-(${MINTED})(?!\\S)`, "g");
const ANYWHERE = new RegExp(`\\^b-${MINTED}`);
