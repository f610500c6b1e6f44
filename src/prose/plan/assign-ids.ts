import { leavesOf } from "../document/leaves.ts";
import { leafText } from "../document/text.ts";
import type { DocNode } from "../document/types.ts";
import { reconcile } from "../reconcile/reconcile.ts";
import { absorbLost, pairBeside } from "./assign-by-neighbours.ts";

/** A leaf block with its text, read once. */
export interface Leaf {
  node: DocNode;
  blockId: string | null;
  text: string;
  /** Offsets in the text where another inline node stands, such as a hard break: nothing may span one. */
  breaks: readonly number[];
}

/** What is known of ids that are not in the chapter now. */
export interface KnownIds {
  /** Ids that stand in another chapter. */
  foreign: ReadonlySet<string>;
  /** Ids that this chapter once had. */
  former: ReadonlySet<string>;
}

/** Which id each new leaf gets, and which old leaf it continues. */
export interface Identity {
  /** The `blockId` of each new leaf. */
  ids: readonly string[];
  /** Index of the old leaf that each new one continues, or -1. */
  from: readonly number[];
  /** For each old leaf that a merge absorbed: index of the surviving new leaf, else -1. */
  into: readonly number[];
  warnings: readonly string[];
}

/** A block's leaves with their texts. */
export function readLeaves(block: DocNode): Leaf[] {
  return leavesOf(block).map((node) => ({
    node,
    blockId: idOf(node),
    text: leafText(node),
    breaks: breaksOf(node),
  }));
}

function breaksOf({ content = [] }: DocNode): number[] {
  const breaks: number[] = [];
  let offset = 0;
  for (const { text } of content) {
    if (text === undefined) breaks.push(offset);
    else offset += text.length;
  }
  return breaks;
}

function idOf(leaf: DocNode): string | null {
  return typeof leaf.attrs?.blockId === "string" ? leaf.attrs.blockId : null;
}

/**
 * An id for every new leaf: one that it brings along is trusted, one without is matched by its place beside those that
 * did and by text to old leaves that nobody claims, the rest are new. `anchored` names the leaves that carry
 * annotations; among equals they are preferred. Source: llms.txt, Prose writes and what they cost.
 */
export function identify(
  old: readonly Leaf[],
  next: readonly Leaf[],
  known: KnownIds & { anchored: ReadonlySet<string>; mint: () => string },
): Identity {
  const claims = claim(old, next, known);
  const isOpen = (index: number) => claims.ids[index] === undefined;
  if (claims.taken.size > 0) pairBeside(old, next, { ...claims, isOpen });
  const openOld = old.flatMap((_, index) => (claims.taken.has(index) ? [] : [index]));
  const openNew = next.flatMap((_, index) => (isOpen(index) && claims.from[index] === -1 ? [index] : []));
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
  if (claims.taken.size > 0) absorbLost(old, next, { from, into });
  const ids = next.map((_, index) => claims.ids[index] ?? old[from[index]!]?.blockId ?? known.mint());
  return { ids, from, into, warnings: claims.warnings };
}

interface Claims {
  ids: (string | undefined)[];
  from: number[];
  taken: Set<number>;
  warnings: string[];
}

function claim(
  old: readonly Leaf[],
  next: readonly Leaf[],
  known: KnownIds & { mint: () => string },
): Claims {
  const oldIndex = new Map(old.map(({ blockId }, index) => [blockId, index]));
  const used = new Set<string>();
  const claims: Claims = { ids: [], from: next.map(() => -1), taken: new Set(), warnings: [] };
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
    claims.taken.add(found);
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
