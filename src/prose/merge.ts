import { largest } from "../text/extremes.ts";
import { groupBy } from "../text/group-by.ts";
import { judge, type Side } from "../three-way.ts";
import { withoutLeavesOf } from "./apply-edits.ts";
import { definitionsOf } from "./definitions.ts";
import { leafIds, mapLeaves, readLeaves, withId, withLeafIds } from "./document/leaves.ts";
import { sameNode } from "./document/same-node.ts";
import { yearsIn } from "./document/text.ts";
import type { SourceBlock } from "./document/types.ts";
import { joinBlocks } from "./join-blocks.ts";
import { ownMarkdown, readSpellings } from "./markdown/leaf-spelling.ts";
import { agreeOnTargets } from "./merge/agree-on-targets.ts";
import {
  agreeOnPieces,
  agreeOnRows,
  type BlockEdits,
  type Followed,
  followLists,
  readSide,
  sameBlocks,
} from "./merge/follow-blocks.ts";
import { mergeBlocks, type ThreeBlocks } from "./merge-blocks.ts";
import { parseMarkdown } from "./parse.ts";
import { openQuarry, speltIn } from "./plan/quarry.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { planReplace, type ReplaceOptions } from "./plan-chapter.ts";
import { withNode } from "./rewrite-leaf.ts";
import { writeBlock } from "./write.ts";

/** A block that both sides changed differently; undefined on a side that removed it. */
export interface MergeConflict {
  incoming: string | undefined;
  stored: string | undefined;
}

/** Paragraphs that the incoming side moved to or from other chapters. */
export type Travelling = Pick<ReplaceOptions, "arrived" | "left">;

/** Result of a merge: the prose, or the conflicts in its way. */
export type Merged = { prose: NewProse } | { conflicts: readonly MergeConflict[] };

/**
 * Merges two sides of a chapter that both come from `sharedBase`. Blocks are followed by their rows, not by their
 * lines: a paragraph that one side moved takes the other's edit along. A change of one side counts; equal changes
 * count once; different changes to one block are a conflict. Then nothing is merged, unless `force` names the side
 * that wins. Leaves keep the ids that they had or have. O(text) plus the cost of `reconcile`.
 */
export function mergeProse(
  sharedBase: StoredProse,
  changed: NewProse,
  current: StoredProse,
  { force, ...travelling }: { force?: Side | undefined } & Travelling = {},
): Merged {
  const agreed = agreeOnTargets({ base: sharedBase, incoming: changed, stored: current });
  const { base, incoming } = agreed;
  const stored = { ...agreed.stored, blocks: followLists(base.blocks, agreed.stored.blocks) };
  const followed = agreeOnRows(
    agreeOnPieces(followBlocks(base, incoming, travelling), stored.blocks),
    stored.blocks,
  );
  const definitions = [incoming, stored].map(definitionsOf).join("\n\n").trim();
  const { left } = travelling;
  const merged = mergeChapter(base.blocks, followed, stored.blocks, { definitions, force, left });
  const forced = force && { incoming, stored }[force].head;
  const head = mergeGap({ base: base.head, incoming: incoming.head, stored: stored.head }) ?? forced;
  const clash = head === undefined ? [{ incoming: incoming.head.trim(), stored: stored.head.trim() }] : [];
  if (head === undefined || "conflicts" in merged)
    return { conflicts: [...clash, ...("conflicts" in merged ? merged.conflicts : [])] };
  const mended = joinBlocks(
    readAgain({ head, blocks: endAs(eachOnce(merged.blocks, base.blocks, definitions), stored) }),
  );
  if (mended === undefined) return { conflicts: [{ incoming: undefined, stored: undefined }] };
  const { bom, eol } = incoming.bom === base.bom && incoming.eol === base.eol ? stored : incoming;
  return { prose: { bom, eol, ...mended } };
}

/** Merges both sides' edits of `base`. */
function mergeChapter(
  base: readonly Followed[],
  incoming: readonly Followed[],
  stored: readonly Followed[],
  { definitions, force, left }: { definitions: string; force?: Side | undefined } & Pick<Travelling, "left">,
): { blocks: readonly Followed[] } | { conflicts: readonly MergeConflict[] } {
  const edits = { incoming: readSide(base, incoming), stored: readSide(base, stored) };
  const conflicts: MergeConflict[] = [];
  const decide = ({ base: old, theirs: one, ours: other }: ThreeBlocks<Followed>) => {
    const merged = mergeBlock({ base: old, incoming: one, stored: other }, definitions);
    const isConflict =
      merged === "conflict" ||
      (one?.source === other?.source && !hasLeft(old, left) && goApart(old, one, edits));
    if (isConflict && force === undefined)
      conflicts.push(conflictOf(old.row, { incoming: one, stored: other }, edits));
    if (merged !== "conflict") return merged;
    const isTorn = [edits.incoming, edits.stored].some(
      (side) => side.piecesOf(old.row).length > 0 || side.joinedTo(old.row) !== undefined,
    );
    const inside =
      force && !isTorn && mergeInside({ base: old, incoming: one, stored: other }, definitions, force);
    return inside
      ? { ...inside, row: old.row, gap: (one ?? other ?? old).gap }
      : { incoming: one, stored: other }[force ?? "stored"];
  };
  const blocks = mergeBlocks<Followed>(
    { base, ours: stored, theirs: incoming },
    {
      keyOf: ({ row }) => row,
      decide,
      isTwin: (one, other) => sameNode(one.node, other.node),
      first: "theirs",
    },
  );
  return conflicts.length > 0 ? { conflicts } : { blocks: withoutDoubles(blocks, [incoming, stored]) };
}

/**
 * Returns the blocks with each paragraph once. One that both sides have, in different blocks, stays in the block that
 * had it in the base, else in the first.
 */
function eachOnce(
  blocks: readonly Followed[],
  base: readonly Followed[],
  definitions: string,
): readonly Followed[] {
  const holders = groupBy(
    blocks.flatMap((block) => leafIds([block]).map((id) => ({ id, block }))),
    ({ id }) => id,
  );
  const rows = new Map(base.flatMap((block) => leafIds([block]).map((id) => [id, block.row])));
  const doubles = [...holders].flatMap(([id, all]) => {
    const own = all.find(({ block }) => block.row === rows.get(id)) ?? all[0];
    return id === null ? [] : all.filter(({ block }) => block !== own.block);
  });
  const dropped = groupBy(doubles, ({ block }) => block);
  return blocks.flatMap((block) => {
    const ids = dropped.get(block)?.map(({ id }) => String(id));
    if (ids === undefined) return [block];
    const node = withoutLeavesOf(block.node, new Set(ids));
    return node === undefined ? [] : [withNode(block, node, definitions)];
  });
}

/** True if a block went to another chapter: nothing in its place continues it. */
function hasLeft(block: SourceBlock, left: Travelling["left"]): boolean {
  return left !== undefined && leafIds([block]).every((id) => id !== null && left.has(id));
}

/** Returns the blocks without link definitions that stand behind two of them because each side kept its own. */
function withoutDoubles(blocks: readonly Followed[], sides: readonly (readonly Followed[])[]): Followed[] {
  const countOf = (side: readonly { gap: string }[], line: string) =>
    side.reduce((sum, { gap }) => sum + gap.split("\n").filter((other) => other === line).length, 0);
  const seen = new Map<string, number>();
  const isDouble = (line: string) => {
    if (!/^ {0,3}\[[^\]]+\]:/.test(line)) return false;
    const count = (seen.get(line) ?? 0) + 1;
    seen.set(line, count);
    return count > largest(sides.map((side) => countOf(side, line)));
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

/** Returns the blocks as they are read with the merged link definitions. */
function readAgain({ head, blocks }: { head: string; blocks: readonly SourceBlock[] }) {
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

/** Returns incoming blocks, each on the base's row that it continues. Leaves unknown to the base have no id. */
function followBlocks(base: StoredProse, incoming: NewProse, { arrived, left }: Travelling): Followed[] {
  const none = { mentions: [], snippets: [] };
  const known = new Set(base.blocks.flatMap(({ node }) => readLeaves(node)).map(({ blockId }) => blockId));
  const unknown = { foreign: new Set<string>(), former: arrived ?? new Set<string>(), left };
  const isKnown = (id: string | null) => known.has(id) || (id !== null && arrived?.has(id) === true);
  const ids = leafIds(incoming.blocks).map((id) => (isKnown(id) ? id : null));
  const sent = { ...incoming, blocks: withLeafIds(incoming.blocks, ids) };
  const plan = planReplace(base, sent, none, { ...unknown, policy: "keep", mintBlock: () => "" });
  return plan.blocks.map(({ row, node, source, gap }) => ({
    row,
    node: mapLeaves(node, (leaf) =>
      isKnown(leaf.attrs?.blockId as string | null) ? leaf : withId(leaf, null),
    ),
    source,
    gap,
  }));
}

/** A side's blocks on the rows of the base, and its edits of those. */
export interface FollowedSide extends BlockEdits {
  /** One for each block of the side. Leaves unknown to the base have no id. */
  blocks: readonly Followed[];
}

/** Follows the base's blocks into a side. O(text) plus the cost of `reconcile`. */
export function followSide(base: StoredProse, changed: NewProse, travelling: Travelling): FollowedSide {
  const blocks = followBlocks(base, changed, travelling);
  return { blocks, ...readSide(base.blocks, blocks) };
}

/** Edits of both sides. */
type BothEdits = Readonly<Record<Side, BlockEdits>>;

/**
 * True if two sides that have the same block disagree about the rest of it: it was rewritten as a whole, or only one
 * side joined it to another, or only one kept a piece that both had cut off.
 */
function goApart(old: Followed, left: SourceBlock | undefined, { incoming, stored }: BothEdits): boolean {
  const { row, source } = old;
  if (left !== undefined)
    return left.source !== source && !sameTexts(incoming.piecesOf(row), stored.piecesOf(row));
  return (
    !sameBlocks(incoming.insteadOf(row), stored.insteadOf(row)) ||
    (incoming.joinedTo(row) === undefined) !== (stored.joinedTo(row) === undefined)
  );
}

const sameTexts = (one: readonly SourceBlock[], other: readonly SourceBlock[]) =>
  one.length === other.length && one.every(({ source }, index) => source === other[index]?.source);

/**
 * Returns both texts of a block that two sides changed. For a side that removed it, the text that it wrote there
 * instead.
 */
function conflictOf(
  row: string | null,
  { incoming, stored }: Record<Side, SourceBlock | undefined>,
  edits: BothEdits,
): MergeConflict {
  const textOf = (block: SourceBlock | undefined, side: BlockEdits) => {
    if (block !== undefined) return (block.source + block.gap).trim();
    const instead = side.insteadOf(row).map(({ source }) => source);
    return instead.length === 0 ? side.joinedTo(row)?.source : instead.join("\n\n");
  };
  return { incoming: textOf(incoming, edits.incoming), stored: textOf(stored, edits.stored) };
}

/** Merges the text between blocks, blank lines and link definitions; undefined if the two sides clash. */
function mergeGap(sides: Record<"base" | Side, string>): string | undefined {
  const { base, incoming, stored } = sides;
  const exact = judge(sides);
  if (exact !== "conflict") return exact === "stored" ? stored : incoming;
  const words = judge({ base: base.trim(), incoming: incoming.trim(), stored: stored.trim() });
  return words === "conflict" ? undefined : words === "stored" ? stored : incoming;
}

/** Merges one block of the base: the block, undefined if it goes, or `conflict`. */
function mergeBlock(
  {
    base,
    incoming,
    stored,
  }: { base: Followed; incoming: Followed | undefined; stored: Followed | undefined },
  definitions: string,
): Followed | undefined | "conflict" {
  const verdict = judge<SourceBlock | undefined>({ base, incoming, stored }, { same: isEqual });
  if (incoming === undefined || stored === undefined) return verdict === "conflict" ? "conflict" : undefined;
  const gap = mergeGap({ base: base.gap, incoming: incoming.gap, stored: stored.gap });
  if (gap === undefined) return "conflict";
  const block =
    verdict === "conflict"
      ? mergeLeaves({ base, incoming, stored }, definitions)
      : verdict === "stored" || isEqual(incoming, base)
        ? stored
        : incoming;
  return block === undefined ? "conflict" : { ...block, row: base.row, gap };
}

// A block with equal source can read differently only because a link definition elsewhere changed. That is no edit of
// this block.
function isEqual(one: SourceBlock | undefined, other: SourceBlock | undefined): boolean {
  return one?.source === other?.source;
}

/** Merges a list or quote in which each side changed other paragraphs; undefined if that is not so. */
function mergeLeaves(
  sides: Record<"base" | Side, SourceBlock>,
  definitions: string,
): SourceBlock | undefined {
  const { base, incoming, stored } = sides;
  const [before, followed, storedLeaves] = [
    readLeaves(base.node),
    readLeaves(incoming.node),
    readLeaves(stored.node),
  ];
  const ids = before.map(({ blockId }) => blockId);
  const isSame = [followed, storedLeaves].every(
    (leaves) => leaves.length === ids.length && leaves.every(({ blockId }, index) => blockId === ids[index]),
  );
  const yearsOf = ({ node }: SourceBlock) => [...yearsIn(node).values()].join();
  const isDated = [incoming, stored].every((side) => yearsOf(side) === yearsOf(base));
  if (!isSame || !isDated) return mergeInside(sides, definitions);
  if (ids.length < 2) return undefined;
  const spellings = readSpellings(incoming.source);
  const sent = new Map<number, string>();
  for (const [index, leaf] of followed.entries()) {
    const [old, other] = [before[index]!, storedLeaves[index]!]; // of one length
    const verdict = judge({ base: old.node, incoming: leaf.node, stored: other.node }, { same: sameNode });
    if (verdict === "conflict") return undefined;
    if (verdict !== "incoming") continue;
    sent.set(index, ownMarkdown(spellings?.[index]) ?? writeBlock(leaf.node, definitions));
  }
  const node = mapLeaves(stored.node, (leaf, index) => (sent.has(index) ? followed[index]!.node : leaf)); // as above
  return withNode(stored, node, definitions, { sent });
}

/**
 * Merges a list or quote in which paragraphs came or went, entry by entry; undefined if that is not so, or nothing is
 * left. A side that removed it has removed its entries.
 */
function mergeInside(
  { base, incoming, stored }: Record<Side, SourceBlock | undefined> & { base: SourceBlock },
  definitions: string,
  force?: Side,
): SourceBlock | undefined {
  const present = [stored, incoming].filter((block) => block !== undefined);
  const isList = [base, ...present].every(
    ({ node }) => CONTAINERS.has(node.type) && node.type === base.node.type,
  );
  const [shown] = present;
  if (!isList || shown === undefined) return undefined;
  const rows = new Map(
    (base.node.content ?? []).flatMap((node) => {
      const ids = leafIds([{ node }]);
      return ids.map((id) => [id, ids[0] ?? null] as const);
    }),
  );
  const entriesOf = (block: SourceBlock | undefined) => {
    const taken = new Set<string | null>();
    return (block?.node.content ?? []).map((node): Followed => {
      const found = leafIds([{ node }]).map((id) => rows.get(id) ?? null);
      const row = found.find((one) => one !== null && !taken.has(one)) ?? null;
      taken.add(row);
      const alone = node.type === "list_item" ? { ...base.node, content: [node] } : node;
      return { row, node, source: writeBlock(alone, definitions), gap: "" };
    });
  };
  const sides = [base, incoming, stored].map(entriesOf) as [Followed[], Followed[], Followed[]];
  const merged = mergeChapter(...sides, { definitions, force });
  if ("conflicts" in merged || merged.blocks.length === 0) return undefined;
  const { attrs } = ((isEqual(incoming, base) ? stored : incoming) ?? shown).node;
  const node = { ...shown.node, ...(attrs && { attrs }), content: merged.blocks.map((block) => block.node) };
  return withNode(shown, node, definitions, { spelt: speltIn(openQuarry(present), definitions) });
}

const CONTAINERS: ReadonlySet<string> = new Set(["blockquote", "bullet_list", "ordered_list"]);

/** Returns the blocks with the end as it is stored, unless it holds more than blank lines. */
function endAs(blocks: readonly SourceBlock[], { blocks: stored }: StoredProse): readonly SourceBlock[] {
  const last = blocks.at(-1);
  const gap = stored.at(-1)?.gap;
  if (last === undefined || gap === undefined || `${last.gap}${gap}`.trim() !== "") return blocks;
  return [...blocks.slice(0, -1), { ...last, gap }];
}
