import { isCommon, isGroupWord } from "../words/common.ts";
import { isGiven } from "../words/given.ts";
import { isHonorific } from "../words/honorifics.ts";
import { isPlaceHead } from "../words/places.ts";
import type { Token } from "./tokens.ts";

/** Capitalised words that stand together, with small words between them as in "Duke of Avon"; not yet judged. */
export interface Run {
  /** Index of the block in its chapter. */
  block: number;
  words: readonly Token[];
  /** Keys of what stands around it; "" at the ends of the block. */
  beforeThat: string;
  before: string;
  after: string;
  afterThat: string;
}

/** A token that begins or carries on a run. */
type Capital = Token & { kind: "word"; shape: "capital" | "upper" };

const PARTICLES = new Set("de du des della di da la le von van der den ten zu y al el bin ibn ap".split(" "));
const EPITHETS = new Set(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth great terrible elder younger bold good brave bald fair conqueror confessor magnificent wise".split(
    " ",
  ),
);

/** The runs of a block's tokens, in order. O(tokens). */
export function findRuns(tokens: readonly Token[], block: number): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isCapital(tokens[at])) continue;
    const words = [tokens[at]!]; // the line above
    let end = at;
    for (let next = follow(tokens, end, words); next > end; next = follow(tokens, end, words)) {
      for (let index = end + 1; index <= next; index++) words.push(tokens[index]!); // follow stays within
      end = next;
    }
    runs.push({
      block,
      words,
      beforeThat: tokens[at - 2]?.key ?? "",
      before: tokens[at - 1]?.key ?? "",
      after: tokens[end + 1]?.key ?? "",
      afterThat: tokens[end + 2]?.key ?? "",
    });
    at = end;
  }
  return runs;
}

/** Index of the last token that still belongs to the run that ends at `end`; `end` itself when nothing follows. */
function follow(tokens: readonly Token[], end: number, words: readonly Token[]): number {
  const next = tokens[end + 1];
  if (isCapital(next) && isHonorific(next.key) && isCapital(tokens[end + 2]) && isApart(words)) return end;
  if (isCapital(next))
    return next.isStart && words.at(-1)?.text.endsWith(".") && isCommon(next.key) ? end : end + 1;
  if (next?.kind === "possessive") {
    const owned = tokens[end + 2];
    return isCapital(owned) && (isPlaceHead(owned.key) || isGroupWord(owned.key)) ? end + 2 : end;
  }
  if (next?.kind !== "word") return end;
  if (PARTICLES.has(next.key)) {
    if (isCapital(tokens[end + 2])) return end + 2;
    return PARTICLES.has(tokens[end + 2]?.key ?? "") && isCapital(tokens[end + 3]) ? end + 3 : end;
  }
  if (next.key === "the" && isEpithet(tokens[end + 2])) return end + 2;
  if (next.key === "of" && joinsByOf(words)) {
    if (isCapital(tokens[end + 2])) return end + 2;
    return tokens[end + 2]?.key === "the" && isCapital(tokens[end + 3]) ? end + 3 : end;
  }
  return end;
}

function isCapital(token: Token | undefined): token is Capital {
  if (token === undefined || token.kind !== "word" || token.shape === "lower") return false;
  return token.shape === "capital" || !isCommon(token.key) || isHonorific(token.key); // "LADY HOWARD TO THE REV. MR. VILLARS"
}

/** True where a name is complete before a title: "Baker Street" in "from Baker Street Lord Avon came". */
function isApart(words: readonly Token[]): boolean {
  const last = words.at(-1)?.key ?? "";
  return words.length > 1 && (isPlaceHead(last) || isGiven(last)) && !isHonorific(words[0]?.key ?? "");
}

/** "Rudolf the Fifth". */
function isEpithet(token: Token | undefined): boolean {
  return isCapital(token) && EPITHETS.has(token.key);
}

/** "Duke of Avon", "Isle of Wight"; not "Mara of Marrow". */
function joinsByOf(words: readonly Token[]): boolean {
  const last = words.at(-1)?.key ?? "";
  if (last === "head" || last === "bank") return false;
  return isHonorific(last) || isHonorific(words[0]?.key ?? "") || isPlaceHead(last);
}
