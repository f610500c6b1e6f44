import { longestIncreasing } from "../../text/increasing-run.ts";
import { type Leaf, leafIds, readLeaves, withLeafIds } from "../document/leaf.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { countBlockWords } from "../document/words.ts";
import { bareMarkdown } from "../markdown/join-chapter.ts";
import { assembleProse } from "./assemble.ts";
import { type Identity, identify, type KnownIds } from "./assign-ids.ts";
import type { NewMarks } from "./new-marks.ts";
import type {
  LeafStatus,
  NewProse,
  PlacedBlock,
  PlannedBlock,
  ProsePlan,
  StoredAnnotations,
  StoredBlock,
  StoredProse,
} from "./plan.ts";
import { type LeafChanges, type MentionPolicy, planMentions, planSnippets } from "./plan-annotations.ts";

/** A native document: blocks without Markdown of their own. Their mention marks are lifted out already. */
export interface NewDocument {
  nodes: readonly DocNode[];
}

/** How a whole-chapter write treats ids and mentions. */
export interface ReplaceOptions extends KnownIds {
  policy: MentionPolicy;
  /** For policy `document`: the marks it brings. */
  marks?: NewMarks;
  mintBlock: () => string;
  /** Where it is known exactly what was edited in a leaf, by its `blockId`. */
  edits?: LeafChanges["edits"];
  /** The fact whose name those edits change. */
  renamed?: LeafChanges["renamed"];
  /** Leaves that come from another chapter, by their ids. */
  arrived?: ReadonlySet<string> | undefined;
  /** Leaves that go to another, and whether their text changes on the way: what stands beside them goes along. */
  left?: ReadonlyMap<string, { isEdited: boolean }> | undefined;
}

/**
 * What replacing a chapter's prose does to each row, paragraph, mention and snippet. Pure; O(n) for unchanged text, see
 * `reconcile` for the rest. Source: llms.txt, Prose writes and what they cost.
 */
export function planReplace(
  old: StoredProse,
  incoming: NewProse | NewDocument,
  all: StoredAnnotations,
  options: ReplaceOptions,
): ProsePlan {
  const { arrived, left } = options;
  const annotations = staying(all, left);
  const oldLeaves = old.blocks.map(({ node }) => readLeaves(node));
  const nodes = "nodes" in incoming ? incoming.nodes : incoming.blocks.map(({ node }) => node);
  const nextLeaves = nodes.map(readLeaves);
  const before = oldLeaves.flat();
  const after = nextLeaves.flat();
  const known = { ...options, anchored: anchoredIds(annotations), mint: options.mintBlock };
  const identity = identify(before, after, known);
  const placed = placeRows({ old, oldLeaves }, { nodes, nextLeaves }, identity.ids);
  const next = "nodes" in incoming ? assembleProse(old, placed) : withNodes(incoming, placed, old);
  const blocks = placed.map(({ stored }, index) => planBlock(stored, next.blocks[index]!)); // one block a place
  const changes = { old: before, next: after, ...identity, edits: options.edits, renamed: options.renamed };
  const mentions = planMentions(annotations, changes, options.policy, options.marks);
  const snippets = planSnippets(annotations, changes);
  const leaves = describeLeaves(before, after, identity, arrived);
  const rows = new Set(blocks.map(({ row }) => row));
  const removedRows = old.blocks.map(({ row }) => row).filter((row) => !rows.has(row));
  return {
    ...next,
    changed:
      (["bom", "eol", "head"] as const).some((key) => old[key] !== next[key]) ||
      [removedRows, mentions.mentionsDropped, mentions.mentionsWritten].some(({ length }) => length > 0) ||
      blocks.some(({ written }) => written) ||
      leaves.some(({ status }) => status === "moved"),
    blocks,
    removedRows,
    leaves,
    removed: removedLeaves(before, identity).filter(({ blockId }) => !left?.has(blockId)),
    ...snippets,
    ...mentions,
    mentionsDropped: mentions.mentionsDropped.map((mention) =>
      left?.has(mention.blockId) ? { ...mention, reason: "edited" } : mention,
    ),
    warnings: [...identity.warnings, ...mentions.warnings],
    words: countChange(before, after, identity, { arrived, left }),
  };
}

/** Parsed Markdown with the ids of its leaves; the very bytes that are stored stay as they are cut there. */
function withNodes(incoming: NewProse, placed: readonly PlacedBlock[], old: StoredProse): NewProse {
  const isSame = incoming.eol !== old.eol && bareMarkdown(incoming) === bareMarkdown(old);
  const { head, eol, blocks } = isSame ? old : incoming;
  // One place a block, also if the bytes are the same.
  return {
    bom: incoming.bom,
    eol,
    head,
    blocks: blocks.map((block, index) => ({ ...block, node: placed[index]?.node ?? block.node })),
  };
}

/** What stands beside leaves that stay, and mentions on text that changes as it goes: those are lost. */
function staying({ mentions, snippets }: StoredAnnotations, left: ReplaceOptions["left"]): StoredAnnotations {
  if (left === undefined) return { mentions, snippets };
  return {
    mentions: mentions.filter(({ blockId }) => left.get(blockId)?.isEdited !== false),
    snippets: snippets.filter(({ blockId }) => blockId === null || !left.has(blockId)),
  };
}

function anchoredIds({ mentions, snippets }: StoredAnnotations): Set<string> {
  return new Set([...mentions, ...snippets].flatMap(({ blockId }) => (blockId === null ? [] : [blockId])));
}

/** Each new block on the row of its first leaf that comes from one, so that what stays the same rewrites nothing. */
function placeRows(
  { old, oldLeaves }: { old: StoredProse; oldLeaves: readonly (readonly Leaf[])[] },
  { nodes, nextLeaves }: { nodes: readonly DocNode[]; nextLeaves: readonly (readonly Leaf[])[] },
  ids: readonly string[],
): PlacedBlock[] {
  const rowOfLeaf = new Map<string, StoredBlock>();
  old.blocks.forEach((block, index) => {
    for (const { blockId } of oldLeaves[index]!) if (blockId !== null) rowOfLeaf.set(blockId, block); // one list a block
  });
  const used = new Set<StoredBlock>();
  let first = 0;
  const placed = nodes.map((node, index) => {
    const count = nextLeaves[index]!.length; // one list a block
    const stored = ids
      .slice(first, first + count)
      .map((id) => rowOfLeaf.get(id))
      .find((block) => block !== undefined && !used.has(block));
    first += count;
    if (stored !== undefined) used.add(stored);
    return { node, stored };
  });
  return withLeafIds(placed, ids);
}

function planBlock(stored: StoredBlock | undefined, { node, source, gap }: SourceBlock): PlannedBlock {
  const isSame =
    stored !== undefined && stored.source === source && stored.gap === gap && isIdentical(stored.node, node);
  return { row: stored?.row ?? null, node: isSame ? stored.node : node, source, gap, written: !isSame };
}

function isIdentical(stored: DocNode, next: DocNode): boolean {
  if (!sameNode(stored, next)) return false;
  const ids = leafIds([{ node: stored }]);
  return leafIds([{ node: next }]).every((id, index) => id === ids[index]);
}

function describeLeaves(
  before: readonly Leaf[],
  after: readonly Leaf[],
  { ids, from }: Identity,
  arrived: ReplaceOptions["arrived"],
): ProsePlan["leaves"] {
  const inOrder = new Set(longestIncreasing(from, -1));
  return after.map((leaf, index) => {
    const blockId = ids[index]!; // one id a new leaf
    const status = statusOf(before[from[index] ?? -1], leaf, inOrder.has(index));
    return { blockId, type: leaf.node.type, status: arrived?.has(blockId) ? "moved" : status };
  });
}

function statusOf(before: Leaf | undefined, after: Leaf, isInOrder: boolean): LeafStatus {
  if (before === undefined) return "new";
  if (before.text !== after.text || !sameNode(before.node, after.node)) return "edited";
  return isInOrder ? "kept" : "moved";
}

function removedLeaves(before: readonly Leaf[], { ids, from }: Identity): ProsePlan["removed"] {
  const present = new Set(ids);
  const continued = new Set(from);
  return before.flatMap(({ blockId, text }, index) =>
    blockId === null || present.has(blockId) || continued.has(index) ? [] : [{ blockId, text }],
  );
}

/** Words added and removed, paragraph by paragraph: an edited one counts by its difference, one that moves not at all. */
function countChange(
  before: readonly Leaf[],
  after: readonly Leaf[],
  { ids, from }: Identity,
  { arrived, left }: Pick<ReplaceOptions, "arrived" | "left">,
): ProsePlan["words"] {
  const words = { added: 0, removed: 0 };
  const count = (change: number) => {
    if (change > 0) words.added += change;
    else words.removed -= change;
  };
  const continued = new Set(from);
  after.forEach((leaf, index) => {
    const old = before[from[index] ?? -1];
    if (arrived?.has(ids[index]!)) return; // one id a new leaf
    if (old?.text !== leaf.text || old.node.type !== leaf.node.type) {
      count(countBlockWords(leaf.node) - (old === undefined ? 0 : countBlockWords(old.node)));
    }
  });
  before.forEach((leaf, index) => {
    if (!continued.has(index) && !left?.has(String(leaf.blockId))) count(-countBlockWords(leaf.node));
  });
  return words;
}
