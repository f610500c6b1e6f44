import type { ReadingBook, ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";

/** A chapter of these paragraphs; their block ids are `<chapterId>-0` and so on. */
export function chapterOf(chapterId: string, paragraphs: readonly string[]): ReadingChapter {
  const blocks = paragraphs.map((text, index) => ({ blockId: `${chapterId}-${index}`, text }));
  return { chapterId, revision: 1, title: chapterId, blocks };
}

/** A book of these chapters; `onRead` hears of each one that is fetched. */
export function bookOf(
  chapters: readonly ReadingChapter[],
  {
    cast = [],
    onRead = () => {},
  }: { cast?: readonly ReadingFact[]; onRead?: (chapterId: string) => void } = {},
): ReadingBook {
  const shelved = chapters.map((chapter) => ({
    chapterId: chapter.chapterId,
    revision: chapter.revision,
    title: chapter.title,
    read() {
      onRead(chapter.chapterId);
      return chapter;
    },
  }));
  return { bookId: "book", cast, chapters: shelved };
}

/** A character of this name. */
export function factOf(id: string, name: string, aliases: readonly string[] = []): ReadingFact {
  return { id, name, kind: "character", aliases, attributes: [], summary: "" };
}
