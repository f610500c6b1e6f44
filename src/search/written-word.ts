import { APOSTROPHE, fold, HYPHEN, isLetter, letterClass, lettersEnd } from "./letters.ts";
import type { Token } from "./token.ts";

/** A word with apostrophes, hyphens or initials: its spellings, `place` from 0, how many places it takes and where it ends. */
export interface WrittenWord {
  spellings: Token[];
  places: number;
  to: number;
}

/** Part of a hyphenated word; `apostrophe` is where its last one stands, -1 for none. */
interface Part {
  from: number;
  to: number;
  apostrophe: number;
}

const FULL_STOP = 46;
const COMMA = 44;
const CONTRACTIONS = new Set(["s", "ll", "re", "ve", "d", "m"]);
const APOSTROPHES = /['’‘＇`´]/gu;
const THOUSANDS = /(?<!\p{N})\p{N}{1,3}(?:,\p{N}{3})+(?!\p{N})/uy;
const INITIALS = /\p{L}\.\p{L}(?:\.\p{L})*(?![\p{L}\p{M}\p{N}])\.?/uy;
/** More parts are a list, not a word: "to-and-fro" is joined, "one-by-one-by-one" is not. */
const JOINED_PARTS = 4;

/** Whether the run of letters is the whole word: no apostrophe, hyphen, initial or thousands can carry it on. */
export function isPlainWord(text: string, from: number, to: number): boolean {
  const next = letterClass(text, to);
  if (next === APOSTROPHE || next === HYPHEN) {
    return !isLetter(text, to + 1);
  }
  if (to - from > 3 || !isLetter(text, to + 1)) return true;
  const unit = text.charCodeAt(to); // a letter follows, so `to` is inside
  return unit !== COMMA && (unit !== FULL_STOP || to - from > 1);
}

/** Reads the word that begins at `from`. Possessives and contractions end at their apostrophe, other apostrophes are dropped. */
export function readWrittenWord(text: string, from: number): WrittenWord {
  const joined = initialsOrThousands(text, from);
  if (joined !== undefined) {
    const to = from + joined.length;
    return {
      spellings: [spelling(fold(joined.replace(/[.,]/g, "")), { from, to }, 0, "word")],
      places: 1,
      to,
    };
  }
  const parts = readParts(text, from);
  const terms = parts.map((part) => partTerm(text, part));
  const to = parts.at(-1)!.to; // readParts gives at least one
  const spellings: Token[] = [];
  if (parts.length > 1 && parts.length <= JOINED_PARTS) {
    spellings.push(spelling(terms.join(""), { from, to }, 0, "joined"));
  }
  for (const [place, part] of parts.entries()) {
    const term = terms[place]!; // one term a part
    if (term !== "") spellings.push(spelling(term, part, place, "word"));
    const tail = tailStart(part);
    if (tail > 0)
      spellings.push(spelling(fold(text.slice(tail, part.to)), { from: tail, to: part.to }, place, "tail"));
  }
  return { spellings, places: parts.length, to };
}

function spelling(
  term: string,
  ends: { from: number; to: number },
  place: number,
  kind: Token["kind"],
): Token {
  return { term, from: ends.from, to: ends.to, place, kind };
}

function initialsOrThousands(text: string, from: number): string | undefined {
  if (text.charCodeAt(from + 1) === FULL_STOP) return matchAt(INITIALS, text, from);
  return isDigit(text.charCodeAt(from)) ? matchAt(THOUSANDS, text, from) : undefined;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function readParts(text: string, from: number): Part[] {
  const parts = [readPart(text, from)];
  for (let end = parts[0]!.to; letterClass(text, end) === HYPHEN; end = parts.at(-1)!.to) {
    if (!isLetter(text, end + 1)) break;
    parts.push(readPart(text, end + 1));
  }
  return parts;
}

function readPart(text: string, from: number): Part {
  let apostrophe = -1;
  let to = lettersEnd(text, from);
  while (isCarriedOn(text, to)) {
    apostrophe = to;
    to = lettersEnd(text, to + 1);
  }
  return { from, to, apostrophe };
}

function isCarriedOn(text: string, at: number): boolean {
  return letterClass(text, at) === APOSTROPHE && isLetter(text, at + 1);
}

function partTerm(text: string, part: Part): string {
  if (part.apostrophe < 0) return fold(text.slice(part.from, part.to));
  const ending = text.slice(part.apostrophe + 1, part.to);
  const contracted = ending.length <= 2 && CONTRACTIONS.has(fold(ending));
  const word = text.slice(part.from, contracted ? part.apostrophe : part.to);
  return fold(word.replaceAll(APOSTROPHES, ""));
}

/** Where the word after an elision of one or two letters begins, amour of l’amour or brien of O’Brien; 0 for none. */
function tailStart({ from, to, apostrophe }: Part): number {
  return apostrophe >= 0 && apostrophe - from <= 2 && to - apostrophe >= 4 ? apostrophe + 1 : 0;
}
