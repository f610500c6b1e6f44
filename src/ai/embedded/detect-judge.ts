import type { Run } from "./detect-runs.ts";
import { isCommon, isEpithet, isGroupWord, isMonth, isNeverName } from "./lists-common.ts";
import { isGiven } from "./lists-given.ts";
import { isHonorific } from "./lists-honorifics.ts";
import { endingWeight, isPlaceHead, isPlaceLead, isSureLead, placeWeight } from "./lists-places.ts";
import {
  AIMING_WORDS,
  isPreposition,
  PERSON_VERBS,
  PLACE_PREPOSITIONS,
  SPEECH_VERBS,
  WAY_PREPOSITIONS,
} from "./lists-words.ts";
import type { CapitalTally, WordTally } from "./statistics.ts";
import type { Token } from "./tokens.ts";

/** What of a run may be a name, with what speaks for a person and for a place. */
export interface Scored {
  run: Run;
  words: readonly Token[];
  person: number;
  place: number;
}

const NOTHING: CapitalTally = {
  start: 0,
  middle: 0,
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
const RIVER_PREPOSITIONS = new Set(
  "in into near across along over through beyond up down at by to from on beside".split(" "),
);
/** One in so many speaks: then "the" before a name does not make it a thing. */
const SPEAKING = 6;
const ROMAN = /^[ivx]+$/;
const DETERMINERS = new Set(
  "the a an this that these those no any some every one two three my your his her our their".split(" "),
);

/** The name that a run may hold, judged by what the whole book says of its words. */
export function scoreRun(run: Run, total: WordTally): Scored | undefined {
  const words = trim(run, total);
  if (words.length === 0) return undefined;
  if (words.length === 1 ? isNoWord(words[0]!, run, total) : isNoPhrase(words, total)) return undefined;
  if (isModifier(words, run, total)) return undefined;
  return { run, words, person: personScore(words, run, total), place: placeScore(words, run, total) };
}

function trim(run: Run, total: WordTally): readonly Token[] {
  const { words } = run;
  let first = 0;
  let last = words.length - 1;
  while (first <= last && isIdle(words, first, last, total)) first++;
  while (last > first && isIdleEnd(words, last)) last--;
  return words.slice(first, last + 1);
}

function isIdleEnd(words: readonly Token[], last: number): boolean {
  const { key, shape, kind } = words[last]!; // the caller's own index
  if (kind !== "word" || shape === "lower") return true;
  if (ROMAN.test(key) && isGiven(words[last - 1]?.key ?? "")) return false;
  return isNeverName(key) && !isHonorific(key);
}

/** True for a first word that only begins the sentence, or that no name begins with. */
function isIdle(words: readonly Token[], at: number, last: number, total: WordTally): boolean {
  const { key, isStart, shape, kind } = words[at]!; // the caller's own index
  if (shape === "lower" || kind !== "word") return true;
  if (at < last) {
    if (isHonorific(key)) return false;
    const next = words[at + 1]!; // before the last
    if (isEpithet(key) && (isGiven(next.key) || isHonorific(next.key) || isUsedAsName(next.key, total)))
      return false;
    if (isPlaceLead(key) && (placeWeight(next.key) > 0 || isPlaceHead(words[last]!.key))) return false;
    if (!isStart && isPlaceHead(words[last]!.key) && !isNeverName(key)) return false;
    if (/-\p{Ll}+$/u.test(words[at]!.text) && !isGiven(key)) return true; // "Australian-born"
  }
  if (isNeverName(key)) return !isNamedHere(key, total);
  if (!isStart) return false;
  const { middle } = tallyOf(total, key);
  const lower = total.lower.get(key) ?? 0;
  if (isGiven(key)) return lower > middle && !isNamedHere(key, total);
  if (isCommon(key)) return true;
  return lower >= Math.max(1, middle);
}

function tallyOf(total: WordTally, key: string): CapitalTally {
  return total.capital.get(key) ?? NOTHING;
}

function isUsedAsName(key: string, total: WordTally): boolean {
  const { middle, besideSpeech, beforeDeed, afterHonorific } = tallyOf(total, key);
  return middle > (total.lower.get(key) ?? 0) && besideSpeech + beforeDeed + afterHonorific > 0;
}

function isBorne(key: string, total: WordTally): boolean {
  const { afterHonorific, afterCapital, besideSpeech, beforeDeed, afterThe } = tallyOf(total, key);
  return (
    afterHonorific + afterCapital + besideSpeech + beforeDeed > 1 && afterHonorific + afterCapital > afterThe
  );
}

/** True for "June" or "Grace" in a book where someone is called so. */
function isNamedHere(key: string, total: WordTally): boolean {
  if (!isGiven(key)) return false;
  const { besideSpeech, beforeDeed, afterHonorific, vocative } = tallyOf(total, key);
  if (isNeverName(key)) return besideSpeech + afterHonorific >= 2;
  return besideSpeech + beforeDeed + afterHonorific + vocative >= 2;
}

function isNoWord({ key, isStart, shape }: Token, run: Run, total: WordTally): boolean {
  if (key.length < 2 || isHonorific(key) || /isms?$/.test(key)) return true;
  if (isMonth(key) && /\d|^(?:in|of|since|until|last|next|this|every) /.test(`${run.before} ${run.after}`))
    return true;
  if (isNeverName(key)) return !isNamedHere(key, total);
  const tally = tallyOf(total, key);
  const lower = total.lower.get(key) ?? 0;
  if (lower > 0 && lower >= tally.middle) {
    if (!isGiven(key)) return true;
    if (isStart)
      return !(isNamedHere(key, total) && (SPEECH_VERBS.has(run.after) || PERSON_VERBS.has(run.after)));
  }
  if (shape === "upper" && tally.middle + tally.start === 0) return !isGiven(key) && placeWeight(key) === 0;
  if (!isStart || tally.middle > 0) return false;
  if (isGiven(key) || placeWeight(key) > 0) return false;
  return tally.start < 2 && !SPEECH_VERBS.has(run.after) && !PERSON_VERBS.has(run.after);
}

function isNoPhrase(words: readonly Token[], total: WordTally): boolean {
  if (words.length > 4 && words.every(({ shape }) => shape === "upper")) return true;
  if (words.every(({ key }) => key.length === 1)) return true; // "P. M."
  if (
    words.every(
      ({ key, shape }) => isHonorific(key) || isCommon(key) || isNeverName(key) || shape === "lower",
    )
  ) {
    if (!words.some(({ key }) => isGiven(key))) return true;
  }
  const { key: last } = words.at(-1)!; // more than one
  if (
    isPlaceHead(last) ||
    isHonorific(words[0]!.key) ||
    words.some(({ key }) => isGiven(key) || placeWeight(key) > 0)
  )
    return false;
  return words.every(
    ({ key, shape }) => shape === "lower" || (total.lower.get(key) ?? 0) > tallyOf(total, key).middle,
  );
}

/** True in "the Lebrun cottages", "a Norfolk suit": the name only tells of what kind something is. */
function isModifier(words: readonly Token[], run: Run, total: WordTally): boolean {
  if (isSpeaker(words.at(-1)?.key ?? "", total)) return false;
  const first = words[0]!;
  const before = first === run.words[0] ? run.before : (run.words[run.words.indexOf(first) - 1]?.key ?? "");
  if (!DETERMINERS.has(before) || isHonorific(first.key)) return false;
  return (
    /^\p{Ll}/u.test(run.after) &&
    run.after !== "'s" &&
    !isCommon(run.after) &&
    !PERSON_VERBS.has(run.after) &&
    !SPEECH_VERBS.has(run.after) &&
    words.at(-1) === run.words.at(-1)
  );
}

/** True for "the Gryphon", which speaks often enough not to be a thing. */
function isSpeaker(key: string, total: WordTally): boolean {
  const { besideSpeech, middle, start } = tallyOf(total, key);
  const lower = total.lower.get(key) ?? 0;
  return besideSpeech > 1 && SPEAKING * besideSpeech >= middle + start && SPEAKING * lower < middle;
}

function personScore(words: readonly Token[], run: Run, total: WordTally): number {
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

/** True in "Toby and Mara" when Mara is known for a person. */
function isBeside(joint: string, other: string, total: WordTally): boolean {
  return (
    joint === "and" &&
    other !== "" &&
    (isUsedAsName(other, total) || (isGiven(other) && !total.lower.has(other)))
  );
}

function placeScore(words: readonly Token[], run: Run, total: WordTally): number {
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
