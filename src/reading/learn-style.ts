import { countWords } from "../text/count-words.ts";
import { unitsOf } from "../text/units.ts";
import type { ReadingBlock, ReadingChapter } from "./reading.ts";
import { type ChapterWords, WordGatherer } from "./reports/style/words.ts";
import { quotedFlags, sentenceSpans } from "./sentences.ts";

/** A sentence of a chapter, where it stands and how long it is. */
export interface MeasuredSentence {
  blockId: string;
  from: number;
  to: number;
  words: number;
}

/** A content word that comes back soon: the places in the chapter's words, the first few of them. */
export interface Echo {
  places: number[];
  count: number;
  /** Words between the two that are nearest. */
  nearest: number;
}

/** Counts of one chapter that the report on style is made of. */
export interface ChapterStyle {
  words: ChapterWords;
  wordCount: number;
  /** Sentences by their number of words, up to 200. */
  sentences: Uint32Array;
  longest: MeasuredSentence[];
  /** Words of each scene. */
  scenes: number[];
  /** Characters between quotation marks, and all, blanks apart. */
  spoken: number;
  characters: number;
  echoes: Echo[];
  /** Echoes beyond those that are kept. */
  echoesLeftOut: number;
}

/** A repetition is heard over so many words. */
const NEAR_WORDS = 60;
const BOUNDS = { longest: 5, echoes: 2000, places: 5, scenes: 200, lengths: 200 } as const;
const QUOTES = /["“„«「『‹‘]/;

/** Counts a chapter for the report on style; yields between blocks. Linear in the text. */
export function* learnStyle({ blocks }: ReadingChapter): Generator<void, ChapterStyle> {
  const gatherer = new WordGatherer();
  const style = {
    wordCount: 0,
    sentences: new Uint32Array(BOUNDS.lengths + 1),
    longest: [] as MeasuredSentence[],
    scenes: [0],
    spoken: 0,
    characters: 0,
  };
  for (const block of blocks) {
    if (block.type === "scene_break") style.scenes.push(0);
    else if (block.type !== "code_block" && block.type !== "raw_block") measure(block, style, gatherer);
    yield;
  }
  const words = gatherer.words();
  const scenes = style.scenes.filter((length) => length > 0).slice(0, BOUNDS.scenes);
  yield;
  return { ...style, scenes, words, ...echoesOf(words) };
}

function measure(
  { blockId, text, type }: ReadingBlock,
  style: Pick<ChapterStyle, "wordCount" | "sentences" | "longest" | "scenes" | "spoken" | "characters">,
  gatherer: WordGatherer,
): void {
  const isHeading = type === "heading";
  const spans = sentenceSpans(text);
  const counts = gatherer.add({ blockId, text }, spans, isHeading);
  const words = countWords(text, unitsOf(text));
  style.wordCount += words;
  style.scenes[style.scenes.length - 1]! += words; // there is one
  if (isHeading) return;
  for (const [index, [from, to]] of spans.entries()) {
    const length = counts[index] ?? 0;
    if (length === 0) continue;
    style.sentences[Math.min(length, BOUNDS.lengths)]!++; // up to there
    keepLongest(style.longest, { blockId, from, to, words: length });
  }
  style.characters += text.length;
  if (QUOTES.test(text)) for (const flag of quotedFlags(text)) style.spoken += flag;
}

function keepLongest(longest: MeasuredSentence[], sentence: MeasuredSentence): void {
  const least = longest.at(-1);
  if (longest.length === BOUNDS.longest && least !== undefined && least.words >= sentence.words) return;
  longest.push(sentence);
  longest.sort((one, other) => other.words - one.words);
  if (longest.length > BOUNDS.longest) longest.pop();
}

/** Content words that come back within so many words, a chain of them being one. */
function echoesOf({ lexicon, ids }: ChapterWords): Pick<ChapterStyle, "echoes" | "echoesLeftOut"> {
  const { stems, stemCount } = lexicon;
  const lastBehind = new Int32Array(stemCount + 1); // of each stem its last place, counted from 1
  const met: number[] = []; // stems in order
  const open = new Map<number, Echo>();
  const closed: Echo[] = [];
  const close = (stem: number) => {
    const chain = open.get(stem);
    if (chain === undefined) return;
    closed.push(chain);
    open.delete(stem);
  };
  for (let at = 0; at < ids.length; at++) {
    const stem = stems[ids[at]!]!; // a word of the lexicon
    if (stem === 0) continue;
    const last = lastBehind[stem]! - 1; // one of its stems
    lastBehind[stem] = at + 1;
    if (last < 0) met.push(stem);
    else if (at - last > NEAR_WORDS) close(stem);
    else goOn(open, stem, { last, at });
  }
  for (const stem of met) close(stem);
  return {
    echoes: closed.slice(0, BOUNDS.echoes),
    echoesLeftOut: Math.max(0, closed.length - BOUNDS.echoes),
  };
}

/** A stem stands there again, near enough to its last place. */
function goOn(open: Map<number, Echo>, stem: number, { last, at }: { last: number; at: number }): void {
  const chain = open.get(stem);
  if (chain === undefined) {
    open.set(stem, { places: [last, at], count: 2, nearest: at - last });
    return;
  }
  chain.nearest = Math.min(chain.nearest, at - last);
  chain.count++;
  if (chain.places.length < BOUNDS.places) chain.places.push(at);
}
