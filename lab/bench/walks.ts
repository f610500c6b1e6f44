import fs, { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Line, report } from "./report.ts";

// What a command walks through: the files of ours whose functions it enters, and how often it does what costs most.
const root = join(import.meta.dirname, "../..");
const place = mkdtempSync(join(tmpdir(), "manuscript-walks-"));
process.env.HOME = place;

const read = new Map<string, number>();
const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  const name = String(path);
  read.set(name, (read.get(name) ?? 0) + 1);
  return openSync(path, ...rest);
};
syncBuiltinESMExports();

const { run } = (await import(
  pathToFileURL(join(root, "dist/cli/run.js")).href
)) as typeof import("../../src/cli/run.ts");

async function manuscript(...argv: string[]): Promise<void> {
  const talk: Buffer[] = [];
  const stream = () =>
    Object.assign(
      new Writable({
        write(chunk, _, done) {
          talk.push(Buffer.from(chunk));
          done();
        },
      }),
      { isTTY: false },
    );
  const terminal = { stdout: stream(), stderr: stream(), stdin: process.stdin, env: {}, cwd: place };
  const exit = await run([...argv, "--file", join(place, "novel.manuscript")], terminal);
  if (exit !== 0) throw new Error(`${argv.join(" ")}: ${Buffer.concat(talk)}`);
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");

/** Functions counted by the file that declares them and their name. */
const COUNTED = {
  "Markdown parsed": ["dist/prose/markdown/parse-chapter.js", "parseMarkdown"],
  "chapters rendered": ["dist/files/folder/render-chapter.js", "chapterBytes"],
  "YAML opened": ["node_modules/yaml/dist/public-api.js", "parseDocument"],
} as const;

interface Walk {
  files: string[];
  counts: Record<string, number>;
}

async function walk(name: string, go: () => Promise<void>): Promise<Walk> {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  await session.post("Profiler.takePreciseCoverage"); // what was called so far counts no more
  read.clear();
  await go();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const files: string[] = [];
  const counts: Record<string, number> = Object.fromEntries(Object.keys(COUNTED).map((what) => [what, 0]));
  for (const { url, functions } of result) {
    if (!url.startsWith("file:")) continue;
    const path = relative(root, fileURLToPath(url));
    // Loading a module enters its top level, which begins at 0.
    const entered = functions.filter(
      ({ ranges: [whole] }) => whole !== undefined && whole.startOffset > 0 && whole.count > 0,
    );
    if (path.startsWith("dist/") && !path.startsWith("dist/cli/") && entered.length > 0)
      files.push(path.slice("dist/".length));
    for (const [what, [file, called]] of Object.entries(COUNTED)) {
      if (path !== file) continue;
      const found = functions.filter(({ functionName }) => functionName === called);
      if (found.length === 0) throw new Error(`${file} has no function ${called} any more`);
      counts[what] =
        (counts[what] ?? 0) + found.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
    }
  }
  const out = join(place, "out");
  const reads = [...read].filter(([path]) => path.startsWith(out));
  counts["reads of a file of the folder, at most"] = Math.max(0, ...reads.map(([, count]) => count));
  counts["files of the folder read"] = reads.length;
  if (process.env.MANUSCRIPT_WALKS !== undefined) console.error(`\n${name}\n  ${files.sort().join("\n  ")}`);
  return { files, counts };
}

await manuscript("init");
cpSync(join(root, "fixtures/novel"), join(place, "novel"), { recursive: true });
const lines: Line[] = [];
const BARS: Record<string, Record<string, number>> = {
  "sync, nothing changed": {
    "files entered": 30,
    "Markdown parsed": 0,
    "chapters rendered": 0,
    "YAML opened": 2,
    "reads of a file of the folder, at most": 1,
  },
  "sync, one word changed": { "files entered": 60, "Markdown parsed": 1, "chapters rendered": 1 },
};
async function measure(name: string, go: () => Promise<void>): Promise<void> {
  const { files, counts } = await walk(name, go);
  for (const [what, value] of Object.entries({ "files entered": files.length, ...counts })) {
    const most = BARS[name]?.[what];
    const bar = most === undefined ? {} : { bar: `≤ ${most}`, met: value <= most };
    lines.push({ what: `${name}: ${what}`, value, unit: "", ...bar });
  }
}

await measure("import, a new book", () => manuscript("import", "novel"));
await measure("export", () => manuscript("export", "-o", "out"));
await manuscript("facts", "add", "Mara", "--kind", "character");
await manuscript("notes", "add", "1", "A note beside the book");
await manuscript("sync", "out");
await measure("sync, nothing changed", () => manuscript("sync", "out"));
const chapter = fs
  .readdirSync(join(place, "out"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .sort()[3];
if (chapter === undefined) throw new Error("the sample has chapters");
const path = join(place, "out", chapter);
writeFileSync(path, readFileSync(path, "utf8").replace(/ the /, " that "));
await measure("sync, one word changed", () => manuscript("sync", "out"));
await measure("import of what is in step", () => manuscript("import", "out"));
rmSync(place, { recursive: true });
report("walks: the sample novel, commands in process", lines);
