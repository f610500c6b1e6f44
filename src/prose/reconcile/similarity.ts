import type { Signature } from "./signature.ts";

/** Length of folded text below which runs of two letters are compared: four words hold too few runs of four. */
const SHORT_LENGTH = 24;

/** Beyond this length strangers grow alike: two of 150 words share three in ten of their runs of four. */
const LONG_LENGTH = 400;

/** Of a part shorter than this its runs of two are looked for: it has hardly a run of four. */
const TINY_LENGTH = 12;

/**
 * Returns the likeness of two texts, 0 to 1: Dice's coefficient of their runs of four letters, or of two if one has
 * fewer than 24 letters or is in a dense script. "She closed the door behind her." and "She shut the door behind
 * her." score 0.71, unrelated paragraphs seldom 0.25. O(length).
 */
export function similarity(left: Signature, right: Signature): number {
  const [leftRuns, rightRuns] = runsToCompare(left, right);
  return dice(leftRuns, rightRuns);
}

/** Returns the upper bound of `similarity`, by length alone. O(1). */
export function mostSimilarity(left: Signature, right: Signature): number {
  const shorter = Math.min(left.folded.length, right.folded.length) + 1;
  return (2 * shorter) / (Math.max(left.folded.length, right.folded.length) + 1 + shorter);
}

/**
 * Returns Dice's coefficient of their words without numbers, 0 to 1: coarser than `similarity`, at a fifth of its
 * cost.
 */
export function wordSimilarity(left: Signature, right: Signature): number {
  return dice(left.tellingWords, right.tellingWords);
}

/** Counts common words without numbers. Where words are not spaced, three runs of letters count as one. */
export function countSharedWords(left: Signature, right: Signature): number {
  const shared = countShared(left.tellingWords, right.tellingWords);
  return left.isSpaced && right.isSpaced ? shared : shared / 3;
}

/**
 * Returns the similarity below which two texts in one place count as strangers: 0.30, but 0.40 under 24 letters, and
 * more from 400 on (0.36 at 800), because long strangers share more of the language. One stranger in two hundred
 * reaches it, of the shortest lines one in fifty.
 */
export function chanceSimilarity(left: Signature, right: Signature): number {
  const shorter = Math.min(left.folded.length, right.folded.length);
  if (left.isDense || right.isDense) return 0.3;
  if (shorter < SHORT_LENGTH) return 0.4;
  return Math.min(0.42, 0.3 + 0.06 * Math.max(0, Math.log2(shorter / LONG_LENGTH)));
}

/** True if the whole begins or ends with the part, word for word, and is longer. O(length of the part). */
export function isAtAnEnd({ folded: part }: Signature, { folded: whole }: Signature): boolean {
  if (part === "" || part.length >= whole.length) return false;
  const opens = whole.charCodeAt(part.length) === 32 && whole.startsWith(part);
  return opens || (whole.charCodeAt(whole.length - part.length - 1) === 32 && whole.endsWith(part));
}

/**
 * Returns the share of the part's runs of letters, 0 to 1, that the whole has too, not counting those from `besides`.
 */
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
