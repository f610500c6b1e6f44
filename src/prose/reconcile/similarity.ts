import type { Signature } from "./signature.ts";

/** Folded texts shorter than this are compared by runs of two letters: four words hold too few runs of four. */
const SHORT_LENGTH = 24;

/** Beyond this length strangers grow alike: two of 150 words share three in ten of their runs of four. */
const LONG_LENGTH = 400;

/** Of a part shorter than this its runs of two are looked for: it has hardly a run of four. */
const TINY_LENGTH = 12;

/**
 * How alike two texts are, 0 to 1: Dice's coefficient of their runs of four letters, or of two if one has fewer
 * than 24 letters or is in a dense script. "She closed the door behind her." and "She shut the door behind her."
 * are 0.71 alike, paragraphs that have nothing to do with each other seldom 0.25. O(length).
 */
export function similarity(left: Signature, right: Signature): number {
  const [leftRuns, rightRuns] = runsToCompare(left, right);
  return dice(leftRuns, rightRuns);
}

/** The most that `similarity` can be, by length alone. O(1). */
export function mostSimilarity(left: Signature, right: Signature): number {
  const shorter = Math.min(left.folded.length, right.folded.length) + 1;
  return (2 * shorter) / (Math.max(left.folded.length, right.folded.length) + 1 + shorter);
}

/** Dice's coefficient of their words but for numbers, 0 to 1: coarser than `similarity`, at a fifth of its cost. */
export function wordSimilarity(left: Signature, right: Signature): number {
  return dice(left.tellingWords, right.tellingWords);
}

/** How many words both have, numbers not counted; where words are not spaced, three runs of letters are as one. */
export function countSharedWords(left: Signature, right: Signature): number {
  const shared = countShared(left.tellingWords, right.tellingWords);
  return left.isSpaced && right.isSpaced ? shared : shared / 3;
}

/**
 * The similarity below which two texts that stand in one place are strangers all the same: 0.30, but 0.40 under 24
 * letters, and more from 400 on (0.36 at 800), where strangers share ever more of the language itself. One stranger
 * in two hundred is as alike as that, of the shortest lines one in fifty.
 */
export function chanceSimilarity(left: Signature, right: Signature): number {
  const shorter = Math.min(left.folded.length, right.folded.length);
  if (left.isDense || right.isDense) return 0.3;
  if (shorter < SHORT_LENGTH) return 0.4;
  return Math.min(0.42, 0.3 + 0.06 * Math.max(0, Math.log2(shorter / LONG_LENGTH)));
}

/** Whether the whole says more than the part and begins or ends with it, word for word. O(length of the part). */
export function isAtAnEnd({ folded: part }: Signature, { folded: whole }: Signature): boolean {
  if (part === "" || part.length >= whole.length) return false;
  const opens = whole.charCodeAt(part.length) === 32 && whole.startsWith(part);
  return opens || (whole.charCodeAt(whole.length - part.length - 1) === 32 && whole.endsWith(part));
}

/** Share of the part's runs of letters, 0 to 1, that the whole has too, not counting those it has from `besides`. */
export function containment(part: Signature, whole: Signature, besides?: Signature): number {
  const useTwo = part.folded.length < TINY_LENGTH || part.isDense;
  const runsOf = (signature: Signature): Uint32Array => (useTwo ? signature.runsOfTwo : signature.runsOfFour);
  const own = besides === undefined ? runsOf(whole) : without(runsOf(whole), runsOf(besides));
  return part.folded === "" ? 0 : countShared(runsOf(part), own) / runsOf(part).length;
}

function runsToCompare(left: Signature, right: Signature): [Uint32Array, Uint32Array] {
  const shorter = Math.min(left.folded.length, right.folded.length);
  const useTwo = shorter < SHORT_LENGTH || left.isDense || right.isDense;
  return useTwo ? [left.runsOfTwo, right.runsOfTwo] : [left.runsOfFour, right.runsOfFour];
}

function dice(left: Uint32Array, right: Uint32Array): number {
  const length = left.length + right.length;
  return length === 0 ? 0 : (2 * countShared(left, right)) / length;
}

function countShared(left: Uint32Array, right: Uint32Array): number {
  let shared = 0;
  let leftAt = 0;
  let rightAt = 0;
  while (leftAt < left.length && rightAt < right.length) {
    const difference = left[leftAt]! - right[rightAt]!; // both in range by the loop's condition
    if (difference === 0) shared++;
    if (difference <= 0) leftAt++;
    if (difference >= 0) rightAt++;
  }
  return shared;
}

function without(whole: Uint32Array, others: Uint32Array): Uint32Array {
  let at = 0;
  return whole.filter((run) => {
    while (at < others.length && others[at]! < run) at++; // at < length
    if (others[at] !== run) return true;
    at++;
    return false;
  });
}
