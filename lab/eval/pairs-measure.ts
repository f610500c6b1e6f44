/** How many of the pairs of contradicting statements the check finds once they stand in the sample novel. */
import type { Finding } from "../../src/ai/reader.ts";
import type { ReadingFact } from "../../src/reading/reading.ts";
import type { Line } from "../bench/report.ts";
import { checkAll } from "./check-measure.ts";
import { bookOf, castOfNovel, NOVEL, readNovel } from "./novels.ts";
import { CONTROLS, KEPT_CONTROLS, KEPT_PAIRS, PAIRS, type Pair, type SeedKind } from "./pairs.ts";

/** First statements go into the chapters up to here, second ones behind. */
const MIDDLE = 7;

interface Placed {
  kind: SeedKind;
  blockId: string;
  text: string;
}

/** What the check finds once pairs and controls stand in the sample novel, and which of it belongs to a pair. */
export function findingsOfPairs(
  pairs: readonly Pair[],
  controls: readonly Pair[],
): { seeds: Placed[]; findings: Finding[]; right: Finding[] } {
  const plain = readNovel(NOVEL);
  const chapters = plain.map((chapter) => ({ ...chapter, blocks: [...chapter.blocks] }));
  const cast = castOfNovel();
  const put = (text: string, chapter: number, index: number): string => {
    const { blocks, chapterId } = chapters[chapter]!; // within the novel
    const blockId = `${chapterId}-pair-${index}-${blocks.length}`;
    blocks.splice((index * 3) % blocks.length, 0, { blockId, text });
    return blockId;
  };
  const placed = [...pairs, ...controls].map(([kind, name, first, second]: Pair, index): Placed => {
    const [key, value] = first.startsWith("@") ? first.slice(1).split(": ") : [];
    cast.push(factOf(index, name, key, value));
    if (value === undefined) put(first, index % MIDDLE, index);
    return { kind, text: second, blockId: put(second, MIDDLE + (index % MIDDLE), index) };
  });
  const seeds = placed.slice(0, pairs.length);
  const known = new Set(checkAll(bookOf("plain", plain, castOfNovel())).map(({ id }) => id));
  const findings = checkAll(bookOf("pairs", chapters, cast)).filter(({ id }) => !known.has(id));
  const right = findings.filter(({ evidence }) =>
    seeds.some(({ blockId }) => evidence.some((one) => one.blockId === blockId)),
  );
  return { seeds, findings, right };
}

/** Recall of pairs, by kind, and the share of findings that belong to one; controls ought to stay silent. */
export function evaluatePairs(what = "pairs", pairs = PAIRS, controls = CONTROLS, verbose = false): Line[] {
  const { seeds, findings, right } = findingsOfPairs(pairs, controls);
  const found = seeds.filter(({ blockId }) =>
    findings.some(({ evidence }) => evidence.some((one) => one.blockId === blockId)),
  );
  if (verbose) {
    for (const seed of seeds) if (!found.includes(seed)) console.error("missed", seed.kind, seed.text);
    for (const one of findings) if (!right.includes(one)) console.error("wrong", one.message);
  }
  const recall = (100 * found.length) / seeds.length;
  const precision = (100 * right.length) / findings.length;
  const share = (kind: SeedKind) =>
    (100 * found.filter((one) => one.kind === kind).length) / seeds.filter((one) => one.kind === kind).length;
  return [
    {
      what: `${what} found of ${seeds.length}`,
      value: recall,
      unit: "%",
      bar: ">= 60 %",
      met: recall >= 60,
    },
    { what: "  findings that are right", value: precision, unit: "%", bar: ">= 95 %", met: precision >= 95 },
    ...[...new Set(seeds.map(({ kind }) => kind))].map((kind) => ({
      what: `  ${kind}`,
      value: share(kind),
      unit: "%",
    })),
  ];
}

/** The same of pairs that were written after the rules. */
export function evaluateKept(verbose = false): Line[] {
  return evaluatePairs("pairs kept back", KEPT_PAIRS, KEPT_CONTROLS, verbose);
}

function factOf(index: number, name: string, key?: string, value?: string): ReadingFact {
  const attributes = key === undefined || value === undefined ? [] : [{ key, value }];
  return { id: `fa_pair${index}`, name, kind: "character", aliases: [], attributes, summary: "" };
}
