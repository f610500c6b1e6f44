import type { ChapterStyle } from "./learn-style.ts";
import type { JoinedWords } from "./reports/style/joined-words.ts";
import { IS } from "./reports/style/words.ts";

/** A place among the words of the chapters: the chapter's and the word's, and of how many words it is. */
export interface WordPlace {
  chapter: number;
  word: number;
  words: number;
}

/** A phrase that comes back. */
export interface Phrase {
  text: string;
  words: number;
  count: number;
  places: WordPlace[];
}

const SHORTEST = 3;
const LONGEST = 6;
/** So often a phrase of so many words must stand there. */
const FEWEST: Readonly<Record<number, number>> = { 3: 4, 4: 3, 5: 3, 6: 2 };
/** A phrase that is mostly part of a longer one is told as that one. */
const WITHIN = 0.7;
const NONE = -1;
/** Of so many words pairs are counted at a time. */
const STRETCH = 0x8000;

/** The phrases of three to six words that come back most, and how many there are; it yields on its way. O(words). */
export function* findPhrases(
  chapters: readonly ChapterStyle[],
  joined: JoinedWords,
  { most, places }: { most: number; places: number },
): Generator<void, { phrases: Phrase[]; total: number }> {
  const line = lineOf(chapters, joined);
  yield;
  let level: Level = { at: line.numbers, count: new Int32Array(0), first: new Int32Array(0), size: 0 };
  const found: { level: Level; words: number; slot: number; score: number }[] = [];
  for (let words = 2; words <= LONGEST && level.at.length > 0; words++) {
    const shorter = level;
    level = yield* pairUp(level, words);
    if (words > SHORTEST) coverShorter(shorter, level, found);
    if (words >= SHORTEST) {
      for (const slot of slotsOf(level, FEWEST[words] ?? 2)) {
        const score = scoreOf(line, joined, { at: level.first[slot]!, words, count: level.count[slot]! }); // its own
        if (score > 0) found.push({ level, words, slot, score });
      }
    }
    yield;
  }
  const best = found.sort((one, other) => other.score - one.score).slice(0, most);
  const phrases = best.map(({ level: { count, first }, words, slot }) => {
    const start = first[slot]!; // its own
    const text = Array.from(
      line.numbers.subarray(start, start + words),
      (number) => joined.keys[number] ?? "",
    );
    return { text: text.join(" "), words, count: count[slot]!, places: [] as WordPlace[] }; // its own
  });
  for (const level of new Set(best.map((one) => one.level))) {
    const told = best.flatMap(
      ({ level: own, slot }, index) => (own === level ? [[slot, phrases[index]!] as const] : []), // as many
    );
    placePhrases(level, line, { told: new Map(told), places });
    yield;
  }
  return { phrases, total: found.length };
}

/** Tells the first places of phrases of one length, each by its slot. */
function placePhrases(
  { at, size }: Level,
  line: Line,
  { told, places }: { told: ReadonlyMap<number, Phrase>; places: number },
): void {
  const isTold = new Uint8Array(size);
  for (const slot of told.keys()) isTold[slot] = 1;
  const next = new Map<Phrase, number>();
  for (let index = 0; index < at.length; index++) {
    const slot = at[index]!; // below its length
    if (slot < 0 || isTold[slot] === 0) continue;
    const phrase = told.get(slot)!; // as marked
    if (phrase.places.length === places || index < (next.get(phrase) ?? 0)) continue;
    phrase.places.push({ ...line.placeOf(index), words: phrase.words });
    next.set(phrase, index + phrase.words);
  }
}

/** Phrases of one length: for each word the slot of the phrase that begins there, and of each slot what was counted. */
interface Level {
  at: Int32Array;
  count: Int32Array;
  first: Int32Array;
  size: number;
}

interface Line {
  /** Number of each word, -1 where a phrase cannot go on. */
  numbers: Int32Array;
  placeOf(index: number): { chapter: number; word: number };
}

/** All words in one line, with a gap wherever a sentence or a mark parts them. */
function lineOf(chapters: readonly ChapterStyle[], { numbers, counts, total }: JoinedWords): Line {
  const line = new Int32Array(2 * total + chapters.length).fill(NONE);
  const words = new Int32Array(line.length);
  const starts: number[] = [];
  let size = 0;
  for (const [chapter, { words: own }] of chapters.entries()) {
    starts.push(size);
    for (let word = 0; word < own.ids.length; word++) {
      if ((own.flags[word]! & IS.parted) !== 0) size++; // one a word
      const number = numbers[chapter]![own.ids[word]!]!; // a key's place
      line[size] = counts[number]! > 1 ? number : NONE; // as above
      words[size++] = word;
    }
    size++;
  }
  const placeOf = (index: number) => {
    let chapter = 0;
    while (chapter + 1 < starts.length && starts[chapter + 1]! <= index) chapter++; // below its length
    return { chapter, word: words[index]! }; // the callers' own
  };
  return { numbers: line.subarray(0, size), placeOf };
}

/** The phrases of one word more: two that overlap, both of which come back. */
function* pairUp({ at }: Level, words: number): Generator<void, Level> {
  const longer = new Int32Array(at.length).fill(NONE);
  const table = new PairTable(countPairs(at));
  for (let from = 0; from < at.length; from += STRETCH) {
    addPairs(table, { at, longer, words }, [from, Math.min(from + STRETCH, at.length - 1)]);
    yield;
  }
  for (let index = 0; index < longer.length; index++) {
    const slot = longer[index]!; // below its length
    if (slot >= 0 && table.count[slot]! < 2) longer[index] = NONE; // a slot that was given
  }
  return { at: longer, count: table.count, first: table.first, size: table.size };
}

function countPairs(at: Int32Array): number {
  let pairs = 0;
  for (let index = 0; index + 1 < at.length; index++) if (at[index]! >= 0 && at[index + 1]! >= 0) pairs++; // below its length
  return pairs;
}

/** Adds the pairs of a stretch. */
function addPairs(
  table: PairTable,
  { at, longer, words }: { at: Int32Array; longer: Int32Array; words: number },
  [from, to]: readonly [number, number],
): void {
  for (let index = from; index < to; index++) {
    if (at[index]! < 0 || at[index + 1]! < 0) continue; // below its length
    longer[index] = table.add(at[index]!, at[index + 1]!, index, words); // as above
  }
}

function hashOf(left: number, right: number): number {
  const hash = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> 0;
  return hash ^ (hash >>> 15);
}

/** Pairs of numbers, each with a slot of its own, and how often they were added without overlapping themselves. */
class PairTable {
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** Of each slot the left number, the right one and the last place, side by side in memory. */
  readonly #pairs: Int32Array;
  readonly count: Int32Array;
  readonly first: Int32Array;
  size = 0;

  constructor(most: number) {
    let room = 16;
    while (room < 2 * most) room *= 2;
    this.#mask = room - 1;
    this.#slots = new Int32Array(room);
    this.#pairs = new Int32Array(3 * most);
    this.count = new Int32Array(most);
    this.first = new Int32Array(most);
  }

  add(left: number, right: number, index: number, words: number): number {
    const pairs = this.#pairs;
    for (let probe = hashOf(left, right) & this.#mask; ; probe = (probe + 1) & this.#mask) {
      const slot = this.#slots[probe]! - 1; // inside the mask
      if (slot < 0) {
        this.#slots[probe] = this.size + 1;
        pairs[3 * this.size] = left;
        pairs[3 * this.size + 1] = right;
        pairs[3 * this.size + 2] = this.first[this.size] = index;
        this.count[this.size] = 1;
        return this.size++;
      }
      if (pairs[3 * slot] !== left || pairs[3 * slot + 1] !== right) continue;
      // A slot that was given has all four.
      if (index - pairs[3 * slot + 2]! >= words) {
        this.count[slot]!++; // as above
        pairs[3 * slot + 2] = index;
      }
      return slot;
    }
  }
}

function slotsOf({ count, size }: Level, fewest: number): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < size; slot++) if (count[slot]! >= fewest) slots.push(slot); // below its size
  return slots;
}

/** Takes out of what was found the phrases that are nearly always part of a longer one. */
function coverShorter(
  shorter: Level,
  longer: Level,
  found: { level: Level; slot: number; score: number }[],
): void {
  const covered = new Int32Array(shorter.size);
  for (let index = 0; index < longer.at.length; index++) {
    const slot = longer.at[index]!; // below its length
    if (slot < 0) continue;
    for (const part of [shorter.at[index]!, shorter.at[index + 1]!]) // a phrase has both
      covered[part] = Math.max(covered[part]!, longer.count[slot]!); // slots that were given
  }
  let kept = 0;
  for (const phrase of found) {
    const { level, slot } = phrase;
    if (level === shorter && covered[slot]! >= WITHIN * level.count[slot]!) continue; // as above
    found[kept++] = phrase;
  }
  found.length = kept;
}

/** How much a phrase is worth telling: 0 if it is of function words and names alone. */
function scoreOf(
  { numbers }: Line,
  { isTelling, counts, total }: JoinedWords,
  { at, words, count }: { at: number; words: number; count: number },
): number {
  let telling = 0;
  for (let index = at; index < at + words; index++) {
    const number = numbers[index]!; // inside the phrase
    if (isTelling(number)) telling += Math.log10(Math.max(10, total / counts[number]!)); // as above
  }
  return telling * (count - 1) * Math.sqrt(words);
}
