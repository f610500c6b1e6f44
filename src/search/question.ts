import { LIMITS } from "../contract/limits.ts";
import type { Token } from "./token.ts";
import { tokensOf } from "./words.ts";

/** A word of the question. `parts`: what "to-day" is made of, empty for plain words. */
export interface AskedWord {
  kind: "word";
  term: string;
  parts: readonly string[];
  /** Written with a star: every word that begins so. */
  prefix: boolean;
  /** The last word of the question, perhaps half typed. */
  last: boolean;
}

/** Words that must stand side by side, as written: never stemmed, never corrected. */
export interface AskedPhrase {
  kind: "phrase";
  terms: readonly string[];
}

export type Asked = AskedWord | AskedPhrase;

/** What a query asks for. `ignored`: distinct words beyond the sixteenth, as typed. */
export interface Question {
  wanted: readonly Asked[];
  unwanted: readonly Asked[];
  ignored: readonly string[];
}

const QUOTES = /[“”„‟«»″＂]/gu;
const PIECE = /(?:(?<!\S)(-))?(?:"([^"]*)"?|([^\s"]+))/gu;
const HANGUL = /^\p{Script=Hangul}+$/u;

/**
 * Words, `"phrases"` (an unclosed quote runs to the end), `-word`, `-"phrase"` and `word*` of at least two letters.
 * Every query is a question: what cannot be read as syntax is read as words. Source: contract, Search.
 */
export function readQuestion(query: string): Question {
  const text = query.replace(QUOTES, '"');
  const reader = new QuestionReader();
  for (const [, minus, quoted, bare] of text.matchAll(PIECE)) {
    const to = minus === undefined ? reader.wanted : reader.unwanted;
    if (quoted !== undefined) reader.readPhrase(quoted, to);
    else if (bare !== undefined) reader.readWords(bare, to);
  }
  const ending = /[^\s"*\p{P}]$/u.test(text);
  return reader.finish(ending);
}

class QuestionReader {
  readonly wanted: Asked[] = [];
  readonly unwanted: Asked[] = [];
  readonly #words = new Set<string>();
  readonly #ignored = new Map<string, string>();
  readonly #asked = new Set<string>();

  readPhrase(quoted: string, to: Asked[]): void {
    const tokens = tokensOf(quoted).filter((token) => token.kind !== "tail" && token.kind !== "joined");
    const spelled = tokens.filter(
      (token, index) => token.kind !== "single" || tokens[index - 1]?.kind !== "pair",
    );
    const terms = spelled.filter((token) => this.#admit(token.term, quoted.slice(token.from, token.to)));
    if (terms.length > 0) this.#ask({ kind: "phrase", terms: terms.map((token) => token.term) }, to, quoted);
  }

  readWords(bare: string, to: Asked[]): void {
    const tokens = tokensOf(bare);
    const starred = bare.endsWith("*");
    let at = 0;
    while (at < tokens.length) at = this.#readWord(bare, tokens, at, starred, to);
  }

  finish(ending: boolean): Question {
    const last = this.wanted.at(-1);
    if (last?.kind === "word" && !last.prefix && ending) {
      this.wanted[this.wanted.length - 1] = { ...last, last: true };
    }
    return { wanted: this.wanted, unwanted: this.unwanted, ignored: [...this.#ignored.values()] };
  }

  /** Reads the word at `at` and answers where the next begins. */
  #readWord(bare: string, tokens: readonly Token[], at: number, starred: boolean, to: Asked[]): number {
    const token = tokens[at]!; // the caller stays inside
    if (token.kind === "pair" || token.kind === "single") return this.#readRun(bare, tokens, at, to);
    if (token.kind === "tail") return at + 1;
    let end = at + 1;
    if (token.kind === "joined") while (end < tokens.length && tokens[end]!.to <= token.to) end += 1;
    const parts =
      token.kind === "joined" ? tokens.slice(at + 1, end).filter((part) => part.kind === "word") : [];
    if (!this.#admit(token.term, bare.slice(token.from, token.to))) return end;
    const atEnd = end >= tokens.length || tokens[end]!.kind === "tail";
    const prefix = (starred && atEnd && token.term.length >= 2) || HANGUL.test(token.term);
    const terms = parts.map((part) => part.term);
    this.#ask({ kind: "word", term: token.term, parts: terms, prefix, last: false }, to, bare);
    return end;
  }

  /** A run of Han or kana is a phrase of its pairs; one character alone begins a pair or ends a run. */
  #readRun(bare: string, tokens: readonly Token[], at: number, to: Asked[]): number {
    let end = at;
    while (tokens[end]?.kind === "pair") end += 1;
    const pairs = tokens.slice(at, end);
    const single = tokens[end];
    const from = tokens[at]!.from; // the caller stays inside
    const spelled = bare.slice(from, single?.to);
    if (pairs.length > 0) {
      const terms = pairs.map((token) => token.term);
      if (this.#admit(terms.join(" "), spelled)) this.#ask({ kind: "phrase", terms }, to, spelled);
    } else if (single !== undefined && this.#admit(single.term, spelled)) {
      this.#ask({ kind: "word", term: single.term, parts: [], prefix: true, last: false }, to, spelled);
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
  #ask(asked: Asked, to: Asked[], spelled: string): void {
    const key = JSON.stringify([asked, to === this.unwanted]);
    if (this.#asked.has(key)) return;
    if (to.length >= LIMITS.queryWords) this.#ignored.set(key, spelled);
    else {
      this.#asked.add(key);
      to.push(asked);
    }
  }
}
