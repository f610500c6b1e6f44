import { countWords } from "../../../text/count-words.ts";
import type { ReadingBlock, ReadingChapter } from "../../reading.ts";
import { quotedFlags, sentenceSpans } from "../../text/sentences.ts";
import { type ChapterWords, WordGatherer } from "./words.ts";

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

/** What the style of a book is told from, of one chapter. */
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

/** What the style is told from; it yields between blocks. Linear in the text. */
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
  const counts = gatherer.add(
    blockId,
    text,
    spans.map(([from]) => from),
    isHeading,
  );
  const words = countWords(text);
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

interface OpenEcho extends Echo {
  last: number;
}

/** Content words that come back within so many words, a chain of them being one. */
function echoesOf({ stems, ids }: ChapterWords): Pick<ChapterStyle, "echoes" | "echoesLeftOut"> {
  const open = new Map<string, OpenEcho>();
  const echoes: Echo[] = [];
  let leftOut = 0;
  const close = ({ places, count, nearest }: OpenEcho) => {
    if (count < 2) return;
    if (echoes.length < BOUNDS.echoes) echoes.push({ places, count, nearest });
    else leftOut++;
  };
  for (let at = 0; at < ids.length; at++) {
    const stem = stems[ids[at]!]!; // a key's place
    if (stem === "") continue;
    const known = open.get(stem);
    if (known !== undefined && at - known.last <= NEAR_WORDS) {
      known.nearest = Math.min(known.nearest, at - known.last);
      known.last = at;
      known.count++;
      if (known.places.length < BOUNDS.places) known.places.push(at);
      continue;
    }
    if (known !== undefined) close(known);
    open.set(stem, { places: [at], count: 1, nearest: NEAR_WORDS, last: at });
  }
  for (const last of open.values()) close(last);
  return { echoes, echoesLeftOut: leftOut };
}
