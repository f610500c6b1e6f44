import { report } from "../bench/report.ts";
import { evaluateContradictions, evaluateDrift } from "./check.ts";
import { evaluateSynopsis } from "./synopsis.ts";

// The check and the synopsis on whole novels, and on contradictions seeded into the sample novel.
const corpus = process.env.MANUSCRIPT_CORPUS;
if (corpus === undefined)
  throw new Error("MANUSCRIPT_CORPUS must name a folder of novels, one Markdown file a chapter.");
report("check: misspelt names and alarms on clean novels", evaluateDrift(corpus));
report("check: contradictions seeded into the sample novel", evaluateContradictions());
report("synopsis: the novels of the corpus, chapter by chapter", evaluateSynopsis(corpus));
