import type { Book, Paragraph } from "./search-corpus.ts";

/** The kinds of question, each a way in which a writer remembers a sentence. */
export const KINDS = ["exact", "exact3", "inflect", "typo", "natural", "type", "scatter", "wrong"] as const;
/** The kinds that the means are of: six words of which one is remembered wrong are judged by themselves. */
export const MEAN_KINDS = KINDS.filter((kind) => kind !== "wrong");
export type Kind = (typeof KINDS)[number];

/** A question whose answer is known; scattered words have no paragraph, only a chapter. */
export interface Known {
  kind: Kind;
  query: string;
  paragraphId: string | null;
  chapterId: string;
}

const STOP = new Set(
  `a about above after again all also am an and any are as at be because been before being but by can cannot could did do does
  done down for from had has have having he her here hers herself him himself his how i if in into is it its itself let like made
  may me might mine more most much must my myself never no nor not now of off on once one only or other our out over own said same
  shall she should so some such than that the their them then there these they this those though through to too up upon us very was
  we well were what when where which while who whom whose why will with would yet you your yourself mr mrs miss`.split(
    /\s+/,
  ),
);

/** A generator of numbers from 0 to 1; the same seed gives the same numbers. Mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Random = () => number;

/** How many sentences to take, and from which seed; `stem` tells which words are forms of one. */
export interface Sampling {
  count: number;
  seed: number;
  stem: (word: string) => string;
}

/** So many random sentences of the book, each asked for in every kind. */
export function knownQuestions(book: Book, { count, seed, stem }: Sampling): Known[] {
  const random = seeded(seed);
  const astray = seeded(seed ^ 0x5bd1e995);
  const forms = formsByStem(book, stem);
  const questions: Known[] = [];
  for (let found = 0, tries = 0; found < count && tries < count * 200; tries += 1) {
    const index = Math.floor(random() * book.paragraphs.length);
    const paragraph = book.paragraphs[index]!; // index is below the length
    const asked = questionsFor(book, index, paragraph, { random, astray, forms, stem });
    if (asked === undefined) continue;
    questions.push(...asked);
    found += 1;
  }
  return questions;
}

interface Means {
  random: Random;
  /** Chooses the wrong words: a generator of its own leaves all other questions as they are. */
  astray: Random;
  forms: ReadonlyMap<string, readonly string[]>;
  stem: (word: string) => string;
}

function formsByStem(book: Book, stem: (word: string) => string): Map<string, string[]> {
  const words = new Set(book.paragraphs.flatMap(({ text }) => plainWords(text)));
  const forms = new Map<string, string[]>();
  for (const word of [...words].sort()) {
    const key = stem(word);
    forms.set(key, [...(forms.get(key) ?? []), word]);
  }
  return forms;
}

function plainWords(text: string): string[] {
  return (text.match(/[\p{L}]+(?:[’'][\p{L}]+)*/gu) ?? []).map((word) =>
    word.toLowerCase().replace(/[’']s$/, ""),
  );
}

function contentWords(text: string): string[] {
  return [...new Set(plainWords(text))].filter(
    (word) => word.length >= 4 && /^[a-z]+$/.test(word) && !STOP.has(word),
  );
}

function questionsFor(book: Book, index: number, paragraph: Paragraph, means: Means): Known[] | undefined {
  const { random } = means;
  const sentences = paragraph.text
    .split(/(?<=[.!?;][”’]?)\s+/)
    .filter((text) => plainWords(text).length >= 8);
  const sentence = sentences[Math.floor(random() * sentences.length)];
  if (sentence === undefined) return undefined;
  const content = contentWords(sentence);
  if (content.length < 5) return undefined;
  const scattered = scatteredWords(book, index, random);
  if (scattered === undefined) return undefined;
  const exact = chosen(content, 3 + Math.floor(random() * 3), random);
  const three = chosen(content, 3, random);
  const words = plainWords(sentence);
  const start = Math.floor(random() * (words.length - 5));
  const asked: Record<Kind, readonly string[]> = {
    exact,
    exact3: three,
    inflect: inflected(exact, means),
    typo: misspelt(exact, random),
    natural: words.slice(start, start + 6),
    type: [...three.slice(0, -1), three.at(-1)!.slice(0, 3)], // three words were chosen
    scatter: scattered,
    wrong: misremembered(words.slice(start, start + 6), book, means.astray),
  };
  return KINDS.map((kind) => ({
    kind,
    query: asked[kind].join(" "),
    paragraphId: kind === "scatter" ? null : paragraph.id,
    chapterId: paragraph.chapterId,
  }));
}

/** One of the words exchanged for a word from anywhere in the book. */
function misremembered(words: readonly string[], book: Book, random: Random): string[] {
  const at = Math.floor(random() * words.length);
  let wrong = words[at];
  while (wrong === undefined || words.includes(wrong)) {
    const others = plainWords(book.paragraphs[Math.floor(random() * book.paragraphs.length)]?.text ?? "");
    wrong = others[Math.floor(random() * others.length)];
  }
  return words.map((word, index) => (index === at ? wrong : word));
}

/** So many of the words, in their own order. */
function chosen(words: readonly string[], count: number, random: Random): string[] {
  const left = [...words];
  while (left.length > count) left.splice(Math.floor(random() * left.length), 1);
  return left;
}

function scatteredWords(book: Book, index: number, random: Random): string[] | undefined {
  const near = [index - 1, index, index + 1].map((at) => book.paragraphs[at]);
  const chapterId = near[1]?.chapterId;
  const words = near.map((paragraph) => {
    if (paragraph?.chapterId !== chapterId) return undefined;
    const content = contentWords(paragraph?.text ?? "");
    return content[Math.floor(random() * content.length)];
  });
  const known = words.filter((word) => word !== undefined);
  return new Set(known).size === 3 ? known : undefined;
}

/** At most two of the words exchanged for another of the same stem. */
function inflected(words: readonly string[], { random, forms, stem }: Means): string[] {
  const asked = [...words];
  let left = 2;
  for (const [index, word] of words.entries()) {
    const others = (forms.get(stem(word)) ?? []).filter((form) => form !== word);
    if (left === 0 || others.length === 0) continue;
    asked[index] = others[Math.floor(random() * others.length)]!; // not empty
    left -= 1;
  }
  return asked;
}

/** One letter of the longest word dropped, doubled by another, changed or exchanged with the next. */
function misspelt(words: readonly string[], random: Random): string[] {
  const longest = words.reduce((long, word) => (word.length > long.length ? word : long));
  const at = 1 + Math.floor(random() * (longest.length - 2));
  const letter = String.fromCharCode(97 + Math.floor(random() * 26));
  const spelt = [
    longest.slice(0, at) + longest.slice(at + 1),
    longest.slice(0, at) + letter + longest.slice(at),
    longest.slice(0, at) + letter + longest.slice(at + 1),
    longest.slice(0, at) + longest.charAt(at + 1) + longest.charAt(at) + longest.slice(at + 2),
  ][Math.floor(random() * 4)]!; // four ways
  return words.map((word) => (word === longest ? spelt : word));
}
