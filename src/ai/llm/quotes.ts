import type { Span } from "../../reading/reading.ts";
import type { PromptParagraph, PromptPassage } from "./passage.ts";

/**
 * The place of the model's quote in the paragraph that it names; undefined if it is not there. Only the kind of quotation
 * marks, dashes and spaces may differ. The span's text is the paragraph's own, its offsets are counted here: nothing of
 * where the model believes it to be is taken over but the paragraph, and that only when the quote is in it.
 */
export function locateQuote(passage: PromptPassage, number: number, quote: string): Span | undefined {
  const sought = fold(quote).trim();
  if (sought === "") return undefined;
  for (const paragraph of passage) {
    const from = paragraph.number === number ? folded(paragraph).indexOf(sought) : -1;
    if (from >= 0) return spanOf(paragraph, from, from + sought.length);
  }
  return undefined;
}

/** Like `locateQuote`, for words that prove something: at least three, or the whole paragraph. */
export function findProof(passage: PromptPassage, number: number, quote: string): Span | undefined {
  const span = locateQuote(passage, number, quote);
  if (span === undefined) return undefined;
  const isWhole = passage.some(
    (paragraph) => paragraph.number === number && paragraph.text.trim() === span.text,
  );
  return isLong(span.text) || isWhole ? span : undefined;
}

/** The first place of a name inside a quote, as words of their own in the paragraph. */
export function findName(passage: PromptPassage, quote: Span, name: string): Span | undefined {
  const paragraph = passage.find(
    ({ blockId, offset, text }) =>
      blockId === quote.blockId && offset <= quote.from && quote.to <= offset + text.length,
  );
  const sought = fold(name).trim();
  if (paragraph === undefined || !/[\p{L}\p{N}]/u.test(sought)) return undefined;
  const text = folded(paragraph);
  const end = quote.to - paragraph.offset;
  let from = text.indexOf(sought, quote.from - paragraph.offset);
  for (; from >= 0 && from + sought.length <= end; from = text.indexOf(sought, from + 1)) {
    const to = from + sought.length;
    if (!cutsWord(text, from) && !cutsWord(text, to)) return spanOf(paragraph, from, to);
  }
  return undefined;
}

/** The span in the paragraph's block of what stands there in the paragraph's text. */
function spanOf({ blockId, offset, text }: PromptParagraph, from: number, to: number): Span {
  return { blockId, from: offset + from, to: offset + to, text: text.slice(from, to) };
}

// A long paragraph is sought in for every item of an answer.
const foldedOnce = new WeakMap<PromptParagraph, string>();

function folded(paragraph: PromptParagraph): string {
  const known = foldedOnce.get(paragraph) ?? fold(paragraph.text);
  foldedOnce.set(paragraph, known);
  return known;
}

// One character for one character, so that an offset in the folded text is an offset in the text itself.
function fold(text: string): string {
  return text
    .replace(/[‘’ʼ‛`]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—]/g, "-")
    .replace(/\s/g, " ");
}

const PROOF_WORDS = 3;
const PROOF_CHARACTERS = 6;

// Scripts that put no spaces between words are counted by characters.
function isLong(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length >= PROOF_WORDS) return true;
  return (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text) &&
    text.length >= PROOF_CHARACTERS
  );
}

function cutsWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(at));
}
