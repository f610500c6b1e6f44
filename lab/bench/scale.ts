/**
 * What a book costs from 300,000 to 10 million words: the slope of each cost by the book's length, both as logarithms (1 is in
 * proportion, 0 the same for any book), over four sizes, each in a process of its own. CPU, not time by the clock.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { BUILT } from "./built.ts";
import { type Line, report } from "./report.ts";
import type { Cost } from "./scale/once.ts";

const SIZES = process.env.MANUSCRIPT_SIZES?.split(",").map(Number) ?? [
  300_000, 1_000_000, 3_000_000, 10_000_000,
];
const SLOPES: readonly [what: string, key: keyof Cost, most?: number][] = [
  ["open", "openUs", 0.1],
  ["a paragraph replaced", "patchUs", 0.1],
  ["a chapter read as text", "chapterUs", 0.1],
  ["import", "importUs", 1.05],
  ["outline", "outlineUs", 1.05],
  ["a question of three words, p50", "searchUs", 0.6],
  ["a question for the most frequent word", "frequentUs"],
  ["the index built", "buildUs"],
];
const MOST_SEARCH_MIB = 900;

const costs = SIZES.map((words) => {
  const file = join(import.meta.dirname, "scale/once.ts");
  const flags = ["--expose-gc", ...BUILT, file, String(words)];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  const last = stdout.trim().split("\n").at(-1) ?? "";
  if (!last.startsWith("{")) throw new Error(`${words} words: ${stderr}`);
  console.error(`   ${words} words: ${last}`);
  return JSON.parse(last) as Cost;
});
const largest = costs.at(-1)!; // there are four

report("scale: from 300,000 to 10 million words", [
  ...SLOPES.flatMap(([what, key, most]): Line[] => {
    const value = slopeOf(costs.map((cost) => cost[key]));
    const barred = most === undefined ? {} : { bar: `≤ ${most}`, met: value <= most };
    return [
      { what: `${what}: slope`, value, unit: "", ...barred },
      { what: `${what}: at ${SIZES.at(-1)} words`, value: largest[key], unit: "µs CPU" },
    ];
  }),
  {
    ...{ what: `memory of a search of ${SIZES.at(-1)} words`, value: largest.searchMib, unit: "MiB" },
    ...{ bar: `≤ ${MOST_SEARCH_MIB}`, met: largest.searchMib <= MOST_SEARCH_MIB },
  },
]);

/** Of the straight line through the logarithms that has the least squares. */
function slopeOf(values: readonly number[]): number {
  const points = values.map((value, at) => ({ x: Math.log(SIZES[at]!), y: Math.log(value) })); // one value a size
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}
