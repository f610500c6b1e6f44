import { database } from "./reached.ts";

// What most would write: rows out of the file, objects out of rows. What becomes of the objects is the framework's.
interface Chapter {
  id: string;
  book_id: string;
  part_id: string | null;
  title: string;
  position: number;
  status: string;
  synopsis: string;
  word_count: number;
  block_count: number;
  revision: number;
  created_at: number;
  updated_at: number;
}
type Progress = { date: string; added: number; removed: number; imported: number };

const BOOK =
  "SELECT id, title, created_at, updated_at, (SELECT sum(word_count) FROM chapters WHERE book_id = b.id) AS words, (SELECT count(*) FROM chapters WHERE book_id = b.id) AS chapters FROM books b";
const CHAPTER =
  "SELECT id, book_id, part_id, title, position, status, synopsis, word_count, block_count, revision, created_at, updated_at FROM chapters";
const books = database.prepare(BOOK);
const book = database.prepare(`${BOOK} WHERE id = ?`);
const chapters = database.prepare(`${CHAPTER} WHERE book_id = ? ORDER BY rank, id`);
const chapter = database.prepare(`${CHAPTER} WHERE id = ?`);
const texts = database.prepare("SELECT text FROM blocks WHERE chapter_id = ? ORDER BY rank, id").pluck();
const nodes = database.prepare("SELECT node FROM blocks WHERE chapter_id = ? ORDER BY rank, id").pluck();
const progress = database.prepare(
  "SELECT date, sum(added) AS added, sum(removed) AS removed, sum(imported) AS imported FROM progress WHERE book_id = ? AND date >= ? GROUP BY date",
);

const at = (time: number) => new Date(time).toISOString();
type Book = {
  id: string;
  title: string;
  words: number;
  chapters: number;
  created_at: number;
  updated_at: number;
};

/** What `GET /books` answers. */
export function readBooks(): object {
  const rows = books.all() as Book[];
  const shown = rows.map(({ id, title, words, chapters: count, created_at, updated_at }) => ({
    ...{
      id,
      title,
      wordCount: words,
      chapterCount: count,
      createdAt: at(created_at),
      updatedAt: at(updated_at),
    },
  }));
  return { books: shown, total: shown.length };
}

/** What `GET /books/{bookId}` answers. */
export function readOutline(bookId: string): object {
  const { id, title, words } = book.get(bookId) as Book;
  const rows = chapters.all(bookId) as Chapter[];
  const today = new Date();
  const days = Array.from({ length: 30 }, (_, index) => {
    const day = new Date(Date.UTC(today.getFullYear(), today.getMonth(), today.getDate() - 29 + index));
    return day.toISOString().slice(0, 10);
  });
  const counted = new Map((progress.all(bookId, days[0]) as Progress[]).map((day) => [day.date, day]));
  return {
    ...{ id, title, wordCount: words, parts: [] },
    chapters: rows.map((row) => ({
      ...{ id: row.id, partId: row.part_id, position: row.position, title: row.title, status: row.status },
      ...{
        wordCount: row.word_count,
        synopsis: row.synopsis,
        revision: row.revision,
        updatedAt: at(row.updated_at),
      },
    })),
    goal: null,
    progress: days.map((date) => {
      const { added = 0, removed = 0, imported = 0 } = counted.get(date) ?? {};
      return { date, added, removed, imported, net: added - removed };
    }),
  };
}

/** What `GET /chapters/{chapterId}` answers, as text or as a document. */
export function readChapter(chapterId: string, format: unknown): object {
  const row = chapter.get(chapterId) as Chapter;
  const meta = {
    ...{ id: row.id, bookId: row.book_id, partId: row.part_id, title: row.title, position: row.position },
    ...{ status: row.status, synopsis: row.synopsis, wordCount: row.word_count, blockCount: row.block_count },
    ...{ revision: row.revision, createdAt: at(row.created_at), updatedAt: at(row.updated_at) },
  };
  if (format !== "doc") return { ...meta, text: (texts.all(chapterId) as string[]).join("\n\n") };
  const content = (nodes.all(chapterId) as string[]).map((node) => JSON.parse(node));
  return { ...meta, doc: { type: "doc", content } };
}
