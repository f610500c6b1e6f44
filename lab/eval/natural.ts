/** Prints what the check says of contradictions, and of look-alikes, in the prose of novels: precision before recall. */
import { report } from "../bench/report.ts";
import { evaluateNatural } from "./natural-measure.ts";

report("natural", evaluateNatural(process.env.MANUSCRIPT_VERBOSE !== undefined));
