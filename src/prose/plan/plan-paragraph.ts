import { sameNode } from "../document/same-node.ts";
import { countBlockWords } from "../document/words.ts";
import { definitionsOf } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import type { ProsePlan, StoredBlock, StoredMention, StoredProse } from "./plan.ts";
import { planMentions } from "./plan-annotations.ts";
import { cannotStand, leafOf, rewriteLeaves } from "./rewrite-leaf.ts";

/** One paragraph of a chapter, and what the plan must know around it. */
export interface ParagraphEdit {
  /** The top-level block that holds the paragraph. */
  block: StoredBlock;
  blockId: string;
  /** The body of the write. */
  markdown: string;
  /** The mentions on the paragraph. */
  mentions: readonly StoredMention[];
  /** The blocks next to it; all that come before it if the chapter could be taken to begin with front matter. */
  before: readonly StoredBlock[];
  after: readonly StoredBlock[];
  /** Whether `before` reaches to the chapter's start. */
  isStart: boolean;
  /** The blocks ahead of `before`, and those behind `after`, that may define links. */
  definingBefore: readonly StoredBlock[];
  definingAfter: readonly StoredBlock[];
}

/**
 * The plan for one paragraph's new text: its id and its marginalia kept, its own mentions dropped if the text
 * changed. One row is written, and a neighbour's if a blank line must go between. Costs the same in a chapter of any
 * length. Throws `BadRequest` if the Markdown is not one paragraph, or would change what its neighbours say. Source:
 * llms.txt, Prose writes and what they cost.
 */
export function planParagraph(chapter: Omit<StoredProse, "blocks">, edit: ParagraphEdit): ProsePlan {
  const { block, blockId, markdown } = edit;
  const near = [...edit.before, block, ...edit.after];
  const definitions = definitionsOf({
    head: chapter.head,
    blocks: [...edit.definingBefore, ...near, ...edit.definingAfter],
  });
  const old = leafOf(block, blockId);
  const written = rewriteLeaves(block, new Map([[blockId, { markdown }]]), definitions);
  const leaf = leafOf(written, blockId);
  const changes = { old: [old], next: [leaf], ids: [blockId], from: [0], into: [-1] };
  const mentions = planMentions({ mentions: edit.mentions }, changes, "keep");
  // The same paragraph spelt another way in Markdown is the same paragraph: its author's spelling stays.
  const isSame = sameNode(block.node, written.node);
  const change = countBlockWords(leaf.node) - countBlockWords(old.node);
  return {
    ...chapter,
    ...mentions,
    changed: !isSame,
    blocks: isSame ? [] : placeBlock(chapter, edit, written),
    removedRows: [],
    leaves: [{ blockId, type: leaf.node.type, status: isSame ? "kept" : "edited" }],
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
  { before, after, isStart, definingBefore, definingAfter }: ParagraphEdit,
  changed: StoredBlock,
): ProsePlan["blocks"] {
  const stretch = { head: isStart ? chapter.head : "\n", blocks: [...before, changed, ...after] };
  const mended = joinBlocks(stretch, {
    before: definitionsOf({ head: isStart ? "" : chapter.head, blocks: definingBefore }),
    after: definitionsOf({ head: "", blocks: definingAfter }),
  });
  if (mended === undefined) throw cannotStand();
  return mended.blocks.flatMap((next, index) => {
    const old = stretch.blocks[index]!; // mending neither adds nor removes
    const isWritten =
      old === changed || next.source !== old.source || next.gap !== old.gap || next.node !== old.node;
    return isWritten ? [{ ...next, written: true }] : [];
  });
}
