import { append } from "../text/extremes.ts";
import type { ReadingBlock, ReadingChapter } from "./reading.ts";
import type { Mark, MarkedText } from "./reports/language/finding.ts";
import { openingsIn } from "./reports/language/openings.ts";
import { type NarratedWord, repeatsIn } from "./reports/language/repeats.ts";
import { marksByRule } from "./reports/language/rules.ts";
import { type NarratedSentence, tenseSlips, viewpointSlips } from "./reports/language/slips.ts";
import { marksOfTags } from "./reports/language/tags.ts";
import { habitsIn } from "./reports/language/tics.ts";
import { quotedFlags, sentenceSpans } from "./sentences.ts";

/** A mark in its paragraph, with the sentence around it, verbatim; offsets are UTF-16 in the block's text. */
export interface LanguageMark extends Mark {
  blockId: string;
  /** Its paragraph's place in the chapter. */
  block: number;
  sentence: string;
  /** Its offset in the sentence. */
  at: number;
  /** The words that are marked, as they stand there. */
  text: string;
}

/** Marks of a chapter, as far as the chapter alone tells, and counts of which the book makes more. */
export interface ChapterLanguage {
  words: number;
  marks: LanguageMark[];
  /** Gestures and fillers, of which the book makes tics. */
  habits: LanguageMark[];
  /** Words in small letters: how often each stands there, and the first places, each a block's and an offset. */
  forms: Map<string, { count: number; places: number[] }>;
  blocks: readonly ReadingBlock[];
}

interface Sentence extends NarratedSentence {
  blockId: string;
  block: number;
}

const QUOTES = /["“„«「『‹‘]/;
const NOTHING_QUOTED = new Uint8Array();
const WORD = /[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*/g;
const PLACES = 5;
const SHORTEST_FORM = 4;
const REPEATED = 3;

/** Reads a chapter as a line editor does; yields between blocks. Linear in the text. */
export function* learnLanguage({ blocks }: ReadingChapter): Generator<void, ChapterLanguage> {
  const language: ChapterLanguage = { words: 0, marks: [], habits: [], forms: new Map(), blocks };
  const sentences: Sentence[] = [];
  for (const [place, block] of blocks.entries()) {
    if (block.type === undefined) append(sentences, readBlock(block, place, language));
    yield;
  }
  for (const { sentence, mark } of [...tenseSlips(sentences), ...viewpointSlips(sentences)]) {
    const { blockId, block, from, text } = sentence;
    language.marks.push({ ...mark, blockId, block, sentence: text, at: mark.from - from, text: mark.word });
  }
  // A word that a chapter needs often is no accident.
  const isRare = ({ word }: Mark) => (language.forms.get(word)?.count ?? 0) <= REPEATED;
  return { ...language, marks: language.marks.filter((mark) => mark.kind !== "repeat" || isRare(mark)) };
}

/** Reads a paragraph; returns its sentences that are told, not said. */
function readBlock({ blockId, text }: ReadingBlock, block: number, language: ChapterLanguage): Sentence[] {
  const isQuoted = QUOTES.test(text) ? quotedFlags(text) : NOTHING_QUOTED;
  const spans = sentenceSpans(text);
  const marked: MarkedText = { text, isQuoted };
  const { all, told } = wordsOf(marked, spans, (key, from) => countForm(language, key, [block, from]));
  language.words += all;
  const placed = placing({ blockId, text }, block, spans);
  for (const marks of [
    marksByRule(marked, spans),
    marksOfTags(marked),
    repeatsIn(told),
    openingsIn(told, text),
  ])
    for (const mark of marks) language.marks.push(placed(mark));
  for (const habit of habitsIn(marked)) language.habits.push(placed(habit));
  return spans.flatMap(([from, to]) =>
    isQuoted.subarray(from, to).includes(1) ? [] : [{ blockId, block, from, text: text.slice(from, to) }],
  );
}

/** Returns what puts a mark of a paragraph into its sentence. */
export function placing(
  { blockId, text }: ReadingBlock,
  block: number,
  spans: readonly (readonly [from: number, to: number])[] = sentenceSpans(text),
): (mark: Mark) => LanguageMark {
  return (mark) => {
    const [from, to] = spans.find(([, end]) => mark.from < end) ?? [0, text.length];
    const own = {
      sentence: text.slice(from, to),
      at: mark.from - from,
      text: text.slice(mark.from, mark.to),
    };
    return { ...mark, blockId, block, ...own };
  };
}

/** How many words a paragraph has, and those of the narration. */
function wordsOf(
  { text, isQuoted }: MarkedText,
  spans: readonly (readonly [from: number, to: number])[],
  onSmall: (key: string, from: number) => void,
): { all: number; told: NarratedWord[] } {
  const told: NarratedWord[] = [];
  let [all, sentence, end] = [0, 0, 0];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const { 0: written, index: from } = match;
    const to = from + written.length;
    const key = written.toLowerCase();
    const isCapital = written.charCodeAt(0) !== key.charCodeAt(0);
    all++;
    while (sentence < spans.length - 1 && from >= spans[sentence]![1]) sentence++; // below its length
    if (!isCapital && written.length >= SHORTEST_FORM) onSmall(key, from);
    if (isQuoted[from] !== 1) told.push({ key, from, to, sentence, isCapital, isParted: end < from - 1 });
    end = to;
  }
  return { all, told };
}

function countForm(
  { forms }: ChapterLanguage,
  key: string,
  place: readonly [block: number, from: number],
): void {
  const form = forms.get(key);
  if (form === undefined) forms.set(key, { count: 1, places: [...place] });
  else if (form.count++ < PLACES) append(form.places, place);
}
