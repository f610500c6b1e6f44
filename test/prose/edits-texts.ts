import type { ParagraphText } from "../../src/prose/reconcile/pairs.ts";

/** Numbers from 0 up to but not including 1; the same seed gives the same numbers on every machine. */
export type Random = () => number;

/** Mulberry32: 32 bits of state, enough for test texts. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A whole number from 0 up to but not including `below`. */
export function pickNumber(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** One of the given, each equally often. */
export function pickOne<T>(random: Random, choices: readonly T[]): T {
  return choices[pickNumber(random, choices.length)]!; // in range: callers give a list that is not empty
}

/** How a script's invented words are spelt and joined. */
interface Script {
  /** A syllable, a root or a character. */
  parts: readonly string[];
  /** Parts in a word, at least and at most. */
  wordParts: readonly [number, number];
  /** Put after a word of content: endings, particles. */
  endings: readonly string[];
  space: string;
  comma: string;
  stops: readonly string[];
  quotes: readonly [string, string];
}

const han = Array.from({ length: 900 }, (_, at) => String.fromCharCode(0x4e00 + at * 19));
const syllables = (onsets: string, vowels: string): string[] =>
  [...onsets].flatMap((onset) => [...vowels].map((vowel) => onset + vowel));

const scripts = {
  latin: {
    parts: [...syllables("bdfghklmnprstvw", "aeiou"), "an", "er", "ing", "th", "st", "sh"],
    wordParts: [1, 4],
    endings: [""],
    space: " ",
    comma: ", ",
    stops: [".", ".", ".", "?", "!"],
    quotes: ["“", "”"],
  },
  chinese: {
    parts: han,
    wordParts: [1, 2],
    endings: [""],
    space: "",
    comma: "，",
    stops: ["。", "。", "？", "！"],
    quotes: ["「", "」"],
  },
  japanese: {
    parts: han.slice(0, 500),
    wordParts: [1, 2],
    endings: ["は", "が", "を", "に", "の", "した", "って", "ている", "ない"],
    space: "",
    comma: "、",
    stops: ["。", "。", "？"],
    quotes: ["「", "」"],
  },
  russian: {
    parts: syllables("бвгдзклмнпрстхч", "аеиоуы"),
    wordParts: [1, 4],
    endings: ["", "", "й", "м", "ть", "сь", "ла"],
    space: " ",
    comma: ", ",
    stops: [".", ".", "?", "!"],
    quotes: ["«", "»"],
  },
  arabic: {
    parts: [..."ابتجحدرسشصطعفقكلمنهوي"].flatMap((first) =>
      [..."بتدرسعفقلمني"].map((second) => first + second),
    ),
    wordParts: [1, 3],
    endings: ["", "", "ة", "ها", "ون", "ين"],
    space: " ",
    comma: "، ",
    stops: [".", ".", "؟"],
    quotes: ["«", "»"],
  },
} satisfies Record<string, Script>;

/** A script that texts can be invented in. */
export type ScriptName = keyof typeof scripts;

export const scriptNames = Object.keys(scripts) as ScriptName[];

/** What an invented book is made of: one vocabulary for all its chapters, as in a real one. */
export interface BookPlan {
  script: ScriptName;
  seed: number;
  chapters: number;
  /** Paragraphs in each chapter. */
  paragraphs: number;
}

/**
 * Invented chapters shaped like a novel's: words by Zipf's law, paragraphs of 1 to 300 words (median 29, one in
 * ten over 125), a third of them speech, a scene break in forty. No sentence of them is anybody's.
 */
export function inventChapters(plan: BookPlan): ParagraphText[][] {
  const random = seededRandom(plan.seed);
  const script: Script = scripts[plan.script];
  const words = inventWords(random, script);
  const invent = (): ParagraphText =>
    random() < 0.025
      ? { type: "scene_break", text: "" }
      : { type: "paragraph", text: inventParagraph(random, script, words) };
  return Array.from({ length: plan.chapters }, () => Array.from({ length: plan.paragraphs }, invent));
}

function inventWords(random: Random, script: Script): string[] {
  const [least, most] = script.wordParts;
  return Array.from({ length: 3000 }, (_, rank) => {
    const length = rank < 40 ? least : least + pickNumber(random, most - least + 1);
    return Array.from({ length }, () => pickOne(random, script.parts)).join("");
  });
}

function inventParagraph(random: Random, script: Script, words: readonly string[]): string {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let left = Math.min(300, Math.max(1, Math.round(Math.exp(3.37 + 1.15 * normal))));
  const sentences: string[] = [];
  while (left > 0) {
    const length = Math.min(left, 3 + pickNumber(random, 20));
    sentences.push(inventSentence(random, { script, words, length }));
    left -= length;
  }
  const text = sentences.join(script.space);
  return random() < 0.33 ? script.quotes[0] + text + script.quotes[1] : text;
}

function inventSentence(
  random: Random,
  of: { script: Script; words: readonly string[]; length: number },
): string {
  const { script, words, length } = of;
  let sentence = "";
  for (let at = 0; at < length; at++) {
    const rank = Math.floor(words.length ** random()) - 1; // Zipf: rank r about 1/r as often as rank 1
    const word = words[rank]! + (rank > 40 ? pickOne(random, script.endings) : "");
    const joint = random() < 0.12 ? script.comma : script.space;
    sentence += at === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : joint + word;
  }
  return sentence + pickOne(random, script.stops);
}
