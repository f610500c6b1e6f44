import { oneOf } from "../../text/keyed-rules.ts";
import type { Mark, MarkedText } from "./finding.ts";

const BODY = oneOf(
  "head shoulder shoulders eye eyes brow brows eyebrow eyebrows hand hands arm arms lip lips teeth jaw chin throat breath heart face mouth finger fingers fist fists knee knees nose back neck cheek cheeks ear ears foot feet hair",
);
const OWN = oneOf("his her my their our your its");
const GESTURE = new RegExp(
  `\\b(?<verb>[a-z]{2,}ed|${oneOf("shook bit drew held threw put caught bent bowed ground set hung let flung wrung rubbed spread laid shut")}) (?:up |down |out |back |off )?${OWN} (?:[a-z]+ )?(?<body>${BODY})\\b`,
  "g",
);
const FILLERS = oneOf(`
  [Ff]or_an?_(?:long_)?(?:moment|minute|second|instant) [Aa]n?_(?:moment|minute|second|instant)_later
  [Aa]fter_a_(?:moment|while|minute|pause|time) [Aa]t_(?:that|this)_moment [Ii]n_that_moment
  (?:let_out|took|drew|drawing|taking|letting_out)_a_(?:long_|deep_|heavy_)?(?:breath|sigh) sort_of kind_of
  [Ff]or_some_reason [Ff]or_the_first_time [Oo]nce_(?:more|again)
  with_a_(?:little_|slight_|faint_|short_)?(?:smile|sigh|laugh|shrug|grin|frown|gesture|nod)`);
const PHRASE = new RegExp(`\\b${FILLERS}\\b`, "g");

/** Gestures and fillers of a paragraph's narration, each by the words that it is counted under. */
export function habitsIn({ text, isQuoted }: MarkedText): Mark[] {
  const marks: Mark[] = [];
  const push = (word: string, from: number, to: number) => {
    if (isQuoted[from] !== 1) marks.push({ kind: "tic", word, from, to });
  };
  for (const match of text.matchAll(GESTURE)) {
    const { verb = "", body = "" } = match.groups ?? {};
    push(`${verb} … ${body.replace(/(?<=..)s$/, "")}`, match.index, match.index + match[0].length);
  }
  for (const match of text.matchAll(PHRASE))
    push(match[0].toLowerCase(), match.index, match.index + match[0].length);
  return marks;
}

const OF_CHAPTER = 3;
const TIMES = 3;
const OF_BOOK = 8;
const IN_WORDS = 6000;

/**
 * For each chapter the habits that are tics there: three or more that stand three times as thick as in the writer's other
 * chapters, or one that the whole book is full of.
 */
export function ticsOf(
  chapters: readonly { words: number; habits: ReadonlyMap<string, number> }[],
): Set<string>[] {
  const total = new Map<string, number>();
  let words = 0;
  for (const chapter of chapters) {
    words += chapter.words;
    for (const [word, count] of chapter.habits) total.set(word, (total.get(word) ?? 0) + count);
  }
  return chapters.map((chapter) => {
    const tics = new Set<string>();
    for (const [word, count] of chapter.habits) {
      const all = total.get(word) ?? count;
      const elsewhere = (all - count + 0.5) / Math.max(1, words - chapter.words);
      const isThick = count >= OF_CHAPTER && count / chapter.words >= TIMES * elsewhere;
      if (isThick || (all >= OF_BOOK && all >= words / IN_WORDS)) tics.add(word);
    }
    return tics;
  });
}
