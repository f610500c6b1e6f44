import { fold, isLetter, LETTER_CLASS, letterClass, lettersEnd } from "./letters.ts";
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
const CONTRACTION = /^(?:s|ll|re|ve|d|m)$/;
const APOSTROPHES = /['’‘＇`´]/gu;
const THOUSANDS = /(?<!\p{N})\p{N}{1,3}(?:,\p{N}{3})+(?!\p{N})/uy;
const INITIALS = /\p{L}\.\p{L}(?:\.\p{L})*(?![\p{L}\p{M}\p{N}])\.?/uy;
/** More parts are a list, not a word: "to-and-fro" is joined, "one-by-one-by-one" is not. */
const JOINED_PARTS = 4;

/** Whether the run of letters is the whole word: no apostrophe, hyphen, initial or thousands can carry it on. */
export function isPlainWord(text: string, from: number, to: number): boolean {
  const next = letterClass(text, to);
  if (next === LETTER_CLASS.apostrophe || next === LETTER_CLASS.hyphen) {
    return !isLetter(text, to + 1);
  }
  if (to - from > 3 || !isLetter(text, to + 1)) return true;
  const unit = text.charCodeAt(to); // a letter follows, so `to` is inside
  return unit !== COMMA && (unit !== FULL_STOP || to - from > 1);
}

/** Reads the word that begins at `from`. Possessives and contractions end at their apostrophe, other apostrophes are dropped. */
export function readWrittenWord(text: string, from: number): WrittenWord {
  const pattern = text.charCodeAt(from + 1) === FULL_STOP ? INITIALS : THOUSANDS;
  const joined =
    pattern === INITIALS || isDigit(text.charCodeAt(from)) ? matchAt(pattern, text, from) : undefined;
  if (joined !== undefined) {
    const to = from + joined.length;
    const term = fold(joined.replace(/[.,]/g, ""));
    return { spellings: [{ term, from, to, place: 0, kind: "word" }], places: 1, to };
  }
  const parts = readParts(text, from);
  const terms = parts.map((part) => partTerm(text, part));
  const to = parts.reduce((end, part) => Math.max(end, part.to), from);
  const spellings: Token[] = [];
  if (parts.length > 1 && parts.length <= JOINED_PARTS) {
    spellings.push({ term: terms.join(""), from, to, place: 0, kind: "joined" });
  }
  for (const [place, part] of parts.entries()) {
    spellings.push({ term: terms[place] ?? "", from: part.from, to: part.to, place, kind: "word" });
    const tail = elided(text, part);
    if (tail !== undefined) spellings.push({ ...tail, place, kind: "tail" });
  }
  return { spellings: spellings.filter(({ term }) => term !== ""), places: parts.length, to };
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
  for (let end = parts[0]!.to; letterClass(text, end) === LETTER_CLASS.hyphen; end = parts.at(-1)!.to) {
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
  return letterClass(text, at) === LETTER_CLASS.apostrophe && isLetter(text, at + 1);
}

function partTerm(text: string, part: Part): string {
  if (part.apostrophe < 0) return fold(text.slice(part.from, part.to));
  const ending = fold(text.slice(part.apostrophe + 1, part.to));
  const to = CONTRACTION.test(ending) ? part.apostrophe : part.to;
  return fold(text.slice(part.from, to).replaceAll(APOSTROPHES, ""));
}

/** The word after an elision of one or two letters: amour of l’amour, brien of O’Brien. */
function elided(text: string, part: Part): Pick<Token, "term" | "from" | "to"> | undefined {
  const from = part.apostrophe + 1;
  if (from === 0 || from - part.from > 3 || part.to - from < 3) return undefined;
  return { term: fold(text.slice(from, part.to)), from, to: part.to };
}
