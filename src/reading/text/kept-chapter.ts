import type { Run } from "../capital-runs.ts";
import { type CapitalTally, emptyTally, NO_CAPITALS, type WordTally } from "../tally.ts";
import type { Token } from "../tokens.ts";
import type { NumberedWords } from "./numbered-words.ts";

// Counts kept of every chapter must be small: as objects, those of ten million words would take half a gigabyte.

const KINDS = ["word", "number", "possessive", "mark"] as const satisfies readonly Token["kind"][];
const SHAPES = ["lower", "capital", "upper"] as const satisfies readonly Token["shape"][];
/** A token's key is kept with these beside it: two bits for its kind, two for its shape, one for a start. */
const FLAGS = 32;
const ROOM = 256;

/** The capitalised runs of a chapter, in order of place: about 40 bytes each. */
export class KeptRuns implements Iterable<Run> {
  readonly #words: NumberedWords;
  #cells = new Uint32Array(ROOM);
  #size = 0;

  constructor(words: NumberedWords) {
    this.#words = words;
  }

  add({ block, words, beforeThat, before, after, afterThat }: Run): void {
    this.#push(block);
    this.#push(this.#words.numberOf(beforeThat));
    this.#push(this.#words.numberOf(before));
    this.#push(this.#words.numberOf(after));
    this.#push(this.#words.numberOf(afterThat));
    this.#push(words.length);
    for (const { from, text, key, kind, shape, isStart } of words) {
      this.#push(from);
      this.#push(this.#words.numberOf(text));
      const flags = KINDS.indexOf(kind) * 8 + SHAPES.indexOf(shape) * 2 + Number(isStart);
      this.#push(this.#words.numberOf(key) * FLAGS + flags);
    }
  }

  /** Gives back the room that no run has taken. */
  trim(): void {
    this.#cells = this.#cells.slice(0, this.#size);
  }

  *[Symbol.iterator](): Iterator<Run> {
    for (let at = 0; at < this.#size; ) {
      const run = {
        block: this.#cells[at]!, // as it was added, like all that follows
        words: [] as Token[],
        beforeThat: this.#wordAt(at + 1),
        before: this.#wordAt(at + 2),
        after: this.#wordAt(at + 3),
        afterThat: this.#wordAt(at + 4),
      };
      const end = at + 6 + 3 * this.#cells[at + 5]!; // as above
      for (at += 6; at < end; at += 3) run.words.push(this.#tokenAt(at));
      yield run;
    }
  }

  #wordAt(at: number): string {
    return this.#words.wordOf(this.#cells[at]!); // the callers' own cell
  }

  #tokenAt(at: number): Token {
    const from = this.#cells[at]!; // as above
    const key = this.#cells[at + 2]!; // as above
    const word = this.#wordAt(at + 1);
    return {
      from,
      to: from + word.length,
      text: word,
      key: this.#words.wordOf(Math.floor(key / FLAGS)),
      kind: KINDS[(key >>> 3) & 3]!, // there are four
      shape: SHAPES[(key >>> 1) & 3]!, // as it was added
      isStart: (key & 1) === 1,
    };
  }

  #push(cell: number): void {
    if (this.#size === this.#cells.length) {
      const larger = new Uint32Array(2 * this.#size);
      larger.set(this.#cells);
      this.#cells = larger;
    }
    this.#cells[this.#size++] = cell;
  }
}

const FIELDS = Object.keys(NO_CAPITALS) as (keyof CapitalTally)[];

/** Packed counts of a chapter's words: 8 bytes for each in small letters, 56 for each with a capital. */
export class KeptTally {
  readonly #words: NumberedWords;
  readonly #count: number;
  /** A word's number, then how often it is there. */
  readonly #lower: Uint32Array;
  readonly #capitals: Uint32Array;
  /** The fields of each of them. */
  readonly #counts: Uint32Array;

  constructor({ words: count, lower, capital }: WordTally, words: NumberedWords) {
    this.#words = words;
    this.#count = count;
    this.#lower = new Uint32Array(2 * lower.size);
    let at = 0;
    for (const [key, times] of lower) {
      this.#lower[at++] = words.numberOf(key);
      this.#lower[at++] = times;
    }
    this.#capitals = Uint32Array.from(capital.keys(), (key) => words.numberOf(key));
    this.#counts = new Uint32Array(FIELDS.length * capital.size);
    at = 0;
    for (const counts of capital.values()) for (const field of FIELDS) this.#counts[at++] = counts[field];
  }

  /** Unpacks the counts. */
  read(): WordTally {
    const tally = emptyTally();
    tally.words = this.#count;
    for (let at = 0; at < this.#lower.length; at += 2) {
      tally.lower.set(this.#words.wordOf(this.#lower[at]!), this.#lower[at + 1]!); // in pairs
    }
    for (const [place, number] of this.#capitals.entries())
      tally.capital.set(this.#words.wordOf(number), this.#countsAt(place));
    return tally;
  }

  /** The words that stood with a capital. */
  capitals(): string[] {
    return Array.from(this.#capitals, (number) => this.#words.wordOf(number));
  }

  /** Returns the counts of a capitalised word; undefined if this chapter has none. */
  capitalOf(key: string): CapitalTally | undefined {
    const number = this.#words.find(key);
    const place = number === undefined ? -1 : this.#capitals.indexOf(number);
    return place < 0 ? undefined : this.#countsAt(place);
  }

  #countsAt(place: number): CapitalTally {
    const counts = { ...NO_CAPITALS };
    const from = place * FIELDS.length;
    FIELDS.forEach((field, index) => {
      counts[field] = this.#counts[from + index]!; // one a field
    });
    return counts;
  }
}
