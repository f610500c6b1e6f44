import MiniSearch, { type QueryCombination, type SearchOptions } from "minisearch";
import { termsOf } from "../terms/words.ts";
import { type Stem, Vocabulary } from "./vocabulary.ts";

/**
 * A document of the index, and the smallest thing that is scored: a paragraph, a title, a synopsis, a field of a fact.
 * `owner` is the chapter or fact that it answers for; `key` is unique and breaks ties.
 */
export interface IndexedPassage {
  readonly owner: string;
  readonly key: string;
  readonly field: string;
  readonly text: string;
  /** Multiplies its score; 1 for prose. */
  readonly weight: number;
}

/** A passage that holds what was searched for, with its BM25 score times its weight. */
export interface ScoredPassage {
  passage: IndexedPassage;
  score: number;
}

/** Searches for a term of the index as it is. */
const AS_GIVEN: SearchOptions = { tokenize: (term) => [term], processTerm: (term) => term };

function refuse(level: string, message: string): never {
  throw new Error(`MiniSearch ${level}: ${message}`);
}

/**
 * Passages in MiniSearch, which holds the terms and finds who has them. It is edited by `add` and `remove` alone:
 * `discard` and `replace` let scores drift, and an automatic vacuum ends the process when it meets an edit.
 * Source: docs/decisions/005-search.md; https://github.com/lucaong/minisearch/issues/306.
 */
export class Passages {
  readonly vocabulary: Vocabulary;
  readonly #index: MiniSearch<IndexedPassage>;
  readonly #passages = new Map<string, IndexedPassage>();
  /** Passages that hold a term; counted once between two edits. */
  readonly #frequencies = new Map<string, number>();
  #occurrences = 0;
  /** Occurrences of terms in the text that was read last. */
  #lastRead = 0;

  constructor(stem: Stem) {
    this.vocabulary = new Vocabulary(stem);
    this.#index = new MiniSearch<IndexedPassage>({
      idField: "key",
      fields: ["text"],
      autoVacuum: false,
      logger: refuse,
      tokenize: (text) => this.#read(text),
      processTerm: (term) => term,
    });
  }

  /** How many passages there are. */
  get count(): number {
    return this.#index.documentCount;
  }

  /** How many distinct terms they hold. */
  get termCount(): number {
    return this.#index.termCount;
  }

  /** How many terms they hold, each as often as it stands there. */
  get occurrences(): number {
    return this.#occurrences;
  }

  /** The passage with this key. */
  get(key: string): IndexedPassage | undefined {
    return this.#passages.get(key);
  }

  /** Adds a passage of which the index has no other with its key. */
  add(passage: IndexedPassage): void {
    this.#index.add(passage);
    this.#passages.set(passage.key, passage);
    this.#occurrences += this.#lastRead;
    this.#frequencies.clear();
  }

  /** Removes the passage with this key; an unknown one changes nothing. Throws if the index lacks its words. */
  remove(key: string): void {
    const passage = this.#passages.get(key);
    if (passage === undefined) return;
    this.#index.remove(passage);
    this.#passages.delete(key);
    this.#occurrences -= this.#lastRead;
    this.#frequencies.clear();
  }

  /** Finds the passages that hold all of the terms; those that `isWanted` refuses are not scored. */
  find(
    terms: readonly string[],
    isWanted: (passage: IndexedPassage) => boolean = () => true,
  ): ScoredPassage[] {
    const boostDocument = (key: string): number => {
      const passage = this.#passages.get(key)!; // MiniSearch holds those alone
      return isWanted(passage) ? passage.weight : 0;
    };
    const query: QueryCombination = { combineWith: "AND", queries: [...new Set(terms)] };
    const found = this.#index.search(query, { ...AS_GIVEN, boostDocument });
    return found.map(({ id, score, queryTerms }) => ({
      passage: this.#passages.get(id as string)!, // as above
      score: score / queryTerms.length, // MiniSearch multiplies by the terms that matched
    }));
  }

  /** The terms that begin with this one (`prefix`) or differ from it in up to `fuzzy` letters, itself first if it is there. */
  expand(term: string, by: { prefix: true } | { fuzzy: number }): string[] {
    return [...this.#count(term, by).keys()];
  }

  /** How many passages hold the term. */
  frequency(term: string): number {
    let frequency = this.#frequencies.get(term);
    if (frequency === undefined) {
      frequency = this.#count(term, {}).get(term) ?? 0;
      this.#frequencies.set(term, frequency);
    }
    return frequency;
  }

  /** How many passages hold each of the terms that a search comes to. */
  #count(term: string, by: SearchOptions): Map<string, number> {
    const counts = new Map<string, number>();
    const boostDocument = (_: unknown, one: string): number => {
      counts.set(one, (counts.get(one) ?? 0) + 1);
      return 0; // leaves the passage out of the answer: nothing is scored
    };
    this.#index.search(term, { ...AS_GIVEN, ...by, boostDocument });
    return counts;
  }

  /** Rarity of a term that `frequency` passages hold, as BM25+ has it. Source: Lv and Zhai 2011. */
  idf(frequency: number): number {
    const within = Math.min(frequency, this.count);
    return Math.log(1 + (this.count - within + 0.5) / (within + 0.5));
  }

  #read(text: string): string[] {
    const terms = termsOf(text);
    this.#lastRead = terms.length;
    this.vocabulary.learn(terms);
    return terms;
  }
}
