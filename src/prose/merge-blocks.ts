import { longestIncreasing } from "../text/increasing-run.ts";

/** Three sides of a list: the base, ours, and theirs. */
export interface ThreeLists<Block> {
  base: readonly Block[];
  ours: readonly Block[];
  theirs: readonly Block[];
}

/** One block of the base on its three sides; undefined on a side that removed it. */
export interface ThreeBlocks<Block> {
  base: Block;
  ours: Block | undefined;
  theirs: Block | undefined;
}

/** Decisions that a merge of blocks leaves to its caller. */
export interface BlockRules<Block> {
  /** Returns the key by which a block is followed from side to side; null if it has none yet. */
  keyOf(block: Block): string | null;
  /** Decides what becomes of a block of the base; undefined if it goes. The caller collects conflicts here. */
  decide(sides: ThreeBlocks<Block>): Block | undefined;
  /** True if a block that they wrote is the one that we wrote at the same place. */
  isTwin(ours: Block, theirs: Block): boolean;
  /** Side whose new blocks come first if both sides wrote some at one place. */
  first: "ours" | "theirs";
}

/** A block of the outcome; the key is null if only they have it. */
interface Entry<Block> {
  key: string | null;
  block: Block;
}

/**
 * Merges both sides' edits of a list of blocks. Starts from ours: `decide` says what becomes of each block of the
 * base, then every block that they moved or wrote is put behind the block that it follows on their side. A block that
 * both moved stays at our place. Sync, lists and quotations, and the editor all use this merge. O(blocks), and a
 * search for each block that comes or goes.
 */
export function mergeBlocks<Block>(lists: ThreeLists<Block>, rules: BlockRules<Block>): Block[] {
  const { keyOf, decide } = rules;
  const list = lists.ours.map((block): Entry<Block> => ({ key: keyOf(block), block }));
  const ours = byKey(list, ({ key }) => key);
  const theirs = byKey(lists.theirs, keyOf);
  const restored = new Map<string, Block>();
  for (const base of lists.base) {
    const key = keyOf(base);
    if (key === null) continue;
    const entry = ours.get(key);
    const block = decide({ base, ours: entry?.block, theirs: theirs.get(key) });
    if (entry === undefined) {
      if (block !== undefined) restored.set(key, block);
    } else if (block !== undefined) entry.block = block;
    else {
      list.splice(list.indexOf(entry), 1);
      ours.delete(key);
    }
  }
  placeTheirs(list, lists, { ...rules, restored });
  return list.map(({ block }) => block);
}

/** Returns the keys of the base's blocks that a side moved: the fewest that explain its order. O(n log n). */
function movedKeys<Block>(
  base: readonly Block[],
  blocks: readonly Block[],
  keyOf: (block: Block) => string | null,
): Set<string | null> {
  const places = new Map(base.map((block, index) => [keyOf(block), index]));
  const from = blocks.map((block) => {
    const key = keyOf(block);
    return key === null ? -1 : (places.get(key) ?? -1);
  });
  const fixed = new Set(longestIncreasing(from, -1));
  return new Set(blocks.filter((_, index) => from[index] !== -1 && !fixed.has(index)).map(keyOf));
}

/** Puts the blocks that they moved or wrote behind the block before each on their side. */
function placeTheirs<Block>(
  list: Entry<Block>[],
  { base, ours, theirs }: ThreeLists<Block>,
  rules: BlockRules<Block> & { restored: ReadonlyMap<string, Block> },
): void {
  const { keyOf, restored } = rules;
  const known = new Set(base.map(keyOf));
  const moved = { ours: movedKeys(base, ours, keyOf), theirs: movedKeys(base, theirs, keyOf) };
  const entries = byKey(list, ({ key }) => key);
  let before: Entry<Block> | undefined;
  for (const block of theirs) {
    const key = keyOf(block);
    const entry = key === null ? undefined : entries.get(key);
    if (entry === undefined) {
      const found = key !== null && known.has(key) ? restored.get(key) : block;
      if (found === undefined) continue; // it goes
      before = placeNew(list, found, { ...rules, known, before });
    } else {
      if (moved.theirs.has(key) && !moved.ours.has(key)) {
        list.splice(list.indexOf(entry), 1);
        list.splice(endOfNew(list, { ...rules, known, before }), 0, entry);
      }
      before = entry;
    }
  }
}

interface Place<Block> {
  /** Keys of the base. */
  known: ReadonlySet<string | null>;
  before: Entry<Block> | undefined;
}

/** Puts a block that they wrote behind another. Returns its entry, or that of its twin of ours. */
function placeNew<Block>(
  list: Entry<Block>[],
  block: Block,
  rules: BlockRules<Block> & Place<Block>,
): Entry<Block> {
  const at = startOf(list, rules.before);
  const fresh = list.slice(at, endOfNew(list, { ...rules, first: "ours" }));
  const twin = fresh.find((other) => rules.isTwin(other.block, block));
  if (twin !== undefined) return twin;
  const entry = { key: null, block };
  list.splice(endOfNew(list, rules), 0, entry);
  return entry;
}

function startOf<Block>(list: readonly Entry<Block>[], before: Entry<Block> | undefined): number {
  return before === undefined ? 0 : list.indexOf(before) + 1;
}

/** Returns the index for a block of theirs: behind our new blocks there, if ours come first. */
function endOfNew<Block>(
  list: readonly Entry<Block>[],
  { before, known, first }: Place<Block> & Pick<BlockRules<Block>, "first">,
): number {
  let at = startOf(list, before);
  if (first === "theirs") return at;
  for (let entry = list[at]; entry !== undefined; entry = list[++at])
    if (entry.key !== null && known.has(entry.key)) break;
  return at;
}

function byKey<Value>(values: readonly Value[], keyOf: (value: Value) => string | null): Map<string, Value> {
  const map = new Map<string, Value>();
  for (const value of values) {
    const key = keyOf(value);
    if (key !== null) map.set(key, value);
  }
  return map;
}
