import { groupBy } from "../../text/group-by.ts";
import { termsOf } from "../terms/words.ts";
import { Owners } from "./owners.ts";
import { cutPieces } from "./pieces.ts";
import { MOST_PIECES } from "./postings.ts";
import { type Entry, Vocabulary } from "./vocabulary.ts";

/**
 * The smallest thing that is scored: a paragraph, a title, a synopsis, a field of a fact. `owner` is the chapter or
 * fact that it answers for; `key` is unique and breaks ties. Never changed: it is taken out by the terms of its text.
 */
export interface IndexedPassage {
  readonly owner: string;
  readonly key: string;
  readonly field: string;
  readonly text: string;
  /** Multiplies its score; 1 for prose. */
  readonly weight: number;
  /** Its number while an index holds it, which sets it; else `NO_SLOT`. */
  slot: number;
}

/** Of a passage that no index holds. */
export const NO_SLOT = -1;

/** Passages to be visited: those whose slot is marked, and those whose owner is, by its number; a mark is what is not 0. */
export interface Visited {
  slots: Int32Array;
  owners?: Uint8Array;
}

/** A stretch of a long text. It stays when another version of the passage holds it too. */
interface Piece {
  readonly number: number;
  readonly text: string;
}

/** What is kept of a passage. */
interface Entered {
  passage: IndexedPassage;
  /** How many distinct terms it holds. */
  length: number;
  /** What else is kept of a long one; a short one is one piece, with the number of its slot. */
  long: Long | undefined;
}

/** What became of a piece's text: its number, and the entries of its terms. */
interface Numbered {
  number: number;
  entries: Iterable<Entry>;
}

interface Long {
  pieces: readonly Piece[];
  /** In how many of the pieces each term stands. */
  counts: Counts;
}

/** Pieces that there is room for at first. */
const ROOM = 64;
const NONE: ReadonlySet<Entry> = new Set();

/** BM25+. Source: Lv and Zhai 2011. */
const BM25 = { k: 1.2, b: 0.7, d: 0.5 };

/**
 * Passages by term, scored by BM25. An answer is a chapter, scored by its paragraphs and by how near to each other they
 * hold the terms; kin count as rare as all of them together; and a long paragraph, entered in pieces so that an edit costs
 * little, must score as a whole. Source: docs/decisions/005-search.md.
 */
export class Passages {
  readonly vocabulary: Vocabulary;
  readonly #owners = new Owners();
  /** By slot, which is the number of a passage's first piece. */
  readonly #entered: (Entered | undefined)[] = [];
  /** By a piece's number the slot of its passage. */
  #slotOf = new Uint32Array(ROOM);
  /** By slot the number of the passage's owner. */
  #ownerOf = new Uint32Array(ROOM);
  /** Numbers of pieces that went. */
  readonly #free: number[] = [];
  #numbers = 0;
  #count = 0;
  /** Distinct terms of each passage, summed. */
  #lengths = 0;
  #termCount = 0;

  constructor(stem: (word: string) => string) {
    this.vocabulary = new Vocabulary(stem);
  }

  /** How many passages there are. */
  get count(): number {
    return this.#count;
  }

  /** How many pieces they are in. */
  get pieceCount(): number {
    return this.#numbers - this.#free.length;
  }

  /** Above every slot. */
  get slotCount(): number {
    return this.#numbers;
  }

  /** Above the number of every owner. */
  get ownerCount(): number {
    return this.#owners.size;
  }

  /** The number of a passage's owner. */
  ownerOf({ slot }: IndexedPassage): number {
    return this.#ownerOf[slot]!; // it is entered
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
    for (const text of texts) {
      const added = new Set<Entry>();
      const { number, entries } = this.#enterPiece(text);
      pieces.push({ number, text });
      countMore(counts, entries, added);
      this.vocabulary.exchange(NONE, added);
      yield;
    }
    this.#keep({ passage, length: counts.size, long: { pieces, counts } }, pieces);
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
    const before = old && this.#entered[old.slot];
    const texts = next === undefined ? [] : cutPieces(next.text);
    const counts = before?.long?.counts ?? (texts.length > 1 ? new Map<Entry, number>() : undefined);
    const { pieces, dropped } = sortOut(before, texts);
    if (before !== undefined) this.#letGo(before);
    const removed = new Set<Entry>();
    for (const piece of dropped) {
      const entries = this.#takeOut(piece);
      if (before?.long !== undefined) countLess(before.long.counts, entries, removed);
      else for (const entry of entries) removed.add(entry);
    }
    const added = next === undefined ? NONE : this.#enter(next, pieces, counts);
    this.vocabulary.exchange(removed, added);
  }

  /** Enters a passage, of which some pieces may stand already; the entries that it did not hold before. */
  #enter(
    passage: IndexedPassage,
    texts: readonly (Piece | string)[],
    counts: Counts | undefined,
  ): ReadonlySet<Entry> {
    const added = new Set<Entry>();
    const pieces = texts.map((text) => {
      if (typeof text !== "string") return text;
      const { number, entries } = this.#enterPiece(text);
      if (counts === undefined) for (const entry of entries) added.add(entry);
      else countMore(counts, entries, added);
      return { number, text };
    });
    const long = pieces.length > 1 && counts !== undefined ? { pieces, counts } : undefined;
    this.#keep({ passage, length: counts?.size ?? added.size, long }, pieces);
    return added;
  }

  #keep(entered: Entered, pieces: readonly Piece[]): void {
    const slot = pieces[0]!.number; // every text has a piece
    entered.passage.slot = slot;
    this.#entered[slot] = entered;
    this.#ownerOf[slot] = this.#owners.enter(entered.passage.owner);
    for (const { number } of pieces) this.#slotOf[number] = slot;
    this.#lengths += entered.length;
    this.#count += 1;
  }

  #letGo({ passage, length }: Entered): void {
    this.#owners.leave(passage.owner);
    this.#entered[passage.slot] = undefined;
    passage.slot = NO_SLOT;
    this.#lengths -= length;
    this.#count -= 1;
  }

  /** Enters the terms of one piece, which gets a number. */
  #enterPiece(text: string): Numbered {
    const number = this.#free.pop() ?? this.#numbers++;
    if (number >= MOST_PIECES) throw new Error(`more than ${MOST_PIECES} pieces of text are not indexed`);
    if (number >= this.#slotOf.length) {
      this.#slotOf = grown(this.#slotOf);
      this.#ownerOf = grown(this.#ownerOf);
    }
    const times = this.#timesOf(text);
    for (const [entry, count] of times) entry.postings.add(number, count);
    return { number, entries: times.keys() };
  }

  #takeOut({ number, text }: Piece): Iterable<Entry> {
    const times = this.#timesOf(text, -1);
    for (const entry of times.keys()) entry.postings.remove(number);
    this.#free.push(number);
    return times.keys();
  }

  /** How often each term stands in a text, whose terms come or go. */
  #timesOf(text: string, sign = 1): Map<Entry, number> {
    const times = new Map<Entry, number>();
    const terms = termsOf(text);
    for (const term of terms) {
      const entry = this.vocabulary.entryOf(term);
      times.set(entry, (times.get(entry) ?? 0) + 1);
    }
    this.#termCount += sign * terms.length;
    return times;
  }

  /** Hands over each passage that holds the term, with its BM25 score times its weight. */
  find(term: string, take: (passage: IndexedPassage, score: number) => void): void {
    const entry = this.vocabulary.find(term);
    if (entry === undefined) return;
    const rarity = this.idf(entry.frequency);
    const average = this.#lengths / this.count;
    const inSeveral = new Map<Entered, number>();
    entry.postings.each((piece, times) => {
      const entered = this.#entered[this.#slotOf[piece]!]!; // it stands in a passage that is there
      if (entered.long === undefined) take(entered.passage, rarity * scored(entered, times, average));
      else inSeveral.set(entered, (inSeveral.get(entered) ?? 0) + times);
    });
    for (const [entered, times] of inSeveral) take(entered.passage, rarity * scored(entered, times, average));
  }

  /** Hands over each wanted passage that holds the term, some more than once, unscored. About 2 ns for each that is not wanted. */
  visit(term: string, { slots, owners }: Visited, take: (passage: IndexedPassage) => void): void {
    this.vocabulary.find(term)?.postings.each((piece) => {
      const slot = this.#slotOf[piece]!; // as above
      const isWanted = slots[slot] !== 0 || (owners !== undefined && owners[this.#ownerOf[slot]!] !== 0); // as above
      if (isWanted) take(this.#entered[slot]!.passage); // as above
    });
  }

  /** Inverse document frequency of a term in `df` passages. */
  idf(df: number): number {
    return idf(Math.min(df, this.count), this.count);
  }

  /** BM25 score of a term in `df` passages for one that holds it once and is of average length: idf × (1 + d), d = 0.5. */
  typicalScore(df: number): number {
    return 1.5 * this.idf(df);
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
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
): { pieces: (Piece | string)[]; dropped: Iterable<Piece> } {
  if (before === undefined) return { pieces: [...texts], dropped: [] };
  const { long, passage } = before;
  if (long === undefined)
    return { pieces: [...texts], dropped: [{ number: passage.slot, text: passage.text }] };
  const dropped = new Set(long.pieces);
  const spare: Map<string, Piece[]> = groupBy(long.pieces, ({ text }) => text);
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
function countLess(counts: Counts, entries: Iterable<Entry>, removed: Set<Entry>): void {
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
function countMore(counts: Counts, entries: Iterable<Entry>, added: Set<Entry>): void {
  for (const entry of entries) {
    const count = counts.get(entry) ?? 0;
    counts.set(entry, count + 1);
    if (count === 0) added.add(entry);
  }
}
