import { Sieve, tokensOf } from "../terms/words.ts";
import type { SearchToken } from "../terms/written-word.ts";

/** A stretch of a text that answers the `part`-th term of a question; UTF-16 units, and the place of its first word. */
export interface Highlight {
  from: number;
  to: number;
  place: number;
  part: number;
}

interface HighlightedWord {
  part: number;
  /** Counts only in a text in which no other word answers the term. */
  weak: boolean;
}

/** The words and phrases that answer the terms of one question. */
export class Highlights {
  readonly #sieve = new Sieve();
  readonly #words = new Map<string, HighlightedWord>();
  readonly #phrases: { terms: readonly string[]; part: number }[] = [];

  /** A weak word, such as a completion, counts only if nothing better answers its term. */
  addWord(word: string, part: number, weak = false): void {
    const known = this.#words.get(word);
    if (known !== undefined && (weak || !known.weak)) return;
    this.#sieve.open(word);
    this.#words.set(word, { part, weak });
  }

  /** Words that answer only side by side. */
  addPhrase(terms: readonly string[], part: number): void {
    for (const term of terms) this.#sieve.open(term);
    this.#phrases.push({ terms, part });
  }

  /**
   * Every stretch of the text that answers, by where it begins; stretches may overlap. `guesses`: weak words too where a
   * better one stands elsewhere in the text. O(n).
   */
  find(text: string, { guesses = false } = {}): Highlight[] {
    const tokens = tokensOf(text, this.#sieve);
    const strong: Highlight[] = [];
    const weak: Highlight[] = [];
    for (const token of tokens) {
      const word = this.#words.get(token.term);
      if (word !== undefined) (word.weak ? weak : strong).push(highlightAt(token, word.part));
    }
    for (const { terms, part } of this.#phrases) {
      for (const stretch of phraseStretches(tokens, terms)) strong.push(highlightAt(stretch, part));
    }
    if (weak.length === 0 && this.#phrases.length === 0) return strong; // in order already
    const answered = new Set(strong.map(({ part }) => part));
    strong.push(...weak.filter(({ part }) => guesses || !answered.has(part)));
    return strong.sort((a, b) => a.from - b.from || a.to - b.to);
  }
}

function highlightAt({ from, to, place }: Stretch, part: number): Highlight {
  return { from, to, place, part };
}

/** A stretch that no term has claimed yet. */
type Stretch = Omit<Highlight, "part">;

/** Where the terms stand next to each other in that order. */
export function phraseStretches(tokens: readonly SearchToken[], terms: readonly string[]): Stretch[] {
  const found: Stretch[] = [];
  for (const [start, first] of tokens.entries()) {
    if (first.term !== terms[0]) continue;
    const last = phraseEnd(tokens, start, terms);
    if (last !== undefined) found.push({ from: first.from, to: last.to, place: first.place });
  }
  return found;
}

/** The last token of the phrase that begins with the token at `start`. */
function phraseEnd(
  tokens: readonly SearchToken[],
  start: number,
  terms: readonly string[],
): SearchToken | undefined {
  let token = tokens[start];
  const first = token?.place ?? 0;
  let at = start;
  for (let index = 1; index < terms.length && token !== undefined; index += 1) {
    do {
      at += 1;
      token = tokens[at];
      if (token !== undefined && token.place > first + index) return undefined;
    } while (token !== undefined && !(token.place === first + index && token.term === terms[index]));
  }
  return token;
}
