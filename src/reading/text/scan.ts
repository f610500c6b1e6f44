import { firstMatch, unitClasses } from "../../text/characters.ts";

/** Classes of a UTF-16 code unit for the tokenizer. */
export const UNIT = {
  small: 1,
  capital: 2,
  mark: 3,
  digit: 4,
  joiner: 5,
  space: 6,
  line: 7,
  other: 8,
} as const;

const classOf = unitClasses(
  firstMatch(
    () => [
      [UNIT.line, /\n/],
      [UNIT.space, /\s/],
      [UNIT.joiner, /['’‐‑-]/],
      [UNIT.capital, /[\p{Lu}\p{Lt}]/u],
      [UNIT.small, /\p{L}/u],
      [UNIT.mark, /\p{M}/u],
      [UNIT.digit, /\p{N}/u],
    ],
    UNIT.other,
  ),
);

const DOT = 0x2e;
const HYPHEN = 0x2d;
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/**
 * The kind of the character at an offset of the text; letters without case are small, as are those beyond the basic plane.
 * Never ask behind the end: V8 then gives up its fast way of reading strings.
 */
export function kindAt(text: string, at: number): number {
  return classOf(text.charCodeAt(at)) || (/^\p{L}/u.test(text.slice(at, at + 2)) ? UNIT.small : UNIT.other);
}

/** Finds the end of the word, number, or run of like marks that begins at `at`. */
export function endOfPiece(text: string, at: number): number {
  const kind = kindAt(text, at);
  if (isLetterKind(kind)) return endOfWord(text, at);
  if (kind === UNIT.digit) return endOfNumber(text, at);
  const { length } = text;
  const unit = text.charCodeAt(at);
  let end = at + 1;
  if (isHigh(unit) && end < length && isLow(text.charCodeAt(end))) return end + 1;
  if (unit === DOT || unit === HYPHEN) while (end < length && text.charCodeAt(end) === unit) end++;
  return end;
}

/** True for a letter of any case. */
export function isLetterKind(kind: number): boolean {
  return kind === UNIT.small || kind === UNIT.capital;
}

function endOfWord(text: string, at: number): number {
  const { length } = text;
  let end = at + 1;
  while (end < length) {
    const kind = kindAt(text, end);
    if (kind <= UNIT.mark || isLow(text.charCodeAt(end))) end++;
    else if (kind === UNIT.joiner && end + 1 < length && isLetterKind(kindAt(text, end + 1))) end += 2;
    else break;
  }
  return end;
}

function endOfNumber(text: string, at: number): number {
  const { length } = text;
  let end = at + 1;
  while (end < length) {
    if (kindAt(text, end) === UNIT.digit) end++;
    else if (end + 1 < length && /[.,:]/.test(text.charAt(end)) && kindAt(text, end + 1) === UNIT.digit)
      end += 2;
    else break;
  }
  return end;
}
