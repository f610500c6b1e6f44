import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";

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

/** Runs test files, each group in a process of its own, `concurrency` at a time, and prints what they tell. */
export async function runGroups(groups: readonly (readonly string[])[], concurrency: number): Promise<Told> {
  const gathered = mkdtempSync(join(tmpdir(), "manuscript-run-"));
  const entries = groups.map((files, index) => {
    const path = join(gathered, `${index}.mjs`);
    const note = join(gathered, `${index}.txt`);
    writeFileSync(path, entryOf(files, note));
    return { files, path, note };
  });
  const paths = entries.map(({ path }) => path);
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
  const brokenOff = entries.flatMap(({ files, note }) => {
    const why = existsSync(note)
      ? readFileSync(note, "utf8")
      : "its process ended before its tests were over";
    return why === "" ? [] : [{ files, why }];
  });
  rmSync(gathered, { recursive: true });
  return { passed, failed, brokenOff };
}

/**
 * A module that runs these files. A file that cannot be loaded is a test that fails. At the end it writes a note: what was
 * thrown beside the tests, nothing if all is well. Without a note the process did not come that far: `beforeExit` is said
 * of a process that has nothing left to do, never of one that is ended by `process.exit()` or an error.
 */
function entryOf(files: readonly string[], note: string): string {
  return `
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";
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
