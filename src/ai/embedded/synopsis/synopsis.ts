import type { ReadingBook, ReadingChapter } from "../../../reading/reading.ts";
import { type Sentence, splitSentences } from "../../../reading/text/sentences.ts";
import type { BookStatistics } from "../../../reading/text/statistics.ts";
import { isHonorific } from "../../../reading/words/honorifics.ts";
import { peopleAndPlaces } from "./cast.ts";
import { cosine, lexRank, type Vector, vectorsOf } from "./rank.ts";

/** Words of prose that a synopsis quotes; the closing line of names is short enough for all to stay within 150. */
const FEWEST_WORDS = 60;
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
 * Returns synopses of 60 to 150 words: the chapter's most central sentences in order of events, word for word, then a
 * line of who appears and where. A short chapter has what there is, an empty one "". The same book always has the same.
 * Source: Erkan and Radev 2004; Carbonell and Goldstein 1998, the penalty for what was said already.
 */
export function createSynopsis(
  statisticsOf: (book: ReadingBook) => BookStatistics,
): (chapter: ReadingChapter, book: ReadingBook) => string {
  return (chapter, book) => {
    const sentences = pickSentences(chapter);
    if (sentences.length === 0) return "";
    const told = sentences
      .map(({ text, isWhole }) => `${text}${isWhole ? " " : "\n"}`)
      .join("")
      .trimEnd();
    const closing = peopleAndPlaces(chapter, book.cast, statisticsOf(book));
    return closing === "" ? told : `${told}\n${closing}`;
  };
}

/** The sentences that a synopsis is made of, in order of events. */
function pickSentences(chapter: ReadingChapter): Sentence[] {
  const every = splitSentences(chapter).filter(({ words }) => words.length > 0);
  const whole = every.filter(({ isWhole }) => isWhole);
  const sentences = whole.length > 0 ? whole : every;
  const total = sentences.reduce((sum, { words }) => sum + words.length, 0);
  if (total <= FEWEST_WORDS) return sentences;
  const vectors = vectorsOf(sentences);
  const ranks = lexRank(vectors);
  const often = frequentNames(sentences);
  const candidates = sentences
    .map((sentence, index) => ({
      names: often.filter((name) => sentence.words.some((word) => word.replace(/[’']s?$/, "") === name)),
      sentence,
      index,
      score: ranks[index]! * fitness(sentence), // one a sentence
      vector: vectors[index]!, // as above
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, SHORTLIST);
  const budget = Math.min(MOST_WORDS, Math.max(USUAL_WORDS, Math.round(total / WORDS_A_WORD)));
  return choose(candidates, budget)
    .sort((a, b) => a.index - b.index)
    .map(({ sentence }) => sentence);
}

/** How well a sentence is understood alone, 0 to 1, whatever it says. */
function fitness({ words, spoken, text }: Sentence): number {
  const short = Math.min(1, words.length / SHORT);
  const long = Math.min(1, LONG / words.length);
  const speech = 1 - 0.75 * spoken;
  const leans = /^(?:[“‘"']*)(?:he|she|it|they|this|that|these|those|but|and|so|or|then|there)\b/i.test(text)
    ? 0.75
    : 1;
  const asks = /\?[”’"')\]]*$/.test(text) ? 0.6 : 1;
  const verse = /[,;:!?]\p{Lu}/u.test(text) ? 0.3 : 1; // lines run together
  return short * short * long * speech * leans * asks * verse;
}

interface Candidate {
  sentence: Sentence;
  /** Its place among the chapter's sentences. */
  index: number;
  score: number;
  vector: Vector;
  /** Those of the chapter's names that it holds. */
  names: readonly string[];
}

/** The best first, each new one judged by what it adds to those before, as long as they fit. Candidates by score. */
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
      candidates.filter((one) => !chosen.includes(one) && words + one.sentence.words.length <= most);
    const open = fits(budget);
    const next = bestOf(open.length > 0 || words >= FEWEST_WORDS ? open : fits(MOST_WORDS), worth);
    if (next === undefined) break;
    if (words >= FEWEST_WORDS && next.sentence.words.length < SHORT) break; // a scrap that only fills
    chosen.push(next);
    for (const name of next.names) named.add(name);
    words += next.sentence.words.length;
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
