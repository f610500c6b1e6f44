/**
 * Prints what synopses tell of the chapters of public-domain novels, with a cast and without.
 * `MANUSCRIPT_CORPUS=folder npm run eval -- synopsis`
 */
import { report } from "../bench/report.ts";
import { evaluateSynopsis } from "./synopsis-measure.ts";

const corpus = process.env.MANUSCRIPT_CORPUS;
if (corpus === undefined) console.error("synopsis: set MANUSCRIPT_CORPUS to a folder of novels");
else {
  report("synopsis", evaluateSynopsis(corpus));
  report("synopsis, no cast", evaluateSynopsis(corpus, { withCast: false }));
}
