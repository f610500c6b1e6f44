import type { ReadingChapter } from "../../reading/reading.ts";
import { largest } from "../../text/extremes.ts";
import { estimateTokens } from "./tokens.ts";

/** A paragraph as the model sees it, numbered from 1 through the chapter; of one that is very long, a piece. */
export interface PromptParagraph {
  number: number;
  blockId: string;
  text: string;
  /** Where in its block the text begins, in UTF-16 units; 0 unless it is a later piece. */
  offset: number;
}

/** The part of a chapter that one request shows: consecutive paragraphs. */
export type PromptPassage = readonly PromptParagraph[];

/** A chapter's paragraphs that hold any text. */
export function paragraphsOf({ blocks }: ReadingChapter): PromptParagraph[] {
  return blocks.flatMap(({ blockId, text }, index) =>
    text.trim() === "" ? [] : [{ number: index + 1, blockId, text, offset: 0 }],
  );
}

/** The paragraphs in as few passages as hold at most so many tokens each; only one that is longer by itself is cut. */
export function passagesOf(paragraphs: readonly PromptParagraph[], maxTokens: number): PromptPassage[] {
  const passages: PromptParagraph[][] = [];
  let room = 0;
  for (const paragraph of paragraphs.flatMap((whole) => piecesOf(whole, maxTokens))) {
    const tokens = estimateTokens(paragraph.text);
    if (tokens > room || passages.length === 0) {
      passages.push([]);
      room = maxTokens;
    }
    passages.at(-1)?.push(paragraph); // there is one
    room -= tokens;
  }
  return passages;
}

/** How many tokens a passage's paragraphs are together. */
export function tokensIn(passage: PromptPassage): number {
  return passage.reduce((sum, { text }) => sum + estimateTokens(text), 0);
}

/** The paragraph, or pieces of it of at most so many tokens, cut behind a sentence where there is one, else between words. */
function piecesOf(paragraph: PromptParagraph, maxTokens: number): PromptParagraph[] {
  const { text, offset } = paragraph;
  if (text.length < 2 || estimateTokens(text) <= maxTokens) return [paragraph];
  const middle = text.length >> 1;
  const at = cutNear(text, middle);
  return [
    { ...paragraph, text: text.slice(0, at) },
    { ...paragraph, text: text.slice(at), offset: offset + at },
  ].flatMap((half) => piecesOf(half, maxTokens));
}

/** The place to cut at: from a quarter before the middle on, the last end of a sentence, else of a word. */
function cutNear(text: string, middle: number): number {
  const from = middle >> 1;
  const before = text.slice(from, middle);
  const end = largest([...before.matchAll(/[.!?…。！？]["'”’»)]*\s*/gu)].map(endOf));
  if (end > 0) return from + end;
  const space = before.lastIndexOf(" ") + 1;
  if (space > 0) return from + space;
  const splits = /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? 1 : 0; // between the halves of a character
  return middle + splits === text.length ? middle - 1 : middle + splits;
}

function endOf(match: RegExpMatchArray): number {
  return (match.index ?? 0) + match[0].length;
}
