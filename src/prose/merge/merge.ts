import { readLeaves } from "../document/leaf.ts";
import { leafIds, withLeafIds } from "../document/leaf-ids.ts";
import { mapLeaves } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import { definitionsOf } from "../markdown/definitions.ts";
import { mendSeams, type Neighbour } from "../markdown/join-blocks.ts";
import { parseMarkdown } from "../markdown/parse-leaf.ts";
import { writeBlock } from "../markdown/write.ts";
import type { NewProse, StoredProse } from "../plan/plan.ts";
import { planReplace } from "../plan/plan-chapter.ts";
import { rewriteLeaf } from "../plan/rewrite-leaf.ts";
import { agreeOnPieces, type Followed, readSide, type Side, sameBlocks } from "./follow-blocks.ts";

/** A block that both sides changed, each in its own way; undefined where a side took it out. */
export interface MergeConflict {
  mine: string | undefined;
  theirs: string | undefined;
}

/** Whose block it is where both sides changed one, each in its own way. */
type Force = "mine" | "theirs";

/** A merge that went through, or what stands in its way. */
export type Merged = { prose: NewProse } | { conflicts: readonly MergeConflict[] };

/**
 * A chapter that two sides have changed since `base`: `mine` as Markdown, `theirs` as stored. Blocks are followed by
 * their rows, not by their lines: a paragraph that one side moved takes the other's edit along. What one side changed
 * is taken; what both changed alike is taken once; what both changed differently is a conflict, and then nothing is
 * merged, unless `force` says whose block such a one is. Leaves keep the ids that they have in `base` or `theirs`. O(text) plus what `reconcile` costs.
 */
export function mergeProse(base: StoredProse, mine: NewProse, theirs: StoredProse, force?: Force): Merged {
  const ours = agreeOnPieces(followBlocks(base, mine), theirs.blocks);
  const merged = mergeBlocks(base.blocks, ours, theirs.blocks, force);
  const forced = force && { mine, theirs }[force].head;
  const head = mergeGap(base.head, mine.head, theirs.head) ?? forced;
  const clash = head === undefined ? [{ mine: mine.head.trim(), theirs: theirs.head.trim() }] : [];
  if (head === undefined || "conflicts" in merged)
    return { conflicts: [...clash, ...("conflicts" in merged ? merged.conflicts : [])] };
  const mended = mendSeams(readAgain({ head, blocks: endAs(merged.blocks, theirs) }));
  if (mended === undefined) return { conflicts: [{ mine: undefined, theirs: undefined }] };
  const { bom, eol } = mine.bom === base.bom && mine.eol === base.eol ? theirs : mine;
  return { prose: { bom, eol, ...mended } };
}

/** The blocks that both sides' edits of `base` come to. */
function mergeBlocks(
  base: readonly Followed[],
  ours: readonly Followed[],
  theirs: readonly Followed[],
  force?: Force,
): { blocks: readonly Neighbour[] } | { conflicts: readonly MergeConflict[] } {
  const sides = { mine: readSide(base, ours), theirs: readSide(base, theirs) };
  const conflicts: MergeConflict[] = [];
  // What the other side took out and this one's word brings back.
  const restored = new Set<string | null>();
  const list = theirs.map(({ row, ...block }): Placed => ({ row, block }));
  const theirRows = new Map(list.map((entry) => [entry.row, entry]));
  const myRows = new Map(ours.flatMap((block) => (block.row === null ? [] : [[block.row, block] as const])));
  for (const old of base) {
    const my = myRows.get(String(old.row));
    const their = theirRows.get(old.row);
    const merged = mergeBlock(old, my, their?.block);
    const isConflict =
      merged === "conflict" || (my?.source === their?.block.source && goApart(old, my, sides));
    const outcome = merged === "conflict" ? { mine: my, theirs: their?.block }[force ?? "theirs"] : merged;
    if (isConflict && force === undefined) {
      conflicts.push(describe(old.row, { my, their: their?.block }, sides));
    } else if (outcome === undefined) {
      if (their !== undefined) list.splice(list.indexOf(their), 1);
    } else if (their !== undefined) their.block = outcome;
    else if (isConflict) restored.add(old.row);
  }
  if (conflicts.length > 0) return { conflicts };
  const placed = ours.map((block) => (restored.has(block.row) ? { ...block, row: null } : block));
  placeMine(list, placed, { base, ...sides });
  return {
    blocks: withoutDoubles(
      list.map(({ block }) => block),
      [ours, theirs],
    ),
  };
}

/** The blocks without link definitions that stand behind two of them because each side kept its own. */
function withoutDoubles(blocks: readonly Neighbour[], sides: readonly (readonly Followed[])[]): Neighbour[] {
  const countOf = (side: readonly { gap: string }[], line: string) =>
    side.reduce((sum, { gap }) => sum + gap.split("\n").filter((other) => other === line).length, 0);
  const seen = new Map<string, number>();
  const isDouble = (line: string) => {
    if (!/^ {0,3}\[[^\]]+\]:/.test(line)) return false;
    const count = (seen.get(line) ?? 0) + 1;
    seen.set(line, count);
    return count > Math.max(...sides.map((side) => countOf(side, line)));
  };
  return blocks.map((block) => {
    if (!block.gap.includes("]:")) return block;
    const lines = block.gap.split("\n");
    const kept = lines.filter((line) => !isDouble(line));
    if (kept.length === lines.length) return block;
    const gap = kept.join("\n");
    return { ...block, gap: gap.trim() === "" ? "\n\n" : gap };
  });
}

/** The blocks as they are read beside the link definitions that both sides' edits come to. */
function readAgain({ head, blocks }: { head: string; blocks: readonly Neighbour[] }) {
  const scope = definitionsOf({ head, blocks });
  if (scope === "") return { head, blocks };
  const read = blocks.map((block) => {
    if (!block.source.includes("[")) return block;
    const [found, ...others] = withLeafIds(parseMarkdown(block.source, scope).blocks, leafIds([block]));
    const isSame = found?.source === block.source && others.length === 0;
    return isSame ? { ...block, node: found.node } : block;
  });
  return { head, blocks: read };
}

/** A block of the outcome; `row` is null for one that only my side has. */
interface Placed {
  row: string | null;
  block: Neighbour;
}

/** My blocks, each on the row of the base that it continues; leaves that the base does not know have no id. */
function followBlocks(base: StoredProse, mine: NewProse): Followed[] {
  const none = { mentions: [], snippets: [] };
  const known = new Set(base.blocks.flatMap(({ node }) => readLeaves(node)).map(({ blockId }) => blockId));
  const unknown = { foreign: new Set<string>(), former: new Set<string>() };
  const isKnown = (id: string | null) => known.has(id);
  const ids = leafIds(mine.blocks).map((id) => (isKnown(id) ? id : null));
  const asked = { ...mine, blocks: withLeafIds(mine.blocks, ids) };
  const plan = planReplace(base, asked, none, { ...unknown, policy: "keep", mintBlock: () => "" });
  return plan.blocks.map(({ row, node, source, gap }) => ({
    row,
    node: mapLeaves(node, (leaf) =>
      isKnown(leaf.attrs?.blockId as string | null)
        ? leaf
        : { ...leaf, attrs: { ...leaf.attrs, blockId: null } },
    ),
    source,
    gap,
  }));
}

/** What each side did with the blocks of the base. */
type Sides = Readonly<Record<"mine" | "theirs", Side>>;

/**
 * Whether two sides that left the same of a block did something different with the rest: it was rewritten as a whole, or
 * one side has joined it to another while the other gave it up, or only one has kept a piece that both had cut off.
 */
function goApart(old: Followed, left: Neighbour | undefined, { mine, theirs }: Sides): boolean {
  const { row, source } = old;
  if (left !== undefined) return left.source !== source && mine.piecesOf(row) !== theirs.piecesOf(row);
  return (
    !sameBlocks(mine.insteadOf(row), theirs.insteadOf(row)) ||
    (mine.joinedTo(row) === undefined) !== (theirs.joinedTo(row) === undefined)
  );
}

/** Both texts of a block that two sides changed; of one that a side took out, what it wrote there instead. */
function describe(
  row: string | null,
  { my, their }: { my: Neighbour | undefined; their: Neighbour | undefined },
  { mine, theirs }: Sides,
): MergeConflict {
  const textOf = (block: Neighbour | undefined, side: Side) => {
    if (block !== undefined) return (block.source + block.gap).trim();
    const instead = side.insteadOf(row).map(({ source }) => source);
    return instead.length === 0 ? side.joinedTo(row)?.source : instead.join("\n\n");
  };
  return { mine: textOf(my, mine), theirs: textOf(their, theirs) };
}

/** What stands between blocks as both sides leave it: blank lines, and link definitions; undefined where those clash. */
function mergeGap(old: string, my: string, their: string): string | undefined {
  if (my === old) return their;
  const [was, mine, theirs] = [old.trim(), my.trim(), their.trim()];
  if (their === old || theirs === was || mine === theirs) return my;
  return mine === was ? their : undefined;
}

/** One block of the base as both sides leave it: the block, undefined where it goes, or `conflict`. */
function mergeBlock(
  old: Neighbour,
  my: Neighbour | undefined,
  their: Neighbour | undefined,
): Neighbour | undefined | "conflict" {
  const iChanged = my === undefined || !isEqual(my, old);
  const theyChanged = their === undefined || !isEqual(their, old);
  if (my === undefined) return theyChanged && their !== undefined ? "conflict" : undefined;
  if (their === undefined) return iChanged ? "conflict" : undefined;
  const gap = mergeGap(old.gap, my.gap, their.gap);
  if (gap === undefined) return "conflict";
  if (!iChanged) return { ...their, gap };
  if (!theyChanged || isEqual(my, their)) return { ...my, gap };
  const inside = mergeLeaves(old, my, their);
  return inside === undefined ? "conflict" : { ...inside, gap };
}

// What is written alike reads otherwise only where a link definition elsewhere has changed: that is no edit of this.
function isEqual(a: Neighbour, b: Neighbour): boolean {
  return a.source === b.source;
}

/** A list or quote in which each side changed other paragraphs; undefined where that is not so. */
function mergeLeaves(old: Neighbour, my: Neighbour, their: Neighbour): Neighbour | undefined {
  const [before, mine, theirs] = [old, my, their].map(({ node }) => readLeaves(node)) as [
    ReturnType<typeof readLeaves>,
    ReturnType<typeof readLeaves>,
    ReturnType<typeof readLeaves>,
  ];
  const ids = before.map(({ blockId }) => blockId);
  const isSame = [mine, theirs].every(
    (leaves) => leaves.length === ids.length && leaves.every(({ blockId }, index) => blockId === ids[index]),
  );
  if (!isSame) return mergeInside(old, my, their);
  if (ids.length < 2) return undefined;
  let merged = their;
  for (const [index, leaf] of mine.entries()) {
    const [was, other] = [before[index]!, theirs[index]!]; // of one length
    if (sameNode(leaf.node, was.node) || sameNode(leaf.node, other.node)) continue;
    if (!sameNode(other.node, was.node)) return undefined;
    merged = rewriteLeaf(merged, { blockId: String(leaf.blockId), markdown: writeBlock(leaf.node) }, "");
  }
  return merged;
}

/** A list or quote in which paragraphs came or went, merged entry by entry; undefined where that is not so. */
function mergeInside(old: Neighbour, my: Neighbour, their: Neighbour): Neighbour | undefined {
  const isList = [old, my, their].every(
    ({ node }) => CONTAINERS.has(node.type) && node.type === old.node.type,
  );
  if (!isList) return undefined;
  const known = new Set(leafIds([old]));
  const [before, mine, theirs] = [old, my, their].map(({ node: { content = [] } }) =>
    content.map((node): Followed => {
      const [first = null] = leafIds([{ node }]);
      const alone = node.type === "list_item" ? { ...old.node, content: [node] } : node;
      return { row: known.has(first) ? first : null, node, source: writeBlock(alone), gap: "" };
    }),
  ) as [Followed[], Followed[], Followed[]];
  const merged = mergeBlocks(before, mine, theirs);
  if ("conflicts" in merged || merged.blocks.length === 0) return undefined;
  const { attrs } = (my.source === old.source ? their : my).node;
  const node = { ...their.node, ...(attrs && { attrs }), content: merged.blocks.map((block) => block.node) };
  return { ...their, node, source: writeBlock(node) };
}

const CONTAINERS: ReadonlySet<string> = new Set(["blockquote", "bullet_list", "ordered_list"]);

/** Puts what I moved and what I wrote anew behind what stands before it on my side. */
function placeMine(
  list: Placed[],
  ours: readonly Followed[],
  { base, mine, theirs }: { base: readonly Followed[] } & Sides,
): void {
  const order = new Map(base.map(({ row }, index) => [row, index]));
  const rows = new Map(list.map((entry) => [entry.row, entry]));
  let before: Placed | undefined;
  for (const { row, ...block } of ours) {
    const present = row === null ? undefined : rows.get(row);
    if (row !== null && present === undefined) continue; // they took it out
    if (present !== undefined && (!mine.moved.has(row) || theirs.moved.has(row))) {
      before = present;
      continue;
    }
    if (present !== undefined) list.splice(list.indexOf(present), 1);
    const at = before === undefined ? 0 : list.indexOf(before) + 1;
    const twin = present === undefined ? twinAt(list, at, { block, order }) : undefined;
    before = twin ?? present ?? { row: null, block };
    if (twin === undefined) list.splice(at, 0, before);
  }
}

/** The block that they wrote anew at the same place, where it says the same. */
function twinAt(
  list: readonly Placed[],
  at: number,
  { block, order }: { block: Neighbour; order: ReadonlyMap<string | null, number> },
): Placed | undefined {
  for (let index = at; index < list.length; index++) {
    const entry = list[index]!; // index < length
    if (entry.row !== null && order.has(entry.row)) return undefined;
    if (sameNode(entry.block.node, block.node)) return entry;
  }
  return undefined;
}

/** The end as they have it, unless it holds more than blank lines. */
function endAs(blocks: readonly Neighbour[], { blocks: theirs }: StoredProse): readonly Neighbour[] {
  const last = blocks.at(-1);
  const gap = theirs.at(-1)?.gap;
  if (last === undefined || gap === undefined || `${last.gap}${gap}`.trim() !== "") return blocks;
  return [...blocks.slice(0, -1), { ...last, gap }];
}
