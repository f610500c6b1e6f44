import { createHash } from "node:crypto";
import type { Finding, ReadingBook, ReadingChapter } from "../../reader.ts";
import type { BookStatistics } from "../text/statistics.ts";
import { findContradictions } from "./attributes.ts";
import { findDead } from "./dead.ts";
import { findDrift } from "./drift.ts";
import { type Found, type RemarkablePassage, type Shelf, shelfOf } from "./passages.ts";
import { createNotes } from "./relevant-passages.ts";
import { findSimilar } from "./similar.ts";
import { findTitles } from "./titles.ts";
import { findWeekdays } from "./weekday.ts";

const RULES: readonly ((shelf: Shelf) => Found[])[] = [
  findDrift,
  findContradictions,
  findTitles,
  findWeekdays,
  findDead,
  findSimilar,
];

/**
 * Returns the check of a chapter: every finding whose evidence ends in it, so that each is reported once, by the later
 * chapter that it speaks of. `statisticsOf` is shared with detection. The book's findings are kept until it changes.
 */
export function createChecker(
  statisticsOf: (book: ReadingBook) => BookStatistics,
): (chapter: ReadingChapter, book: ReadingBook) => Finding[] {
  const notesOf = createNotes();
  let known: { key: string; findings: Finding[] } | undefined;
  return (chapter, shelved) => {
    const book = withReading(chapter, shelved);
    const key = JSON.stringify([
      book.bookId,
      book.chapters.map(({ chapterId, revision }) => [chapterId, revision]),
      book.cast,
    ]);
    if (known?.key !== key) known = { key, findings: checkBook(book, statisticsOf(book), notesOf(book)) };
    const order = new Map(book.chapters.map(({ chapterId }, index) => [chapterId, index]));
    const lastOf = ({ evidence }: Finding) =>
      Math.max(...evidence.map(({ chapterId }) => order.get(chapterId) ?? -1));
    const asked = order.get(chapter.chapterId);
    return known.findings.filter((finding) => lastOf(finding) === asked);
  };
}

/** The book with this reading of the chapter in its place: the file may hold a newer one by now. */
function withReading(chapter: ReadingChapter, book: ReadingBook): ReadingBook {
  const { chapterId, revision } = chapter;
  const chapters = book.chapters.map((shelved) =>
    shelved.chapterId === chapterId ? { ...shelved, revision, read: () => chapter } : shelved,
  );
  return { ...book, chapters };
}

/** Every finding of a book, rule by rule; one claim is made once. */
function checkBook(
  book: ReadingBook,
  statistics: BookStatistics,
  remarkable: readonly RemarkablePassage[],
): Finding[] {
  const shelf = shelfOf(book, statistics, remarkable);
  const findings = new Map<string, Finding>();
  for (const found of RULES.flatMap((rule) => rule(shelf))) {
    const { claim, ...finding } = found;
    const id = idOf(finding.type, finding.factId, claim);
    if (!findings.has(id)) findings.set(id, { id, ...finding });
  }
  return [...findings.values()];
}

/** The same for the same claim, wherever the paragraphs around it have moved. */
function idOf(type: string, factId: string | null, claim: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify([type, factId, ...claim]));
  return `fi_${hash.digest("hex").slice(0, 16)}`;
}
