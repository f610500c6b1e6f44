import { LIMITS } from "../../contract/limits.ts";
import type { ChapterId } from "../../ids.ts";
import { markLeaves } from "../../prose/block-ids/insert.ts";
import { leafIds } from "../../prose/document/leaf-ids.ts";
import type { DocNode } from "../../prose/document/types.ts";
import type { Store } from "../../store/file/store.ts";
import { listBlocks } from "../../store/rows/blocks.ts";

/** A chapter's prose with its block ids; without them where it would be more than a file may hold. */
export function markBlocks(store: Store, id: ChapterId, markdown: Buffer): Buffer {
  const blocks = listBlocks(store, id).map(({ node }) => ({ node: JSON.parse(node) as DocNode }));
  const marked = Buffer.from(markLeaves(markdown.toString(), leafIds(blocks)));
  return marked.length > LIMITS.markdownBytes ? markdown : marked;
}
