import { type CapitalTally, NO_CAPITALS, type WordTally } from "../../../reading/tally.ts";
import { isGiven, isNeverName } from "../../../reading/word-lists.ts";

/** One in so many speaks: a person, whatever the name looks like or stands behind. */
export const SPEAKING = 6;
/** Returns the counts of a capitalised word; zeros for one never met. */
export function tallyOf(total: WordTally, key: string): Readonly<CapitalTally> {
  return total.capital.get(key) ?? NO_CAPITALS;
}

/** True for a word that is mostly written with a capital and acts, speaks or bears a title. */
export function isUsedAsName(key: string, total: WordTally): boolean {
  const { middle, besideSpeech, beforeDeed, afterHonorific } = tallyOf(total, key);
  return middle > (total.lower.get(key) ?? 0) && besideSpeech + beforeDeed + afterHonorific > 0;
}

/** True for a surname: it follows titles and given names. */
export function isBorne(key: string, total: WordTally): boolean {
  const { afterHonorific, afterCapital, besideSpeech, beforeDeed, afterThe } = tallyOf(total, key);
  return (
    afterHonorific + afterCapital + besideSpeech + beforeDeed > 1 && afterHonorific + afterCapital > afterThe
  );
}

/** True for "June" or "Grace" in a book where someone is called so. */
export function isNamedHere(key: string, total: WordTally): boolean {
  if (!isGiven(key)) return false;
  const { besideSpeech, beforeDeed, afterHonorific, vocative } = tallyOf(total, key);
  if (isNeverName(key)) return besideSpeech + afterHonorific >= 2;
  return besideSpeech + beforeDeed + afterHonorific + vocative >= 2;
}

/** True for "the Gryphon", which speaks often enough not to be a thing. */
export function isSpeaker(key: string, total: WordTally): boolean {
  const { besideSpeech, middle, start } = tallyOf(total, key);
  const lower = total.lower.get(key) ?? 0;
  return besideSpeech > 1 && SPEAKING * besideSpeech >= middle + start && SPEAKING * lower < middle;
}

/** True in "Toby and Mara" when Mara is known for a person. */
export function isBeside(joint: string, other: string, total: WordTally): boolean {
  return (
    joint === "and" &&
    other !== "" &&
    (isUsedAsName(other, total) || (isGiven(other) && !total.lower.has(other)))
  );
}
