import type { AnswerOf } from "../../contract/index.ts";
import { PACE_LIMITS } from "../../contract/limits.ts";
import type { BookId } from "../../ids.ts";
import { toOwn } from "../../prose/document/text.ts";
import { type ChapterPace, learnPace } from "../../reading/learn-pace.ts";
import type { Manuscript } from "../manuscript.ts";
import { bookLearner, type LearntChapter } from "./learn/learn-book.ts";

type Answer = AnswerOf<"readPace">;
type Learnt = LearntChapter<ChapterPace>;

const learnBook = bookLearner<ChapterPace>({ learn: ({ chapter }) => learnPace(chapter) });
/** The upper ends of the classes of sentences, in words. */
const CLASSES = [3, 6, 10, 15, 20, 30, 40, 60] as const;

/** How long the chapters, scenes and sentences of a book are. Throws `NotFound`, and `Unavailable` once nobody waits. */
export async function readPace(
  manuscript: Manuscript,
  bookId: BookId,
  { gone }: { gone?: AbortSignal | undefined } = {},
): Promise<Answer> {
  const book = await learnBook(manuscript, bookId, { context: undefined, gone });
  const { sentences, ...sums } = sumOf(book.map(({ learnt }) => learnt));
  const ends = [...CLASSES, Infinity];
  return {
    ...measured({ sentences, ...sums }),
    lengths: ends.map((end, place) => ({
      upTo: end === Infinity ? null : end,
      count: sentences.subarray((ends[place - 1] ?? 0) + 1, end + 1).reduce((sum, count) => sum + count, 0),
    })),
    medianSentence: medianOf(sentences),
    longest: longestOf(book),
    chapters: book.slice(0, PACE_LIMITS.chapters).map(({ chapterId, title, learnt }) => ({
      chapterId,
      chapterTitle: title,
      ...measured(learnt),
      scenes: learnt.scenes.slice(0, PACE_LIMITS.scenes),
    })),
    leftOut: Math.max(0, book.length - PACE_LIMITS.chapters),
  };
}

type Sums = Pick<ChapterPace, "words" | "sentences" | "spoken" | "characters" | "letters">;

function sumOf(chapters: readonly ChapterPace[]): Sums {
  const sum: Sums = { words: 0, sentences: new Uint32Array(), spoken: 0, characters: 0, letters: 0 };
  for (const chapter of chapters) {
    for (const field of ["words", "spoken", "characters", "letters"] as const) sum[field] += chapter[field];
    sum.sentences = chapter.sentences.map((count, length) => count + (sum.sentences[length] ?? 0));
  }
  return sum;
}

/** Sums as they are told. The index is ARI. Source: Smith and Senter 1967. */
function measured({ words, sentences, spoken, characters, letters }: Sums) {
  const total = sentences.reduce((sum, count) => sum + count, 0);
  const inSentences = sentences.reduce((sum, count, length) => sum + count * length, 0);
  const index =
    4.71 * (letters / Math.max(1, inSentences)) + 0.5 * (inSentences / Math.max(1, total)) - 21.43;
  return {
    wordCount: words,
    dialogueShare: rounded(spoken / Math.max(1, characters), 1000),
    sentences: total,
    meanSentence: rounded(inSentences / Math.max(1, total), 10),
    readability: inSentences === 0 ? null : rounded(index, 10),
  };
}

function longestOf(book: readonly Learnt[]): Answer["longest"] {
  return book
    .flatMap(({ chapterId, added, learnt }) =>
      learnt.longest.map((span) => ({ chapterId, ...toOwn(span, added.get(span.blockId) ?? []) })),
    )
    .sort((one, other) => other.words - one.words)
    .slice(0, PACE_LIMITS.longest);
}

function medianOf(sentences: Uint32Array): number {
  const total = sentences.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return Math.max(
    0,
    sentences.findIndex((count) => {
      seen += count;
      return total > 0 && 2 * seen >= total;
    }),
  );
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
