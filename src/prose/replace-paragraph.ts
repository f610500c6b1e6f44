import { planMentions } from "./annotations.ts";
import { sameNode } from "./document.ts";
import { type Leaf, readLeaves } from "./identity.ts";
import { mapLeaves } from "./leaves.ts";
import { readLeaf } from "./parse.ts";
import type { Plan, StoredBlock, StoredMention, StoredProse } from "./plan.ts";
import type { DocNode } from "./types.ts";
import { countBlockWords } from "./words.ts";
import { writeBlock } from "./write.ts";

/** One paragraph of a chapter, and what the plan must know around it. */
export interface ParagraphEdit {
  /** The top-level block that holds the paragraph. */
  block: StoredBlock;
  blockId: string;
  /** The body of the write. */
  markdown: string;
  /** Link reference definitions of the chapter. */
  definitions: string;
  /** The mentions on the paragraph. */
  mentions: readonly StoredMention[];
}

/**
 * The plan for one paragraph's new text: one row, its id and its marginalia kept, its own mentions dropped where the
 * text changed. Costs the same in a chapter of any length. Throws `BadRequest` where the Markdown is not one paragraph.
 * Source: spec, Prose write rules 4.
 */
export function planParagraph(chapter: Omit<StoredProse, "blocks">, edit: ParagraphEdit): Plan {
  const { block, blockId, markdown, definitions } = edit;
  const old = readLeaves(block.node).find((leaf) => leaf.blockId === blockId)!; // the caller found the block by this leaf
  const read = readLeaf(normalise(markdown), old.node, definitions);
  const node = mapLeaves(block.node, (leaf) => (leaf.attrs?.blockId === blockId ? read.node : leaf));
  const source = isTopLevel(block.node) ? read.source : writeBlock(node, definitions);
  const leaf: Leaf = readLeaves(read.node)[0]!; // readLeaf gives exactly one leaf
  const changes = { old: [old], next: [leaf], ids: [blockId], from: [0], into: [-1] };
  const mentions = planMentions({ mentions: edit.mentions }, changes, "keep");
  // The same paragraph spelt another way in Markdown is the same paragraph: its author's spelling stays.
  const isSame = sameNode(block.node, node);
  const change = countBlockWords(read.node) - countBlockWords(old.node);
  return {
    ...chapter,
    ...mentions,
    changed: !isSame,
    blocks: isSame ? [] : [{ ...block, node, source, written: true }],
    removedRows: [],
    leaves: [{ blockId, type: read.node.type, status: isSame ? "kept" : "edited" }],
    removed: [],
    snippetsDetached: [],
    snippetsMoved: [],
    snippetsAttached: [],
    words: { added: Math.max(change, 0), removed: Math.max(-change, 0) },
  };
}

// Blocks are stored with plain line ends; the chapter puts its own back.
function normalise(markdown: string): string {
  return markdown.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

function isTopLevel(block: DocNode): boolean {
  return block.attrs !== undefined && "blockId" in block.attrs;
}
