import { unitsOf } from "../text/units.ts";
import type { ReadingChapter, Span } from "./reading.ts";

/** A sentence of the prose, verbatim. */
export interface Sentence extends Span {
  /** Its block's place in the chapter, from 0. */
  block: number;
  /** Its words in lower case, in order. */
  words: readonly string[];
  /** The share of its characters that is inside quotation marks, 0 to 1. */
  spoken: number;
  /** True if it begins and ends as sentences do; a heading or a cut-off line does not. */
  isWhole: boolean;
}

// Words before a full stop that ends no sentence.
const ABBREVIATIONS = new Set(
  "mr mrs ms dr st messrs mme mlle capt col gen lt sgt rev hon prof jr sr esq mt no vs etc vol fig cllr gov sen".split(
    " ",
  ),
);
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;
// From the first of several marks on, so that a run of them is read once.
const ENDING =
  /(?:(?<![.!?…])[.!?…]+|(?<![。！？])[。！？]+)[”’"')\]»]*(?=\s|$|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}「『])/gu;
const WHOLE = /^[“‘"'«„(]*[\p{Lu}\p{Lt}\p{Lo}\p{N}][\s\S]*[.!?…。！？][”’"')\]»]*$/u;
const OPENER = /[“„«「『‹]/;
const CLOSER = /[”»」』›]/;
const STRAIGHT = 0x22;
/** « is the first of all the other quotation marks. */
const FIRST_CURLY = 0xab;

/**
 * The sentences of a chapter in order, with their spans. Nothing is cut inside quotation marks: what somebody says in
 * several sentences is one, so that a sentence taken out never leaves a mark open. Linear in the text.
 */
export function splitSentences({ blocks }: ReadingChapter): Sentence[] {
  return blocks.flatMap(({ blockId, text }, block) => {
    const { flags: inside, unclosed } = readQuotes(text);
    return boundaries(text, inside.subarray(0, unclosed)).map(([from, to]) => {
      const sentence = text.slice(from, to);
      let spoken = 0;
      for (let at = from; at < to; at++) spoken += inside[at]!; // a flag a character
      return {
        blockId,
        from,
        to,
        text: sentence,
        block,
        words: sentence.match(WORD)?.map((word) => word.toLowerCase()) ?? [],
        spoken: spoken / (to - from),
        isWhole: WHOLE.test(sentence),
      };
    });
  });
}

/** `[from, to]` of every sentence of a text, what is said in quotation marks cut as well. Linear in the text. */
export function sentenceSpans(text: string): [number, number][] {
  return boundaries(text, NOTHING_INSIDE);
}

const NOTHING_INSIDE = new Uint8Array();

/** `[from, to]` of every sentence of a block, without the blanks around it; none ends at a flag. */
function boundaries(text: string, inside: Uint8Array): [number, number][] {
  const spans: [number, number][] = [];
  let start = 0;
  const push = (end: number) => {
    const from = start + (text.slice(start, end).length - text.slice(start, end).trimStart().length);
    const to = start + text.slice(start, end).trimEnd().length;
    if (from < to) spans.push([from, to]);
    start = end;
  };
  for (const match of text.matchAll(ENDING)) {
    const end = match.index + match[0].length;
    if (isBoundary(text, match.index, end) && !inside[end]) push(end);
  }
  push(text.length);
  return spans;
}

/** False after an abbreviation or an initial, and if the next word goes on in lower case. */
function isBoundary(text: string, dot: number, end: number): boolean {
  const next = /^\s*[“‘"'(«]*(\S)/u.exec(text.slice(end, end + 8))?.[1];
  if (next !== undefined && /\p{Ll}/u.test(next)) return false;
  if (text[dot] !== "." || end !== dot + 1) return true;
  const before = /(\p{L}[\p{L}\p{M}]*)$/u.exec(text.slice(Math.max(0, dot - 12), dot))?.[1];
  if (before === undefined || next === undefined) return true;
  return (
    !ABBREVIATIONS.has(before.toLowerCase()) &&
    !(before.length === 1 && /\p{Lu}/u.test(before) && before !== "I")
  );
}

/** Returns 1 for every character of a text that is between quotation marks. */
export function quotedFlags(text: string): Uint8Array {
  return readQuotes(text).flags;
}

/**
 * The flags, and where a mark opens that the text does not close (else its length): speech that goes on in the next
 * paragraph, whose sentences may be cut.
 */
function readQuotes(text: string): { flags: Uint8Array; unclosed: number } {
  const flags = new Uint8Array(text.length);
  const open: string[] = [];
  let opened = 0;
  const { length } = text;
  const units = unitsOf(text);
  for (let at = 0; at < length; at++) {
    if (open.length > 0) flags[at] = 1;
    const unit = units[at]!; // at < length
    if (unit < FIRST_CURLY && unit !== STRAIGHT) continue; // nearly all
    const character = text[at]!; // at < length
    const closing = closes(text, at, open.at(-1));
    if (closing) open.pop();
    else if (opens(text, at, open)) {
      if (open.length === 0) opened = at;
      open.push(character);
      flags[at] = 1;
    }
  }
  return { flags, unclosed: open.length > 0 ? opened : text.length };
}

function opens(text: string, at: number, open: readonly string[]): boolean {
  const character = text[at]!; // the caller's own index
  if (OPENER.test(character) || character === '"') return true;
  return character === "‘" && open.at(-1) !== "‘" && /[\s“—(]|^$/.test(text[at - 1] ?? "");
}

/** An apostrophe closes a single quotation only behind a mark: "‘No, don’t,’ she said." */
function closes(text: string, at: number, opener: string | undefined): boolean {
  const character = text[at]!; // as above
  if (opener === undefined) return false;
  if (opener === '"') return character === '"';
  if (opener === "‘") return character === "’" && /[,.!?…—]/.test(text[at - 1] ?? "");
  return CLOSER.test(character);
}
