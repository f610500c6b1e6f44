import { smallest } from "../../text/extremes.ts";
import type { IndexedPassage, Passages, ScoredPassage } from "../index/passages.ts";
import { Highlights } from "../reading/highlights.ts";
import type { QueryTerm, QueryWord, SearchQuestion } from "../reading/question.ts";
import { derivedTermsOf } from "../terms/words.ts";

/** A passage that answers, with its score for each term of the question (0: it does not hold the term). */
export interface Hit {
  passage: IndexedPassage;
  scores: number[];
  /** One bit for each term that stands in it as it was asked for, not as its kin or a guess. */
  exact: number;
  /** Score of the whole passage; set by the ranking. */
  score: number;
}

/** A chapter or fact of which passages answer. */
export interface SearchCandidate {
  owner: string;
  hits: Hit[];
  /** One bit for each term that stands anywhere in it; a question has at most 16 terms. */
  holds: number;
}

/** How the terms of a question are taken. */
export interface Taking {
  /** An unwanted word drops the whole owner; else its passage alone. */
  dropsOwner: boolean;
  /** Words answer for others of their stem. */
  isStemmed: boolean;
  /** True if the word stands anywhere in the book; one that does is never corrected. */
  isKnown: (word: string) => boolean;
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
  isGuessed: boolean;
  /** True if it only adds to what other terms found. */
  isExtra: boolean;
}

/** A word in more than this share of the passages, and in more than the floor, only adds to what rarer terms found. */
const COMMON_SHARE = 0.1;
const COMMON_FLOOR = 200;
/** A word in more than this share of the passages is whole; completing it only adds to what other terms found. */
const WHOLE_SHARE = 0.02;
/** "und" stands in more than this share of the passages of a German book, and hardly in others. */
const GERMAN_SHARE = 0.1;

/** Weights of words against the word itself: of its stem, with other prefixes, a compound, a completion, a misspelling. */
const KIN = 0.55;
const DERIVED = 0.5;
const COMPOUND = 0.4;
const COMPLETED = 0.9;
const ONE_SLIP = 0.9;
const TWO_SLIPS = 0.8;

/** Finds whatever holds a term of the question, the rarest term first, and the words to highlight in it. */
export function findCandidates(
  passages: Passages,
  question: SearchQuestion,
  taking: Taking,
): { candidates: SearchCandidate[]; highlights: Highlights } {
  const finder = new Finder(passages, question, taking);
  return { candidates: finder.find(), highlights: finder.highlights };
}

class Finder {
  readonly highlights = new Highlights();
  readonly #passages: Passages;
  readonly #question: SearchQuestion;
  readonly #taking: Taking;
  readonly #commonFrom: number;
  readonly #hits = new Map<IndexedPassage, Hit>();
  readonly #candidates = new Map<string, SearchCandidate>();
  /** Passages, or owners, that hold an unwanted term. */
  readonly #dropped = new Set<IndexedPassage | string>();

  constructor(passages: Passages, question: SearchQuestion, taking: Taking) {
    this.#passages = passages;
    this.#question = question;
    this.#taking = taking;
    this.#commonFrom = Math.max(COMMON_FLOOR, passages.count * COMMON_SHARE);
  }

  find(): SearchCandidate[] {
    const { wanted, unwanted } = this.#question;
    if (wanted.length > 0) for (const term of unwanted) this.#drop(term);
    const ordered = wanted.map((term, part) => ({ term, part, frequency: this.#frequencyOf(term) }));
    ordered.sort((a, b) => a.frequency - b.frequency || a.part - b.part);
    for (const { term, part, frequency } of ordered) {
      if (term.kind === "phrase") {
        this.#takePhrase(term.terms, part);
        continue;
      }
      const isCommon = frequency > this.#commonFrom && this.#hits.size > 0;
      const own = this.#familyFrequency(term.term);
      for (const family of this.#readings(term, isCommon)) this.#takeFamily(family, own, part);
      if (term.parts.length > 1) this.#takePhrase(term.parts, part);
    }
    return [...this.#candidates.values()];
  }

  #frequencyOf(term: QueryTerm): number {
    const frequency = (word: string) => this.#passages.frequency(word);
    if (term.kind === "phrase") return smallest(term.terms.map(frequency));
    if (!term.prefix) return this.#familyFrequency(term.term);
    const begun = this.#passages.expand(term.term, { prefix: true });
    return begun.reduce((sum, word) => sum + frequency(word), 0);
  }

  #kin(word: string): string[] {
    return this.#taking.isStemmed ? this.#passages.vocabulary.kin(word) : [];
  }

  /** Number of passages that hold the word or its kin; those that hold both count twice. */
  #familyFrequency(word: string): number {
    return [word, ...this.#kin(word)].reduce((sum, one) => sum + this.#passages.frequency(one), 0);
  }

  /** Drops what holds the term as it is written: no kin, no corrections. */
  #drop(term: QueryTerm): void {
    let phrases: (readonly string[])[];
    if (term.kind === "phrase") phrases = [term.terms];
    else if (!term.prefix) phrases = [[term.term]];
    else phrases = this.#passages.expand(term.term, { prefix: true }).map((word) => [word]);
    for (const { passage } of phrases.flatMap((terms) => this.#holding(terms)))
      this.#dropped.add(this.#taking.dropsOwner ? passage.owner : passage);
  }

  /** The passages in which the terms stand side by side: the index knows which terms a passage holds, not where. */
  #holding(terms: readonly string[]): ScoredPassage[] {
    return this.#passages
      .find(terms)
      .filter(({ passage }) => terms.length === 1 || this.highlights.holdsPhrase(passage.text, terms));
  }

  #takePhrase(terms: readonly string[], part: number): void {
    const found = this.#holding(terms);
    for (const { passage, score } of found) this.#raise(passage, part, { score, exact: true });
    if (found.length > 0) this.highlights.addPhrase(terms, part);
  }

  /** What a word of the question may mean. */
  #readings(asked: QueryWord, isCommon: boolean): Family[] {
    const passages = this.#passages;
    const { term } = asked;
    const begun = (weight: number, exact: boolean) =>
      passages.expand(term, { prefix: true }).map((word) => ({ word, weight, exact }));
    if (asked.prefix) return [{ words: begun(1, true), isGuessed: false, isExtra: isCommon }];
    const kin = this.#kin(term).map((word) => ({ word, weight: KIN }));
    const rare = kin.filter(({ word }) => isCommon || passages.frequency(word) <= this.#commonFrom);
    const derived = derivedTermsOf(term)
      .filter((word) => passages.frequency(word) > 0)
      .map((word) => ({ word, weight: DERIVED }));
    const words = [{ word: term, weight: 1, exact: true }, ...rare, ...derived];
    const families: Family[] = [
      { words, isGuessed: false, isExtra: isCommon },
      // Whoever asks for the Andes does not want every "and".
      { words: kin.filter((one) => !rare.includes(one)), isGuessed: true, isExtra: true },
    ];
    if (asked.last && term.length >= 2) {
      const isExtra = passages.frequency(term) > WHOLE_SHARE * passages.count;
      families.push({ words: begun(COMPLETED, false), isGuessed: true, isExtra });
    }
    const compounds = isCommon ? [] : this.#compounds(term);
    families.push({ words: compounds, isGuessed: true, isExtra: false });
    if (derived.length + compounds.length === 0 && !this.#taking.isKnown(term))
      families.push({ words: corrections(term, passages), isGuessed: true, isExtra: false });
    return families;
  }

  /** The compounds of a word, if the passages are in German: every second paragraph of a German novel holds "und". */
  #compounds(term: string): Reading[] {
    const { vocabulary, count } = this.#passages;
    const frequency = (word: string) => this.#passages.frequency(word);
    if (frequency("und") < Math.max(1, count * GERMAN_SHARE)) return [];
    return vocabulary
      .compoundsOf(term, (word) => frequency(word) > 0)
      .map((word) => ({ word, weight: COMPOUND }));
  }

  /** `own`: passages of the word and its kin; no reading of a word counts as rarer than the word. */
  #takeFamily({ words, isGuessed, isExtra }: Family, own: number, part: number): void {
    const passages = this.#passages;
    const frequency = (word: string): number => passages.frequency(word);
    const together = Math.max(
      own,
      words.reduce((sum, { word }) => sum + frequency(word), 0),
    );
    const isHit = (passage: IndexedPassage): boolean => {
      this.#note(passage, part);
      return this.#hits.has(passage);
    };
    for (const { word, weight, exact = false } of words) {
      if (frequency(word) === 0) continue;
      this.highlights.addWord(word, part, isGuessed);
      const scale = weight * (passages.idf(together) / passages.idf(frequency(word)));
      for (const { passage, score } of passages.find([word], isExtra ? isHit : undefined))
        this.#raise(passage, part, { score: score * scale, exact });
    }
  }

  /** Enters the passage, or raises its score for the term; a lower score changes nothing. */
  #raise(passage: IndexedPassage, part: number, { score, exact }: { score: number; exact: boolean }): void {
    const hit = this.#hits.get(passage) ?? this.#enter(passage);
    if (hit === undefined) return;
    if (exact) hit.exact |= 1 << part;
    hit.scores[part] = Math.max(score, hit.scores[part]!); // one score a term
    this.#note(passage, part);
  }

  #enter(passage: IndexedPassage): Hit | undefined {
    if (this.#dropped.has(passage) || this.#dropped.has(passage.owner)) return undefined;
    const scores = new Array<number>(this.#question.wanted.length).fill(0);
    const hit = { passage, scores, exact: 0, score: 0 };
    this.#hits.set(passage, hit);
    const candidate = this.#candidates.get(passage.owner);
    if (candidate === undefined)
      this.#candidates.set(passage.owner, { owner: passage.owner, hits: [hit], holds: 0 });
    else candidate.hits.push(hit);
    return hit;
  }

  /** Notes that the passage's owner holds the term, if it is a candidate. */
  #note(passage: IndexedPassage, part: number): void {
    const candidate = this.#candidates.get(passage.owner);
    if (candidate !== undefined && !this.#dropped.has(passage)) candidate.holds |= 1 << part;
  }
}

/** Lengths between which a term may be misspelt. */
const SHORTEST = 4;
const LONGEST = 40;
/** Longer words may have two slips; shorter ones of six letters only if nothing is nearer. */
const LONG = 8;

/**
 * Words of the index that an unknown term of 4 to 40 letters may misspell: a letter added, dropped, changed or
 * exchanged with its neighbour; two such slips if the term is long or nothing is nearer.
 */
function corrections(term: string, passages: Passages): Reading[] {
  if (term.length < SHORTEST || term.length > LONGEST) return [];
  const near = new Set(passages.expand(term, { fuzzy: 1 }));
  for (const word of exchanges(term)) if (passages.frequency(word) > 0) near.add(word);
  const found = [...near].map((word) => ({ word, weight: ONE_SLIP }));
  if (term.length <= LONG && (near.size > 0 || term.length < 6)) return found;
  const far = passages.expand(term, { fuzzy: 2 }).filter((word) => !near.has(word));
  return [...found, ...far.map((word) => ({ word, weight: TWO_SLIPS }))];
}

/** The term with two neighbouring letters exchanged, at each place. */
function exchanges(term: string): string[] {
  return Array.from({ length: term.length - 1 }, (_, at) => {
    return term.slice(0, at) + term.charAt(at + 1) + term.charAt(at) + term.slice(at + 2);
  });
}
