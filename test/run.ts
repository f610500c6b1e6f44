import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { groupBy } from "../src/text/group-by.ts";
import { inMemory } from "./in-memory.ts";
import { type BrokenOff, runGroups } from "./support/run-groups.ts";

// Node 20's own search knows no .ts files: it runs none of them and reports success.
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    in: { type: "string" },
    processes: { type: "string" },
    slow: { type: "boolean" },
    page: { type: "boolean" },
    patience: { type: "string", default: "900" },
  },
});
const folder = resolve(values.in ?? import.meta.dirname);
// `--slow` takes those that start real processes and shells, in a script of their own: the others stay under a minute.
// `--page` takes those in a browser.
const kind = values.page ? ".page.ts" : values.slow ? ".slow.ts" : ".test.ts";
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(kind) && (asked.length === 0 || asked.some((part) => file.includes(part))))
  .map((file) => join(folder, file))
  .sort();
if (files.length === 0)
  throw new Error(`no test file under ${folder} matches ${asked.join(" ") || `*${kind}`}`);

// A process a file would spend a third of the time on starting processes: each takes several files, the large ones apart.
// One more than there are cores, for some tests wait for a process or a clock.
const PROCESSES = Math.min(files.length, Number(values.processes ?? availableParallelism() + 1));
/** Those that take by far the longest: a process each, begun before the others, so that none is left over at the end. */
const LONG = [
  "service/proposal-histories.slow.ts",
  "files/moves-random.slow.ts",
  "http/feed-kills.slow.ts",
  "mcp/random.slow.ts",
  "page/every-view.page.ts",
].map((file) => join(folder, file));
// Files of one room load the same modules, and are run by one process; slow ones are spread.
const rooms = groupBy(
  files.filter((file) => !LONG.includes(file)),
  (file) => (kind === ".test.ts" ? relative(folder, file).replace(/[\\/].*/, "") : file),
);
const shared = Array.from({ length: 2 * PROCESSES }, () => ({
  sizeBytes: 0,
  files: [] as string[],
}));
for (const room of [...rooms.values()].sort((a, b) => sizeOf(b) - sizeOf(a))) {
  const [least] = shared.sort((a, b) => a.sizeBytes - b.sizeBytes);
  least?.files.push(...room);
  if (least !== undefined) least.sizeBytes += sizeOf(room);
}
const groups = [
  ...LONG.filter((file) => files.includes(file)).map((file) => [file]),
  ...shared.sort((a, b) => b.sizeBytes - a.sizeBytes).map((group) => group.files),
].filter((group) => group.length > 0);

process.env.TMPDIR ??= inMemory();

// A test that has not ended after this many seconds never will: the longest takes four minutes on a loaded machine.
const patience = Number(values.patience);
const told = await runGroups(groups, PROCESSES, patience);
let { passed } = told;
if (told.failed > 0) process.exitCode = 1;
if (told.brokenOff.length > 0) {
  process.exitCode = 1;
  // What broke off has taken the tests of other files with it: alone, each file stands for itself.
  const suspects = told.brokenOff.flatMap((group) => group.files);
  console.error(`A process broke off: ${suspects.length} files are run again, each in a process of its own.`);
  const alone = await runGroups(
    suspects.map((file) => [file]),
    PROCESSES,
    patience,
  );
  passed += alone.passed;
  console.error((alone.brokenOff.length > 0 ? alone.brokenOff : told.brokenOff).map(describe).join("\n"));
}
if (passed === 0) {
  process.exitCode = 1;
  console.error("no test ran");
}

function sizeOf(group: readonly string[]): number {
  return group.reduce((sum, file) => sum + statSync(file).size, 0);
}

function describe({ files, why }: BrokenOff): string {
  return `${files.map((file) => relative(folder, file)).join(" or ")} broke off: ${why}`;
}
