import { append } from "../../text/extremes.ts";
import type { PromptPassage } from "./passage.ts";
import { estimateTokens } from "./tokens.ts";

/** A sentence that the model wrote, and the words that it says it rests on. */
export interface QuotedSentence {
  text: string;
  quote: string;
}

const STEM_CHARACTERS = 4;
const SHARE = 0.3;

/**
 * True if the prose bears a sentence out as far as words tell: it shares a word with its quote, its names and numbers are
 * in the passage, and so are three in ten of its other words. Words of grammar do not count, endings neither; scripts
 * without spaces are compared by pairs of characters. It catches what is about something else, not every lie.
 */
export function isSupported({ text, quote }: QuotedSentence, passage: PromptPassage): boolean {
  const sentence = wordsOf(text);
  if (sentence.length === 0) return false;
  const prose = new Set(passage.flatMap((paragraph) => wordsOf(paragraph.text)).map(({ stem }) => stem));
  const quoted = new Set(wordsOf(quote).map(({ stem }) => stem));
  if (!sentence.some(({ stem }) => quoted.has(stem))) return false;
  if (sentence.some(({ stem, isName }) => isName && !prose.has(stem))) return false;
  return sentence.filter(({ stem }) => prose.has(stem)).length >= SHARE * sentence.length;
}

/** The sentences from the first on that are at most so many tokens together; one that is too long is passed over. */
export function upTo(sentences: readonly string[], tokens: number): string[] {
  let room = tokens;
  return sentences.filter((sentence) => {
    const fits = estimateTokens(sentence) <= room;
    if (fits) room -= estimateTokens(sentence);
    return fits;
  });
}

const GRAMMAR = new Set(
  "that this with from into onto they them their there then than when what which while whom whose have been were will would could should about after before over under again also only just very some such each both more most upon your ours hers here where does done doing being because until against between through".split(
    " ",
  ),
);
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

interface Word {
  stem: string;
  /** A capital inside the sentence, or a number. */
  isName: boolean;
}

/** The words that carry what is said: names, numbers and what has four letters and more. */
function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const [word] = match;
    if (UNSPACED.test(word)) append(words, pairsOf(word));
    else {
      const isInside = /[\p{L}\p{M}\p{N},;:]\s*$/u.test(text.slice(0, match.index));
      const isName = /^\p{N}/u.test(word) || (isInside && /^\p{Lu}\p{Ll}{2}/u.test(word));
      const key = word.toLowerCase();
      const isCarrying =
        isName || ((key.length >= STEM_CHARACTERS || /^\p{Lu}/u.test(word)) && !GRAMMAR.has(key));
      if (isCarrying && key.length > 1) words.push({ stem: key.slice(0, STEM_CHARACTERS), isName });
    }
  }
  return words;
}

function pairsOf(run: string): Word[] {
  const characters = [...run];
  return characters
    .slice(1)
    .map((character, index) => ({ stem: `${characters[index]}${character}`, isName: false }));
}
