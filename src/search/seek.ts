import { type Marks, phraseStretches } from "./marks.ts";
import { corrections } from "./misspelling.ts";
import type { Passage, Passages } from "./passages.ts";
import type { Asked, AskedPhrase, AskedWord } from "./question.ts";
import { Sieve, tokensOf } from "./words.ts";

/** Passages that answer one term of a question, with their scores. */
export type Scores = Map<Passage, number>;

/** Where one term of a question is looked for, and what becomes of what is found. */
export interface Search {
  passages: Passages;
  /** Takes the words that answer, as those of `part`. */
  marks: Marks;
  part: number;
  /** Whether the word stands anywhere in the book; one that does is never corrected. */
  known: (word: string) => boolean;
  /** Whether another term was found there already: a common word completed only adds to such passages. */
  found: (passage: Passage) => boolean;
  /** Passages that may answer; all, when left out. */
  admit?: (passage: Passage) => boolean;
}

/** Weight of a word with the same stem, against the word itself. */
const KIN = 0.55;
const COMPLETED = 0.9;
/** A word in more than this share of the passages is whole; completing it only adds to what other terms found. */
const WHOLE_SHARE = 0.02;

/** Every passage that answers the term. */
export function seek(asked: Asked, search: Search): Scores {
  if (asked.kind === "phrase") return seekPhrase(asked, search);
  const scores: Scores = new Map();
  for (const family of readings(asked, search)) seekFamily(family, search, scores);
  if (asked.parts.length > 1) raise(scores, seekPhrase({ kind: "phrase", terms: asked.parts }, search), 1);
  return scores;
}

/** Passages that hold the phrase in their text; each scores as the sum of its words. */
function seekPhrase(asked: AskedPhrase, search: Search): Scores {
  const { passages, marks, part } = search;
  const { vocabulary } = passages;
  const terms = [...new Set(asked.terms)];
  terms.sort((a, b) => vocabulary.frequency(a) - vocabulary.frequency(b) || (a < b ? -1 : 1));
  let scores: Scores | undefined;
  for (const term of terms) {
    const before = scores;
    scores = passages.find(term, before === undefined ? search.admit : (passage) => before.has(passage));
    if (before !== undefined)
      for (const [passage, score] of scores) scores.set(passage, score + (before.get(passage) ?? 0));
    if (scores.size === 0) return scores;
  }
  const verified =
    asked.terms.length === 1 ? (scores ?? new Map()) : verify(asked.terms, scores ?? new Map());
  if (verified.size > 0) marks.addPhrase(asked.terms, part);
  return verified;
}

/** The passages in whose text the terms stand side by side: MiniSearch knows that they hold them, not where. */
function verify(terms: readonly string[], scores: Scores): Scores {
  const sieve = new Sieve();
  for (const term of terms) sieve.open(term);
  const verified: Scores = new Map();
  for (const [passage, score] of scores) {
    if (phraseStretches(tokensOf(passage.text, sieve), terms).length > 0) verified.set(passage, score);
  }
  return verified;
}

/** Words taken for one another, each with its weight; all count as rare as they are together. */
interface Family {
  words: { word: string; weight: number }[];
  /** Completions: highlighted only where nothing better answers. */
  weak: boolean;
  /** Whether it only adds to what other terms found. */
  adds: boolean;
}

/** What a word of the question may mean. */
function readings(asked: AskedWord, search: Search): Family[] {
  const { vocabulary, count } = search.passages;
  const { term } = asked;
  const begun = (weight: number) => vocabulary.begunBy(term).map((word) => ({ word, weight }));
  if (asked.prefix) return [{ words: begun(1), weak: false, adds: false }];
  const kin = vocabulary.kin(term).map((word) => ({ word, weight: KIN }));
  const families: Family[] = [{ words: [{ word: term, weight: 1 }, ...kin], weak: false, adds: false }];
  if (asked.last && term.length >= 2) {
    const adds = vocabulary.frequency(term) > WHOLE_SHARE * count;
    families.push({ words: begun(COMPLETED), weak: true, adds });
  }
  if (!search.known(term))
    families.push({ words: corrections(term, search.passages), weak: true, adds: false });
  return families;
}

function seekFamily(family: Family, search: Search, scores: Scores): void {
  const { passages, marks, part } = search;
  const frequency = (word: string): number => passages.vocabulary.frequency(word);
  const worth = passages.idf(family.words.reduce((sum, { word }) => sum + frequency(word), 0));
  const admit = family.adds ? search.found : search.admit;
  for (const { word, weight } of family.words) {
    if (frequency(word) === 0) continue;
    marks.addWord(word, part, family.weak);
    raise(scores, passages.find(word, admit), weight * (worth / passages.idf(frequency(word))));
  }
}

function raise(scores: Scores, found: Scores, weight: number): void {
  for (const [passage, score] of found) {
    const weighted = score * weight;
    if (weighted > (scores.get(passage) ?? 0)) scores.set(passage, weighted);
  }
}
