import { phraseStretches } from "../excerpt/highlights.ts";
import type { IndexedPassage } from "../index/passages.ts";
import { holdsPlainly, Sieve, tokensOf } from "../terms/words.ts";

/**
 * Which passages hold the phrases of one question in their text: the index knows what a passage holds, not where. A
 * passage is read once for all phrases, whatever their number; a question has at most 16 + 16 of them.
 */
export class Phrases {
  readonly #phrases: (readonly string[])[] = [];
  readonly #sieve = new Sieve();
  /** One bit a phrase. */
  readonly #known = new Map<IndexedPassage, number>();

  /** Adds a phrase that will be looked for, before any of it is read. */
  add(terms: readonly string[]): void {
    if (terms.length < 2 || this.#find(terms) >= 0) return;
    for (const term of terms) this.#sieve.open(term);
    this.#phrases.push(terms);
  }

  /** Tells whether the terms stand side by side in a passage that holds them all. */
  reader(terms: readonly string[]): (passage: IndexedPassage) => boolean {
    if (terms.length === 1) return () => true;
    const written = terms.join(" ");
    const bit = 1 << this.#find(terms);
    return (passage) => {
      if (!this.#known.has(passage) && holdsPlainly(passage.text, written)) return true;
      return (this.#heldBy(passage) & bit) !== 0;
    };
  }

  #find(terms: readonly string[]): number {
    const written = terms.join(" ");
    return this.#phrases.findIndex((phrase) => phrase.join(" ") === written);
  }

  #heldBy(passage: IndexedPassage): number {
    let bits = this.#known.get(passage);
    if (bits === undefined) {
      const tokens = tokensOf(passage.text, this.#sieve);
      bits = 0;
      for (const [index, terms] of this.#phrases.entries()) {
        if (phraseStretches(tokens, terms).length > 0) bits |= 1 << index;
      }
      this.#known.set(passage, bits);
    }
    return bits;
  }
}
