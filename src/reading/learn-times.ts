import { append } from "../text/extremes.ts";
import type { ReadingBlock, ReadingChapter } from "./reading.ts";
import { AGE_NUMBERS, agesTold } from "./reports/timeline/ages.ts";
import { DATE_PATTERNS, NAMED_SO } from "./reports/timeline/dates.ts";
import { FEAST } from "./reports/timeline/feasts.ts";
import { HOUR_PATTERNS } from "./reports/timeline/hours.ts";
import { findMarks, type Pattern } from "./reports/timeline/pattern.ts";
import { STEP_PATTERNS } from "./reports/timeline/steps.ts";
import type { Bounds, PlacedMark, TimeMark } from "./reports/timeline/time-marks.ts";
import { quotedFlags, sentenceSpans } from "./sentences.ts";

/** The times of a chapter, before they are counted from one another. */
export interface ChapterTimes {
  marks: PlacedMark[];
  /** Times beyond those that are kept. */
  leftOut: number;
  /** How often a month's or a weekday's name is somebody's: "said May". */
  names: ReadonlyMap<string, number>;
}

const PATTERNS: readonly Pattern[] = [FEAST, ...DATE_PATTERNS, ...STEP_PATTERNS];
/** Parts of words without one of which a sentence tells no day; the patterns need not look at it. */
export const DAY_WORDS =
  /(?:day|night|morning|noon|evening|week|month|year|summer|autumn|winter|spring|hour|morrow|\b(?:Janu|Febr|March|April|May|June|July|August|Septem|Octob|Novem|Decem|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|Christmas|Easter|Michaelmas|Epiphany|Hogmanay|Yule|Candlemas|Lammas|Martinmas|Hallow|Pentecost|Whit|Corpus|Mardi|Midsummer|New Year|fall\b)|\d|teen (?:hundred|[a-z]+ty))/;
const HOUR_WORDS =
  /o['’]clock|\b(?:past|quarter|mid-?day|sun(?:set|rise|down)|dusk|dawn|daybreak|twilight)\b|night|noon|morning|evening|\d[:.]\d|\b[ap]\.?m\b/;
const QUOTES = /["“„«「『‹‘]/;
/** Two times are told of together if no more stands between them. */
const FARTHEST = 40;
const SMALL_WORDS =
  /^[\s,;:—–(-]*(?:(?:on|at|in|it|the|a|an|of|that|which|was|is|being|and|very|early|late|by|namely|i\.e\.)[\s,]+)*$/i;
/** "She had left on Friday", "would come on Friday": another day than the one that is told. */
const OTHER_TENSE = /\b(?:had|would|will|shall|should|could|might|if|were to)\b|['’](?:d|ll)\b/;
const MAY_TELL = new RegExp(`${DAY_WORDS.source}|${HOUR_WORDS.source}|${AGE_NUMBERS.source}`);
const ABSOLUTE = new Set(["date", "dayOfMonth", "month", "weekday", "feast", "year"]);

/** The times that a chapter tells, in order; it yields between blocks. Linear in the text. English. */
export function* learnTimes(chapter: ReadingChapter, bounds: Bounds): Generator<void, ChapterTimes> {
  const marks: PlacedMark[] = [];
  const names = new Map<string, number>();
  let leftOut = 0;
  for (const block of chapter.blocks) {
    if (block.type !== "code_block" && block.type !== "raw_block" && MAY_TELL.test(block.text)) {
      for (const { groups } of block.text.matchAll(NAMED_SO)) {
        const name = groups?.name ?? "";
        names.set(name, (names.get(name) ?? 0) + 1);
      }
      const found = marksOf(block, bounds.sentence);
      const kept = found.slice(0, bounds.times - marks.length);
      leftOut += found.length - kept.length;
      append(marks, kept);
    }
    yield;
  }
  return { marks, leftOut, names };
}

/** The marks of a block, sentence by sentence. */
function marksOf({ blockId, text }: ReadingBlock, most: number): PlacedMark[] {
  const found: PlacedMark[] = [];
  const quoted = QUOTES.test(text) ? quotedFlags(text) : undefined;
  for (const [start, end] of sentenceSpans(text)) {
    const sentence = text.slice(start, end);
    const marks = marksIn(sentence);
    const isOtherTense = marks.length > 0 && OTHER_TENSE.test(sentence);
    for (const [index, mark] of marks.entries()) {
      const { from, to, said } = mark;
      const isHeading = ABSOLUTE.has(said.kind) && isDateline(text, start + from, start + to);
      found.push({
        said,
        from: start + from,
        to: start + to,
        stays: !isHeading && (mark.stays || (isOtherTense && ABSOLUTE.has(said.kind))),
        blockId,
        words: sentence.slice(from, to),
        quoted: !isHeading && quoted?.[start + from] === 1,
        sentence: shownOf(text, [start, end], [start + from, start + to], most),
        joined: index > 0 && isJoined(sentence.slice(marks[index - 1]!.to, from)), // the one before it
      });
    }
  }
  return found;
}

/** "31 May.—This morning", "“Whitby, 17 August.": what heads a letter or an entry, in quotation marks too, says its day. */
function isDateline(text: string, from: number, to: number): boolean {
  return DATED.test(text.slice(0, from)) && /^(?:\s*$|[.,;:—–)])/.test(text.slice(to));
}

const DATED = /^[“"‘_(]*(?:(?:\p{Lu}[\p{L}’'.-]*|of|the|in|on|\d+),?\s+){0,8}$/u;

function isJoined(gap: string): boolean {
  return gap.length < FARTHEST && SMALL_WORDS.test(gap);
}

/** Words for the day that the story is at anyway. */
const BARE = /^(?:to-?day|to-?night|this (?:very )?day)$/i;

/** The times of a sentence, in order. */
function marksIn(sentence: string): TimeMark[] {
  const found = (DAY_WORDS.test(sentence) ? findMarks(sentence, PATTERNS) : []).filter(
    ({ from, to }) => !BARE.test(sentence.slice(from, to)),
  );
  const more = [
    ...(HOUR_WORDS.test(sentence) ? findMarks(sentence, HOUR_PATTERNS) : []),
    ...agesTold(sentence),
  ];
  if (more.length === 0) return found;
  const apart = more.filter(({ from, to }) => !found.some((mark) => mark.from < to && from < mark.to));
  return [...found, ...apart].sort((one, other) => one.from - other.from);
}

/** The sentence, cut around its time if it is too long to be shown. */
function shownOf(
  text: string,
  [start, end]: [number, number],
  [first, last]: [number, number],
  most: number,
): PlacedMark["sentence"] {
  let [from, to] = [start, end];
  if (to - from > most) {
    from = Math.max(from, Math.min(first - Math.floor(most / 2), to - most));
    to = Math.min(to, Math.max(last, from + most));
  }
  while (from < first && /\s|[\uDC00-\uDFFF]/.test(text.charAt(from))) from++;
  while (to > last && /\s|[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to--;
  return { from, to, text: text.slice(from, to) };
}
