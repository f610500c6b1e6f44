import type { Run } from "../text/capital-runs.ts";
import type { WordTally } from "../text/statistics.ts";
import type { Token } from "../text/tokens.ts";
import { isGroupWord } from "../words/common.ts";
import { isGiven } from "../words/given.ts";
import { isHonorific } from "../words/honorifics.ts";
import { endingWeight, isPlaceHead, isPlaceLead, isSureLead, placeWeight } from "../words/places.ts";
import {
  AIMING_WORDS,
  isPreposition,
  PERSON_VERBS,
  PLACE_PREPOSITIONS,
  SPEECH_VERBS,
  WAY_PREPOSITIONS,
} from "../words/words.ts";
import { isBeside, isBorne, isSpeaker, tallyOf } from "./evidence.ts";

const RIVER_PREPOSITIONS = new Set(
  "in into near across along over through beyond up down at by to from on beside".split(" "),
);
/** What speaks for a person: titles, given names, speech and deeds, here and in the whole book. */
export function personScore(words: readonly Token[], run: Run, total: WordTally): number {
  const first = words[0]!; // never empty
  const last = words.at(-1)!;
  const tally = tallyOf(total, last.key);
  const seen = Math.max(1, tally.middle + tally.start);
  const company = 2 * (tally.besideSpeech + 2 * tally.afterHonorific + tally.vocative) + tally.beforeDeed;
  let score = 4 * Math.min(1, company / seen);
  const isTitled = words.length > 1 && isHonorific(first.key);
  if (isTitled && !(first.key.startsWith("st") && placeWeight(last.key) > 0) && !isPlaceHead(last.key))
    score += 6;
  if (words.some(({ key }) => isGiven(key))) score += 2.5;
  if (tally.afterHonorific > 0) score += 1;
  if (tally.possessive > 0) score += 0.5;
  if (tally.middle > 0 && !total.lower.has(last.key)) score += 0.9;
  if (words.length > 1 && words.every(({ key }) => !total.lower.has(key))) score += 0.5;
  if (isBeside(run.before, run.beforeThat, total) || isBeside(run.after, run.afterThat, total)) score += 0.6;
  const isSpeaking = isSpeaker(last.key, total);
  if (tally.afterThe > tally.middle / 2 && !isSpeaking) score -= 2;
  if (tally.afterA > tally.middle / 3) score -= 1;
  if (SPEECH_VERBS.has(run.after) || SPEECH_VERBS.has(run.before)) score += 2;
  else if (PERSON_VERBS.has(run.after) && !isPreposition(run.before)) score += 1;
  if (run.before === "the" && words.length === 1 && !isSpeaking) score -= 1.5;
  if (run.before === "," && /^[,.!?;]$/.test(run.after)) score += 0.5;
  if (isGroupWord(last.key)) score -= 3;
  if (run.before === "the" && last.key.endsWith("s") && isBorne(last.key.slice(0, -1), total)) score += 8; // "the Hales"
  return score;
}

/** What speaks for a place: lists, endings, "Street", prepositions, here and in the whole book. */
export function placeScore(words: readonly Token[], run: Run, total: WordTally): number {
  const first = words[0]!; // never empty
  const last = words.at(-1)!;
  const tally = tallyOf(total, last.key);
  let score = 4 * Math.min(1, (2 * tally.inPlace + 0.3 * tally.onWay) / Math.max(1, tally.middle));
  score += 3 * Math.max(...words.map(({ key }) => placeWeight(key)));
  score += 1.5 * endingWeight(last.key);
  if (words.length > 1 && isPlaceHead(last.key)) score += 6;
  if (words.length > 1 && isPlaceLead(first.key)) score += isSureLead(first.key) ? 4.5 : 1.5;
  if (words.some(({ key }) => key === "of") && isPlaceHead(first.key)) score += 4;
  if (run.after !== "'s") score += nearness(run, last.key.endsWith("s") || total.lower.has(last.key));
  if (isGroupWord(last.key)) score -= 3;
  return score;
}

function nearness({ before, beforeThat }: Run, isThing: boolean): number {
  if (PLACE_PREPOSITIONS.has(before)) return 2;
  if (before === "at") return AIMING_WORDS.has(beforeThat) ? 0 : 2;
  if (before === "the") return !isThing && RIVER_PREPOSITIONS.has(beforeThat) ? 1.2 : 0;
  return WAY_PREPOSITIONS.has(before) ? 0.3 : 0;
}
