import { detached } from "./text/numbered-words.ts";
import type { Token } from "./tokens.ts";
import {
  AIMING_WORDS,
  isHonorific,
  isPreposition,
  PERSON_VERBS,
  PLACE_PREPOSITIONS,
  SPEECH_VERBS,
  WAY_PREPOSITIONS,
} from "./word-lists.ts";

/** The tally of a word never met with a capital. */
export const NO_CAPITALS = {
  /** Where a capital tells nothing. */
  start: 0,
  /** Within a sentence, where only names have capitals. */
  middle: 0,
  /** WHOLLY IN CAPITALS; counted nowhere else. */
  upper: 0,
  afterHonorific: 0,
  besideSpeech: 0,
  beforeDeed: 0,
  inPlace: 0,
  onWay: 0,
  possessive: 0,
  afterThe: 0,
  afterA: 0,
  afterCapital: 0,
  vocative: 0,
};
/** How often a word stood with a capital, and in what company. All are counts of occurrences. */
export type CapitalTally = typeof NO_CAPITALS;
const FIELDS = Object.keys(NO_CAPITALS) as (keyof CapitalTally)[];

/** Counts of some prose; keys are those of `Token`. Sums of tallies are tallies: the order does not matter. */
export interface WordTally {
  words: number;
  /** Occurrences in small letters. */
  lower: Map<string, number>;
  capital: Map<string, CapitalTally>;
}

/** A tally of nothing. */
export function emptyTally(): WordTally {
  return { words: 0, lower: new Map(), capital: new Map() };
}

/** Adds a tally to another, or takes it away again with `sign` -1. */
export function addTally(total: WordTally, part: WordTally, sign: 1 | -1): void {
  total.words += sign * part.words;
  part.lower.forEach((count, key) => {
    const sum = (total.lower.get(key) ?? 0) + sign * count;
    if (sum === 0) total.lower.delete(key);
    else total.lower.set(key, sum);
  });
  part.capital.forEach((counts, key) => {
    const sum = capitalOf(total, key);
    for (const field of FIELDS) if (counts[field] !== 0) sum[field] += sign * counts[field];
    if (sum.start + sum.middle + sum.upper === 0) total.capital.delete(key);
  });
}

/** Adds what these tokens of a block are seen doing. */
export function tallyTokens(tally: WordTally, tokens: readonly Token[]): void {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!; // within the bounds
    if (token.kind !== "word") continue;
    tally.words++;
    if (token.shape === "lower") countSmall(tally.lower, token.key);
    else tallyCapital(capitalOf(tally, token.key), token, tokens, at);
  }
}

function countSmall(lower: Map<string, number>, key: string): void {
  const count = lower.get(key);
  if (count === undefined) lower.set(detached(key), 1);
  else lower.set(key, count + 1);
}

function capitalOf({ capital }: WordTally, key: string): CapitalTally {
  let counts = capital.get(key);
  if (counts === undefined) {
    counts = { ...NO_CAPITALS };
    capital.set(detached(key), counts);
  }
  return counts;
}

function tallyCapital(counts: CapitalTally, token: Token, tokens: readonly Token[], at: number): void {
  if (token.shape === "upper") {
    counts.upper++;
    return;
  }
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (token.isStart) counts.start++;
  else {
    counts.middle++;
    if (before !== undefined) tallyBefore(counts, before, tokens, at);
  }
  const lead = before?.key === "the" ? tokens[at - 2] : before; // "said the Gryphon"
  if (lead !== undefined && SPEECH_VERBS.has(lead.key)) counts.besideSpeech++;
  else if (before?.key === "," && after?.kind === "mark" && /^[,.!?;]$/.test(after.key)) counts.vocative++;
  if (after !== undefined) tallyAfter(counts, before, after);
}

function tallyBefore(counts: CapitalTally, before: Token, tokens: readonly Token[], at: number): void {
  const isOwner = tokens[at + 1]?.kind === "possessive"; // "in Giotto's time" is no place
  if (before.shape === "lower") {
    if (before.key === "the") counts.afterThe++;
    else if (before.key === "a" || before.key === "an") counts.afterA++;
    else if (isOwner) return;
    else if (PLACE_PREPOSITIONS.has(before.key)) counts.inPlace++;
    else if (before.key === "at" && !AIMING_WORDS.has(tokens[at - 2]?.key ?? "")) counts.inPlace++;
    else if (WAY_PREPOSITIONS.has(before.key)) counts.onWay++;
  } else if (isHonorific(before.key)) counts.afterHonorific++;
  else if (before.kind === "word") counts.afterCapital++;
}

function tallyAfter(counts: CapitalTally, before: Token | undefined, after: Token): void {
  if (after.kind === "possessive") counts.possessive++;
  const isObject = before?.kind === "word" && isPreposition(before.key); // "nobody in Marrow would"
  if (after.shape !== "lower" || isObject) return;
  if (SPEECH_VERBS.has(after.key)) counts.besideSpeech++;
  else if (PERSON_VERBS.has(after.key)) counts.beforeDeed++;
}
