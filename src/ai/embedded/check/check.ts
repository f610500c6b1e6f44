import { createHash } from "node:crypto";
import type { ReadingBook, ReadingChapter } from "../../../reading/reading.ts";
import { type BookStatistics, withReading } from "../../../reading/statistics.ts";
import { largest } from "../../../text/extremes.ts";
import type { Finding } from "../../reader.ts";
import { attributes } from "./attributes.ts";
import { dead } from "./dead.ts";
import { drift } from "./drift.ts";
import { createRelevantPassages, type ProsePassage, type Rule, shelfOf } from "./passages.ts";
import { weekdays } from "./weekday.ts";

/** Every rule, in the order in which their findings are told: a new one needs nothing but its line here. */
export const RULES = {
  drift,
  attributes,
  weekdays,
  dead,
} as const satisfies Readonly<Record<string, Rule>>;

/**
 * Returns the check of a chapter: every finding whose evidence ends in it, so that each is reported once, by the later
 * chapter that it speaks of. `statisticsOf` is shared with detection. The book's findings are kept until it changes.
 */
export function createChecker(
  statisticsOf: (book: ReadingBook) => BookStatistics,
): (chapter: ReadingChapter, book: ReadingBook) => Finding[] {
  const relevantOf = createRelevantPassages(Object.values(RULES));
  let known: { key: string; findings: Finding[] } | undefined;
  return (chapter, shelved) => {
    const book = withReading(chapter, shelved);
    const key = JSON.stringify([
      book.bookId,
      book.chapters.map(({ chapterId, revision }) => [chapterId, revision]),
      book.cast,
    ]);
    if (known?.key !== key) known = { key, findings: checkBook(book, statisticsOf(book), relevantOf(book)) };
    const order = new Map(book.chapters.map(({ chapterId }, index) => [chapterId, index]));
    const lastOf = ({ evidence }: Finding) =>
      largest(evidence.map(({ chapterId }) => order.get(chapterId) ?? -1));
    const place = order.get(chapter.chapterId);
    return known.findings.filter((finding) => lastOf(finding) === place);
  };
}

/** Every finding of a book, rule by rule; one claim is made once. */
function checkBook(
  book: ReadingBook,
  statistics: BookStatistics,
  relevant: readonly ProsePassage[],
): Finding[] {
  const shelf = shelfOf(book, statistics);
  const findings = new Map<string, Finding>();
  const foundBy = ({ reads, find }: Rule) =>
    find(shelf, reads === undefined ? [] : relevant.filter(({ text }) => reads.test(text)));
  for (const found of Object.values(RULES).flatMap(foundBy)) {
    const { claim, ...finding } = found;
    if (finding.evidence.some(({ text }) => text.trim() === "")) continue; // an empty quotation shows nothing
    const id = idOf(finding.type, finding.factId, claim);
    if (!findings.has(id)) findings.set(id, { id, ...finding });
  }
  return [...findings.values()];
}

/** Returns an id that stays with the claim, wherever the paragraphs around it move. */
function idOf(type: string, factId: string | null, claim: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify([type, factId, ...claim]));
  return `fi_${hash.digest("hex").slice(0, 16)}`;
}
