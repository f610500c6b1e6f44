import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";

// Node 20's own search knows no .ts files: it runs none of them and reports success.
const folder = import.meta.dirname;
// `--slow` takes those that start real processes and shells, in a script of their own: the others stay under a minute.
const kind = process.argv.includes("--slow") ? ".slow.ts" : ".test.ts";
const asked = process.argv.slice(2).filter((word) => word !== "--slow");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(kind) && (asked.length === 0 || asked.some((part) => file.includes(part))))
  .map((file) => join(folder, file))
  .sort();
if (files.length === 0)
  throw new Error(`no test file under ${folder} matches ${asked.join(" ") || `*${kind}`}`);

// A process a file would spend a third of the time on starting processes: each takes several files, the long ones apart.
// One more than there are cores, for some tests wait for a process or a clock.
const PROCESSES = Math.min(files.length, availableParallelism() + 1);
const groups = Array.from({ length: PROCESSES }, (): string[] => []);
files
  .sort((a, b) => statSync(b).size - statSync(a).size)
  .forEach((file, index) => {
    groups[index % PROCESSES]?.push(file);
  });
const gathered = mkdtempSync(join(tmpdir(), "manuscript-run-"));
const entries = groups.map((group, index) => {
  const entry = join(gathered, `${index}.mjs`);
  writeFileSync(
    entry,
    group.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)});\n`).join(""),
  );
  return entry;
});

let passed = 0;
run({ files: entries, concurrency: PROCESSES })
  .on("test:pass", ({ name, details }) => {
    // A process without any test in it is reported as a test that passed.
    if (details.type !== "suite" && !entries.includes(name)) passed++;
  })
  .on("test:fail", () => {
    process.exitCode = 1;
  })
  .once("end", () => {
    rmSync(gathered, { recursive: true });
    if (passed > 0) return;
    process.exitCode = 1;
    console.error("no test ran");
  })
  .compose(new spec())
  .pipe(process.stdout);
