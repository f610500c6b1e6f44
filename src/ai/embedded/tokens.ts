import { isCommon } from "./lists-common.ts";
import { isHonorific } from "./lists-honorifics.ts";

/** A word, a number or a mark of a block's text; `from` and `to` are UTF-16 offsets in it. */
export interface Token {
  from: number;
  to: number;
  /** As written; the dot of an abbreviation ("Mr.", "J.") belongs to it. */
  text: string;
  /** Lower case, straight apostrophes, no dot: the key of all statistics. */
  key: string;
  kind: "word" | "number" | "possessive" | "mark";
  /** How a word is written; "upper" is two capitals or more and nothing small. Scripts without case are "lower". */
  shape: "lower" | "capital" | "upper";
  /** A sentence, a quotation, a line or a title line begins here, so that a capital tells nothing. */
  isStart: boolean;
}

const PIECE = /[\p{L}\p{M}]+(?:['’‐‑-][\p{L}\p{M}]+)*|\p{N}+(?:[.,:]\p{N}+)*|\.{2,}|-{2,}|\n|\S/gu;
const LETTER = /^\p{L}/u;
const CAPITAL = /^[\p{Lu}\p{Lt}]/u;
const ABBREVIATIONS = new Set("mt ft jr sr esq bros messrs mssrs vs etc viz".split(" "));
const SMALL_WORDS = new Set(
  "of the and a an in to on for with at by from or de la von nor but as".split(" "),
);
const TITLE_WORDS = 12;

/**
 * The tokens of a block's text, in order; "’s" is a token of its own ("Mara", "’s"), a hyphenated word is one.
 * O(length).
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let isOpen = true;
  for (let match = next(text, 0); match !== null; match = next(text, tokens.at(-1)?.to ?? PIECE.lastIndex)) {
    const piece = match[0];
    if (piece === "\n") {
      isOpen = true;
      PIECE.lastIndex = match.index + 1;
      tokens.push(mark(piece, match.index));
      continue;
    }
    if (LETTER.test(piece)) {
      for (const token of wordsOf(piece, match.index, text)) {
        const isAfterDot = tokens.at(-1)?.text.endsWith(".") === true && isCommon(token.key); // "Mrs. D. The lamp"
        token.isStart = (isOpen || isAfterDot) && token.kind === "word";
        isOpen = false;
        tokens.push(token);
      }
      continue;
    }
    const token = mark(piece, match.index);
    if (/^\p{N}/u.test(piece)) token.kind = "number";
    isOpen = opens(token, text, isOpen);
    tokens.push(token);
  }
  if (isTitleLine(tokens)) for (const token of tokens) token.isStart = token.kind === "word";
  return tokens;
}

function next(text: string, from: number): RegExpExecArray | null {
  PIECE.lastIndex = from;
  return PIECE.exec(text);
}

function mark(piece: string, from: number): Token {
  const to = from + piece.length;
  return { from, to, text: piece, key: piece, kind: "mark", shape: "lower", isStart: false };
}

/** One word, or a word and its "’s". */
function wordsOf(piece: string, from: number, text: string): Token[] {
  const ending = /['’][sS]$/.test(piece) && piece.length > 2 ? piece.slice(-2) : "";
  const stem = ending === "" ? piece : piece.slice(0, -2);
  const word = wordOf(stem, from, text);
  if (ending === "") return [word];
  const possessive = mark(ending, from + stem.length);
  return [word, { ...possessive, key: "'s", kind: "possessive" }];
}

function wordOf(stem: string, from: number, text: string): Token {
  const key = keyOf(stem);
  const isCapital = CAPITAL.test(stem);
  const isUpper = isCapital && stem.length > 1 && stem === stem.toUpperCase();
  const isAbbreviation =
    isCapital &&
    text.charAt(from + stem.length) === "." &&
    ((stem.length === 1 && stem !== "I") ||
      ABBREVIATIONS.has(key) ||
      (stem.length <= 6 && isShortTitle(key)));
  const to = from + stem.length + (isAbbreviation ? 1 : 0);
  const shape = isUpper ? "upper" : isCapital ? "capital" : "lower";
  return { from, to, text: text.slice(from, to), key, kind: "word", shape, isStart: false };
}

/** The key of a word as written: lower case, straight apostrophes and hyphens, composed accents. */
export function keyOf(word: string): string {
  const lower = word.toLowerCase();
  return /^[a-z]+$/.test(lower) ? lower : lower.normalize("NFC").replaceAll("’", "'").replace(/[‐‑]/g, "-");
}

// "Miss." and "King." end a sentence; "Mr.", "Capt." and "Lieut." are cut short and do not.
function isShortTitle(key: string): boolean {
  return (
    isHonorific(key) &&
    (key.length <= 3 || !/[aeiouy]s?$|ng$|rd$|th$|nt$|er$|or$|ss$|ef$|ge$/.test(key)) &&
    key !== "sir" &&
    key !== "don" &&
    key !== "ser"
  );
}

/** Whether a capital after this mark would tell nothing. */
function opens({ text: piece, from, to, kind }: Token, text: string, isOpen: boolean): boolean {
  if (kind === "number") return false;
  if (/^(?:[.!?:…。]|\.{2,})$/.test(piece)) return true;
  if (piece === "," || piece === ";") return false;
  if (/["'“‘„«»‚‹›]/.test(piece)) {
    const isOpening = !/[\p{L}\p{N}.,;!?…]/u.test(text.charAt(from - 1)) && /\p{L}/u.test(text.charAt(to));
    return isOpen || piece === "“" || piece === "‘" || isOpening;
  }
  return isOpen;
}

/** True for "The Duel at Low Water": a short line without a full stop where every word of weight has a capital. */
function isTitleLine(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  if (last === undefined || last.kind === "mark") return false;
  const words = tokens.filter(({ kind }) => kind === "word");
  if (words.length > TITLE_WORDS && words.some(({ shape }) => shape !== "upper")) return false;
  return words.every(({ shape, key }) => shape !== "lower" || SMALL_WORDS.has(key));
}
