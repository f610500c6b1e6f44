import type { Highlights } from "../excerpt/highlights.ts";
import type { IndexedPassage, Passages, Visited } from "../index/passages.ts";
import type { QueryPhrase, QueryTerm, QueryWord } from "../query/question.ts";
import { derivedTermsOf } from "../terms/derived.ts";
import { corrections } from "./misspelling.ts";
import type { Phrases } from "./phrases.ts";
import type { TermScore } from "./tallies.ts";

/** Takes a passage that answers; the best of its scores counts. */
type Take = (passage: IndexedPassage, found: TermScore) => void;

/** Where one term of a question is looked for, and what becomes of what is found. */
export interface Search {
  passages: Passages;
  take: Take;
  /** Takes passages that count only if another term was found too. */
  takeAlso: Take;
  /** Which of those can count. */
  alsoWanted: () => Visited;
  /** The term is so common that all its passages go to `takeAlso`. */
  common: boolean;
  /** A word in more passages than this is common. */
  commonFrom: number;
  /** Knows the phrases of the question. */
  phrases: Phrases;
  /** Takes the words that answer, as those of `part`. */
  highlights: Highlights;
  part: number;
  /** Whether the word stands anywhere in the book; one that does is never corrected. */
  known: (word: string) => boolean;
}

/** Weight of a word with the same stem, against the word itself. */
const KIN = 0.55;
/** Weight of a word with other prefixes, and of a compound. */
const DERIVED = 0.5;
const COMPOUND = 0.4;
/** "und" stands in more than this share of the passages of a German book, and hardly in others. */
const GERMAN_SHARE = 0.1;
const COMPLETED = 0.9;
/** A word in more than this share of the passages is whole; completing it only adds to what other terms found. */
const WHOLE_SHARE = 0.02;

/** Looks for every passage that answers the term. */
export function seek(asked: QueryTerm, search: Search): void {
  if (asked.kind === "phrase") seekPhrase(asked, search);
  else {
    const own = search.passages.vocabulary.familyFrequency(asked.term);
    for (const family of readings(asked, search)) seekFamily(family, own, search);
    if (asked.parts.length > 1) seekPhrase({ kind: "phrase", terms: asked.parts }, search);
  }
}

/** Passages that hold the phrase in their text; each scores as the sum of its words. */
function seekPhrase(asked: QueryPhrase, search: Search): void {
  const { passages, highlights, part } = search;
  const { vocabulary } = passages;
  const terms = [...new Set(asked.terms)];
  terms.sort((a, b) => vocabulary.frequency(a) - vocabulary.frequency(b) || (a < b ? -1 : 1));
  const [rarest = "", ...others] = terms;
  let held = new Map<IndexedPassage, number>();
  passages.find(rarest, (passage, score) => held.set(passage, score));
  const slots = new Int32Array(others.length === 0 ? 0 : passages.slotCount);
  for (const passage of held.keys()) slots[passage.slot] = 1;
  for (const term of others) {
    const both = new Map<IndexedPassage, number>();
    const worth = passages.typicalScore(vocabulary.frequency(term));
    passages.visit(term, { slots }, (passage) => {
      const score = held.get(passage);
      if (score !== undefined) both.set(passage, score + worth * passage.weight);
    });
    held = both;
  }
  const stands = search.phrases.reader(asked.terms);
  let found = false;
  for (const [passage, score] of held) {
    if (!stands(passage)) continue;
    search.take(passage, { score, exact: true });
    found = true;
  }
  if (found) highlights.addPhrase(asked.terms, part);
}

/** A word that may be meant. `exact`: it is what was asked for. */
interface Reading {
  word: string;
  weight: number;
  exact?: boolean;
}

/** Words taken for one another, each with its weight; all count as rare as they are together. */
interface Family {
  words: Reading[];
  /** Guesses: highlighted only if nothing better answers. */
  guessed: boolean;
  /** Whether it counts only if another term was found too. */
  also: boolean;
}

/** What a word of the question may mean. */
function readings(asked: QueryWord, search: Search): Family[] {
  const { vocabulary, count } = search.passages;
  const { term } = asked;
  const begun = (weight: number, exact: boolean) =>
    vocabulary.begunBy(term).map((word) => ({ word, weight, exact }));
  if (asked.prefix) return [{ words: begun(1, true), guessed: false, also: search.common }];
  const isCommon = (word: string) => vocabulary.frequency(word) > search.commonFrom;
  const kin = vocabulary.kin(term).map((word) => ({ word, weight: KIN }));
  const rare = kin.filter(({ word }) => search.common || !isCommon(word));
  const derived = derivedTermsOf(term)
    .filter((word) => vocabulary.frequency(word) > 0)
    .map((word) => ({ word, weight: DERIVED }));
  const words = [{ word: term, weight: 1, exact: true }, ...rare, ...derived];
  const families: Family[] = [
    { words, guessed: false, also: search.common },
    // Whoever asks for the Andes does not want every "and".
    { words: kin.filter((one) => !rare.includes(one)), guessed: true, also: true },
  ];
  if (asked.last && term.length >= 2) {
    const also = vocabulary.frequency(term) > WHOLE_SHARE * count;
    families.push({ words: begun(COMPLETED, false), guessed: true, also });
  }
  if (isGerman(search.passages) && !search.common) {
    const compounds = vocabulary.compoundsOf(term).map((word) => ({ word, weight: COMPOUND }));
    families.push({ words: compounds, guessed: true, also: false });
  }
  if (derived.length === 0 && !search.known(term))
    families.push({ words: corrections(term, vocabulary), guessed: true, also: false });
  return families;
}

/** Whether the passages are in German, which writes compounds as one word: every second paragraph of a novel holds "und". */
function isGerman({ vocabulary, count }: Passages): boolean {
  return vocabulary.frequency("und") >= Math.max(1, count * GERMAN_SHARE);
}

/** `own`: passages of the word and its kin; no reading of a word counts as rarer than the word. */
function seekFamily(family: Family, own: number, search: Search): void {
  const { passages, highlights, part, take, takeAlso } = search;
  const frequency = (word: string): number => passages.vocabulary.frequency(word);
  const together = Math.max(
    own,
    family.words.reduce((sum, { word }) => sum + frequency(word), 0),
  );
  const wanted = family.also && family.words.length > 0 ? search.alsoWanted() : undefined;
  for (const { word, weight, exact = false } of family.words) {
    if (frequency(word) === 0) continue;
    highlights.addWord(word, part, family.guessed);
    if (wanted !== undefined) {
      const worth = weight * passages.typicalScore(together);
      passages.visit(word, wanted, (passage) => takeAlso(passage, { score: worth * passage.weight, exact }));
    } else {
      const scale = weight * (passages.idf(together) / passages.idf(frequency(word)));
      passages.find(word, (passage, score) => take(passage, { score: score * scale, exact }));
    }
  }
}
