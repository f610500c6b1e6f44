/**
 * Prints how the consistency check fares: misspelt names seeded into public-domain novels, alarms on the novels as they
 * are, and pairs of contradicting statements put into the sample novel. `MANUSCRIPT_CORPUS=folder npm run eval -- check`;
 * without it the pairs alone.
 */
import { report } from "../bench/report.ts";
import { evaluateDrift } from "./check-measure.ts";
import { evaluateKept, evaluatePairs } from "./pairs-measure.ts";

const corpus = process.env.MANUSCRIPT_CORPUS;
const drift = corpus === undefined ? [] : evaluateDrift(corpus);
report("check", [...drift, ...evaluatePairs(), ...evaluateKept()]);
