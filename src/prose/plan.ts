import type { DocNode, SourceBlock, SourceChapter } from "./document/types.ts";

/** A stored top-level block. */
export interface StoredBlock extends SourceBlock {
  /** Id of the row; never shown. */
  row: string;
}

/** A chapter's stored prose. */
export type StoredProse = SourceChapter<StoredBlock>;

/** A chapter's prose as Markdown blocks: parsed, or an older revision. Leaves may bring ids. */
export type NewProse = SourceChapter;

/** A new block with its ids, and the stored block whose row it takes. */
export interface PlacedBlock {
  node: DocNode;
  stored: StoredBlock | undefined;
}

/** A stored mention. Offsets are UTF-16 units in its leaf's text. */
export interface StoredMention {
  id: string;
  factId: string;
  name: string;
  blockId: string;
  from: number;
  to: number;
  text: string;
}

/** A note of the chapter: anchored to a leaf, or detached from a removed one. */
export interface StoredSnippet {
  id: string;
  kind: string;
  blockId: string | null;
  /** Leaf that it was anchored to before that was removed. */
  lost: string | null;
}

/** Input of a plan besides the new prose. */
export interface StoredAnnotations {
  mentions: readonly StoredMention[];
  snippets: readonly StoredSnippet[];
}

/** One row of the chapter after the write; `row` is null for a new one. */
export interface PlannedBlock extends SourceBlock {
  row: string | null;
  /** False if the row stays exactly as it is. */
  written: boolean;
}

/** Result for a leaf: unchanged in place, unchanged elsewhere, changed, or not known before. */
export type LeafStatus = "kept" | "moved" | "edited" | "new";
/** Reason why a mention was dropped. */
export type DropReason = "edited" | "removed" | "markdown" | "unmarked" | "unknown_fact";

/** A stored mention, and the reason why it goes. */
export interface DroppedMention extends StoredMention {
  reason: DropReason;
}

/** A mention to write. `isNew` inserts it, else the stored one of this id gets this span and fact. */
export interface PlannedMention extends Omit<StoredMention, "name"> {
  isNew: boolean;
}

/**
 * All effects of a prose write, before any of them. A pure value: a dry run shows it, and a write applies exactly it.
 * Source: docs/architecture.md, The way of a write.
 */
export interface ProsePlan extends SourceChapter<PlannedBlock> {
  /** False only if nodes, marks, mentions and source bytes are all as stored. */
  changed: boolean;
  /** Every row in reading order. For one paragraph: only its own row. */
  blocks: readonly PlannedBlock[];
  removedRows: readonly string[];
  /** Result for each leaf, in reading order. */
  leaves: readonly { blockId: string; type: string; status: LeafStatus }[];
  removed: readonly { blockId: string; text: string }[];
  mentionsDropped: readonly DroppedMention[];
  mentionsWritten: readonly PlannedMention[];
  snippetsDetached: readonly { id: string; kind: string; blockId: string; quote: string }[];
  snippetsMoved: readonly { id: string; from: string; to: string }[];
  /** Detached snippets whose paragraph came back. */
  snippetsAttached: readonly { id: string; blockId: string }[];
  warnings: readonly string[];
  words: { added: number; removed: number };
}
