import {
  addDefinitions,
  definitionsOf,
  hasDefinitions,
  innerDefinitions,
  looseDefinitions,
  widen,
} from "../definitions.ts";
import { sameNode } from "../document/same-node.ts";
import type { SourceBlock } from "../document/types.ts";
import { joinBlocks, type Stretch } from "../join-blocks.ts";
import { partedList } from "../markdown/normalize.ts";
import type { NewProse, PlacedBlock, StoredBlock, StoredProse } from "../plan.ts";
import { writeChapter } from "../write.ts";
import { openQuarry, speltIn } from "./quarry.ts";
import { rewriteBlock } from "./splice.ts";

const BLANK_LINE = "\n\n";

/**
 * Returns the Markdown of a native document. Every unchanged block keeps its author's source and the blank lines
 * around it, a changed one as much as possible. Parsed again, it gives the document; neighbours that would run
 * together are parted, in the worst case by rewriting the whole chapter. Link definitions are not part of a document,
 * so none is lost with its block.
 */
export function assembleProse(old: StoredProse, placed: readonly PlacedBlock[]): NewProse {
  const scope = definitionsOf(old);
  const spelt = speltIn(openQuarry(old.blocks), scope);
  const successors = new Map(old.blocks.map((block, index) => [block, old.blocks[index + 1]]));
  const blocks = partLists(placed).map(({ node, stored }, index): SourceBlock => {
    const isLast = index === placed.length - 1;
    const next = stored && successors.get(stored);
    const gap = gapAfter(stored, { next, isFollowed: next === placed[index + 1]?.stored, isLast });
    if (stored !== undefined && sameNode(stored.node, node)) return { node, source: stored.source, gap };
    return { ...rewriteBlock(stored, node, scope, { spelt }), gap };
  });
  const { bom, eol, head } = old;
  if (placed.length === 0 && old.blocks.length === 0) return { bom, eol, head, blocks };
  const lost = lostDefinitions(old, placed, blocks);
  const mended =
    joinBlocks(atEnd({ head, blocks }, lost)) ??
    (lost.length > 0 ? joinBlocks(atStart({ head, blocks }, lost)) : undefined);
  if (mended !== undefined) return { bom, eol, ...mended };
  const fresh = { head: "", blocks: writeChapter(placed.map(({ node }) => node)) };
  return { bom, eol, ...atStart(fresh, looseDefinitions(old)) };
}

/** Returns the blocks. Each new list gets another sign than its neighbours, which keep theirs. */
function partLists(placed: readonly PlacedBlock[]): PlacedBlock[] {
  const parted: PlacedBlock[] = [];
  for (const [at, place] of placed.entries()) {
    const next = placed[at + 1];
    const sides = [parted[at - 1]?.node, next?.stored && next.node];
    parted.push(place.stored === undefined ? { ...place, node: partedList(place.node, sides) } : place);
  }
  return parted;
}

/** Returns the gap behind a block. `next` followed it before; `isFollowed` if it still does. */
function gapAfter(
  stored: StoredBlock | undefined,
  { next, isFollowed, isLast }: { next: StoredBlock | undefined; isFollowed: boolean; isLast: boolean },
): string {
  if (stored === undefined) return isLast ? "\n" : BLANK_LINE;
  const defines = hasDefinitions(stored.gap);
  if (isLast) return next === undefined || defines ? stored.gap : "\n";
  if (next !== undefined && isFollowed) return stored.gap;
  if (defines) return widen(stored.gap);
  return /\n[ \t]*\n/.test(stored.gap) ? stored.gap : BLANK_LINE;
}

/** Returns the definitions behind a removed block, or in a block that was removed or lost them. */
function lostDefinitions(
  old: StoredProse,
  placed: readonly PlacedBlock[],
  blocks: readonly SourceBlock[],
): string[] {
  const now = new Map(placed.map(({ stored }, index) => [stored, blocks[index]!])); // one block a place
  return old.blocks.flatMap((block) => {
    const next = now.get(block);
    if (next?.source === block.source) return [];
    const left = new Set(next === undefined ? [] : innerDefinitions(next));
    const inner = innerDefinitions(block).filter((definition) => !left.has(definition));
    return next === undefined && hasDefinitions(block.gap) ? [...inner, block.gap.trim()] : inner;
  });
}

/** Adds definitions at the end, where they override no earlier one. */
function atEnd(prose: Stretch<SourceBlock>, definitions: readonly string[]): Stretch<SourceBlock> {
  const last = prose.blocks.at(-1);
  if (last === undefined) return atStart(prose, definitions);
  const gap = addDefinitions(last.gap, definitions);
  return { ...prose, blocks: [...prose.blocks.slice(0, -1), { ...last, gap }] };
}

/** Adds definitions before the first block, for a chapter whose last block would absorb them. */
function atStart(prose: Stretch<SourceBlock>, definitions: readonly string[]): Stretch<SourceBlock> {
  const [first, ...others] = prose.blocks;
  if (first?.node.attrs?.kind === "front_matter") {
    const gap = `${addDefinitions(first.gap, definitions)}\n`;
    return { ...prose, blocks: [{ ...first, gap }, ...others] };
  }
  const lines = [prose.head.trim(), ...definitions].filter((part) => part !== "");
  if (first === undefined || definitions.length === 0)
    return { ...prose, head: lines.map((line) => `${line}\n`).join("") };
  return { ...prose, head: `${lines.join("\n")}\n\n` };
}
