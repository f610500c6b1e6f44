import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { family } from "./family.ts";

/** A process that ended before its tests were over, or beside them: one of its files is at fault. */
export interface BrokenOff {
  files: readonly string[];
  /** In words. */
  why: string;
}

export interface Told {
  passed: number;
  failed: number;
  brokenOff: BrokenOff[];
}

// How often it is looked whether a test hangs.
const LOOK_MS = 1000;

/**
 * Runs test files, each group in a process of its own, `concurrency` at a time, and prints what they tell. A process whose
 * test has not ended after `patience` seconds is killed, and the test named: a run that hangs tells nobody where.
 */
export async function runGroups(
  groups: readonly (readonly string[])[],
  concurrency: number,
  patience: number,
): Promise<Told> {
  const gathered = mkdtempSync(join(tmpdir(), "manuscript-run-"));
  const entries = groups.map((files, index) => {
    const path = join(gathered, `${index}.mjs`);
    const note = join(gathered, `${index}.txt`);
    const now = join(gathered, `${index}.now`);
    writeFileSync(path, entryOf(files, note, now));
    return { files, path, note, now };
  });
  const paths = entries.map(({ path }) => path);
  const looking = setInterval(() => {
    for (const { note, now } of entries) if (!existsSync(note)) endHanging(note, now, patience);
  }, LOOK_MS);
  let [passed, failed] = [0, 0];
  await new Promise<void>((resolve) => {
    run({ files: paths, concurrency })
      .on("test:pass", ({ name, details }) => {
        // A process without any test in it is reported as a test that passed.
        if (details.type !== "suite" && !paths.includes(name)) passed++;
      })
      .on("test:fail", () => {
        failed++;
      })
      .once("end", resolve)
      .compose(new spec())
      .pipe(process.stdout, { end: false });
  });
  clearInterval(looking);
  const brokenOff = entries.flatMap(({ files, note }) => {
    const why = existsSync(note)
      ? readFileSync(note, "utf8")
      : "its process ended before its tests were over";
    return why === "" ? [] : [{ files, why }];
  });
  rmSync(gathered, { recursive: true });
  return { passed, failed, brokenOff };
}

/** Kills a group's process if its test has run for more than `patience` seconds, and all that it has started. */
function endHanging(note: string, now: string, patience: number): void {
  const since = statSync(now, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined || Date.now() - since < patience * 1000) return;
  const { pid, name } = JSON.parse(readFileSync(now, "utf8")) as { pid: number; name: string };
  const why = `"${name}", or what stands behind it, had not ended after ${patience} s`;
  console.error(why);
  writeFileSync(note, why);
  // Its children have its streams, and whoever waits for their end would wait for them.
  for (const each of new Set([pid, ...family(pid)])) kill(each);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {} // it has ended
}

/**
 * A module that runs these files. A file that cannot be loaded is a test that fails. At the end it writes a note: what was
 * thrown beside the tests, nothing if all is well. Without a note the process did not come that far: `beforeExit` is said
 * of a process that has nothing left to do, never of one that is ended by `process.exit()` or an error. Before each test it
 * writes into `now` who runs what.
 */
function entryOf(files: readonly string[], note: string, now: string): string {
  return `
import { writeFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { inspect } from "node:util";
const begin = (name) => writeFileSync(${JSON.stringify(now)}, JSON.stringify({ pid: process.pid, name }));
begin("loading its files");
beforeEach(({ fullName }) => begin(fullName));
const thrown = [];
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error) => thrown.push(\`\${event}: \${inspect(error)}\`));
for (const [file, url] of ${JSON.stringify(files.map((file) => [file, pathToFileURL(file).href]))})
  try {
    await import(url);
  } catch (error) {
    test(\`\${file} can be loaded\`, () => {
      throw error;
    });
  }
process.on("beforeExit", () => writeFileSync(${JSON.stringify(note)}, thrown.join("\\n")));
`;
}
