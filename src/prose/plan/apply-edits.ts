import { leavesOf, mapLeaves, withId } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { insertAll } from "./insert-blocks.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { removeLeaves } from "./remove-leaf.ts";
import { editLeaves } from "./rewrite-leaf.ts";

/** Edit of a paragraph: new Markdown for it, Markdown behind it (null: at the chapter's start), or its deletion. */
export interface ProseEdit {
  op: "replace" | "insert_after" | "delete";
  blockId: string | null;
  /** New Markdown; null deletes. */
  markdown: string | null;
}

/**
 * Applies edits to a chapter's paragraphs, which must all be there. Every other leaf keeps its id and its bytes.
 * Inserted paragraphs are new, with ids of `mint`; one with the text of a paragraph that these edits delete is that
 * paragraph, moved. Insertions behind one paragraph keep the given order, and a deleted paragraph still marks its
 * place. Throws `BadRequest` if Markdown cannot say it. O(text).
 */
export function applyEdits(old: StoredProse, edits: readonly ProseEdit[], mint: () => string): NewProse {
  const texts = new Map<string, { markdown: string; isExact: boolean }>();
  const insertions: { after: string | null; markdown: string }[] = [];
  const deleted = new Set<string>();
  for (const { op, blockId, markdown } of edits) {
    if (op === "insert_after") insertions.push({ after: blockId, markdown: markdown ?? "" });
    else if (op === "replace") texts.set(String(blockId), { markdown: markdown ?? "", isExact: true });
    else deleted.add(String(blockId));
  }
  let prose: NewProse = old;
  if (texts.size > 0) prose = editLeaves(asStored(prose), texts);
  if (insertions.length > 0) prose = insertAll(asStored(prose), insertions);
  if (deleted.size > 0) prose = removeLeaves(asStored(prose), deleted);
  if (insertions.length === 0) return prose;
  const gone = old.blocks
    .flatMap(({ node }) => leavesOf(node))
    .filter(({ attrs }) => deleted.has(String(attrs?.blockId)));
  return { ...prose, blocks: prose.blocks.map((block) => withIds(block, gone, mint)) };
}

/** Returns the block with an id for each leaf that has none. Leaves found in `gone` are taken out of it. */
function withIds(block: SourceBlock, gone: DocNode[], mint: () => string): SourceBlock {
  const node = mapLeaves(block.node, (leaf) => {
    if (leaf.attrs?.blockId != null) return leaf;
    const at = gone.findIndex((one) => sameNode(one, leaf));
    const [same] = at === -1 ? [] : gone.splice(at, 1);
    return withId(leaf, same === undefined ? mint() : String(same.attrs?.blockId));
  });
  return node === block.node ? block : { ...block, node };
}

// No row is read between two steps.
function asStored(prose: NewProse): StoredProse {
  return { ...prose, blocks: prose.blocks.map((block) => ({ row: "", ...block })) };
}
