import { removeLeaves } from "../../prose/apply-edits.ts";
import { leafIds, withLeafIds } from "../../prose/document/leaves.ts";
import type { SourceBlock } from "../../prose/document/types.ts";
import type { NewProse, StoredBlock, StoredProse } from "../../prose/plan.ts";
import { BadRequest } from "../../refusals.ts";

/** Blocks by the id and by the index of each leaf that they hold. */
export interface Holders<Block> {
  byId: ReadonlyMap<string | null, Block>;
  inOrder: readonly Block[];
}

// Made once for each list of blocks: it is needed for every moved paragraph, and a chapter may have thousands.
const known = new WeakMap<readonly SourceBlock[], Holders<SourceBlock>>();

/** Returns the block of each leaf. An id that stands twice means its first block. */
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

/** Returns the prose with some blocks replaced, each named by its first paragraph's id. */
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

/** Returns the prose without the leaves of these indexes; undefined if Markdown cannot say the rest. */
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

/** Returns a chapter's prose without some leaves, each block on its old row. */
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

/** Returns the prose with these ids on its leaves, by index. An id that is there already is not given twice. */
export function withIdsAt<Prose extends NewProse>(prose: Prose, given: ReadonlyMap<number, string>): Prose {
  if (given.size === 0) return prose;
  const ids = leafIds(prose.blocks);
  for (const [at, blockId] of given) if (ids.length > at && !ids.includes(blockId)) ids[at] = blockId;
  return { ...prose, blocks: withLeafIds(prose.blocks, ids) };
}
