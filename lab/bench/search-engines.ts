import MiniSearch from "minisearch";
import { BookIndex } from "../../src/search/book-index.ts";
import { connect } from "../../src/store/file/driver.ts";
import { groupBy } from "../../src/text/group-by.ts";
import type { Book, Paragraph } from "./search-corpus.ts";

/** Paragraphs and chapters that answer, best first, each once. */
export interface Ranked {
  paragraphs: string[];
  chapters: string[];
}

export interface Engine {
  name: string;
  ask: (query: string) => Ranked;
}

/** Our index; paragraphs as the excerpts of the answer stand, chapter by chapter. */
export function ours(book: Book, stem: (word: string) => string): Engine {
  const index = builtIndex(book, stem);
  return {
    name: "ours",
    ask: (query) => {
      const { chapters } = index.find(query, 20);
      return {
        chapters: chapters.map(({ chapterId }) => chapterId),
        paragraphs: chapters.flatMap(({ excerpts }) => excerpts.map(({ blockId }) => blockId ?? "")),
      };
    },
  };
}

/** A book put chapter by chapter. */
export function builtIndex(book: Book, stem: (word: string) => string): BookIndex {
  const index = new BookIndex({ stem });
  const byChapter = groupBy(book.paragraphs, ({ chapterId }) => chapterId);
  for (const [position, id] of book.chapters.entries()) {
    index.putChapter({ id, title: "", synopsis: "", position });
    putChapterProse(index, byChapter.get(id) ?? []);
  }
  return index;
}

/** Puts the paragraphs of one chapter, at once. */
export function putChapterProse(index: BookIndex, paragraphs: readonly Paragraph[]): void {
  const [first] = paragraphs;
  if (first === undefined) return;
  const prose = paragraphs.map(({ id, text }) => ({ blockId: id, text }));
  for (const _ of index.putProse(first.chapterId, prose)); // to the last step
}

/** Puts the chapter of the paragraph at `place`, with another text of that one. */
export function putEdited(
  index: BookIndex,
  paragraphs: readonly Paragraph[],
  place: number,
  text: string,
): void {
  const { id, chapterId } = paragraphs[place]!; // the caller stays inside
  const ofChapter = paragraphs.filter((paragraph) => paragraph.chapterId === chapterId);
  putChapterProse(
    index,
    ofChapter.map((paragraph) => (paragraph.id === id ? { ...paragraph, text } : paragraph)),
  );
}

/** MiniSearch as it comes, a document a paragraph. */
export function plainMiniSearch(book: Book): Engine {
  const index = new MiniSearch({ fields: ["text"] });
  index.addAll(book.paragraphs);
  const chapterOf = new Map(book.paragraphs.map(({ id, chapterId }) => [id, chapterId]));
  return {
    name: "MiniSearch",
    ask: (query) =>
      byParagraph(
        index.search(query).map(({ id }) => String(id)),
        chapterOf,
      ),
  };
}

/** SQLite FTS5 with the Porter stemmer: all words, else any; the last word a prefix; BM25. */
export function ftsPorter(book: Book): Engine {
  const database = connect(":memory:");
  database.exec("CREATE VIRTUAL TABLE prose USING fts5(id UNINDEXED, text, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO prose (id, text) VALUES (?, ?)");
  database.transaction(() => {
    for (const { id, text } of book.paragraphs) insert.run(id, text);
  })();
  const select = database
    .prepare<[string], string>("SELECT id FROM prose WHERE prose MATCH ? ORDER BY rank LIMIT 200")
    .pluck();
  const chapterOf = new Map(book.paragraphs.map(({ id, chapterId }) => [id, chapterId]));
  return {
    name: "FTS5 porter",
    ask: (query) => {
      const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
      if (words.length === 0) return { paragraphs: [], chapters: [] };
      const all = select.all(`${words.join(" AND ")}*`);
      return byParagraph(all.length > 0 ? all : select.all(`${words.join(" OR ")}*`), chapterOf);
    },
  };
}

function byParagraph(paragraphs: string[], chapterOf: ReadonlyMap<string, string>): Ranked {
  return { paragraphs, chapters: [...new Set(paragraphs.map((id) => chapterOf.get(id) ?? ""))] };
}
