import { bareForms, derivedTerm } from "./derived.ts";
import { foldHan } from "./han.ts";
import { fold, GAP, HAN, letterClass, PLAIN } from "./letters.ts";
import type { SearchToken } from "./written-word.ts";
import { isPlainWord, readWrittenWord } from "./written-word.ts";

/** Longer terms are cut: nobody asks for more, and the index stays small. */
const TERM_CHARACTERS = 64;
/** The bit that tells a small ASCII letter from its capital. */
const SMALL = 32;

/** The terms of a text, as indexed. O(n): about 0.1 µs a word of plain letters. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  scan(text, (token) => terms.push(token.term));
  return terms;
}

/** The tokens of a text, places ascending; with a sieve, those that it lets through. */
export function tokensOf(text: string, sieve?: Sieve): SearchToken[] {
  const tokens: SearchToken[] = [];
  scan(text, (token) => tokens.push(token), sieve);
  return tokens;
}

/** Whether the text holds the words exactly so: small, one space apart. False proves nothing. */
export function holdsPlainly(text: string, words: string): boolean {
  const at = text.indexOf(words);
  if (at < 0) return false;
  return isGap(text, at - 1) && isGap(text, at + words.length);
}

function isGap(text: string, at: number): boolean {
  return at < 0 || letterClass(text, at) === GAP;
}

/** Passes over ASCII words by first letter and length, unread: most words of a text answer no question. */
export class Sieve {
  /** For each ASCII letter one bit for each length; the last bit stands for all longer ones. */
  readonly #lengths = new Int32Array(128);

  /** Lets words through that begin with the letter of this term and are as long. */
  open(term: string): void {
    const head = term.charCodeAt(0) | SMALL;
    if (head < 128) this.#lengths[head]! |= lengthBit(term.length); // 128 of them
  }

  /** Whether an ASCII word that begins with this UTF-16 unit and is so long may be looked for. */
  lets(unit: number, length: number): boolean {
    return (this.#lengths[unit | SMALL]! & lengthBit(length)) !== 0; // an ASCII letter is below 128
  }
}

function lengthBit(length: number): number {
  return 1 << Math.min(length, 31);
}

type Emit = (token: SearchToken) => void;

function scan(text: string, emit: Emit, sieve?: Sieve): void {
  let at = 0;
  let place = 0;
  while (at < text.length) {
    const kind = letterClass(text, at);
    if (kind < HAN) {
      at += 1;
      continue;
    }
    let to = at + 1;
    let next = letterClass(text, to);
    let seen = kind; // becomes LETTER if one of the letters is not plain
    while (kind < PLAIN ? next === kind : next >= PLAIN) {
      seen |= next;
      to += 1;
      next = letterClass(text, to);
    }
    if (kind < PLAIN) {
      const spell = kind === HAN ? emitPairs : emitSegments;
      place = spell(text.slice(at, to), { from: at, place }, emit);
    } else if (next === GAP || isPlainWord(text, at, to)) {
      if (seen !== PLAIN || sieve === undefined || sieve.lets(text.charCodeAt(at), to - at)) {
        // Nine of ten words are plain, and folding those is making them small.
        const word = text.slice(at, Math.min(to, at + TERM_CHARACTERS));
        const term = seen === PLAIN ? word.toLowerCase() : fold(word);
        emit({ term, from: at, to, place, kind: "word" });
        if (seen !== PLAIN)
          for (const bare of bareForms(term))
            emit({ term: derivedTerm(bare), from: at, to, place, kind: "tail" });
      }
      place += 1;
    } else {
      const word = readWrittenWord(text, at);
      for (const { term, from, to: end, place: step, kind: spelt } of word.spellings) {
        emit({ term: term.slice(0, TERM_CHARACTERS), from, to: end, place: place + step, kind: spelt });
      }
      place += word.places;
      to = word.to;
    }
    at = to;
  }
}

/** Where a run begins, in units and in places. */
interface Start {
  from: number;
  place: number;
}

function emitPairs(run: string, { from, place }: Start, emit: Emit): number {
  const folded = run.normalize("NFKC");
  const exact = folded.length === run.length; // else (half-width kana) each pair is given the whole run
  const characters = Array.from(folded, foldHan);
  let at = from;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    const term = character + (next ?? "");
    const ends = exact ? { from: at, to: at + term.length } : { from, to: from + run.length };
    emit({ term, ...ends, place: place + index, kind: next === undefined ? "single" : "pair" });
    at += character.length;
  }
  return place + characters.length;
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

function emitSegments(run: string, { from, place }: Start, emit: Emit): number {
  let next = place;
  for (const { segment, index, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike) continue;
    const start = from + index;
    const term = fold(segment).slice(0, TERM_CHARACTERS);
    emit({ term, from: start, to: start + segment.length, place: next, kind: "word" });
    next += 1;
  }
  return next;
}
