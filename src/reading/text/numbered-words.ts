/** Words by number, from 0: what is kept of many chapters shares each word. They only grow. */
export class NumberedWords {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];

  /** The number of a word, its own from now on. */
  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const own = detached(word);
    const number = this.#words.push(own) - 1;
    this.#numbers.set(own, number);
    return number;
  }

  /** The number that a word has already. */
  find(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  /** The word of a number that was given. */
  wordOf(number: number): string {
    return this.#words[number] ?? "";
  }
}

/** From this length on V8 keeps a piece of a text as a view of it, and with it the whole paragraph. */
const SLICED = 13;

/** A word that keeps nothing but itself. */
export function detached(word: string): string {
  return word.length < SLICED ? word : Buffer.from(word, "utf16le").toString("utf16le");
}
