import { append } from "../text/extremes.ts";
import type { Token } from "./tokens.ts";
import { COMMON, EPITHETS, GROUP_WORDS, isHonorific, PLACE_HEADS } from "./word-lists.ts";

/** A row of capitalised words, with small words between them as in "Duke of Avon"; not yet judged. */
export interface Run {
  /** Index of the block in its chapter. */
  block: number;
  words: readonly Token[];
  /** Keys of the tokens around it; "" at the ends of the block. */
  beforeThat: string;
  before: string;
  after: string;
  afterThat: string;
}

/** A token that begins or carries on a run. */
type Capital = Token & { kind: "word"; shape: "capital" | "upper" };

const PARTICLES = new Set("de du des della di da la le von van der den ten zu y al el bin ibn ap".split(" "));
const REGNAL = new Set(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth great terrible elder younger bold good brave bald fair conqueror confessor magnificent wise".split(
    " ",
  ),
);

/** The runs of a block's tokens, in order. O(tokens). */
export function findRuns(tokens: readonly Token[], block: number): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at];
    if (!isCapital(first)) continue;
    const words: Token[] = [first];
    let end = at;
    for (let next = follow(tokens, end, words); next > end; next = follow(tokens, end, words)) {
      append(words, tokens.slice(end + 1, next + 1));
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

/** Index of the last token that still belongs to the run that ends at `end`; `end` itself if nothing follows. */
function follow(tokens: readonly Token[], end: number, words: readonly Token[]): number {
  const [next, second, third] = [tokens[end + 1], tokens[end + 2], tokens[end + 3]];
  if (isCapital(next)) return isOfSameName(next, second, words) ? end + 1 : end;
  if (next?.kind === "possessive") {
    return isCapital(second) && (PLACE_HEADS.has(second.key) || GROUP_WORDS.has(second.key)) ? end + 2 : end;
  }
  return next?.kind === "word" ? end + countJoined(next, second, third, words) : end;
}

/** False if a title begins another name, or a common word the sentence behind an initial. */
function isOfSameName(next: Capital, second: Token | undefined, words: readonly Token[]): boolean {
  if (beginsTitled(next, second) && !words.every(leadsToTitle)) return false;
  return !(next.isStart && words.at(-1)?.text.endsWith(".") === true && COMMON.has(next.key));
}

/** How many tokens a small word joins to the name before it, itself included: "de Burgh", "of the Isles"; 0 for none. */
function countJoined(
  { key }: Token,
  second: Token | undefined,
  third: Token | undefined,
  words: readonly Token[],
): number {
  if (key === "the") return isCapital(second) && REGNAL.has(second.key) ? 2 : 0; // "Rudolf the Fifth"
  const isParticle = PARTICLES.has(key);
  if (!isParticle && !(key === "of" && joinsByOf(words))) return 0;
  if (beginsTitled(second, third)) return 0; // "Miss Vincy of Mrs. Casaubon"
  if (isCapital(second)) return 2;
  const isLonger = isParticle ? PARTICLES.has(second?.key ?? "") : second?.key === "the";
  return isLonger && isCapital(third) ? 3 : 0;
}

function isCapital(token: Token | undefined): token is Capital {
  if (token === undefined || token.kind !== "word" || token.shape === "lower") return false;
  return token.shape === "capital" || !COMMON.has(token.key) || isHonorific(token.key); // "LADY HOWARD TO THE REV. MR. VILLARS"
}

/** True for "Mr." in "in Hampshire Mr. Clements came"; not for "Bury St. Edmunds". */
function beginsTitled(title: Token | undefined, next: Token | undefined): boolean {
  const key = title?.key ?? "";
  return isHonorific(key) && !/^(?:st|saint)$/.test(key) && isCapital(title) && isCapital(next);
}

function leadsToTitle({ key }: Token): boolean {
  return isHonorific(key) || EPITHETS.has(key);
}

/** "Duke of Avon", "Isle of Wight"; not "Mara of Marrow". */
function joinsByOf(words: readonly Token[]): boolean {
  const last = words.at(-1)?.key ?? "";
  if (last === "head" || last === "bank") return false;
  return isHonorific(last) || isHonorific(words[0]?.key ?? "") || PLACE_HEADS.has(last);
}
