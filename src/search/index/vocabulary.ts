import { stemmer } from "stemmer";

/** Maps a word to the part that its inflected forms share: `walked` and `walking` to `walk`. */
export type Stem = (word: string) => string;

/** English stems by Porter's algorithm; a word of another language mostly stems to itself. Source: Porter 1980. */
export const englishStem: Stem = stemmer;

/** A stem of one or two letters is that of unrelated words: "on" of "ones", "us" of "used". */
const KIN_LETTERS = 3;

/** What may stand between the parts of a compound: Haustür, Geburtstag, Landeshaupt, Frauenbild. */
const LINKS = ["", "s", "es", "n", "en", "er", "e"];

/** The words of an index, by stem. One that no passage holds any more stays: it finds nothing. */
export class Vocabulary {
  readonly #stem: Stem;
  readonly #words = new Set<string>();
  readonly #families = new Map<string, string[]>();

  constructor(stem: Stem) {
    this.#stem = stem;
  }

  /** Adds the words that are new. */
  learn(words: readonly string[]): void {
    for (const word of words) {
      if (this.#words.has(word)) continue;
      this.#words.add(word);
      const stem = this.#stem(word);
      const family = this.#families.get(stem);
      if (family === undefined) this.#families.set(stem, [word]);
      else family.push(word);
    }
  }

  /** The other words with the word's stem and its first three letters: "used" is kin to "use", "Ines" not to "in". */
  kin(word: string): string[] {
    const start = word.slice(0, KIN_LETTERS);
    if (start.length < KIN_LETTERS) return [];
    const family = this.#families.get(this.#stem(word)) ?? [];
    return family.filter((other) => other !== word && other.startsWith(start));
  }

  /**
   * The words made of this one and another, in German and its like: "haustür" of "tür", if "haus" is a word; "tür"
   * itself need not be one. Both have three letters at least. O(words).
   */
  compoundsOf(part: string, isWord: (word: string) => boolean): string[] {
    if (part.length < KIN_LETTERS) return [];
    const isOther = (rest: string) => rest.length >= KIN_LETTERS && isWord(rest);
    return [...this.#words].filter((whole) => {
      if (whole.length < part.length + KIN_LETTERS) return false;
      const head = whole.endsWith(part) ? whole.slice(0, -part.length) : "";
      const tail = whole.startsWith(part) ? whole.slice(part.length) : "";
      return LINKS.some(
        (link) =>
          (head.endsWith(link) && isOther(head.slice(0, head.length - link.length))) ||
          (tail.startsWith(link) && isOther(tail.slice(link.length))),
      );
    });
  }
}
