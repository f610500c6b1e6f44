import { leafIds, withLeafIds } from "../prose/document/leaf.ts";
import type { SourceBlock } from "../prose/document/types.ts";
import type { NewProse, StoredBlock, StoredProse } from "../prose/plan/plan.ts";
import { removeLeaves } from "../prose/plan/remove-leaf.ts";
import { BadRequest } from "../refusals.ts";

/** Which block holds each leaf, by the leaf's id and by its index. */
export interface Holders<Block> {
  byId: ReadonlyMap<string | null, Block>;
  inOrder: readonly Block[];
}

// Asked for every paragraph that moves, and a chapter may have thousands: made once for each list of blocks.
const known = new WeakMap<readonly SourceBlock[], Holders<SourceBlock>>();

/** Returns the block of each leaf; of an id that stands twice the first has it. */
export function holdersIn<Block extends SourceBlock>({
  blocks,
}: {
  blocks: readonly Block[];
}): Holders<Block> {
  let holders = known.get(blocks);
  if (holders === undefined) {
    const held = blocks.flatMap((block) => leafIds([block]).map((id) => [id, block] as const));
    holders = { byId: new Map(held.toReversed()), inOrder: held.map(([, block]) => block) };
    known.set(blocks, holders);
  }
  return holders as Holders<Block>;
}

/** The prose with other blocks, each for the one that begins with the paragraph of its id. */
export function withBlocks<Prose extends { blocks: readonly SourceBlock[] }>(
  prose: Prose,
  others: ReadonlyMap<unknown, SourceBlock>,
): Prose {
  if (others.size === 0) return prose;
  const blocks = prose.blocks.map((block) => {
    const other = others.get(leafIds([block])[0]);
    return other === undefined ? block : { ...block, node: other.node, source: other.source };
  });
  return { ...prose, blocks };
}

/** The prose without the leaves of these indexes; undefined if Markdown cannot say what is left. */
export function withoutLeavesAt(prose: NewProse, places: ReadonlySet<number>): NewProse | undefined {
  const ids = leafIds(prose.blocks).map((id, at) => (places.has(at) ? `moved ${at}` : id));
  const blocks = withLeafIds(prose.blocks, ids).map((block, at) => ({ ...block, row: String(at) }));
  try {
    return removeLeaves({ ...prose, blocks }, new Set([...places].map((at) => `moved ${at}`)));
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

/** A chapter's prose without some leaves, each block still on its row. */
export function withoutLeaves(prose: StoredProse, ids: ReadonlySet<string>): StoredProse {
  if (ids.size === 0) return prose;
  const isLeft = (block: StoredBlock) => {
    const own = leafIds([block]);
    return own.length === 0 || own.some((id) => id === null || !ids.has(id));
  };
  const rows = prose.blocks.filter(isLeft).map(({ row }) => row);
  const left = removeLeaves(prose, ids);
  return { ...left, blocks: left.blocks.map((block, at) => ({ ...block, row: rows[at] ?? `left ${at}` })) };
}

/** The prose with these ids on its leaves, by their indexes; an id that stands there already is not given twice. */
export function withIdsAt<Prose extends NewProse>(prose: Prose, given: ReadonlyMap<number, string>): Prose {
  if (given.size === 0) return prose;
  const ids = leafIds(prose.blocks);
  for (const [at, blockId] of given) if (ids.length > at && !ids.includes(blockId)) ids[at] = blockId;
  return { ...prose, blocks: withLeafIds(prose.blocks, ids) };
}
