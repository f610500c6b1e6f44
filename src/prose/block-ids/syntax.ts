import { MINTED } from "../../ids.ts";

/**
 * Writes a block's id as Obsidian does: `^b-…` for `b_…`, because Obsidian allows no underscore there. Undefined for
 * an id of another form, which would stay in the prose when read. Source: https://obsidian.md/help/links.
 */
export function writeBlockId(blockId: string | null | undefined): string | undefined {
  return blockId != null && SHAPE.test(blockId) ? `^b-${blockId.slice(2)}` : undefined;
}

/** Finds the block id at the end of a leaf's Markdown, alone or after a blank, with its spelling. */
export function blockIdAtEnd(text: string): { blockId: string; written: string } | undefined {
  const found = AT_END.exec(text)?.[1];
  return found === undefined ? undefined : { blockId: `b_${found}`, written: `^b-${found}` };
}

/** True if the text may hold block ids. Fast, and never false if it does. */
export function mayHoldBlockIds(text: string): boolean {
  return ANYWHERE.test(text);
}

/** Finds all block ids in a text that have blanks around them; `at` is an offset. */
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
