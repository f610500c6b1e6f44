import { LIMITS } from "../../contract/limits.ts";
import { type SearchToken, tokensOf } from "../terms/words.ts";

/** A word of the question. `parts`: what "to-day" is made of, empty for plain words. */
export interface QueryWord {
  kind: "word";
  term: string;
  parts: readonly string[];
  /** Written with a star: every word that begins so. */
  prefix: boolean;
  /** The last word of the question, perhaps half typed. */
  last: boolean;
}

/** Words that must stand side by side, as written: never stemmed, never corrected. */
export interface QueryPhrase {
  kind: "phrase";
  terms: readonly string[];
}

/** One term of a question. */
export type QueryTerm = QueryWord | QueryPhrase;

/** What a query asks for. `ignored`: distinct words beyond the sixteenth, as typed. */
export interface SearchQuestion {
  wanted: readonly QueryTerm[];
  unwanted: readonly QueryTerm[];
  ignored: readonly string[];
}

const QUOTES = /[“”„‟«»″＂]/gu;
const PIECE = /(?:(?<!\S)(-))?(?:"([^"]*)"?|([^\s"]+))/gu;
// Ends in a letter, of a piece that has no minus and no quote before it.
const HALF_TYPED = /(?<!\S)(?!-)[^\s"]*[^\s"*\p{P}]$/u;
const HANGUL = /^\p{Script=Hangul}+$/u;

/**
 * Words, `"phrases"` (an unclosed quote runs to the end), `-word`, `-"phrase"` and `word*` of at least two letters.
 * Every query is a question: what cannot be read as syntax is read as words. Source: llms.txt, GET
 * /books/{bookId}/search.
 */
export function readQuestion(query: string): SearchQuestion {
  const text = query.replace(QUOTES, '"');
  const reader = new QuestionReader();
  for (const [, minus, quoted, bare] of text.matchAll(PIECE)) {
    const to = minus === undefined ? reader.wanted : reader.unwanted;
    if (quoted !== undefined) reader.readPhrase({ text: quoted, tokens: tokensOf(quoted), to });
    else if (bare !== undefined) reader.readWords({ text: bare, tokens: tokensOf(bare), to });
  }
  return reader.finish(HALF_TYPED.test(text));
}

/** Text between spaces or quotes, and whether it is wanted or not. */
interface Piece {
  text: string;
  tokens: readonly SearchToken[];
  to: QueryTerm[];
}

class QuestionReader {
  readonly wanted: QueryTerm[] = [];
  readonly unwanted: QueryTerm[] = [];
  readonly #words = new Set<string>();
  readonly #ignored = new Map<string, string>();
  readonly #terms = new Set<string>();

  readPhrase(piece: Piece): void {
    const written = piece.tokens.filter(({ kind }) => kind !== "tail" && kind !== "joined");
    // The last character of a run ends it: a phrase that goes on asks for that, one that stops there does not.
    if (written.at(-1)?.kind === "single" && written.at(-2)?.kind === "pair") written.pop();
    const admitted = written.filter((token) =>
      this.#admit(token.term, piece.text.slice(token.from, token.to)),
    );
    const terms = admitted.map(({ term }) => term);
    if (terms.length > 0) this.#add({ kind: "phrase", terms }, piece, piece.text);
  }

  readWords(piece: Piece): void {
    let at = 0;
    while (at < piece.tokens.length) {
      const kind = piece.tokens[at]?.kind;
      if (kind === "pair" || kind === "single") at = this.#readRun(piece, at);
      else at = this.#readWord(piece, at);
    }
  }

  /** `halfTyped`: the query ends in the midst of a word that is wanted. */
  finish(halfTyped: boolean): SearchQuestion {
    const last = this.wanted.at(-1);
    if (halfTyped && last?.kind === "word" && !last.prefix) {
      this.wanted[this.wanted.length - 1] = { ...last, last: true };
    }
    return { wanted: this.wanted, unwanted: this.unwanted, ignored: [...this.#ignored.values()] };
  }

  /** Reads the word at `at`, with its tails and parts, and returns the index of the next. */
  #readWord(piece: Piece, at: number): number {
    const { text, tokens } = piece;
    const word = tokens[at]!; // the caller stays inside
    let end = at + 1;
    while ((tokens[end]?.to ?? Number.POSITIVE_INFINITY) <= word.to) end += 1;
    const within = tokens.slice(at + 1, end).filter(({ kind }) => kind === "word");
    const spelled = text.slice(word.from, word.to);
    if (!this.#admit(word.term, spelled)) return end;
    const starred = text.endsWith("*") && end === tokens.length && word.term.length >= 2;
    const prefix = starred || HANGUL.test(word.term);
    const parts = within.map(({ term }) => term);
    this.#add({ kind: "word", term: word.term, parts, prefix, last: false }, piece, spelled);
    return end;
  }

  /** Reads a run of Han or kana: a phrase of its pairs; one character alone begins a pair or ends a run. */
  #readRun(piece: Piece, at: number): number {
    let end = at;
    while (piece.tokens[end]?.kind === "pair") end += 1;
    const pairs = piece.tokens.slice(at, end);
    const last = piece.tokens[end]!; // every run ends in a single
    const spelled = piece.text.slice(piece.tokens[at]!.from, last.to); // the caller stays inside
    const terms = pairs.map(({ term }) => term);
    if (this.#admit(terms.join(" ") || last.term, spelled)) {
      const alone = { kind: "word", term: last.term, parts: [], prefix: true, last: false } as const;
      this.#add(terms.length > 0 ? { kind: "phrase", terms } : alone, piece, spelled);
    }
    return end + 1;
  }

  #admit(term: string, spelled: string): boolean {
    if (this.#words.has(term)) return true;
    if (this.#words.size < LIMITS.queryWords) {
      this.#words.add(term);
      return true;
    }
    if (!this.#ignored.has(term)) this.#ignored.set(term, spelled);
    return false;
  }

  /** Asks for it once. Sixteen words can make more phrases than that: those are ignored too. */
  #add(term: QueryTerm, { to }: Piece, spelled: string): void {
    const key = JSON.stringify([term, to === this.unwanted]);
    if (this.#terms.has(key)) return;
    if (to.length >= LIMITS.queryWords) this.#ignored.set(key, spelled);
    else {
      this.#terms.add(key);
      to.push(term);
    }
  }
}
