/**
 * Prints what every line of `growth/lines.ts` costs at a size, twice and four times as much: CPU in ms, the exponent by
 * which it grows, the most memory above rest; a table, then the same as one line of JSON. Words name the lines:
 * `npm run bench -- growth`, or `node --expose-gc --import tsx lab/bench/growth.ts PUT`.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { BUILT } from "./built.ts";
import { LINES, type Line } from "./growth/lines.ts";

/** What one size came to; undefined if it was stopped or died. */
interface Cost {
  cpuMs: number;
  peakMb: number;
  status: number;
  bytes: number;
}

const MOST_EXPONENT = 1.3;
const MOST_MB = 300;
const STOP_MS = 180_000;

const words = process.argv.slice(2);
const chosen = LINES.filter(({ name }) => words.every((word) => name.includes(word)));
const measured = chosen.map((line) => {
  const costs = [1, 2, 4].map((times) => measure(line, line.size * times));
  const grown = { name: line.name, size: line.size, costs, exponent: exponentOf(costs) };
  console.error(describe(grown));
  return grown;
});
console.log(JSON.stringify({ mostExponent: MOST_EXPONENT, mostMb: MOST_MB, lines: measured }));

function measure({ name }: Line, size: number): Cost | undefined {
  const file = join(import.meta.dirname, "growth/once.ts");
  const flags = ["--expose-gc", ...BUILT, file, name, String(size)];
  const { stdout } = spawnSync(process.execPath, flags, { encoding: "utf8", timeout: STOP_MS });
  const last = stdout.trim().split("\n").at(-1) ?? "";
  return last.startsWith("{") ? JSON.parse(last) : undefined;
}

/** Of the last doubling, where what is the same at every size weighs least. */
function exponentOf(costs: readonly (Cost | undefined)[]): number | undefined {
  const [half, whole] = costs.slice(-2);
  return half === undefined || whole === undefined ? undefined : Math.log2(whole.cpuMs / half.cpuMs);
}

function describe({ name, size, costs, exponent }: (typeof measured)[number]): string {
  const cells = costs.map((cost) =>
    cost === undefined
      ? "stopped".padStart(22)
      : `${cost.cpuMs.toFixed(0).padStart(8)} ms ${cost.peakMb.toFixed(0).padStart(5)} MB ${cost.status}`,
  );
  const isOver =
    exponent === undefined ||
    exponent >= MOST_EXPONENT ||
    costs.some((cost) => cost === undefined || cost.peakMb > MOST_MB);
  return `${name.slice(0, 52).padEnd(53)}${String(size).padStart(8)}${cells.join("")} ${(exponent ?? Number.NaN).toFixed(2).padStart(6)}${isOver ? "  OVER" : ""}`;
}
