import { BadRequest } from "../refusals.ts";
import { planMentions } from "./annotations.ts";
import { addDefinitions, definitionsOf, innerDefinitions } from "./definitions.ts";
import { type Leaf, readLeaves } from "./identity.ts";
import { mapLeaves } from "./leaves.ts";
import { readLeaf } from "./parse.ts";
import type { Plan, StoredBlock, StoredMention, StoredProse } from "./plan.ts";
import { sameNode } from "./same-node.ts";
import { mendSeams } from "./seams.ts";
import { spliceLeaf } from "./splice.ts";
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
  /** The mentions on the paragraph. */
  mentions: readonly StoredMention[];
  /** The blocks next to it; all that come before it where the chapter could be taken to begin with front matter. */
  before: readonly StoredBlock[];
  after: readonly StoredBlock[];
  /** Whether `before` reaches to the chapter's start. */
  isStart: boolean;
  /** The blocks ahead of `before`, and those behind `after`, that may define links. */
  definingBefore: readonly StoredBlock[];
  definingAfter: readonly StoredBlock[];
}

/**
 * The plan for one paragraph's new text: its id and its marginalia kept, its own mentions dropped where the text
 * changed. One row is written, and a neighbour's where a blank line must go between. Costs the same in a chapter of any
 * length. Throws `BadRequest` where the Markdown is not one paragraph, or would change what its neighbours say.
 * Source: spec, Prose write rules 4.
 */
export function planParagraph(chapter: Omit<StoredProse, "blocks">, edit: ParagraphEdit): Plan {
  const { block, blockId, markdown } = edit;
  const near = [...edit.before, block, ...edit.after];
  const definitions = definitionsOf({
    head: chapter.head,
    blocks: [...edit.definingBefore, ...near, ...edit.definingAfter],
  });
  const old = readLeaves(block.node).find((leaf) => leaf.blockId === blockId)!; // the caller found the block by this leaf
  const read = readLeaf(normalise(markdown), old.node, definitions);
  const node = mapLeaves(block.node, (leaf) => (leaf.attrs?.blockId === blockId ? read.node : leaf));
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
    blocks: isSame ? [] : placeBlock(chapter, edit, { node, markdown: read.source, definitions }),
    removedRows: [],
    leaves: [{ blockId, type: read.node.type, status: isSame ? "kept" : "edited" }],
    removed: [],
    snippetsDetached: [],
    snippetsMoved: [],
    snippetsAttached: [],
    words: { added: Math.max(change, 0), removed: Math.max(-change, 0) },
  };
}

/** The rows to write: the block as it reads between its neighbours, and neighbours that had to give way. */
function placeBlock(
  chapter: Omit<StoredProse, "blocks">,
  { block, blockId, before, after, isStart, definingBefore, definingAfter }: ParagraphEdit,
  { node, markdown, definitions }: { node: DocNode; markdown: string; definitions: string },
): Plan["blocks"] {
  const source = isTopLevel(block.node)
    ? markdown
    : (spliceLeaf(block.source, { blockId, markdown, node }, definitions) ?? writeBlock(node, definitions));
  const left = new Set(innerDefinitions({ node, source }));
  const lost = innerDefinitions(block).filter((definition) => !left.has(definition));
  const changed = { ...block, node, source, gap: addDefinitions(block.gap, lost) };
  const stretch = { head: isStart ? chapter.head : "\n", blocks: [...before, changed, ...after] };
  const mended = mendSeams(stretch, {
    before: definitionsOf({ head: isStart ? "" : chapter.head, blocks: definingBefore }),
    after: definitionsOf({ head: "", blocks: definingAfter }),
  });
  if (mended === undefined) {
    throw new BadRequest(
      "This text would change how the paragraphs beside it read; use PUT /chapters/{chapterId}/prose, or put a backslash before its marks if they are meant as text.",
    );
  }
  return mended.blocks.flatMap((next, index) => {
    const old = stretch.blocks[index]!; // mending neither adds nor removes
    const isWritten =
      old === changed || next.source !== old.source || next.gap !== old.gap || next.node !== old.node;
    return isWritten ? [{ ...next, written: true }] : [];
  });
}

// Blocks are stored with plain line ends; the chapter puts its own back.
function normalise(markdown: string): string {
  return markdown.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

function isTopLevel(block: DocNode): boolean {
  return block.attrs !== undefined && "blockId" in block.attrs;
}
