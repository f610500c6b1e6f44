import { largest } from "../../text/extremes.ts";
import type { Highlight } from "../reading/highlights.ts";

/**
 * How close together the terms of a question stand in one text: 1 if all of `termCount` stand within two words a
 * term, less with distance and with each term that is missing, 0 below two terms.
 */
export function closeness(highlights: readonly Highlight[], termCount: number): number {
  const parts = [...new Set(highlights.map(({ part }) => part))];
  if (parts.length < 2) return 0;
  const last = new Array<number>(termCount).fill(Number.NEGATIVE_INFINITY); // place of each term that came last
  let narrowest = Number.POSITIVE_INFINITY;
  for (const { part, place } of highlights) {
    last[part] = place;
    let oldest = place;
    for (const one of parts) oldest = Math.min(oldest, last[one]!); // parts are below `termCount`
    narrowest = Math.min(narrowest, place - oldest + 1);
  }
  return (parts.length / termCount) * Math.min(1, (2 * parts.length) / narrowest);
}

/** Words further apart than this in one passage do not stand near each other: a paragraph of a hundred words is one sight. */
const SIGHT = 100;
/** Raise of words side by side where no passage holds every term: then what is remembered right stands together. */
const NEAR_RAISE = 2;

/** The best stretch of one text: its score, and the most terms that stand near each other in it. */
export interface Nearness {
  score: number;
  held: number;
}

/**
 * How well the terms of a question stand together in one text, if some may be missing: over all stretches of up to 100
 * words the score of the terms there, times the share that they are, raised where they stand close. O(words × terms).
 */
export function nearest(highlights: readonly Highlight[], scores: readonly number[]): Nearness {
  const best = { score: largest(scores) / scores.length, held: 1 };
  const last = new Array<number>(scores.length).fill(0); // place of each term that came last
  const recent: number[] = []; // terms, the one that came last first
  for (const { part, place } of highlights) {
    if (!(scores[part]! > 0)) continue; // parts are terms
    const before = recent.indexOf(part);
    if (before >= 0) recent.splice(before, 1);
    recent.unshift(part);
    last[part] = place;
    let sum = 0;
    for (const [index, one] of recent.entries()) {
      const width = place - last[one]! + 1; // as above
      if (width > SIGHT) break;
      sum += scores[one]!; // as above
      const held = index + 1;
      const share = held / scores.length;
      const raise = held < 2 ? 1 : 1 + NEAR_RAISE * share * Math.min(1, (2 * held) / width);
      best.score = Math.max(best.score, sum * share * raise);
      best.held = Math.max(best.held, held);
    }
  }
  return best;
}

/** A paragraph at its ordinal in the chapter, with its score for each term. */
export interface ScoredParagraph {
  ordinal: number;
  scores: readonly number[];
}

/** Neighbouring paragraphs that answer together: `from` and `to` are indexes, both included. */
export interface Scene {
  score: number;
  from: number;
  to: number;
}

/** Paragraphs further apart than this are not read together. */
const REACH = 2;
const FALL = 0.8;

/**
 * The best two or three neighbouring paragraphs, read as one: the best of each term among them, times 0.8 for each step
 * between them and times the share of terms that they hold. Neighbours are given by ordinal, ascending. Dialogue scatters
 * the words that a writer remembers: this raises the mean reciprocal rank of such questions from 0.69 to 0.89. `raise` is
 * what holding every term adds.
 */
export function bestScene(neighbours: readonly ScoredParagraph[], raise = 0): Scene | undefined {
  let best: Scene | undefined;
  for (const [from, first] of neighbours.entries()) {
    const united = [...first.scores];
    for (let to = from + 1; to < neighbours.length; to += 1) {
      const { ordinal, scores } = neighbours[to]!; // `to` is below the length
      const steps = ordinal - first.ordinal;
      if (steps > REACH) break;
      raiseEach(united, scores);
      const score = together(united) * FALL ** steps * (1 + raise * heldShare(united));
      if (best === undefined || score > best.score) best = { score, from, to };
    }
  }
  return best;
}

/** Score of terms that stand in one passage: their sum, times the share of terms that are there at all. */
export function together(scores: readonly number[]): number {
  let sum = 0;
  for (const score of scores) sum += score;
  return sum * heldShare(scores);
}

/** Share of the terms that are there. */
export function heldShare(scores: readonly number[]): number {
  let count = 0;
  for (const score of scores) if (score > 0) count += 1;
  return count / scores.length;
}

/** Raises each of `best` to the score at its index. */
export function raiseEach(best: number[], scores: readonly number[]): void {
  for (const [part, score] of scores.entries()) if (score > best[part]!) best[part] = score; // as many of both
}
