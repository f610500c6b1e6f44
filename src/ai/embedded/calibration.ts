import type { Finding, Proposal } from "../reader.ts";

/** From this score of a rule on, what is stated runs from the one share to the other, up to the next band. */
type Band = readonly [from: number, least: number, most: number];

/**
 * Confidence of each band of scores: the share of names with such a score that were right. Fitted, and never falling, on the 25 excerpts of
 * LitBank (CC BY 4.0) that the rules were written with: 391 new names, of which below 0.45 17 % were right, up to 0.8
 * 59 %, up to 0.9 81 %, up to 0.95 90 %, above 100 %. `npm run eval -- calibration` measures it on the other 25.
 */
const NEW_NAMES: readonly Band[] = [
  [0, 0.1, 0.25],
  [0.45, 0.57, 0.599],
  [0.8, 0.8, 0.83],
  [0.9, 0.88, 0.899],
  [0.95, 0.96, 0.98],
];

/**
 * Confidence of drifting names: on 25 novels as they are printed, 2,150,000 words, 9 of 15 with a score from 0.6 to 0.9 were
 * slips of the edition, and both above.
 */
const DRIFT: readonly Band[] = [
  [0, 0.35, 0.48],
  [0.5, 0.55, 0.58],
  [0.6, 0.62, 0.7],
  [0.9, 0.92, 0.94],
];

/**
 * Confidence of contradictions. In pairs written apart from the rules 108 of 110 were right; but in 51 novels as they are
 * printed, 5,000,000 words, twelve were told and few or none was a slip. Scores from 0.65 on are for prose against the cast.
 */
const CONTRADICTIONS: readonly Band[] = [
  [0, 0.5, 0.6],
  [0.65, 0.85, 0.95],
];

/** The proposal with a confidence of 0.9 where nine in ten are right. What is anchored of known names stays as it is. */
export function calibratedName(proposal: Proposal): Proposal {
  if (proposal.type !== "new_fact") return proposal;
  return { ...proposal, confidence: worth(NEW_NAMES, proposal.confidence) };
}

/** The finding likewise. */
export function calibrated(finding: Finding): Finding {
  const { type, severity, confidence } = finding;
  if (severity === "info") return finding;
  return {
    ...finding,
    confidence: type === "name_drift" ? calibratedDrift(confidence) : worth(CONTRADICTIONS, confidence),
  };
}

/** Returns the confidence, 0 to 1, that belongs to a drifting name's score. */
export function calibratedDrift(score: number): number {
  return worth(DRIFT, score);
}

function worth(bands: readonly Band[], score: number): number {
  const at = bands.findLastIndex(([from]) => from <= score);
  const [from, least, most] = bands[at] ?? [0, 0, 0];
  const next = bands[at + 1]?.[0] ?? 1;
  const share = least + ((most - least) * (score - from)) / (next - from);
  return Math.round(share * 1000) / 1000;
}
