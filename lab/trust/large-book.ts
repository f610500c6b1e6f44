import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomFrom } from "../../test/support/random.ts";

const WORDS_A_CHAPTER = 40_000;
const WORDS_A_PARAGRAPH = 80;
const VOCABULARY = 30_000;
const NAMES = 1000;

/** Writes a book of about so many words into a new folder, a Markdown file a chapter: the same text in every run. */
export function writeLargeBook(folder: string, words: number): void {
  mkdirSync(folder, { recursive: true });
  const random = randomFrom(words);
  const vocabulary = Array.from({ length: VOCABULARY }, () => wordOf(random));
  const names = Array.from({ length: NAMES }, () => capital(wordOf(random)));
  const chapters = Math.ceil(words / WORDS_A_CHAPTER);
  for (let chapter = 1; chapter <= chapters; chapter++) {
    const count = Math.min(WORDS_A_CHAPTER, words - (chapter - 1) * WORDS_A_CHAPTER);
    const paragraphs = Array.from({ length: Math.ceil(count / WORDS_A_PARAGRAPH) }, () =>
      paragraphOf(random, vocabulary, names),
    );
    const text = `# Chapter ${chapter}\n\n${paragraphs.join("\n\n")}\n`;
    writeFileSync(join(folder, `${String(chapter).padStart(4, "0")}.md`), text);
  }
}

function paragraphOf(random: () => number, vocabulary: readonly string[], names: readonly string[]): string {
  const sentences: string[] = [];
  for (let left = WORDS_A_PARAGRAPH; left > 0; left -= 16) {
    const words = Array.from({ length: 15 }, () => pick(vocabulary, random));
    words.splice(4, 0, random() < 0.5 ? pick(names, random) : "the");
    sentences.push(`${capital(words.join(" "))}.`);
  }
  return sentences.join(" ");
}

/**
 * One of them, the first the most often by far, as words come in a language. Source:
 * https://en.wikipedia.org/wiki/Zipf%27s_law.
 */
function pick(from: readonly string[], random: () => number): string {
  return from[Math.floor(from.length ** random()) - 1]!; // from 1 to less than their number
}

const SYLLABLES =
  "ba be bo da de do fa fe fi ga go ka ke ki la le lo ma me mi na ne no ra re ri sa se so ta te to va".split(
    " ",
  );

function wordOf(random: () => number): string {
  const length = 1 + Math.floor(random() * 4);
  return Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join("");
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
