import { foldText } from "../../text/fold.ts";

/** A line without its numbers. Two lines of one template differ only in their numbers. */
export interface Numbered {
  template: string;
  /** Its numbers, in the order of the line. At least one. */
  numbers: readonly number[];
}

/** A longer text is prose: its numbers do not make it one of a series. */
const LONGEST_LINE = 160;

/** Letters of a label at most. */
const LONGEST_LABEL = 40;

/** A label has so many words at most: "chapter ii", "part the second". */
const MOST_LABEL_WORDS = 3;

const HAS_NUMBER = /\p{Nd}|\b[ivxlcdm]+\b|[〇零一二三四五六七八九十百千]/u;
const ROMAN = /^(?=.)m{0,3}(c[md]|d?c{0,3})(x[cl]|l?x{0,3})(i[xv]|v?i{0,3})$/;
const ROMAN_WORTH: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };
const HAN_NUMBER = /[〇零一二三四五六七八九十百千]+/gu;
const HAN_DIGITS = "〇一二三四五六七八九";
const HAN_WORTH: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/**
 * Reads digits, Roman numerals and Chinese numbers in a folded line; undefined if it has none or is long. O(length).
 */
export function readNumbers(folded: string): Numbered | undefined {
  if (folded.length > LONGEST_LINE || !HAS_NUMBER.test(folded)) return undefined;
  const numbers: number[] = [];
  const mask = (number: number): string => {
    numbers.push(number);
    return "#";
  };
  const words = folded.split(" ").map((word) => {
    if (ROMAN.test(word)) return mask(fromRoman(word));
    return word
      .replace(/[0-9]+/g, (digits) => mask(Number(digits)))
      .replace(HAN_NUMBER, (han) => mask(fromHan(han)));
  });
  return numbers.length === 0 ? undefined : { template: words.join(" "), numbers };
}

/**
 * Returns a label without its number; undefined if the paragraph is no label. A label numbers a section and says
 * nothing of its content: it is a number alone, or with up to two words before it ("II", "Chapter 2", "第二章"), or a
 * heading with any last word ("Chapter Two", "Глава вторая"). `fold` is called for short texts only.
 */
export function labelOf(
  { type, text }: { type: string; text: string },
  fold: () => string,
): string | undefined {
  if (text.length > LONGEST_LABEL) return undefined;
  const words = fold().split(" ");
  if (words.length > MOST_LABEL_WORDS) return undefined;
  const template = readNumbers(words.at(-1) ?? "")?.template; // of at least one word
  if (template !== undefined && template.length <= 3) return [...words.slice(0, -1), template].join(" ");
  return type === "heading" && words.length > 1 ? [...words.slice(0, -1), "#"].join(" ") : undefined;
}

/** True if the paragraph is a label, see `labelOf`. */
export function isLabel(paragraph: { type: string; text: string }): boolean {
  return labelOf(paragraph, () => foldText(paragraph.text)) !== undefined;
}

function fromRoman(word: string): number {
  const worths = [...word].map((letter) => ROMAN_WORTH[letter] ?? 0);
  return worths.reduce((sum, worth, at) => sum + (worth < (worths[at + 1] ?? 0) ? -worth : worth), 0);
}

function fromHan(han: string): number {
  let sum = 0;
  let digit = 0;
  for (const letter of han.replaceAll("零", "〇")) {
    const worth = HAN_WORTH[letter];
    if (worth === undefined) digit = 10 * digit + HAN_DIGITS.indexOf(letter);
    else {
      sum += (digit || 1) * worth;
      digit = 0;
    }
  }
  return sum + digit;
}
