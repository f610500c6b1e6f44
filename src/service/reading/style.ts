import type { AnswerOf } from "../../contract/index.ts";
import { STYLE_LIMITS } from "../../contract/limits.ts";
import type { BookId } from "../../ids.ts";
import { toOwn } from "../../prose/document/text.ts";
import type { WordPlace } from "../../reading/find-phrases.ts";
import { type ChapterStyle, learnStyle } from "../../reading/learn-style.ts";
import { type BookStyle, type Openings, styleOf } from "../../reading/style.ts";
import { LruCache } from "../../text/lru-cache.ts";
import type { Manuscript } from "../manuscript.ts";
import { bookLearner, inSlices, type LearntChapter } from "./learn/learn-book.ts";
import { type Narrowed, narrowed } from "./learn/narrowed.ts";

type Answer = AnswerOf<"readStyle">;
type Learnt = LearntChapter<ChapterStyle>;
type Told = Answer["chapters"][number];

const learnBook = bookLearner<ChapterStyle>({ learn: ({ chapter }) => learnStyle(chapter) });

/** What was joined last, by what it was joined from: the same chapters make the same style. */
const joined = new LruCache<string, { of: readonly ChapterStyle[]; style: BookStyle }>(8);

/**
 * What the prose of a book repeats and how it is built, or that of one of its chapters. Throws `NotFound`, and
 * `Unavailable` once nobody waits.
 */
export async function readStyle(
  manuscript: Manuscript,
  bookId: BookId,
  { chapterId, gone }: Narrowed = {},
): Promise<Answer> {
  const book = await learnBook(manuscript, bookId, { context: undefined, gone });
  const isAsked = narrowed(book, chapterId);
  const told = book.filter(isAsked);
  const of = book.map(({ learnt }) => learnt);
  const key = `${manuscript.writer} ${bookId} ${chapterId ?? ""}`;
  const known = joined.get(key);
  const only = chapterId === undefined ? undefined : book.findIndex(isAsked);
  const isSame = known?.of.length === of.length && known.of.every((learnt, place) => learnt === of[place]);
  const style = isSame && known !== undefined ? known.style : await inSlices(styleOf(of, BOUNDS, only), gone);
  joined.set(key, { of, style });
  return { ...measured(told), ...shown(style, told, book) };
}

const BOUNDS = STYLE_LIMITS;
/** The upper ends of the classes of sentences, in words. */
const CLASSES = [3, 6, 10, 15, 20, 30, 40, 60] as const;

function measured(
  told: readonly Learnt[],
): Pick<Answer, "chapters" | "wordCount" | "dialogueShare" | "sentences"> {
  const lengths: number[] = [];
  const longest: Answer["sentences"]["longest"] = [];
  let [words, spoken, characters] = [0, 0, 0];
  for (const { chapterId, added, learnt } of told) {
    for (const [length, count] of learnt.sentences.entries())
      lengths[length] = (lengths[length] ?? 0) + count;
    for (const { words: length, ...span } of learnt.longest)
      longest.push({ chapterId, ...toOwn(span, added.get(span.blockId) ?? []), words: length });
    words += learnt.wordCount;
    spoken += learnt.spoken;
    characters += learnt.characters;
  }
  const total = lengths.reduce((sum, count) => sum + count, 0);
  const ends = [...CLASSES, Infinity];
  return {
    chapters: told.slice(0, STYLE_LIMITS.chapters).map(ofChapter),
    wordCount: words,
    dialogueShare: rounded(spoken / Math.max(1, characters), 1000),
    sentences: {
      total,
      mean: meanOf(lengths),
      median: medianOf(lengths, total),
      lengths: ends.map((end, place) => ({
        upTo: end === Infinity ? null : end,
        count: lengths
          .slice((ends[place - 1] ?? 0) + 1, end === Infinity ? undefined : end + 1)
          .reduce((a, b) => a + b, 0),
      })),
      longest: longest.sort((one, other) => other.words - one.words).slice(0, STYLE_LIMITS.longest),
    },
  };
}

function ofChapter({ chapterId, title, learnt }: Learnt): Told {
  const { wordCount, spoken, characters, sentences, scenes } = learnt;
  const lengths = [...sentences];
  return {
    chapterId,
    chapterTitle: title,
    wordCount,
    dialogueShare: rounded(spoken / Math.max(1, characters), 1000),
    sentences: lengths.reduce((sum, count) => sum + count, 0),
    meanSentence: meanOf(lengths),
    scenes: scenes.slice(0, STYLE_LIMITS.scenes),
  };
}

function meanOf(lengths: readonly number[]): number {
  let [sum, total] = [0, 0];
  for (const [length, count] of lengths.entries()) {
    sum += length * count;
    total += count;
  }
  return rounded(sum / Math.max(1, total), 10);
}

function medianOf(lengths: readonly number[], total: number): number {
  let seen = 0;
  return Math.max(
    0,
    lengths.findIndex((count) => {
      seen += count;
      return total > 0 && 2 * seen >= total;
    }),
  );
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

type Repeated = Omit<Answer, "chapters" | "wordCount" | "dialogueShare" | "sentences">;

function shown(style: BookStyle, told: readonly Learnt[], book: readonly Learnt[]): Repeated {
  const placed = (place: WordPlace) => placeIn(told, place);
  const withPlaces = <Counted extends { places: readonly WordPlace[] }>({ places, ...rest }: Counted) => ({
    ...rest,
    places: places.map(placed),
  });
  const openings = ({ runs, ...rest }: Openings) => ({
    ...rest,
    runs: runs.map(({ place, ...run }) => ({ ...run, place: placed(place) })),
  });
  return {
    phrases: style.phrases.map(withPlaces),
    echoes: style.echoes.map(withPlaces),
    overused: style.overused
      .slice(0, STYLE_LIMITS.overused)
      .map(({ chapter, expected, likelihood, ...rest }) => ({
        chapterId: book[chapter]!.chapterId, // its place in the book
        ...rest,
        expected: rounded(expected, 10),
        likelihood: rounded(likelihood, 10),
      })),
    openings: { sentences: openings(style.sentenceOpenings), paragraphs: openings(style.paragraphOpenings) },
    variants: style.variants.map(({ kind, forms }) => ({ kind, forms: forms.map(withPlaces) })),
    leftOut: {
      phrases: style.phrasesTotal - style.phrases.length,
      echoes: style.echoesTotal - style.echoes.length,
      variants: style.variantsTotal - style.variants.length,
      chapters: Math.max(0, told.length - STYLE_LIMITS.chapters),
    },
  };
}

/** Where the words of a place stand, in their block's own text. */
function placeIn(
  told: readonly Learnt[],
  { chapter, word, words }: WordPlace,
): Answer["openings"]["sentences"]["runs"][number]["place"] {
  const { chapterId, added, learnt } = told[chapter]!; // as it was joined
  const { blocks, from, to } = learnt.words;
  const block = blocks.findLast(({ first }) => first <= word)!; // each word is of one
  const span = { blockId: block.blockId, from: from[word]!, to: to[word + words - 1]! }; // as it was gathered
  return { chapterId, ...toOwn(span, added.get(block.blockId) ?? []) };
}
