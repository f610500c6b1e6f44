import type { ReadingChapter } from "../../reading/reading.ts";

/** A paragraph as the model sees it: numbered from 1 through the chapter. */
export interface PromptParagraph {
  number: number;
  blockId: string;
  text: string;
}

/** What one request shows of a chapter: whole paragraphs that follow one another. */
export type PromptPassage = readonly PromptParagraph[];

/** A chapter's paragraphs that hold any text. */
export function paragraphsOf({ blocks }: ReadingChapter): PromptParagraph[] {
  return blocks.flatMap(({ blockId, text }, index) =>
    text.trim() === "" ? [] : [{ number: index + 1, blockId, text }],
  );
}

/**
 * The paragraphs in as few passages as hold at most so many tokens each, none of them cut: a paragraph that is longer
 * than that is a passage of its own.
 */
export function passagesOf(paragraphs: readonly PromptParagraph[], maxTokens: number): PromptPassage[] {
  const passages: PromptParagraph[][] = [];
  let room = 0;
  for (const paragraph of paragraphs) {
    const tokens = estimateTokens(paragraph.text);
    if (tokens > room) {
      passages.push([]);
      room = maxTokens;
    }
    passages.at(-1)?.push(paragraph); // the first paragraph finds no room and opens the first
    room -= tokens;
  }
  return passages;
}

/** About how many tokens a text is: 1 for four characters of Latin script, 1 for each of any other script. Never 0. */
export function estimateTokens(text: string): number {
  let quarters = 4;
  for (let at = 0; at < text.length; at++) quarters += text.charCodeAt(at) < 0x250 ? 1 : 4;
  return Math.ceil(quarters / 4);
}
