import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hereAndNow, keepAlso } from "../../test/support/kept.ts";
import {
  type KeptSuite,
  MEASURED,
  PERFORMANCE,
  performancePage,
} from "../../test/support/performance-page.ts";
import type { Report } from "./report.ts";

// Each suite in a process of its own, one after the other: `npm run bench -- http import` runs those two, and leaves the
// JSON of each in bench-results/. `--write` keeps what they measured in measured.json and writes docs/performance.md from all
// that is kept there; `--page` measures nothing and writes the page alone.
const SUITES = [
  "start",
  "paragraph",
  "prose",
  "http",
  "import",
  "folder",
  "syncs",
  "reconcile",
  "fidelity",
  "search",
  "reading",
  "stalls",
  "ten-years",
  "page-ready",
  "page-typing",
] as const;
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean" }, page: { type: "boolean" } },
});
const RESULTS = join(import.meta.dirname, "../../bench-results");
const chosen = SUITES.filter((suite) => (values.page ? false : asked.length === 0 || asked.includes(suite)));
if (chosen.length === 0 && !values.page) throw new Error(`no such suite; there are ${SUITES.join(", ")}`);

mkdirSync(RESULTS, { recursive: true });
const measured: Record<string, KeptSuite> = {};
for (const suite of chosen) {
  const reports = run(suite);
  if (reports === undefined) process.exitCode = 1;
  else measured[suite] = { ...hereAndNow(), reports };
}
if (values.write) keepAlso(MEASURED, measured);
if (values.write || values.page) writeFileSync(PERFORMANCE, performancePage());

/** What a suite reported; undefined if it failed. */
function run(suite: string): Report[] | undefined {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--expose-gc", "--import", "tsx", join(import.meta.dirname, `${suite}.ts`)],
    { stdio: ["inherit", "pipe", "inherit"], encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  process.stdout.write(stdout);
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  writeFileSync(join(RESULTS, `${suite}.json`), lines.map((line) => `${line}\n`).join(""));
  if (status !== 0) return undefined;
  return lines.map((line) => JSON.parse(line)).filter((told) => "suite" in told);
}
