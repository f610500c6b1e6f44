import type { StoredChapter } from "../../book/book.ts";
import { LIMITS } from "../../contract/limits.ts";
import { insertBlockIds } from "../../prose/block-ids.ts";
import { leafIds } from "../../prose/document/leaves.ts";

/** Returns a chapter's Markdown with its block ids, or without them if that would exceed the limit of a file. */
export function withBlockIds(chapter: StoredChapter): Buffer {
  const bare = chapter.markdown();
  const marked = Buffer.from(insertBlockIds(bare.toString(), leafIds(chapter.prose().blocks)));
  return marked.length > LIMITS.markdownBytes ? bare : marked;
}
