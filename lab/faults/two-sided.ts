import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openManuscript } from "../../src/service/manuscript.ts";
import { folder, seeded, suite, ticking } from "../../test/support/sandbox.ts";
import { newTally } from "./two-sided/meet.ts";
import { dice, wordsOf } from "./two-sided/prose.ts";
import { runOnce } from "./two-sided/run.ts";

// Books edited in their exported files and in the manuscript at once, who changed what being known, and brought together,
// every other one in a git working tree: nothing may be lost in silence, different paragraphs must merge, the same one must be
// told of. `npm run two-sided`; MANUSCRIPT_SEED repeats all runs, MANUSCRIPT_RUN one of them.
const RUNS = Number(process.env.MANUSCRIPT_RUNS ?? 1000);
const ONE = process.env.MANUSCRIPT_RUN === undefined ? undefined : Number(process.env.MANUSCRIPT_RUN);
const seed = Number(process.env.MANUSCRIPT_SEED ?? Math.floor(Math.random() * 0x7fffffff));
const RUNS_A_FILE = 10;

const scope = suite();
const root = folder(scope);
const tally = newTally();
const faults: string[] = [];
const start = performance.now();

for (let first = ONE ?? 0; first < (ONE === undefined ? RUNS : ONE + 1); first += RUNS_A_FILE) {
  const open = openManuscript(join(root, `${first}.manuscript`), {
    create: true,
    clock: ticking(),
    random: seeded(seed + first),
    reader: null,
  });
  open.store.prepare("PRAGMA synchronous = OFF").run(); // nobody cuts the power here
  for (let run = first; run < (ONE === undefined ? first + RUNS_A_FILE : ONE + 1); run++) {
    const path = join(root, String(run));
    mkdirSync(run % 2 === 0 ? path : join(path, ".git"), { recursive: true });
    try {
      await runOnce({ open, root: path, words: wordsOf(dice(seed, run)) }, tally);
    } catch (error) {
      faults.push(`run ${run}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  open.close();
}

await scope.end();
const { edits, ...counts } = tally;
const runs = ONE === undefined ? RUNS : 1;
const ms = Math.round(performance.now() - start);
console.log(JSON.stringify({ suite: "two-sided", seed, runs, ms, ...counts, edits, faults: faults.length }));
console.table(edits);
for (const fault of faults.slice(0, 20)) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
