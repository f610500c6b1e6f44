/**
 * The part of a measurement to make, 1 for all that TRUST.md promises: of the kills of servers (1) and of upgrades (7), of the
 * flipped bits (3) and of the updates (10). `.ci/run` makes less of these.
 */
export const PART = Number(process.env.MANUSCRIPT_PART ?? 1);

/** A promise of TRUST.md, and how it is measured. `NN-name.ts` in this folder exports one as `promise`. */
export interface TrustPromise {
  /** Its place in TRUST.md, from 1. */
  number: number;
  /** What is promised, as TRUST.md says it: "An answered save survives `kill -9`". */
  promise: string;
  /** What would be enough: "250 kills, 8,000 answers, 0 lost". */
  bar: string;
  /** True if `.ci/run` leaves it to `npm run trust -- NUMBER`: those that it takes last a few minutes together. */
  isNightly?: boolean;
  measure: () => Promise<Measured>;
}

/** What a measurement came to. */
export interface Measured {
  /** The figures in words: "250 kills, 9,120 answers, 0 lost". */
  figures: string;
  /** What breaks the promise, a line each; any fails the run. Only what is counted or compared: never a time. */
  faults: readonly string[];
  /** Times and sizes that missed their bar, a line each. They are told and fail nothing: machines differ. */
  missed?: readonly string[];
  /** What could not be tried here and why: "no loop device". */
  skipped?: readonly string[];
}
