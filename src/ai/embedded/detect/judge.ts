import type { Run } from "../../../reading/capital-runs.ts";
import type { CapitalTally, WordTally } from "../../../reading/tally.ts";
import type { Token } from "../../../reading/tokens.ts";
import {
  COMMON,
  EPITHETS,
  isGiven,
  isHonorific,
  isNeverName,
  MONTHS,
  PERSON_VERBS,
  PLACE_HEADS,
  PLACE_LEADS,
  placeWeight,
  SPEECH_VERBS,
} from "../../../reading/word-lists.ts";
import { isNamedHere, isSpeaker, isUsedAsName, tallyOf } from "./evidence.ts";
import { type Candidate, scoresOf } from "./scores.ts";

/** A possible name within a run, with its scores as a person and as a place. */
export interface Scored extends Candidate {
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
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const candidate = { run, words, first, last };
  if (first === last ? isNoWord(candidate, total) : isNoPhrase(candidate, total)) return undefined;
  if (isModifier(candidate, total)) return undefined;
  return { ...candidate, ...scoresOf(candidate, total) };
}

function trim({ words }: Run, total: WordTally): readonly Token[] {
  const first = words.findIndex((token, at) => !isIdle(token, words[at + 1], words.at(-1) ?? token, total));
  if (first < 0) return [];
  const last = words.findLastIndex((token, at) => at === first || !isIdleEnd(token, words[at - 1]));
  return words.slice(first, last + 1);
}

function isIdleEnd({ key, shape, kind }: Token, before: Token | undefined): boolean {
  if (kind !== "word" || shape === "lower") return true;
  if (ROMAN.test(key) && key !== "i" && isGiven(before?.key ?? "")) return false;
  return isNeverName(key) && !isHonorific(key);
}

/** True for a first word that only begins the sentence, or that no name begins with. */
function isIdle(word: Token, next: Token | undefined, last: Token, total: WordTally): boolean {
  const { key, isStart, shape, kind } = word;
  if (shape === "lower" || kind !== "word") return true;
  const belongs = next === undefined ? undefined : leads(word, next, last, total);
  if (belongs !== undefined) return !belongs;
  if (isNeverName(key)) return !isNamedHere(key, total);
  return isStart && isIdleStart(key, total);
}

/** True if a word belongs to the words behind it; undefined if they do not tell. */
function leads(word: Token, next: Token, last: Token, total: WordTally): boolean | undefined {
  const { key, isStart, text } = word;
  if (isHonorific(key)) return true;
  if (EPITHETS.has(key) && (isGiven(next.key) || isHonorific(next.key) || isUsedAsName(next.key, total)))
    return true;
  if (PLACE_LEADS.has(key) && (placeWeight(next.key) > 0 || PLACE_HEADS.has(last.key))) return true;
  if (!isStart && PLACE_HEADS.has(last.key) && !isNeverName(key)) return true;
  return /-\p{Ll}+$/u.test(text) && !isGiven(key) ? false : undefined; // "Australian-born"
}

function isIdleStart(key: string, total: WordTally): boolean {
  const { middle } = tallyOf(total, key);
  const lower = total.lower.get(key) ?? 0;
  if (isGiven(key)) return lower > middle && !isNamedHere(key, total);
  return COMMON.has(key) || lower >= Math.max(1, middle);
}

function isNoWord({ run, first: { key, isStart, shape } }: Candidate, total: WordTally): boolean {
  if (key.length < 2 || isHonorific(key) || /isms?$/.test(key) || isDate(key, run)) return true;
  if (isNeverName(key)) return !isNamedHere(key, total);
  const tally = tallyOf(total, key);
  const lower = total.lower.get(key) ?? 0;
  const isSmallToo = lower > 0 && lower >= tally.middle;
  if (isSmallToo && !isGiven(key)) return true;
  if (isSmallToo && isStart) return !(isNamedHere(key, total) && isDeed(run.after));
  if (shape === "upper" && tally.middle + tally.start === 0) return !isListed(key);
  return isStray(run, { key, isStart, tally });
}

/** True for a thing, or a word that has its capital from the sentence's start, of which no list and no title tells. */
function isStray(
  run: Run,
  { key, isStart, tally }: { key: string; isStart: boolean; tally: Readonly<CapitalTally> },
): boolean {
  if (isListed(key) || tally.afterHonorific > 0) return false;
  return isThing(run, tally) || (isStart && (isRareStart(tally, run) || isLonePlural(key, tally)));
}

/** Words before something owned, or one of many: "a Prius", "his Toughbook". */
const OWNED = /^(?:an?|another|his|her|my|your|their|our|its)$/;

/** True for a make or a thing: of many, or somebody's, and it never speaks. */
function isThing(
  { before }: Run,
  { afterA, afterThe, middle, besideSpeech, vocative }: CapitalTally,
): boolean {
  if (besideSpeech + vocative > 0) return false;
  return OWNED.test(before) || (afterA > 0 && 2 * (afterA + afterThe) >= middle);
}

/** People of a kind, and other words that are many: "Courtiers whispered." */
const OF_A_KIND = /(?:iers|eers|ants|ists|ians|men|folk)$/;
const PLURAL = /[^aiousy]s$/;

/** True for a plural with a capital at the start of a sentence alone, once or twice. */
function isLonePlural(key: string, { start, middle, besideSpeech }: CapitalTally): boolean {
  if (middle > 0 || start > 2) return false;
  return OF_A_KIND.test(key) || (PLURAL.test(key) && (start < 2 || besideSpeech === 0));
}

/** "May" in "in May 1888". */
function isDate(key: string, { before, after }: Run): boolean {
  return MONTHS.has(key) && /\d|^(?:in|of|since|until|last|next|this|every) /.test(`${before} ${after}`);
}

/** True for a word that has a capital only once, at the start of a sentence, and does nothing there. */
function isRareStart({ start, middle }: CapitalTally, { after }: Run): boolean {
  return middle === 0 && start < 2 && !isDeed(after);
}

/** True for a name that the lists of people or of places hold. */
function isListed(key: string): boolean {
  return isGiven(key) || placeWeight(key) > 0;
}

function isDeed(key: string): boolean {
  return SPEECH_VERBS.has(key) || PERSON_VERBS.has(key);
}

/** True for "DANNY MISC" on a box: capitals throughout, of which one word or more is never written otherwise. */
function isLabel(words: readonly Token[], total: WordTally): boolean {
  const isSeen = ({ key }: Token) => tallyOf(total, key).middle + tallyOf(total, key).start > 0;
  return (
    words.length > 4 || !words.every((word) => isSeen(word) || isListed(word.key) || isHonorific(word.key))
  );
}

function isNoPhrase({ run, words, first, last }: Candidate, total: WordTally): boolean {
  if (words.length > 1 && words.every(({ shape }) => shape === "upper") && isLabel(words, total)) return true;
  if (words.every(({ key }) => key.length === 1)) return true; // "P. M."
  if (words.every(isPlain) && !words.some(({ key }) => isGiven(key))) return true;
  if (PLACE_HEADS.has(last.key) || isHonorific(first.key) || words.some(({ key }) => isListed(key)))
    return false;
  if (isThing(run, tallyOf(total, last.key)) && first === run.words[0]) return true;
  return words.every(
    ({ key, shape }) => shape === "lower" || (total.lower.get(key) ?? 0) > tallyOf(total, key).middle,
  );
}

/** True in "the Lebrun cottages", "a Norfolk suit": the name only tells of what kind something is. */
function isModifier({ run, first, last }: Candidate, total: WordTally): boolean {
  if (isSpeaker(last.key, total)) return false;
  const before = first === run.words[0] ? run.before : (run.words[run.words.indexOf(first) - 1]?.key ?? "");
  if (!DETERMINERS.has(before) || isHonorific(first.key)) return false;
  const { after } = run;
  if (!/^\p{Ll}/u.test(after) || after === "'s" || COMMON.has(after) || isDeed(after)) return false;
  return last === run.words.at(-1);
}

function isPlain({ key, shape }: Token): boolean {
  return isHonorific(key) || COMMON.has(key) || isNeverName(key) || shape === "lower";
}
