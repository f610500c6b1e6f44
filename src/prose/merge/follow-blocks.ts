import { longestIncreasing } from "../../text/increasing-run.ts";
import { leafIds, mapLeaves, withId } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { SourceBlock } from "../document/types.ts";

/** A block of one side on the base's row that it continues; on null or an unknown row if it is new. */
export type Followed = SourceBlock & { row: string | null };

/** Edits of one side, by block of the base. */
export interface BlockEdits {
  /** Returns new blocks behind the nearest earlier block that this side has kept. */
  insteadOf(row: string | null): readonly SourceBlock[];
  /** Returns pieces that this side cut off it and kept as paragraphs of their own. */
  piecesOf(row: string | null): readonly SourceBlock[];
  /** Returns the neighbouring block that absorbed its text, if the two were joined. */
  joinedTo(row: string | null): SourceBlock | undefined;
}

/** Finds how one side changed the places of the base's blocks. O(blocks). */
export function readSide(base: readonly Followed[], blocks: readonly Followed[]): BlockEdits {
  const order = new Map(base.map(({ row }, index) => [row, index]));
  const from = Int32Array.from(blocks, ({ row }) => (row === null ? -1 : (order.get(row) ?? -1)));
  const fixed = new Set(longestIncreasing(from, -1));
  const { kept, added } = readPlaces(blocks, from, fixed);
  const sourceOf = (row: string | null) => base[order.get(row) ?? -1]?.source ?? "";
  // Callers ask for rows of the base.
  const neighbourOf = (row: string | null, step: 1 | -1) => {
    let at = (order.get(row) ?? 0) + step;
    while (at >= 0 && at < base.length && !kept.has(at)) at += step;
    return at;
  };
  return {
    insteadOf: (row) => added.get(Math.max(neighbourOf(row, -1), -1)) ?? [],
    piecesOf: (row) => {
      const source = sourceOf(row);
      return blocks.filter((block, index) => from[index] === -1 && source.includes(block.source));
    },
    joinedTo: (row) => {
      const text = sourceOf(row).trim();
      const near = ([-1, 1] as const).map((step) => neighbourOf(row, step));
      const found = near.find((at) => {
        const now = kept.get(at);
        return now !== undefined && base[at]?.source !== now.source && now.source.includes(text);
      });
      return found === undefined ? undefined : kept.get(found);
    },
  };
}

/** Returns the blocks that kept their order, by index in the base, and the new ones behind each of them. */
function readPlaces(
  blocks: readonly Followed[],
  from: Int32Array,
  fixed: ReadonlySet<number>,
): { kept: Map<number, Followed>; added: Map<number, SourceBlock[]> } {
  const kept = new Map<number, Followed>();
  const added = new Map<number, SourceBlock[]>();
  let before = -1;
  blocks.forEach((block, index) => {
    const at = from[index]!; // one a block
    if (at === -1) added.set(before, [...(added.get(before) ?? []), block]);
    if (fixed.has(index)) {
      before = at;
      kept.set(at, block);
    }
  });
  return { kept, added };
}

/**
 * Returns the incoming blocks. If both sides cut a block alike, and disagree which piece is still that block, the
 * stored side decides. O(blocks).
 */
export function agreeOnPieces(incoming: readonly Followed[], stored: readonly Followed[]): Followed[] {
  const bySource = new Map(incoming.map((block) => [block.source, block]));
  const storedByRow = new Map(stored.map((block) => [block.row, block]));
  const rows = new Set(incoming.map(({ row }) => row));
  const added = new Set(stored.filter(({ row }) => !rows.has(row)).map(({ source }) => source));
  const changed = new Map<Followed, Followed>();
  for (const block of incoming) {
    const other = block.row === null ? undefined : storedByRow.get(block.row);
    const piece = other && bySource.get(other.source);
    if (other === undefined || piece === undefined || piece.row !== null || !added.has(block.source))
      continue;
    changed.set(piece, { ...piece, row: other.row, node: other.node });
    const node = mapLeaves(block.node, (leaf) => withId(leaf, null));
    changed.set(block, { ...block, row: null, node });
  }
  return incoming.map((block) => changed.get(block) ?? block);
}

/**
 * Returns the incoming blocks. If both sides have the same block at one place, each on a row that the other gave up,
 * it gets the stored side's row: of two joined paragraphs one side follows the first, and the other the second.
 * Of a part that both sides cut off a list, the place does not matter. O(blocks).
 */
export function agreeOnRows(incoming: readonly Followed[], stored: readonly Followed[]): Followed[] {
  const rows = new Set(incoming.map(({ row }) => row));
  const storedRows = new Set(stored.map(({ row }) => row));
  const places = new Map(stored.flatMap(({ row, source }, at) => (rows.has(row) ? [] : [[source, at]])));
  return incoming.map((block, index) => {
    const at = block.row !== null && storedRows.has(block.row) ? undefined : places.get(block.source);
    const isHere = [-1, 1].some((step) => isAlike(incoming[index + step], stored[Number(at) + step]));
    const other = at === undefined ? undefined : stored[at];
    const twin = other !== undefined && (isHere || holdSame(block, other)) ? other : undefined;
    if (twin === undefined) return block;
    places.delete(block.source);
    return { ...block, row: twin.row, node: twin.node };
  });
}

/**
 * Returns the blocks of a side. A list that absorbed the base's list, and has another row for that, gets the base's row.
 * O(blocks).
 */
export function followLists<Block extends Followed>(
  base: readonly Followed[],
  side: readonly Block[],
): (Block | (Block & { row: string }))[] {
  const rows = new Set(side.map(({ row }) => row));
  const known = new Set(base.map(({ row }) => row));
  const lost = new Map(
    base.flatMap((block) =>
      rows.has(block.row) ? [] : leafIds([block]).map((id) => [id, block.row] as const),
    ),
  );
  return side.map((block) => {
    if (lost.size === 0 || known.has(block.row)) return block;
    const row = leafIds([block])
      .map((id) => (id === null ? null : lost.get(id)))
      .find((one) => one != null);
    if (row == null) return block;
    for (const [id, other] of lost) if (other === row) lost.delete(id);
    return { ...block, row };
  });
}

/** True if two blocks hold the same paragraphs of the base. */
function holdSame(one: SourceBlock, other: SourceBlock): boolean {
  const ids = leafIds([one]);
  return ids.length > 0 && ids.every((id) => id !== null) && ids.join() === leafIds([other]).join();
}

const isAlike = (one: Followed | undefined, other: Followed | undefined) => one?.source === other?.source;

/** True if two stretches have equal blocks. */
export function sameBlocks(one: readonly SourceBlock[], other: readonly SourceBlock[]): boolean {
  return one.length === other.length && one.every(({ node }, index) => sameNode(node, other[index]!.node)); // as many
}
