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
  readonly #answers = new Map<string, Answers>();

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
   * better one stands elsewhere in the text. O(n) the first time, when all words are known; a text is read once.
   */
  find(text: string, { guesses = false } = {}): readonly Highlight[] {
    let answers = this.#answers.get(text);
    if (answers === undefined) {
      answers = this.#read(text);
      this.#answers.set(text, answers);
    }
    return guesses ? answers.withGuesses : answers.certain;
  }

  #read(text: string): Answers {
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
    if (this.#phrases.length > 0) strong.sort(inOrder); // words are in order already
    if (weak.length === 0) return { certain: strong, withGuesses: strong };
    const answered = new Set(strong.map(({ part }) => part));
    const unanswered = weak.filter(({ part }) => !answered.has(part));
    return {
      certain: [...strong, ...unanswered].sort(inOrder),
      withGuesses: [...strong, ...weak].sort(inOrder),
    };
  }
}

/** What answers in one text, without the guesses for a term that something better answers there, and with them. */
interface Answers {
  certain: readonly Highlight[];
  withGuesses: readonly Highlight[];
}

function inOrder(a: Highlight, b: Highlight): number {
  return a.from - b.from || a.to - b.to;
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
