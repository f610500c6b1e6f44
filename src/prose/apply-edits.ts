import { isLeaf, leafIds, leavesOf, mapLeaves, withId } from "./document/leaves.ts";
import { sameNode } from "./document/same-node.ts";
import { settleYears } from "./document/text.ts";
import type { DocNode, SourceBlock } from "./document/types.ts";
import { insertAll } from "./insert-blocks.ts";
import { assembleProse } from "./plan/assemble.ts";
import type { NewProse, StoredProse } from "./plan.ts";
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
  if (texts.size > 0) prose = editLeaves(withoutRows(prose), texts);
  if (insertions.length > 0) prose = insertAll(withoutRows(prose), insertions);
  if (deleted.size > 0) prose = removeLeaves(withoutRows(prose), deleted);
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

/** Returns prose as if it were stored, without the rows of its blocks: between two steps none is read. */
export function withoutRows(prose: NewProse): StoredProse {
  return { ...prose, blocks: prose.blocks.map((block) => ({ row: "", ...block })) };
}

/** Removes one leaf, as `removeLeaves` does. */
export function removeLeaf(old: StoredProse, blockId: string): NewProse {
  return removeLeaves(old, new Set([blockId]));
}

/**
 * Removes leaves from a chapter's prose, and the list entries and quotes that would be empty. All other leaves keep
 * their ids and their bytes, and no link definition goes. Throws `BadRequest` if Markdown cannot say the rest.
 * O(text).
 */
export function removeLeaves(old: StoredProse, blockIds: Pick<ReadonlySet<string>, "has">): NewProse {
  return assembleProse(
    old,
    old.blocks.flatMap((stored) => {
      const isHit = leafIds([stored]).some((id) => id !== null && blockIds.has(id));
      const node = isHit ? withoutLeavesOf(stored.node, blockIds) : stored.node;
      return node === undefined ? [] : [{ node, stored }];
    }),
  );
}

/** Returns the block without the leaves; undefined if nothing is left of it. */
export function withoutLeavesOf(
  block: DocNode,
  blockIds: Pick<ReadonlySet<string>, "has">,
): DocNode | undefined {
  if (isLeaf(block)) return blockIds.has(String(block.attrs?.blockId)) ? undefined : block;
  const content = (block.content ?? []).flatMap((child) => withoutLeavesOf(child, blockIds) ?? []);
  return content.length === 0 ? undefined : settleYears({ ...block, content });
}
