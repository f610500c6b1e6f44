/**
 * Prints, by tenths of stated confidence, how many proposals and findings are right: in LitBank's files that the rules
 * were written with, where the map was fitted, and in those whose errors were never read, where it is measured.
 * `MANUSCRIPT_LITBANK=folder npm run eval -- calibration`
 */

import { calibrated } from "../../src/ai/embedded/calibration.ts";
import { createEmbedded } from "../../src/ai/embedded/index.ts";
import { report } from "../bench/report.ts";
import { litbankFiles, litbankFolder, placeOf, readNovel } from "./litbank.ts";
import { naturalCases } from "./natural-measure.ts";
import { CONTROLS, KEPT_CONTROLS, KEPT_PAIRS, PAIRS } from "./pairs.ts";
import { findingsOfPairs } from "./pairs-measure.ts";
import { type Case, tenthsOf } from "./tenths.ts";

const KINDS = { character: "person", place: "place" } as const;

const halves = ["fitted", "measured"] as const;
for (const [half, name] of halves.entries()) {
  report(`calibration of detect, half that is ${name}`, tenthsOf(proposalsOf(half), half === 1));
  report(`calibration of check, half that is ${name}`, tenthsOf(await findingsOf(half), half === 1));
}

/** New names of every second excerpt; one is right if most of its places are marked as names of its kind. */
function proposalsOf(half: number): Case[] {
  const files = litbankFiles(litbankFolder()).filter((_, index) => index % 2 === half);
  return files.flatMap((file) => {
    const novel = readNovel(file);
    const marked = new Set(novel.gold.map(({ kind, from, to }) => `${kind} ${from} ${to}`));
    return createEmbedded()
      .detect(novel.excerpt, novel.book)
      .map(({ kind, confidence, occurrences }): Case => {
        const right = occurrences.filter((span) => {
          const core = placeOf(novel, span);
          return core && marked.has(`${KINDS[kind as keyof typeof KINDS]} ${core.from} ${core.to}`);
        });
        return { stated: confidence, isRight: 2 * right.length >= occurrences.length };
      });
  });
}

/** Findings in pairs that contradict one another or only look like it, in natural prose and in the sample novel. */
async function findingsOf(half: number): Promise<Case[]> {
  const { check } = createEmbedded();
  const all: Case[] = [];
  for (const { book, isRight } of naturalCases(half))
    for (const { read } of book.chapters)
      for (const finding of await check(read(), book))
        all.push({ stated: finding.confidence, isRight: isRight(finding) });
  const { findings, right } =
    half === 0 ? findingsOfPairs(PAIRS, CONTROLS) : findingsOfPairs(KEPT_PAIRS, KEPT_CONTROLS);
  for (const finding of findings)
    all.push({ stated: calibrated(finding).confidence, isRight: right.includes(finding) });
  return all;
}
