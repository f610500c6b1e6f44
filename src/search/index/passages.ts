import MiniSearch, { type SearchOptions } from "minisearch";
import { groupBy } from "../../text/group-by.ts";
import { termsOf } from "../terms/words.ts";
import { cutPieces } from "./pieces.ts";
import { type Entry, Vocabulary } from "./vocabulary.ts";

/**
 * The smallest thing that is scored: a paragraph, a title, a synopsis, a field of a fact. `owner` is the chapter or
 * fact that it answers for; `key` is unique and breaks ties. Never changed: MiniSearch must forget the text it was given.
 */
export interface IndexedPassage {
  readonly owner: string;
  readonly key: string;
  readonly field: string;
  readonly text: string;
  /** Multiplies its score; 1 for prose. */
  readonly weight: number;
}

/** A key of the index is searched for as it is. */
const AS_GIVEN: SearchOptions = { tokenize: (term) => [term], processTerm: (term) => term };

/** A stretch of a passage's text, a document of MiniSearch. It stays when another version of the passage holds it too. */
interface Piece {
  entered: Entered;
  readonly text: string;
}

/** What is kept of a passage. */
interface Entered {
  passage: IndexedPassage;
  pieces: readonly Piece[];
  /** How many distinct terms it holds. */
  length: number;
  /** In how many of its pieces each term stands; undefined if there is one piece. */
  counts: Counts | undefined;
}

const NONE: ReadonlySet<Entry> = new Set();

/** BM25+ as MiniSearch has it. Source: Lv and Zhai 2011. */
const BM25 = { k: 1.2, b: 0.7, d: 0.5 };
/** Makes the score of a piece how often it holds the term, times a factor that is the same for all pieces. */
const COUNTING: SearchOptions = { ...AS_GIVEN, bm25: { k: 1e9, b: 0, d: 0 } };

function refuse(level: string, message: string): never {
  throw new Error(`MiniSearch ${level}: ${message}`);
}

/**
 * Passages by term, scored by BM25. MiniSearch holds the terms and postings and is used by `add` and `remove` only:
 * `discard` and `replace` let scores drift, and automatic vacuums kill the process. The ranking is ours: MiniSearch
 * scores documents, but an answer is a chapter, scored by its paragraphs and by how near to each other they hold the
 * terms; kin count as rare as all of them together; and a long paragraph, entered in pieces so that an edit costs
 * little, must score as a whole. Source: docs/decisions/005-search.md.
 */
export class Passages {
  readonly vocabulary: Vocabulary;
  readonly #index: MiniSearch<Piece>;
  readonly #entered = new Map<IndexedPassage, Entered>();
  /** Distinct terms of each passage, summed. */
  #lengths = 0;
  /** Of the piece that is read now, for each occurrence of a term. */
  #entries: Entry[] = [];
  #termCount = 0;

  constructor(stem: (word: string) => string) {
    this.vocabulary = new Vocabulary(stem);
    this.#index = new MiniSearch<Piece>({
      fields: ["text"],
      autoVacuum: false,
      logger: refuse,
      // The piece is its own id: a Map holds it as well as a number, and a hit leads to its passage at once.
      extractField: (piece, field) => (field === "id" ? piece : piece.text) as string,
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
    return this.#entered.size;
  }

  /** How many pieces they are in. */
  get pieceCount(): number {
    return this.#index.documentCount;
  }

  /** Occurrences of terms in all passages. */
  get termCount(): number {
    return this.#termCount;
  }

  /** Enters a passage that is new. */
  add(passage: IndexedPassage): void {
    this.#exchange(undefined, passage);
  }

  /** As `add`, a piece of a long text at each step; nothing may be asked before the last. */
  *addInSteps(passage: IndexedPassage): Generator<void> {
    const texts = cutPieces(passage.text);
    if (texts.length < 2) return this.add(passage);
    const counts: Counts = new Map();
    const pieces: Piece[] = [];
    const entered: Entered = { passage, pieces, length: 0, counts };
    for (const text of texts) {
      const added = new Set<Entry>();
      pieces.push(this.#enterPiece(entered, text, (entries) => countMore(counts, entries, added)));
      this.vocabulary.exchange(NONE, added);
      yield;
    }
    entered.length = counts.size;
    this.#entered.set(passage, entered);
    this.#lengths += entered.length;
  }

  #enterPiece(entered: Entered, text: string, take: (entries: ReadonlySet<Entry>) => void): Piece {
    const piece = { entered, text };
    this.#entries = [];
    this.#index.add(piece);
    this.#termCount += this.#entries.length;
    take(new Set(this.#entries));
    return piece;
  }

  /** Takes out a passage that was added: the same object. Throws if the index does not hold its words. */
  remove(passage: IndexedPassage): void {
    this.#exchange(passage, undefined);
  }

  /** As `remove` and `add`, in less time; in a long passage only the pieces that changed cost anything. */
  replace(old: IndexedPassage, passage: IndexedPassage): void {
    this.#exchange(old, passage);
  }

  #exchange(old: IndexedPassage | undefined, next: IndexedPassage | undefined): void {
    const before = old === undefined ? undefined : this.#entered.get(old);
    const texts = next === undefined ? [] : cutPieces(next.text);
    const { pieces, dropped } = sortOut(before, texts);
    const isLong = before?.counts !== undefined || texts.length > 1;
    const counts = isLong ? (before?.counts ?? new Map<Entry, number>()) : undefined;
    const removed = this.#takeOut(dropped, counts);
    if (old !== undefined && before !== undefined) {
      this.#entered.delete(old);
      this.#lengths -= before.length;
    }
    if (next === undefined) this.vocabulary.exchange(removed, NONE);
    else {
      const entered: Entered = {
        passage: next,
        pieces: [],
        length: 0,
        counts: texts.length > 1 ? counts : undefined,
      };
      const added = this.#enter(entered, pieces, counts);
      entered.length = counts?.size ?? added.size;
      this.vocabulary.exchange(removed, added);
      this.#entered.set(next, entered);
      this.#lengths += entered.length;
    }
  }

  /** Enters the pieces that are new; the entries that the passage did not hold before. */
  #enter(
    entered: Entered,
    pieces: readonly (Piece | string)[],
    counts: Counts | undefined,
  ): ReadonlySet<Entry> {
    let added = new Set<Entry>();
    entered.pieces = pieces.map((piece) => {
      if (typeof piece !== "string") {
        piece.entered = entered;
        return piece;
      }
      return this.#enterPiece(entered, piece, (entries) => {
        if (counts === undefined) added = new Set(entries);
        else countMore(counts, entries, added);
      });
    });
    return added;
  }

  /** Takes out pieces; the entries that the passage no longer holds. */
  #takeOut(pieces: Iterable<Piece>, counts: Counts | undefined): ReadonlySet<Entry> {
    let removed = new Set<Entry>();
    for (const piece of pieces) {
      this.#entries = [];
      this.#index.remove(piece);
      this.#termCount -= this.#entries.length;
      const entries = new Set(this.#entries);
      if (counts === undefined) removed = entries;
      else countLess(counts, entries, removed);
    }
    return removed;
  }

  /** Hands over each passage that holds the term, with its BM25 score times its weight. */
  find(term: string, take: (passage: IndexedPassage, score: number) => void): void {
    const key = this.vocabulary.findKey(term);
    if (key === undefined) return;
    const pieces = this.#index.search(key, COUNTING);
    const factor = idf(pieces.length, this.#index.documentCount);
    const rarity = this.idf(this.vocabulary.frequency(term));
    const average = this.#lengths / this.count;
    const inSeveral = new Map<Entered, number>();
    for (const { id, score } of pieces) {
      const { entered } = id as Piece;
      const times = Math.round(score / factor);
      if (entered.counts === undefined) take(entered.passage, rarity * scored(entered, times, average));
      else inSeveral.set(entered, (inSeveral.get(entered) ?? 0) + times);
    }
    for (const [entered, times] of inSeveral) take(entered.passage, rarity * scored(entered, times, average));
  }

  /** Hands over each passage that holds the term, some more than once, unscored: ten times as fast, as MiniSearch builds and sorts no results. */
  visit(term: string, take: (passage: IndexedPassage) => void): void {
    const key = this.vocabulary.findKey(term);
    if (key === undefined) return;
    const boostDocument = (id: unknown): number => {
      take((id as Piece).entered.passage);
      return 0;
    };
    this.#index.search(key, { ...AS_GIVEN, boostDocument });
  }

  /** Inverse document frequency of a term in `df` passages, as MiniSearch scores it. */
  idf(df: number): number {
    return idf(Math.min(df, this.count), this.count);
  }

  /** BM25 score of a term in `df` passages for one that holds it once and is of average length: idf × (1 + d), d = 0.5. */
  typicalScore(df: number): number {
    return 1.5 * this.idf(df);
  }
}

function idf(df: number, count: number): number {
  return Math.log(1 + (count - df + 0.5) / (df + 0.5));
}

/** How a passage of `length` distinct terms scores for one that it holds so many times, its rarity apart. */
function scored({ passage, length }: Entered, times: number, average: number): number {
  const { k, b, d } = BM25;
  return (d + (times * (k + 1)) / (times + k * (1 - b + (b * length) / average))) * passage.weight;
}

/** For each text of the next version the piece of the version before that has it, else the text; and what else was. */
function sortOut(
  before: Entered | undefined,
  texts: readonly string[],
): { pieces: (Piece | string)[]; dropped: ReadonlySet<Piece> } {
  const dropped = new Set(before?.pieces);
  if (before?.counts === undefined) return { pieces: [...texts], dropped };
  const spare: Map<string, Piece[]> = groupBy(before.pieces, ({ text }) => text);
  const pieces = texts.map((text) => {
    const kept = spare.get(text)?.pop();
    if (kept !== undefined) dropped.delete(kept);
    return kept ?? text;
  });
  return { pieces, dropped };
}

/** In how many pieces of a passage each term stands. */
type Counts = Map<Entry, number>;

/** Counts a piece less; adds to `removed` what no piece holds any more. */
function countLess(counts: Counts, entries: ReadonlySet<Entry>, removed: Set<Entry>): void {
  for (const entry of entries) {
    const count = (counts.get(entry) ?? 1) - 1;
    if (count > 0) counts.set(entry, count);
    else {
      counts.delete(entry);
      removed.add(entry);
    }
  }
}

/** Counts a piece more; adds to `added` what no piece held before. */
function countMore(counts: Counts, entries: ReadonlySet<Entry>, added: Set<Entry>): void {
  for (const entry of entries) {
    const count = counts.get(entry) ?? 0;
    counts.set(entry, count + 1);
    if (count === 0) added.add(entry);
  }
}
