import { BookIndex } from "../../src/search/book-index.ts";
import type { SearchedFact, SearchedParagraph, SearchResult } from "../../src/search/index/types.ts";

/** A stemmer of a few endings, enough for tests. */
export function toyStem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, "") : word;
}

/** A book of chapters `c1`, `c2` …, each a list of paragraphs `c1.1`, `c1.2` …; without a stem its language decides. */
export function bookOf(
  chapters: readonly (readonly string[])[],
  stem: typeof toyStem | null = toyStem,
): BookIndex {
  const book = new BookIndex(stem === null ? {} : { stem });
  for (const [index, texts] of chapters.entries()) {
    const chapterId = `c${index + 1}`;
    book.putChapter({ id: chapterId, title: "", synopsis: "", position: index });
    putProse(book, chapterId, texts);
  }
  return book;
}

/** Puts the paragraphs of a chapter, `c1.1`, `c1.2` …, all at once; or those with the ids given. */
export function putProse(
  book: BookIndex,
  chapterId: string,
  texts: readonly (string | SearchedParagraph)[],
): void {
  const paragraphs = texts.map((text, place) =>
    typeof text === "string" ? { blockId: `${chapterId}.${place + 1}`, text } : text,
  );
  for (const _ of book.putProse(chapterId, paragraphs)); // to the last step
}

/** A fact with the fields given and the others empty. */
export function fact(fields: Partial<SearchedFact> & { id: string; name: string }): SearchedFact {
  return { kind: "character", aliases: [], summary: "", attributes: [], ...fields };
}

/** Ids of the chapters that answer, best first. */
export function chaptersOf(result: SearchResult): string[] {
  return result.chapters.map(({ chapterId }) => chapterId);
}

/** Block ids of all excerpts, in order. */
export function blocksOf(result: SearchResult): (string | null)[] {
  return result.chapters.flatMap(({ excerpts }) => excerpts.map(({ blockId }) => blockId));
}

/** The highlighted words of all excerpts, in order. */
export function highlighted(result: SearchResult): string[] {
  return result.chapters.flatMap(({ excerpts }) =>
    excerpts.flatMap(({ text, highlights }) => highlights.map(([from, to]) => text.slice(from, to))),
  );
}
