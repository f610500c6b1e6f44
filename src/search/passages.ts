import MiniSearch, { type SearchOptions } from "minisearch";
import { type Entry, Vocabulary } from "./vocabulary.ts";
import { termsOf } from "./words.ts";

/**
 * The smallest thing that is scored: a paragraph, a title, a synopsis, a field of a fact. `owner` is the chapter or
 * fact that it answers for; `key` is unique and settles ties. Never changed: MiniSearch must forget the text it was given.
 */
export interface Passage {
  readonly owner: string;
  readonly key: string;
  readonly field: string;
  readonly text: string;
  /** Multiplies its score; 1 for prose. */
  readonly weight: number;
}

/** A key of the index is searched for as it is. */
const AS_GIVEN: SearchOptions = { tokenize: (term) => [term], processTerm: (term) => term };

const NONE: ReadonlySet<Entry> = new Set();

function refuse(level: string, message: string): never {
  throw new Error(`MiniSearch ${level}: ${message}`);
}

/**
 * Passages by term, scored by BM25. MiniSearch is used by `add` and `remove` only: `discard` and `replace` let scores
 * drift, and automatic vacuums kill the process. Source: issue 4; lucaong/minisearch#306.
 */
export class Passages {
  readonly vocabulary: Vocabulary;
  readonly #index: MiniSearch<Passage>;
  /** Of the passage that is read now, for each occurrence of a term. */
  #entries: Entry[] = [];
  #termCount = 0;

  constructor(stem: (word: string) => string) {
    this.vocabulary = new Vocabulary(stem);
    this.#index = new MiniSearch<Passage>({
      fields: ["text"],
      autoVacuum: false,
      logger: refuse,
      // The passage is its own id: a Map holds it as well as a number, and a hit leads to its text at once.
      extractField: (passage, field) => (field === "id" ? passage : passage.text) as string,
      tokenize: termsOf,
      processTerm: (term) => {
        const entry = this.vocabulary.entryOf(term);
        this.#entries.push(entry);
        return entry.key;
      },
    });
  }

  /** How many passages there are. */
  get count(): number {
    return this.#index.documentCount;
  }

  /** Occurrences of terms in all passages. */
  get termCount(): number {
    return this.#termCount;
  }

  /** Enters a passage whose key is new. */
  add(passage: Passage): void {
    this.vocabulary.exchange(NONE, this.#enter(passage));
  }

  /** Takes out a passage that was added: the same object. Throws where the index does not hold its words. */
  remove(passage: Passage): void {
    this.vocabulary.exchange(this.#takeOut(passage), NONE);
  }

  /** As `remove` and `add`, in less time. */
  replace(old: Passage, passage: Passage): void {
    const before = this.#takeOut(old);
    this.vocabulary.exchange(before, this.#enter(passage));
  }

  #enter(passage: Passage): ReadonlySet<Entry> {
    this.#entries = [];
    this.#index.add(passage);
    this.#termCount += this.#entries.length;
    return new Set(this.#entries);
  }

  #takeOut(passage: Passage): ReadonlySet<Entry> {
    this.#entries = [];
    this.#index.remove(passage);
    this.#termCount -= this.#entries.length;
    return new Set(this.#entries);
  }

  /** Gives each passage that holds the term, with its BM25 score times its weight. */
  find(term: string, take: (passage: Passage, score: number) => void): void {
    const key = this.vocabulary.findKey(term);
    if (key === undefined) return;
    for (const { id, score } of this.#index.search(key, AS_GIVEN)) {
      const passage = id as Passage;
      take(passage, score * passage.weight);
    }
  }

  /** Gives each passage that holds the term, unscored: ten times as fast, as MiniSearch builds and sorts no results. */
  visit(term: string, take: (passage: Passage) => void): void {
    const key = this.vocabulary.findKey(term);
    if (key === undefined) return;
    const boostDocument = (id: unknown): number => {
      take(id as Passage);
      return 0;
    };
    this.#index.search(key, { ...AS_GIVEN, boostDocument });
  }

  /** Inverse document frequency of a term in `df` passages, as MiniSearch scores it. */
  idf(df: number): number {
    const held = Math.min(df, this.count);
    return Math.log(1 + (this.count - held + 0.5) / (held + 0.5));
  }

  /** BM25 score of a term in `df` passages where it stands once in a passage of average length: idf × (1 + d), d = 0.5. */
  typicalScore(df: number): number {
    return 1.5 * this.idf(df);
  }
}
