import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shell } from "../../test/cli/shell.ts";
import { suite } from "../../test/support/sandbox.ts";
import { report } from "./report.ts";

// Bytes that a manuscript's file grows by with each sync of a folder in which one line was edited.
const SYNCS = Number(process.env.MANUSCRIPT_BENCH_SYNCS ?? 1000);
const CHAPTERS = 20;
const NOTES = 300;

const scope = suite();
const sh = shell(scope);
async function run(...argv: string[]): Promise<void> {
  const { exit, stdout, stderr } = await sh(...argv);
  if (exit !== 0) throw new Error(`${argv.join(" ")} ended with ${exit}: ${stderr}${stdout}`);
}

const line = (chapter: number, at: number) =>
  `Line ${at} of chapter ${chapter} says what the tide brought in.`;
const linesOf = (chapter: number) => Array.from({ length: NOTES / CHAPTERS }, (_, at) => line(chapter, at));
const noteOf = (chapter: number, at: number) =>
  `- text: ${"Ask the harbour master whether that is so, and since when. ".repeat(6)}${chapter} ${at}\n  chapter: ${chapter}.md\n  quote: ${line(chapter, at)}\n`;
const chapters = Array.from({ length: CHAPTERS }, (_, at) => 10 + at);
mkdirSync(join(sh.cwd, "novel"));
for (const chapter of chapters)
  writeFileSync(join(sh.cwd, "novel", `${chapter}.md`), `# ${chapter}\n\n${linesOf(chapter).join("\n\n")}\n`);
await run("init", "book.manuscript");
await run("import", "novel");
await run("export", "1", "-o", "out");
const notes = chapters.flatMap((chapter) => linesOf(chapter).map((_, at) => noteOf(chapter, at)));
writeFileSync(join(sh.cwd, "out", "notes.yaml"), notes.join(""));
await run("sync", "out");

/** Bytes of the file that are not free. */
const used = async () => {
  const { before } = (await sh("compact", "--dry-run", "--json")).json<
    Record<"before", Record<string, number>>
  >();
  return Number(before.bytes) - Number(before.unusedBytes);
};
const before = await used();
const start = process.cpuUsage();
for (let sync = 0; sync < SYNCS; sync++) {
  const path = join(sh.cwd, "out", `${10 + (sync % CHAPTERS)}.md`);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/brought in.*/, `brought in at ${sync}.`));
  await run("sync", "out");
}
const { user, system } = process.cpuUsage(start);
const growth = ((await used()) - before) / SYNCS;
await scope.end();
report(`syncs: ${CHAPTERS} chapters, ${NOTES} notes, ${SYNCS} syncs of one edited line each`, [
  { what: "the file grows by", value: growth, unit: "bytes a sync", bar: "≤ 1,000", met: growth <= 1000 },
  { what: "CPU", value: (user + system) / 1000 / SYNCS, unit: "ms a sync" },
]);
