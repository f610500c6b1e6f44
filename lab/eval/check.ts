/**
 * Prints how the consistency check fares: misspelt names seeded into public-domain novels, alarms on the novels as they
 * are, contradictions seeded into the sample novel, from templates and as pairs of statements. `MANUSCRIPT_CORPUS=folder npm run eval -- check`; without it only
 * the sample.
 */
import { report } from "../bench/report.ts";
import { evaluateContradictions, evaluateDrift } from "./check-measure.ts";
import { evaluateKept, evaluatePairs } from "./pairs-measure.ts";

const corpus = process.env.MANUSCRIPT_CORPUS;
const drift = corpus === undefined ? [] : evaluateDrift(corpus);
report("check", [...drift, ...evaluateContradictions(), ...evaluatePairs(), ...evaluateKept()]);
