import { longestIncreasing } from "../text/increasing-run.ts";
import { type Identity, identify, type KnownIds } from "./assign-ids.ts";
import { type Leaf, leafIds, readLeaves, withLeafIds } from "./document/leaves.ts";
import { sameNode } from "./document/same-node.ts";
import type { DocNode, SourceBlock } from "./document/types.ts";
import { countBlockWords } from "./document/words.ts";
import { bareMarkdown } from "./join-chapter.ts";
import { assembleProse } from "./plan/assemble.ts";
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
import {
  type LeafChanges,
  type MentionPolicy,
  type NewMarks,
  planMentions,
  planSnippets,
} from "./plan-annotations.ts";

/** A native document: blocks without Markdown of their own, and without their mention marks. */
export interface NewDocument {
  nodes: readonly DocNode[];
}

/** Options for ids and mentions in a write of a whole chapter. */
export interface ReplaceOptions extends KnownIds {
  policy: MentionPolicy;
  /** Marks of a document, for policy `document`. */
  marks?: NewMarks;
  mintBlock: () => string;
  /** Edits in leaves by `blockId`, where they are known exactly. */
  edits?: LeafChanges["edits"];
  /** Fact whose name these edits change. */
  renamed?: LeafChanges["renamed"];
  /** Ids of leaves that come from another chapter. */
  arrived?: ReadonlySet<string> | undefined;
  /**
   * Leaves that go to another chapter, with their notes and mentions; `isEdited` if their text changes on the way.
   */
  left?: ReadonlyMap<string, { isEdited: boolean }> | undefined;
}

/**
 * Plans the effect of new prose on each row, paragraph, mention and note of a chapter. Pure; O(n) for unchanged text,
 * see `reconcile` for the rest. Source: llms.txt, Prose writes and what they cost.
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

/** Returns parsed Markdown with the ids of its leaves. Unchanged bytes stay cut as they are stored. */
function withNodes(incoming: NewProse, placed: readonly PlacedBlock[], old: StoredProse): NewProse {
  const isSame = incoming.eol !== old.eol && bareMarkdown(incoming) === bareMarkdown(old);
  const { head, eol, blocks } = isSame ? old : incoming;
  // Allocates one object a block, even if the bytes are the same.
  return {
    bom: incoming.bom,
    eol,
    head,
    blocks: blocks.map((block, index) => ({ ...block, node: placed[index]?.node ?? block.node })),
  };
}

/** Returns the annotations of leaves that stay, and the mentions on leaving text that is edited, which are lost. */
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

/** Puts each new block on the row of its first leaf that has one, so that unchanged blocks are not rewritten. */
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

/**
 * Counts words added and removed, paragraph by paragraph: an edited one by its difference, a moved one not at all.
 */
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
