import { readLeaves } from "../document/leaf.ts";
import { definitionsOf } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { cannotStand, rewriteLeaf } from "./rewrite-leaf.ts";

/**
 * A chapter's prose with the text of some of its leaves replaced, by `blockId`; every other line stays as its author
 * wrote it, and every leaf keeps its id. Throws `BadRequest` where a text is not one paragraph. O(text).
 */
export function editLeaves(old: StoredProse, texts: ReadonlyMap<string, string>): NewProse {
  const definitions = definitionsOf(old);
  const blocks = old.blocks.map((block) => {
    let edited = block;
    for (const { blockId } of readLeaves(block.node)) {
      const markdown = blockId === null ? undefined : texts.get(blockId);
      if (blockId !== null && markdown !== undefined) {
        edited = rewriteLeaf(edited, { blockId, markdown }, definitions);
      }
    }
    return edited;
  });
  const mended = joinBlocks({ head: old.head, blocks });
  if (mended === undefined) throw cannotStand();
  return { bom: old.bom, eol: old.eol, ...mended };
}
