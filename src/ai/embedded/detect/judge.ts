import type { Run } from "../text/capital-runs.ts";
import type { WordTally } from "../text/statistics.ts";
import type { Token } from "../text/tokens.ts";
import { isCommon, isEpithet, isMonth, isNeverName } from "../words/common.ts";
import { isGiven } from "../words/given.ts";
import { isHonorific } from "../words/honorifics.ts";
import { isPlaceHead, isPlaceLead, placeWeight } from "../words/places.ts";
import { PERSON_VERBS, SPEECH_VERBS } from "../words/words.ts";
import { isNamedHere, isSpeaker, isUsedAsName, tallyOf } from "./evidence.ts";
import { personScore, placeScore } from "./scores.ts";

/** What of a run may be a name, with what speaks for a person and for a place. */
export interface Scored {
  run: Run;
  words: readonly Token[];
  person: number;
  place: number;
}

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
