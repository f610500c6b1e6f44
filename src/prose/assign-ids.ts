import { longestIncreasing } from "../text/increasing-run.ts";
import type { Leaf } from "./document/leaves.ts";
import { reconcile } from "./reconcile/reconcile.ts";
import { findAbsorbed } from "./reconcile/splits-and-merges.ts";

export { pairAlike } from "./reconcile/similar.ts";

/** Known ids that are not in the chapter now. */
export interface KnownIds {
  /** Ids in other chapters. */
  foreign: ReadonlySet<string>;
  /** Ids that this chapter once had, or gets from another. */
  former: ReadonlySet<string>;
  /** Ids that go to another chapter. No leaf here continues them. */
  left?: { has(blockId: string): boolean } | undefined;
}

/** Id of each new leaf, and the old leaf that it continues. */
export interface Identity {
  /** `blockId` of each new leaf. */
  ids: readonly string[];
  /** Index of the old leaf that each new one continues, or -1. */
  from: readonly number[];
  /** For each old leaf that a merge absorbed: index of the surviving new leaf, else -1. */
  into: readonly number[];
  warnings: readonly string[];
}

/**
 * Gives every new leaf an id. An id that it brings is trusted. A leaf without one is matched with unclaimed old
 * leaves, by its place among those with ids and by text; the rest are new. `anchored` names leaves with annotations,
 * which are preferred among equals. Source: llms.txt, Prose writes and what they cost.
 */
export function identify(
  old: readonly Leaf[],
  next: readonly Leaf[],
  known: KnownIds & { anchored: ReadonlySet<string>; mint: () => string },
): Identity {
  const claims = claim(old, next, known);
  if (claims.continued.size > 0) pairNeighbours(old, next, { ...claims, left: known.left });
  const hasLeft = ({ blockId }: Leaf) => blockId !== null && known.left?.has(blockId) === true;
  const openOld = old.flatMap((leaf, index) => (claims.continued.has(index) || hasLeft(leaf) ? [] : [index]));
  const openNew = next.flatMap((_, index) =>
    claims.ids[index] === undefined && claims.from[index] === -1 ? [index] : [],
  );
  const pairing = reconcile(
    openOld.map((index) => paragraph(old[index]!, known.anchored)), // indexes of old
    openNew.map((index) => paragraph(next[index]!, known.anchored)), // indexes of next
  );
  const from = [...claims.from];
  openNew.forEach((index, place) => {
    const found = openOld[pairing.from[place]!]; // one entry a new paragraph; -1 finds nothing
    if (found !== undefined) from[index] = found;
  });
  const into = new Array<number>(old.length).fill(-1);
  openOld.forEach((index, place) => {
    into[index] = openNew[pairing.into[place]!] ?? -1; // one entry an old paragraph
  });
  if (claims.continued.size > 0) absorbLost(old, next, { from, into });
  for (const [index, leaf] of old.entries()) if (hasLeft(leaf)) into[index] = -1;
  const ids = next.map((_, index) => claims.ids[index] ?? old[from[index] ?? -1]?.blockId ?? known.mint());
  return { ids, from, into, warnings: claims.warnings };
}

/** Matches that follow from the ids that leaves bring. */
interface Claims {
  ids: (string | undefined)[];
  /** Index of the old leaf that each new one continues, or -1. */
  from: number[];
  /** Old leaves that are continued by a new one. */
  continued: Set<number>;
  warnings: string[];
}

function claim(
  old: readonly Leaf[],
  next: readonly Leaf[],
  known: KnownIds & { mint: () => string },
): Claims {
  const oldIndex = new Map(old.map(({ blockId }, index) => [blockId, index]));
  const used = new Set<string>();
  const claims: Claims = { ids: [], from: next.map(() => -1), continued: new Set(), warnings: [] };
  next.forEach(({ blockId }, index) => {
    if (blockId === null) return;
    const found = oldIndex.get(blockId);
    const refused = refusal(blockId, { used, known, isHere: found !== undefined });
    if (refused !== undefined) {
      const minted = known.mint();
      claims.ids[index] = minted;
      claims.warnings.push(`${refused}: ${blockId} became ${minted}`);
      return;
    }
    used.add(blockId);
    claims.ids[index] = blockId;
    if (found === undefined) return;
    claims.from[index] = found;
    claims.continued.add(found);
  });
  return claims;
}

function refusal(
  blockId: string,
  { used, known, isHere }: { used: ReadonlySet<string>; known: KnownIds; isHere: boolean },
): string | undefined {
  if (used.has(blockId)) return "duplicate_id";
  if (isHere) return undefined;
  if (known.foreign.has(blockId)) return "foreign_id";
  return known.former.has(blockId) ? undefined : "unknown_id";
}

function paragraph({ node, text, blockId }: Leaf, anchored: ReadonlySet<string>) {
  return { type: node.type, text, anchored: blockId !== null && anchored.has(blockId) };
}

/**
 * Pairs equal leaves without ids next to a pair that kept its order, and so on: a scene break cannot be recognized
 * otherwise. O(leaves log leaves).
 */
function pairNeighbours(
  old: readonly Leaf[],
  next: readonly Leaf[],
  { ids, from, continued, left }: Claims & Pick<KnownIds, "left">,
): void {
  const steady = new Set(longestIncreasing(from, -1));
  const pair = (oldAt: number, newAt: number) => {
    const [before, after] = [old[oldAt], next[newAt]];
    if (before === undefined || after === undefined || continued.has(oldAt) || from[newAt] !== -1) return;
    if (before.blockId !== null && left?.has(before.blockId)) return;
    if (ids[newAt] !== undefined || before.text !== after.text || before.node.type !== after.node.type)
      return;
    from[newAt] = oldAt;
    continued.add(oldAt);
    steady.add(newAt);
  };
  pair(0, 0);
  for (let at = 1; at < next.length; at++) if (steady.has(at - 1)) pair(from[at - 1]! + 1, at); // a steady one has its pair
  pair(old.length - 1, next.length - 1);
  for (let at = next.length - 2; at >= 0; at--) if (steady.has(at + 1)) pair(from[at + 1]! - 1, at); // as above
}

/** Finds the leaf into which a lost one was joined, if that brought its id along. Changes `into`. */
function absorbLost(
  old: readonly Leaf[],
  next: readonly Leaf[],
  { from, into }: { from: readonly number[]; into: number[] },
): void {
  const to = Int32Array.from(into);
  for (const [index, oldAt] of from.entries()) if (oldAt >= 0) to[oldAt] = index;
  for (const [at, newAt] of findAbsorbed(old, next, to).entries()) if (newAt >= 0) into[at] = newAt;
}
