import { holdsPlainly, type SearchToken, tokensOf } from "../terms/words.ts";

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

/** The words and phrases that answer the terms of one question. Each text is read once. */
export class Highlights {
  readonly #words = new Map<string, HighlightedWord>();
  readonly #phrases: { terms: readonly string[]; part: number }[] = [];
  readonly #tokens = new Map<string, readonly SearchToken[]>();
  readonly #answers = new Map<string, Answers>();

  /** A weak word, such as a completion, counts only if nothing better answers its term. */
  addWord(word: string, part: number, weak = false): void {
    const known = this.#words.get(word);
    if (known !== undefined && (weak || !known.weak)) return;
    this.#words.set(word, { part, weak });
  }

  /** Words that answer only side by side. */
  addPhrase(terms: readonly string[], part: number): void {
    this.#phrases.push({ terms, part });
  }

  /** True if the terms stand side by side in the text. */
  holdsPhrase(text: string, terms: readonly string[]): boolean {
    return holdsPlainly(text, terms.join(" ")) || phraseStretches(this.#tokensOf(text), terms).length > 0;
  }

  /**
   * Finds every stretch of the text that answers, by where it begins; stretches may overlap. `guesses`: weak words too if
   * a better one stands elsewhere in the text. All words must be added before the first call.
   */
  find(text: string, { guesses = false } = {}): readonly Highlight[] {
    let answers = this.#answers.get(text);
    if (answers === undefined) {
      answers = this.#read(text);
      this.#answers.set(text, answers);
    }
    return guesses ? answers.withGuesses : answers.certain;
  }

  #tokensOf(text: string): readonly SearchToken[] {
    let tokens = this.#tokens.get(text);
    if (tokens === undefined) {
      tokens = tokensOf(text);
      this.#tokens.set(text, tokens);
    }
    return tokens;
  }

  #read(text: string): Answers {
    const tokens = this.#tokensOf(text);
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
function phraseStretches(tokens: readonly SearchToken[], terms: readonly string[]): Stretch[] {
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
