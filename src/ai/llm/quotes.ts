import type { Span } from "../../reading/reading.ts";
import type { PromptParagraph, PromptPassage } from "./passage.ts";

/**
 * The place of the model's quote in the paragraph that it names; undefined if it is not there. Only the kind of quotation
 * marks, dashes and spaces may differ. The span's text is the paragraph's own, its offsets are counted here: nothing of
 * where the model believes it to be is taken over but the paragraph, and that only when the quote is in it.
 */
export function locateQuote(passage: PromptPassage, number: number, quote: string): Span | undefined {
  const paragraph = passage.find((candidate) => candidate.number === number);
  const sought = fold(quote).trim();
  if (paragraph === undefined || sought === "") return undefined;
  const from = folded(paragraph).indexOf(sought);
  if (from < 0) return undefined;
  const to = from + sought.length;
  return { blockId: paragraph.blockId, from, to, text: paragraph.text.slice(from, to) };
}

/** The same as `locateQuote`, for words that prove something: at least three, or the whole paragraph. */
export function findProof(passage: PromptPassage, number: number, quote: string): Span | undefined {
  const span = locateQuote(passage, number, quote);
  if (span === undefined) return undefined;
  const whole = passage.find((paragraph) => paragraph.number === number)?.text.trim();
  return isLong(span.text) || span.text === whole ? span : undefined;
}

/** The first place of a name inside a quote, as words of their own in the paragraph. */
export function findName(passage: PromptPassage, quote: Span, name: string): Span | undefined {
  const paragraph = passage.find(({ blockId }) => blockId === quote.blockId);
  const sought = fold(name).trim();
  if (paragraph === undefined || !/[\p{L}\p{N}]/u.test(sought)) return undefined;
  const text = folded(paragraph);
  for (let from = text.indexOf(sought, quote.from); from >= 0; from = text.indexOf(sought, from + 1)) {
    const to = from + sought.length;
    if (to > quote.to) return undefined;
    if (cutsWord(text, from) || cutsWord(text, to)) continue;
    return { blockId: quote.blockId, from, to, text: paragraph.text.slice(from, to) };
  }
  return undefined;
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
