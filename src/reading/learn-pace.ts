import { countWords } from "../text/count-words.ts";
import { unitsOf } from "../text/units.ts";
import type { ReadingBlock, ReadingChapter } from "./reading.ts";
import { quotedFlags, sentenceSpans } from "./sentences.ts";

/** A sentence of a chapter, where it stands and how long it is. */
export interface MeasuredSentence {
  blockId: string;
  from: number;
  to: number;
  words: number;
}

/** Lengths in a chapter, in words, and the characters of its paragraphs. */
export interface ChapterPace {
  words: number;
  /** How many sentences have so many words; the last counts all longer ones, too. */
  sentences: Uint32Array;
  longest: MeasuredSentence[];
  scenes: number[];
  /** Characters between quotation marks, and all. */
  spoken: number;
  characters: number;
  /** Letters and digits. */
  letters: number;
}

const LENGTHS = 200;
const LONGEST = 5;
const QUOTES = /["“„«「『‹‘]/;
const LETTERS = /[\p{L}\p{N}]+/gu;

/** Measures a chapter; yields between blocks. Linear in the text. */
export function* learnPace({ blocks }: ReadingChapter): Generator<void, ChapterPace> {
  const pace: ChapterPace = {
    words: 0,
    sentences: new Uint32Array(LENGTHS + 1),
    longest: [],
    scenes: [0],
    spoken: 0,
    characters: 0,
    letters: 0,
  };
  for (const block of blocks) {
    if (block.type === "scene_break") pace.scenes.push(0);
    else if (block.type !== "code_block" && block.type !== "raw_block") measure(block, pace);
    yield;
  }
  return { ...pace, scenes: pace.scenes.filter((length) => length > 0) };
}

function measure({ blockId, text, type }: ReadingBlock, pace: ChapterPace): void {
  const words = countWords(text, unitsOf(text));
  pace.words += words;
  pace.scenes[pace.scenes.length - 1]! += words; // there is one
  if (type === "heading") return;
  for (const [from, to] of sentenceSpans(text)) {
    const sentence = text.slice(from, to);
    const length = countWords(sentence, unitsOf(sentence));
    if (length === 0) continue;
    pace.sentences[Math.min(length, LENGTHS)]!++; // up to there
    keepLongest(pace.longest, { blockId, from, to, words: length });
  }
  pace.characters += text.length;
  for (const [run] of text.matchAll(LETTERS)) pace.letters += run.length;
  if (QUOTES.test(text)) for (const flag of quotedFlags(text)) pace.spoken += flag;
}

function keepLongest(longest: MeasuredSentence[], sentence: MeasuredSentence): void {
  const least = longest.at(-1);
  if (longest.length === LONGEST && least !== undefined && least.words >= sentence.words) return;
  longest.push(sentence);
  longest.sort((one, other) => other.words - one.words);
  if (longest.length > LONGEST) longest.pop();
}
