import type { BookIndex } from "../../src/search/book-index.ts";
import type { Book } from "./search-corpus.ts";
import { builtIndex, putEdited } from "./search-engines.ts";
import { KINDS, knownQuestions, seeded } from "./search-questions.ts";

/** How much is edited and asked, and from which seed. */
export interface Steadiness {
  edits: number;
  questions: number;
  seed: number;
  stem: (word: string) => string;
}

/** What an index that was edited answers otherwise than one made afresh of the outcome: queries; none is right. */
export function driftedQuestions(book: Book, { edits, questions, seed, stem }: Steadiness): string[] {
  const edited = builtIndex(book, stem);
  const paragraphs = editAtRandom(edited, book, { edits, seed });
  const fresh = builtIndex({ ...book, paragraphs }, stem);
  return knownQuestions(book, { count: Math.ceil(questions / KINDS.length), seed, stem })
    .slice(0, questions)
    .map(({ query }) => query)
    .filter((query) => !sameAnswer(edited, fresh, query));
}

/** Rejections that nobody caught while paragraphs were edited one by one between turns of the event loop, with searches. */
export async function unhandledRejections(
  book: Book,
  { edits, everyMs, stem }: { edits: number; everyMs: number; stem: (word: string) => string },
): Promise<number> {
  let rejections = 0;
  const count = () => {
    rejections += 1;
  };
  process.on("unhandledRejection", count);
  const index = builtIndex(book, stem);
  for (let edit = 0; edit < edits; edit += 1) {
    const place = (edit * 7919) % book.paragraphs.length;
    const { text } = book.paragraphs[place]!; // place is below the length
    putEdited(index, book.paragraphs, place, `${text} Edit ${edit}.`);
    if (edit % 10 === 0) index.find(text.slice(0, 30).trim() || "the", 5);
    await new Promise((resolve) => (everyMs === 0 ? setImmediate(resolve) : setTimeout(resolve, everyMs)));
  }
  process.off("unhandledRejection", count);
  return rejections;
}

function editAtRandom(index: BookIndex, book: Book, { edits, seed }: { edits: number; seed: number }) {
  const random = seeded(seed);
  const paragraphs = [...book.paragraphs];
  const pick = (): number => Math.floor(random() * paragraphs.length);
  for (let edit = 0; edit < edits; edit += 1) {
    const place = pick();
    const { id, chapterId, text } = paragraphs[place]!; // pick is below the length
    const other = paragraphs[pick()]!; // as above
    const kept = text.length > 2000 ? text.slice(0, 900) : text.slice(random() * text.length);
    const changed = `${kept} ${other.text.slice(0, 90)}`;
    paragraphs[place] = { id, chapterId, text: changed };
    putEdited(index, paragraphs, place, changed);
  }
  return paragraphs;
}

function sameAnswer(left: BookIndex, right: BookIndex, query: string): boolean {
  const [one, other] = [left.find(query, 20), right.find(query, 20)];
  const plain = ({ chapters }: typeof one) =>
    JSON.stringify(
      chapters.map(({ chapterId, matchCount, excerpts }) => ({ chapterId, matchCount, excerpts })),
    );
  if (plain(one) !== plain(other) || one.total !== other.total) return false;
  return one.chapters.every(({ score }, at) => Math.abs(score - (other.chapters[at]?.score ?? 0)) < 1e-9);
}
