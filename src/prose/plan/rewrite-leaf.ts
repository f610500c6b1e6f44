import { BadRequest } from "../../refusals.ts";
import { type Leaf, readLeaves } from "../document/leaf.ts";
import { isLeaf, mapLeaves } from "../document/leaves.ts";
import type { SourceBlock } from "../document/types.ts";
import { definitionsOf, innerDefinitions, keepDefinitions } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import { readLeaf } from "../markdown/parse-leaf.ts";
import { writeBlock } from "../markdown/write.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { spliceLeaf } from "./splice.ts";

/**
 * A block with the text of one of its leaves replaced, written alone: the lines of a leaf within a list or quote are
 * exchanged if that reads right, else the whole block is written afresh; link definitions within it are kept.
 * Throws `BadRequest` if the Markdown is not one paragraph, heading or code block.
 */
export function rewriteLeaf<Block extends SourceBlock>(
  block: Block,
  { blockId, markdown }: { blockId: string; markdown: string },
  definitions: string,
): Block {
  // Blocks are stored with plain line ends; the chapter puts its own back.
  const body = markdown.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const read = readLeaf(body, leafOf(block, blockId).node, definitions);
  const node = mapLeaves(block.node, (leaf) => (leaf.attrs?.blockId === blockId ? read.node : leaf));
  const source = isLeaf(block.node)
    ? read.source
    : (spliceLeaf(block.source, { blockId, markdown: read.source, node }, definitions) ??
      writeBlock(node, definitions));
  const left = new Set(innerDefinitions({ node, source }));
  const lost = innerDefinitions(block).filter((definition) => !left.has(definition));
  return { ...block, node, source, gap: keepDefinitions(block.gap, lost) };
}

/**
 * A chapter's prose with the text of some of its leaves replaced, by `blockId`; every other line stays as its author
 * wrote it, and every leaf keeps its id. Throws `BadRequest` if a text is not one paragraph. O(text).
 */
export function editLeaves(old: StoredProse, texts: ReadonlyMap<string, string>): NewProse {
  const definitions = definitionsOf(old);
  const blocks = old.blocks.map((block) => {
    const edits = readLeaves(block.node).flatMap(({ blockId }) => {
      const markdown = blockId === null ? undefined : texts.get(blockId);
      return blockId === null || markdown === undefined ? [] : [{ blockId, markdown }];
    });
    return edits.reduce((edited, edit) => rewriteLeaf(edited, edit, definitions), block);
  });
  const joined = joinBlocks({ head: old.head, blocks });
  if (joined === undefined) throw cannotStand();
  return { bom: old.bom, eol: old.eol, ...joined };
}

/** The leaf of this id; the caller has found the block by it. */
export function leafOf({ node }: SourceBlock, blockId: string): Leaf {
  return readLeaves(node).find((leaf) => leaf.blockId === blockId)!; // see above
}

/** The refusal of a text that Markdown cannot say between the blocks beside it. */
export function cannotStand(): BadRequest {
  return new BadRequest(
    "This text would change how the paragraphs beside it read; use PUT /chapters/{chapterId}/prose, or put a backslash before its marks if they are meant as text.",
  );
}
