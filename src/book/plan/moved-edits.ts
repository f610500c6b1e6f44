import type { ChapterId } from "../../ids.ts";
import { leafIds, readLeaves, withLeafIds } from "../../prose/document/leaves.ts";
import type { SourceBlock } from "../../prose/document/types.ts";
import type { StoredProse } from "../../prose/plan.ts";
import type { IncomingChapter, StoredChapter } from "../book.ts";
import { firstLeafOf, type MovedParagraph, type OpenFile } from "./moved-paragraphs.ts";
import { withBlocks, withIdsAt, withoutLeaves, withoutLeavesAt } from "./prose-edits.ts";

/** Changes of moved paragraphs to a file, by indexes of its leaves and blocks. */
export interface MovesInFile {
  /** Ids of the paragraphs that arrive in its chapter. */
  ids: Map<number, string>;
  blocks: Map<number, SourceBlock>;
  /** Leaves that this file brings to no chapter. */
  dropped: Set<number>;
  /** Paragraphs that are gone from here on both sides, with nothing in their place. */
  away: Set<string>;
}

/** Changes of moved paragraphs to a chapter, by id. */
export interface MovesOfChapter {
  stored: StoredChapter;
  /** Blocks as the files have them; they count as the manuscript's own edit. */
  blocks: Map<string | null, SourceBlock>;
  removed: Set<string>;
  left: Map<string, { isEdited: boolean }>;
  /** Leaving paragraphs as they were before the manuscript edited them. */
  before: Map<string | null, SourceBlock>;
}

/** Collects the changes of moved paragraphs by file and by chapter. */
export function editsOf(moved: readonly MovedParagraph[]) {
  const files = new Map<OpenFile, MovesInFile>();
  const chapters = new Map<ChapterId, MovesOfChapter>();
  const inFile = (file: OpenFile): MovesInFile => {
    const edits = files.get(file) ?? {
      ids: new Map(),
      blocks: new Map(),
      dropped: new Set(),
      away: new Set(),
    };
    files.set(file, edits);
    return edits;
  };
  const inChapter = (stored: StoredChapter): MovesOfChapter => {
    const none = { blocks: new Map(), removed: new Set<string>(), left: new Map(), before: new Map() };
    const edits = chapters.get(stored.id) ?? { stored, ...none };
    chapters.set(stored.id, edits);
    return edits;
  };
  for (const one of moved) {
    const { blockId, from, incoming, stored, place, restored } = one;
    if (incoming !== undefined) editFile(inFile(incoming.file), one);
    if (from !== undefined && from !== incoming?.file) inFile(from).away.add(blockId);
    if (restored !== undefined) inFile(restored.file).blocks.set(restored.index, restored.block);
    if (stored === undefined) continue;
    if (place === "incoming") leaveChapter(inChapter(stored.chapter), one);
    else if (one.block !== stored.block) changeChapter(inChapter(stored.chapter), one);
  }
  return { files, chapters };
}

function editFile({ ids, blocks, dropped, away }: MovesInFile, moved: MovedParagraph): void {
  const { blockId, old, from, incoming, stored, place, block, isWhole } = moved;
  if (incoming === undefined) return;
  const { file, at, index, block: own, cutOff } = incoming;
  if (place === "incoming") {
    if (stored !== undefined) ids.set(at, blockId);
    if (block !== undefined && block.source !== own.source) blocks.set(index, { ...block, gap: own.gap });
    return;
  }
  const isAtHome = file === from && file.match.stored !== undefined && isWhole;
  if (isAtHome) {
    const before = { ...old, gap: own.gap };
    blocks.set(index, withLeafIds([before], leafIds([own]))[0] ?? before);
  } else {
    dropped.add(at);
    if (file === from) away.add(blockId);
  }
  // It stays whole, so its pieces are not paragraphs of the file's own.
  if (block === stored?.block) for (const piece of cutOff) if (piece >= 0) dropped.add(piece);
}

function leaveChapter({ left, before, stored: chapter }: MovesOfChapter, moved: MovedParagraph): void {
  const { blockId, old, stored, isWhole } = moved;
  left.set(blockId, { isEdited: storedLeaf(moved)?.text !== incomingText(moved) });
  if (isWhole && stored?.block.source !== old.source && stored?.chapter.id === chapter.id)
    before.set(leafIds([old])[0] ?? null, old);
}

/** Returns a moved paragraph as the manuscript has it. */
export const storedLeaf = ({ stored, blockId }: MovedParagraph) =>
  stored && readLeaves(stored.block.node).find((leaf) => leaf.blockId === blockId);

/** Returns a moved paragraph's text in its new file. */
export function incomingText({ incoming, block, blockId }: MovedParagraph): string | undefined {
  if (incoming === undefined) return undefined;
  const leaves = block && block !== incoming.block ? readLeaves(block.node) : undefined;
  const known = leaves?.find((leaf) => leaf.blockId === blockId);
  if (known !== undefined) return known.text;
  return readLeaves(incoming.block.node)[incoming.at - firstLeafOf(incoming)]?.text;
}

function changeChapter(
  { blocks, removed }: MovesOfChapter,
  { blockId, stored, block }: MovedParagraph,
): void {
  if (stored === undefined) return;
  if (block === undefined) removed.add(blockId);
  else {
    const ids = leafIds([stored.block]);
    blocks.set(ids[0] ?? null, withLeafIds([block], ids)[0] ?? block);
  }
}

/**
 * Returns a chapter's prose after the edits of other files. Leaving paragraphs are as before the manuscript's edit.
 */
export function meantProse({ stored, before, blocks, removed }: MovesOfChapter): StoredProse {
  return withoutLeaves(withBlocks(withBlocks(stored.prose(), before), blocks), removed);
}

/** Returns the rest of a chapter whose file is gone. */
export function restOf({ stored, blocks, removed, left }: MovesOfChapter): StoredProse {
  return withoutLeaves(withBlocks(stored.prose(), blocks), new Set([...removed, ...left.keys()]));
}

/** Returns the file with the moves applied, ready to be merged with its chapter. */
export function withMovesIn(
  incoming: IncomingChapter,
  { ids, blocks, dropped }: MovesInFile,
): IncomingChapter {
  const given = withIdsAt(incoming.prose, ids);
  const prose = { ...given, blocks: given.blocks.map((block, at) => blocks.get(at) ?? block) };
  const rest = dropped.size === 0 ? undefined : withoutLeavesAt(prose, dropped);
  if (rest === undefined) return { ...incoming, prose };
  const count = dropped.size === 1 ? "1 paragraph was" : `${dropped.size} paragraphs were`;
  const warning = `${count} moved or deleted in the manuscript, and only the rest was taken`;
  return { ...incoming, prose: rest, warnings: [...(incoming.warnings ?? []), warning] };
}
