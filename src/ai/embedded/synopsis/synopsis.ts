import type { ReadingBook, ReadingChapter } from "../../../reading/reading.ts";
import { type Sentence, splitSentences } from "../../../reading/sentences.ts";
import { isHonorific } from "../../../reading/word-lists.ts";
import { countWords } from "../../../text/count-words.ts";
import { whatEachNeeds } from "./alone.ts";
import { type ChapterNames, namesIn, type ProposedName, peopleAndPlaces } from "./cast.ts";
import { cosine, lexRank, type Vector, vectorsOf } from "./rank.ts";

/** Words of prose that a synopsis quotes; the closing line of names is short enough for all to stay within 150. */
const FEWEST_WORDS = 60;
/** A chapter of so many words is its own synopsis; of a longer one this share is quoted at most. */
const ALL_OF_IT = 24;
const LARGEST_SHARE = 1 / 3;
const USUAL_WORDS = 80;
const MOST_WORDS = 120;
/** The chapter's words for each word of its synopsis. */
const WORDS_A_WORD = 25;
/** Only this many of the best sentences are weighed against each other. */
const SHORTLIST = 120;
/** How much likeness to a sentence that is chosen already counts against another. */
const REDUNDANCY = 0.7;
/** How much a name that comes often in the chapter, and that no chosen sentence names yet, counts for one. */
const NAME = 0.14;
const MOST_NAMES = 5;
/** Sentences outside this range tell too little or take all the room, in words. */
const SHORT = 8;
const LONG = 34;

/**
 * Returns extracts of 60 to 150 words: the chapter's most central sentences in order of events, word for word, each with
 * the sentence before it if it cannot be understood alone, then a line of who appears and where, of what `detect` finds.
 * Of a short chapter they are a third at most, of an empty one "". The same book always has the same. Source: Erkan and
 * Radev 2004; Carbonell and Goldstein 1998, the penalty for what was said already.
 */
export function createSynopsis(
  detect: (chapter: ReadingChapter, book: ReadingBook) => readonly ProposedName[],
): (chapter: ReadingChapter, book: ReadingBook) => string {
  return (chapter, book) => {
    const names = namesIn(chapter, book, detect(chapter, { ...book, mentions: [] }));
    const sentences = pickSentences(chapter, names);
    if (sentences.length === 0) return "";
    const told = sentences
      .map(({ text, isWhole }) => `${text}${isWhole ? " " : "\n"}`)
      .join("")
      .trimEnd();
    const closing = peopleAndPlaces(names);
    return closing === "" ? told : `${told}\n${closing}`;
  };
}

/** A sentence, and its words as the writer's are counted: of Chinese each character. */
interface Telling extends Sentence {
  length: number;
}

/** The sentences that a synopsis is made of, in order of events. */
function pickSentences(chapter: ReadingChapter, names: ChapterNames): Telling[] {
  const every = tellingsOf(chapter);
  const whole = every.filter(({ isWhole }) => isWhole);
  const sentences = whole.length > 0 ? whole : every;
  const total = lengthOf(sentences);
  if (total <= ALL_OF_IT) return sentences;
  const usual = Math.max(USUAL_WORDS, Math.round(total / WORDS_A_WORD));
  const budget = Math.min(MOST_WORDS, usual, Math.round(total * LARGEST_SHARE));
  const chosen = choose(candidatesOf(sentences, names), budget);
  const places = new Set(chosen.flatMap(({ along, index }) => [...along, index]));
  // Where nothing can be understood alone, the chapter's beginning can.
  if (chosen.length === 0)
    for (let at = 0; at === 0 || lengthOf(sentences.slice(0, at + 1)) <= budget; at++) places.add(at);
  return sentences.filter((_, index) => places.has(index));
}

function lengthOf(sentences: readonly Telling[]): number {
  return sentences.reduce((sum, { length }) => sum + length, 0);
}

/** Scripts without spaces between words; Thai and its neighbours have them between sentences. */
const UNSPACED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const RUNNING = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** The chapter's sentences; what runs on without spaces is told by its pairs of letters. */
function tellingsOf(chapter: ReadingChapter): Telling[] {
  return splitSentences(chapter)
    .flatMap((sentence) => (UNSPACED.test(sentence.text) ? atSpaces(sentence) : [sentence]))
    .filter(({ words }) => words.length > 0)
    .map((sentence) => ({
      ...sentence,
      words: RUNNING.test(sentence.text) ? pairsOf(sentence.text) : sentence.words,
      length: countWords(sentence.text),
    }));
}

function atSpaces(sentence: Sentence): Sentence[] {
  return [...sentence.text.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    ...sentence,
    text,
    from: sentence.from + index,
    to: sentence.from + index + text.length,
    words: [text],
    isWhole: true,
  }));
}

function pairsOf(text: string): string[] {
  const letters = [...text].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

/** The sentences that may be chosen, the best first. */
function candidatesOf(sentences: readonly Telling[], known: ChapterNames): Candidate[] {
  const needs = whatEachNeeds(sentences, known);
  const vectors = vectorsOf(sentences);
  const ranks = lexRank(vectors);
  const often = frequentNames(sentences);
  return sentences
    .flatMap((sentence, index) => {
      const along = needs[index];
      return along === undefined ? [] : [{ sentence, index, along }];
    })
    .map(({ sentence, index, along }) => ({
      names: often.filter((name) => sentence.words.some((word) => word.replace(/[’']s?$/, "") === name)),
      along,
      index,
      length: lengthOf([...along.map((at) => sentences[at]!), sentence]), // places of sentences before it
      score: (ranks[index]! * fitness(sentence)) / (1 + along.length / 2), // one a sentence
      vector: vectors[index]!, // as above
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, SHORTLIST);
}

/** How well a sentence is understood alone, 0 to 1, whatever it says. */
function fitness({ length, spoken, text }: Telling): number {
  const short = Math.min(1, length / SHORT);
  const long = Math.min(1, LONG / length);
  const speech = 1 - 0.75 * spoken;
  const asks = /\?[”’"')\]]*$/.test(text) ? 0.6 : 1;
  const verse = /[,;:!?]\p{Lu}/u.test(text) ? 0.3 : 1; // lines run together
  return short * short * long * speech * asks * verse;
}

interface Candidate {
  /** The places of the sentences that come with it. */
  along: readonly number[];
  /** The words of all of them. */
  length: number;
  /** Its place among the chapter's sentences. */
  index: number;
  score: number;
  vector: Vector;
  /** The chapter's names that occur in it. */
  names: readonly string[];
}

/**
 * The best first, each new one judged by what it adds to those before, as long as they fit; the first alone may be
 * longer than the budget. Candidates by score.
 */
function choose(candidates: readonly Candidate[], budget: number): Candidate[] {
  const best = candidates[0]?.score || 1;
  const chosen: Candidate[] = [];
  const likeness = new Map<Candidate, number>();
  const named = new Set<string>();
  let words = 0;
  const worth = (one: Candidate) =>
    one.score / best -
    REDUNDANCY * (likeness.get(one) ?? 0) +
    NAME * one.names.filter((name) => !named.has(name)).length;
  while (words < budget) {
    const fits = (most: number) =>
      candidates.filter((one) => !chosen.includes(one) && words + one.length <= most);
    const open = fits(budget);
    const isEnough = words >= Math.min(FEWEST_WORDS, budget / 2);
    const next = bestOf(open.length > 0 || isEnough ? open : fits(MOST_WORDS), worth);
    if (next === undefined) break;
    if (isEnough && next.length < SHORT) break; // a scrap that only fills
    chosen.push(next);
    for (const name of next.names) named.add(name);
    words += next.length;
    for (const one of candidates) {
      likeness.set(one, Math.max(likeness.get(one) ?? 0, cosine(one.vector, next.vector)));
    }
  }
  return chosen.length > 0 ? chosen : candidates.slice(0, 1); // of sentences longer than any budget, one
}

/** The words that most often have a capital within a sentence, and are never without one; in small letters. */
function frequentNames(sentences: readonly Sentence[]): string[] {
  const counts = new Map<string, number>();
  const small = new Set<string>();
  for (const { text } of sentences) {
    for (const [word] of text.matchAll(
      /(?<=[\p{Ll},;] )\p{Lu}[\p{L}\p{M}]{2,}|(?<![\p{L}\p{M}’'-])\p{Ll}[\p{L}\p{M}]+/gu,
    )) {
      const key = word.toLowerCase();
      if (key === word) small.add(key);
      else counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([key, count]) => count > 1 && !small.has(key) && !isHonorific(key))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_NAMES)
    .map(([key]) => key);
}

function bestOf(candidates: readonly Candidate[], worth: (one: Candidate) => number): Candidate | undefined {
  let best: Candidate | undefined;
  for (const one of candidates) if (best === undefined || worth(one) > worth(best)) best = one;
  return best;
}
