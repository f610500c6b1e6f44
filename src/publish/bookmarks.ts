import type { BlockId, ChapterId } from "../ids.ts";

// Word hides bookmarks whose names begin with "_", keeps them through every save, and takes names of up to 40 characters.
// Paragraph ids of Word's own (w14:paraId) do not last: it replaces foreign ones (Open-XML-SDK, issue 925).

/** The hidden bookmark around a paragraph's text; undefined for an id that is too long for one. */
export function blockBookmark(id: BlockId): string | undefined {
  return id.length < 40 ? `_${id}` : undefined;
}

/** The hidden bookmark at the start of a chapter: which one it is, and the revision that was written. */
export function chapterBookmark(id: ChapterId, revision: number): string {
  return `_${id}_r${revision}`;
}

/** What a bookmark of this program says; undefined for any other. LibreOffice calls copies of it `…_Copy_1`. */
export function readBookmark(
  name: string,
): { chapterId: ChapterId; revision: number } | { blockId: BlockId } | undefined {
  const chapter = /^_(ch_[A-Za-z0-9]+)_r(\d+)$/.exec(name);
  if (chapter !== null) return { chapterId: chapter[1] as ChapterId, revision: Number(chapter[2]) };
  const block = /^_([A-Za-z0-9_-]+?)(?:_Copy_\d+)?$/.exec(name);
  return block?.[1]?.startsWith("b_") ? { blockId: block[1] as BlockId } : undefined;
}
