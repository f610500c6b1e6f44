import type { Run } from "../../../reading/capital-runs.ts";
import type { CapitalTally, WordTally } from "../../../reading/tally.ts";
import type { Token } from "../../../reading/tokens.ts";
import {
  AIMING_WORDS,
  endingWeight,
  GROUP_WORDS,
  isGiven,
  isHonorific,
  isPreposition,
  PERSON_VERBS,
  PLACE_HEADS,
  PLACE_LEADS,
  PLACE_PREPOSITIONS,
  placeWeight,
  SPEECH_VERBS,
  SURE_LEADS,
  WAY_PREPOSITIONS,
} from "../../../reading/word-lists.ts";
import { largest } from "../../../text/extremes.ts";
import { isBeside, isBorne, isSpeaker, tallyOf } from "./evidence.ts";

const RIVER_PREPOSITIONS = new Set(
  "in into near across along over through beyond up down at by to from on beside".split(" "),
);
/** A possible name within a run, and its ends. */
export interface Candidate {
  run: Run;
  words: readonly Token[];
  first: Token;
  last: Token;
}

/** A candidate with the counts of its last word, and whether that word speaks. */
interface Known extends Candidate {
  tally: Readonly<CapitalTally>;
  total: WordTally;
  isSpeaking: boolean;
}

/** Evidence for and against a person: titles, given names, speech and deeds, here and in the whole book. */
const PERSON: readonly (readonly [weight: number, holds: (name: Known) => boolean])[] = [
  [6, isTitled],
  [2.5, ({ words }) => words.some(({ key }) => isGiven(key))],
  [1, ({ tally }) => tally.afterHonorific > 0],
  [0.5, ({ tally }) => tally.possessive > 0],
  [0.9, ({ tally, last, total }) => tally.middle > 0 && !total.lower.has(last.key)],
  [0.5, ({ words, total }) => words.length > 1 && words.every(({ key }) => !total.lower.has(key))],
  [
    0.6,
    ({ run, total }) =>
      isBeside(run.before, run.beforeThat, total) || isBeside(run.after, run.afterThat, total),
  ],
  [-2, ({ tally, isSpeaking }) => tally.afterThe > tally.middle / 2 && !isSpeaking],
  [-1, ({ tally }) => tally.afterA > tally.middle / 3],
  [2, ({ run }) => isBesideSpeech(run)],
  [1, ({ run }) => !isBesideSpeech(run) && PERSON_VERBS.has(run.after) && !isPreposition(run.before)],
  [-1.5, ({ run, words, isSpeaking }) => run.before === "the" && words.length === 1 && !isSpeaking],
  [0.5, ({ run }) => run.before === "," && /^[,.!?;]$/.test(run.after)],
  [-3, ({ last }) => GROUP_WORDS.has(last.key)],
  [8, isFamilyOfMany],
];

/** Returns the evidence for a person and for a place, about 1 to 15 each. */
export function scoresOf(candidate: Candidate, total: WordTally): { person: number; place: number } {
  const { key } = candidate.last;
  const known = { ...candidate, total, tally: tallyOf(total, key), isSpeaking: isSpeaker(key, total) };
  return { person: personScore(known), place: placeScore(known) };
}

function personScore(name: Known): number {
  const { tally } = name;
  const seen = Math.max(1, tally.middle + tally.start);
  const company = 2 * (tally.besideSpeech + 2 * tally.afterHonorific + tally.vocative) + tally.beforeDeed;
  let score = 4 * Math.min(1, company / seen);
  for (const [weight, holds] of PERSON) if (holds(name)) score += weight;
  return score;
}

/** Titles that streets and houses bear as well: "Queen Square". */
const PLACE_TITLES = new Set("st saint king queen prince princess lord lady duke general bishop".split(" "));

function isTitled({ words, first, last }: Candidate): boolean {
  if (words.length < 2 || !isHonorific(first.key)) return false;
  if (PLACE_HEADS.has(last.key) && PLACE_TITLES.has(first.key)) return false;
  return !/^(?:st|saint)$/.test(first.key); // of saints, what stands around tells: "St. Malo" is a place
}

/** True for a name right before or after a verb of speech. */
export function isBesideSpeech({ before, after }: Run): boolean {
  return SPEECH_VERBS.has(after) || SPEECH_VERBS.has(before);
}

/** "the Hales". */
function isFamilyOfMany({ run, last, total }: Known): boolean {
  return run.before === "the" && last.key.endsWith("s") && isBorne(last.key.slice(0, -1), total);
}

/** Lists, endings, "Street", prepositions, here and in the whole book. */
function placeScore({ run, words, first, last, tally, total }: Known): number {
  let score = 4 * Math.min(1, (2 * tally.inPlace + 0.3 * tally.onWay) / Math.max(1, tally.middle));
  score += 3 * largest(words.map(({ key }) => placeWeight(key)));
  score += 1.5 * endingWeight(last.key);
  if (words.length > 1 && PLACE_HEADS.has(last.key) && !isTitled({ run, words, first, last })) score += 6;
  if (words.length > 1 && PLACE_LEADS.has(first.key)) score += SURE_LEADS.has(first.key) ? 4.5 : 1.5;
  if (words.some(({ key }) => key === "of") && PLACE_HEADS.has(first.key)) score += 4;
  if (run.after !== "'s") score += nearness(run, last.key.endsWith("s") || total.lower.has(last.key));
  if (GROUP_WORDS.has(last.key)) score -= 3;
  return score;
}

function nearness({ before, beforeThat }: Run, isThing: boolean): number {
  if (PLACE_PREPOSITIONS.has(before)) return 2;
  if (before === "at") return AIMING_WORDS.has(beforeThat) ? 0 : 2;
  if (before === "the") return !isThing && RIVER_PREPOSITIONS.has(beforeThat) ? 1.2 : 0;
  return WAY_PREPOSITIONS.has(before) ? 0.3 : 0;
}
