import { APOSTROPHE, fold, HYPHEN, isWordLetter, letterClass, lettersEnd } from "./letters.ts";

/**
 * One indexed term and where it is: `from` and `to` in UTF-16 units, `place` its ordinal in the text.
 * Terms of one place are spellings of one word: "d’Artagnan" is dartagnan and its tail artagnan; "to-day" is the
 * joined today, then to and day. A run of Han or kana is its overlapping pairs and its last character as a single.
 */
export interface SearchToken {
  term: string;
  from: number;
  to: number;
  place: number;
  kind: "word" | "tail" | "joined" | "pair" | "single";
}

/** A word with apostrophes, hyphens or initials: its spellings (`place` from 0), the places it takes, where it ends. */
export interface WrittenWord {
  spellings: SearchToken[];
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
/** Elisions of more than two letters, in Italian and French. */
const ELISIONS = new Set(
  "all coll dall dell nell sull agl dagl degl negl sugl quell quest bell buon sant cent mezz tutt quand anch nient nessun ciascun qualcun alcun dov com cos lorsqu puisqu jusqu quoiqu presqu quelqu entr grand".split(
    " ",
  ),
);
const CONTRACTIONS = new Set(["s", "ll", "re", "ve", "d", "m"]);
const APOSTROPHES = /['’‘＇`´]/gu;
const THOUSANDS = /(?<!\p{N})\p{N}{1,3}(?:,\p{N}{3})+(?!\p{N})/uy;
const INITIALS = /\p{L}\.\p{L}(?:\.\p{L})*(?![\p{L}\p{M}\p{N}])\.?/uy;
/** More parts are a list, not a word: "to-and-fro" is joined, "one-by-one-by-one" is not. */
const JOINED_PARTS = 4;

/** Whether the run of letters is the whole word: no apostrophe, hyphen, initial or thousands can carry it on. */
export function isPlainWord(text: string, from: number, to: number): boolean {
  const next = letterClass(text, to);
  if (next === APOSTROPHE || next === HYPHEN) return !isWordLetter(text, to + 1);
  if (to - from > 3 || !isWordLetter(text, to + 1)) return true;
  const unit = text.charCodeAt(to); // a letter follows, so `to` is inside
  return unit !== COMMA && (unit !== FULL_STOP || to - from > 1);
}

/** The word at `from`. Possessives and contractions end at their apostrophe, other apostrophes are dropped. */
export function readWrittenWord(text: string, from: number): WrittenWord {
  const joined = initialsOrThousands(text, from);
  if (joined !== undefined) {
    const to = from + joined.length;
    const term = fold(joined.replace(/[.,]/g, ""));
    return { spellings: [{ term, from, to, place: 0, kind: "word" }], places: 1, to };
  }
  const parts = readParts(text, from).map((part) => ({ ...part, term: partTerm(text, part) }));
  const to = parts.at(-1)?.to ?? from;
  const spellings: SearchToken[] = [];
  if (parts.length > 1 && parts.length <= JOINED_PARTS) {
    spellings.push({ term: parts.map(({ term }) => term).join(""), from, to, place: 0, kind: "joined" });
  }
  for (const [place, part] of parts.entries()) {
    const { term } = part;
    if (term !== "") spellings.push({ term, from: part.from, to: part.to, place, kind: "word" });
    const from = tailStart(text, part);
    if (from === 0) continue;
    spellings.push({ term: fold(text.slice(from, part.to)), from, to: part.to, place, kind: "tail" });
  }
  return { spellings, places: parts.length, to };
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
  let part = readPart(text, from);
  const parts = [part];
  while (letterClass(text, part.to) === HYPHEN && isWordLetter(text, part.to + 1)) {
    part = readPart(text, part.to + 1);
    parts.push(part);
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
  return letterClass(text, at) === APOSTROPHE && isWordLetter(text, at + 1);
}

function partTerm(text: string, part: Part): string {
  if (part.apostrophe < 0) return fold(text.slice(part.from, part.to));
  const ending = text.slice(part.apostrophe + 1, part.to);
  const contracted = ending.length <= 2 && CONTRACTIONS.has(fold(ending));
  const word = text.slice(part.from, contracted ? part.apostrophe : part.to);
  return fold(word.replaceAll(APOSTROPHES, ""));
}

/** Where the word after an elision begins (amour of l’amour, brien of O’Brien, acqua of nell’acqua); 0 for none. */
function tailStart(text: string, { from, to, apostrophe }: Part): number {
  if (apostrophe < 0 || to - apostrophe < 4) return 0;
  const isElided = apostrophe - from <= 2 || ELISIONS.has(fold(text.slice(from, apostrophe)));
  return isElided ? apostrophe + 1 : 0;
}
