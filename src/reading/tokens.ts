import { endOfPiece, isLetterKind, kindAt, UNIT } from "./text/scan.ts";
import { COMMON, isHonorific } from "./word-lists.ts";

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
  let end = 0;
  for (let at = 0; at < text.length; at = end) {
    const kind = kindAt(text, at);
    if (kind === UNIT.space) {
      end = at + 1;
    } else if (isLetterKind(kind)) {
      const word = wordAt(text, at, endOfPiece(text, at));
      const isAfterDot =
        word.shape !== "lower" && tokens.at(-1)?.text.endsWith(".") === true && COMMON.has(word.key); // "Mrs. D. The lamp"
      word.isStart = isOpen || isAfterDot;
      isOpen = false;
      tokens.push(word);
      end = word.to;
      if (isPossessive(text, end)) {
        tokens.push({ ...mark(text.slice(end, end + 2), end), key: "'s", kind: "possessive" });
        end += 2;
      }
    } else {
      end = endOfPiece(text, at);
      const token = mark(text.slice(at, end), at);
      if (kind === UNIT.digit) token.kind = "number";
      isOpen = kind === UNIT.line || opens(token, text, isOpen);
      tokens.push(token);
    }
  }
  if (isTitleLine(tokens)) for (const token of tokens) token.isStart = token.kind === "word";
  return tokens;
}

function mark(piece: string, from: number): Token {
  const to = from + piece.length;
  return { from, to, text: piece, key: piece, kind: "mark", shape: "lower", isStart: false };
}

function isPossessive(text: string, at: number): boolean {
  if (at + 1 >= text.length) return false;
  const letter = text.charAt(at + 1);
  if ((letter !== "s" && letter !== "S") || kindAt(text, at) !== UNIT.joiner) return false;
  return text.charAt(at) !== "-" && (at + 2 >= text.length || !isLetterKind(kindAt(text, at + 2)));
}

/** The word of these offsets, without a possessive ending and with the dot of an abbreviation. */
function wordAt(text: string, from: number, end: number): Token {
  const isOwner = end - from > 2 && isPossessive(text, end - 2);
  const to = isOwner ? end - 2 : end;
  const stem = text.slice(from, to);
  if (kindAt(text, from) === UNIT.small) {
    const key = /^[a-z]+$/.test(stem) ? stem : keyOf(stem);
    return { from, to, text: stem, key, kind: "word", shape: "lower", isStart: false };
  }
  const key = keyOf(stem);
  const isUpper = stem.length > 1 && stem === stem.toUpperCase();
  const isAbbreviation =
    text.charAt(to) === "." &&
    ((stem.length === 1 && stem !== "I") ||
      ABBREVIATIONS.has(key) ||
      (stem.length <= 6 && isShortTitle(key)));
  const last = isAbbreviation ? to + 1 : to;
  const shape = isUpper ? "upper" : "capital";
  return { from, to: last, text: text.slice(from, last), key, kind: "word", shape, isStart: false };
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

/** True if a capital after this mark would tell nothing. */
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
