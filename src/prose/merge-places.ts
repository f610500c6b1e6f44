import { findBackbone } from "./reconcile-gaps.ts";
import { sameNode } from "./same-node.ts";
import type { Neighbour } from "./seams.ts";

/** A block of one side, on the row of the base that it continues; null or a row that the base lacks for a new one. */
export type Followed = Neighbour & { row: string | null };

/** What one side did where a block of the base stood. */
export interface Side {
  /** The blocks of the base that this side moved among the others. */
  moved: ReadonlySet<string | null>;
  /** What this side wrote anew behind the last block that it has left of those before this one. */
  insteadOf(row: string | null): readonly Neighbour[];
  /** Whether a block beside it has taken its text in: the two were joined. */
  hasJoined(row: string | null): boolean;
}

/** Reads off how one side changed the places of the base's blocks. O(blocks). */
export function readSide(base: readonly Followed[], blocks: readonly Followed[]): Side {
  const order = new Map(base.map(({ row }, index) => [row, index]));
  const from = Int32Array.from(blocks, ({ row }) => (row === null ? -1 : (order.get(row) ?? -1)));
  const fixed = new Set(findBackbone(from));
  const moved = new Set(
    blocks.filter((_, index) => from[index] !== -1 && !fixed.has(index)).map(({ row }) => row),
  );
  const kept = new Map<number, Followed>();
  const added = new Map<number, Neighbour[]>();
  let before = -1;
  blocks.forEach((block, index) => {
    const at = from[index]!; // one a block
    if (at === -1) added.set(before, [...(added.get(before) ?? []), block]);
    if (fixed.has(index)) {
      before = at;
      kept.set(at, block);
    }
  });
  const beside = (row: string | null, step: 1 | -1) => {
    let at = order.get(row)! + step; // callers ask for rows of the base
    while (at >= 0 && at < base.length && !kept.has(at)) at += step;
    return at;
  };
  return {
    moved,
    insteadOf: (row) => added.get(Math.max(beside(row, -1), -1)) ?? [],
    hasJoined: (row) => {
      const text = base[order.get(row)!]!.source.trim(); // callers ask for rows of the base
      return ([-1, 1] as const).some((step) => {
        const [was, now] = [base[beside(row, step)], kept.get(beside(row, step))];
        return now !== undefined && was?.source !== now.source && now.source.includes(text);
      });
    },
  };
}

/** Whether two stretches say the same. */
export function sameBlocks(one: readonly Neighbour[], other: readonly Neighbour[]): boolean {
  return one.length === other.length && one.every(({ node }, index) => sameNode(node, other[index]!.node)); // as many
}
