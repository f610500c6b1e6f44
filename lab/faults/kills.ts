import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as soon, setTimeout as wait } from "node:timers/promises";
import { updateBook } from "../../src/service/books/books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { shell } from "../../test/cli/shell.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { randomFrom } from "../../test/support/random.ts";
import { suite } from "../../test/support/sandbox.ts";

// Import, export, sync, compact and restore, stopped by SIGKILL at moments spread over their work, and some of them between the
// writing of a file and its renaming: what is left must be all or nothing of an import, each file whole, and the next run
// must bring both sides in step; a manuscript's name must always lead to a whole file. `npm run faults`; MANUSCRIPT_SEED repeats a
// run, MANUSCRIPT_KILLS says how many compactions and restores are stopped.
const KILLS = 40;
const SYNCS = 24;
const SWAPS = Number(process.env.MANUSCRIPT_KILLS ?? 40);
/** So many kills must find their command at work, however busy the machine is; else they say nothing. */
const LEAST_RUNNING = 12;
const CHAPTERS = 24;
const PARAGRAPHS = 40;
const seed = Number(process.env.MANUSCRIPT_SEED ?? Math.floor(Math.random() * 0x7fffffff));

const random = randomFrom(seed);

const scope = suite();
const sh = shell(scope);
const at = (...names: string[]) => join(sh.cwd, ...names);
const faults: string[] = [];
const count = { running: 0, none: 0, all: 0, old: 0, new: 0, beside: 0, swapped: 0 };

/** Runs a command line in process. Throws where it fails. */
async function run(...argv: string[]): Promise<void> {
  const { exit, stdout, stderr } = await sh(...argv);
  if (exit !== 0) throw new Error(`${argv.join(" ")} ended with ${exit}: ${stderr}${stdout}`);
}

/** Runs a command line in a process of its own, killed when `moment` comes, or as soon as it answers. */
async function killed(argv: readonly string[], moment: Promise<unknown> | "answered"): Promise<void> {
  const stdio: StdioOptions = moment === "answered" ? ["ignore", "pipe", "ignore"] : "ignore";
  const child = spawn(process.execPath, [PROGRAM, ...argv], { stdio, cwd: sh.cwd });
  const exit = once(child, "exit");
  await Promise.race([moment === "answered" && child.stdout ? once(child.stdout, "data") : moment, exit]);
  if (child.kill("SIGKILL")) count.running++;
  await exit;
}

/** The time that a command line takes in a process of its own, in milliseconds. */
async function timed(...argv: string[]): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, [PROGRAM, ...argv], { stdio: "ignore", cwd: sh.cwd }), "exit");
  return performance.now() - start;
}

/** A moment within the work of a command that takes `wholeMs`, `startMs` of them only to start. */
const within = (startMs: number, wholeMs: number) =>
  wait(startMs * 0.8 + random() * (wholeMs * 1.15 - startMs * 0.8));

/** The moment at which a file is being written somewhere in a folder, or at last when it has long been done. */
async function written(folder: string, skip: number): Promise<void> {
  let seen = "";
  for (const end = Date.now() + 3000; Date.now() < end; await soon()) {
    const beside = existsSync(folder) ? readdirSync(folder).find(isBeside) : undefined;
    if (beside === undefined || beside === seen) continue;
    seen = beside;
    if (skip-- <= 0) return;
  }
}

const isBeside = (name: string) => /^\.manuscript-.*\.tmp$/.test(name);
/** What is being replaced is held in such a folder, by its own name, and the next run brings it back. */
const isAside = (name: string) => /(?:^|\/)\.manuscript-[^/]*\.aside(?:\/|$)/.test(name);

function textsOf(folder: string): Map<string, string> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const files = names.filter(
    (name) => statSync(join(folder, name)).isFile() && !isBeside(name.replace(/^.*\//, "")) && !isAside(name),
  );
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function expectSame(what: string, found: Map<string, string>, wanted: Map<string, string>): void {
  if (found.size !== wanted.size) faults.push(`${what}: ${found.size} files instead of ${wanted.size}`);
  for (const [name, text] of wanted)
    if (found.get(name) !== text) faults.push(`${what}: ${name} is not as it should be`);
}

/** Notes each file that is neither as it was nor as it was to become; those that were to be made may lack. */
function expectWhole(
  what: string,
  found: Map<string, string>,
  { before, after, aside }: { before: Map<string, string>; after: Map<string, string>; aside: string[] },
): void {
  for (const [name, text] of found) {
    if (text === before.get(name)) count.old++;
    else if (text === after.get(name)) count.new++;
    else faults.push(`${what}: ${name} is torn`);
  }
  for (const name of before.keys())
    if (!found.has(name) && !aside.includes(name)) faults.push(`${what}: ${name} is gone`);
}

/** The files of a folder that a killed run had aside. */
function namesAside(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return names.filter(isAside).map((name) => name.replace(/\.manuscript-[^/]*\.aside\/?/, ""));
}

function expectCleared(what: string, folder: string): void {
  const left = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => isBeside(name.replace(/^.*\//, "")) || isAside(name),
  );
  if (left.length > 0) faults.push(`${what}: the next run left ${left.join(", ")}`);
}

async function expectSound(what: string, file: string): Promise<void> {
  const { exit, stdout } = await sh("doctor", "--file", file);
  if (exit !== 0) faults.push(`${what}: ${stdout}`);
}

const paragraph = (chapter: number, index: number) =>
  `In chapter ${chapter} this is paragraph ${index}, which the tide brought in and nobody took away again.\n`;
mkdirSync(at("novel"));
for (let chapter = 10; chapter < 10 + CHAPTERS; chapter++) {
  const text = Array.from({ length: PARAGRAPHS }, (_, index) => paragraph(chapter, index)).join("\n");
  writeFileSync(at("novel", `${chapter}-c.md`), `# Chapter ${chapter}\n\n${text}`);
}
await run("init", "empty.manuscript");
copyFileSync(at("empty.manuscript"), at("full.manuscript"));
const startMs = await timed("books", "--file", "empty.manuscript");
const importMs = await timed("import", "novel", "--file", "full.manuscript");

for (let kill = 0; kill < KILLS; kill++) {
  const what = `import ${kill}`;
  copyFileSync(at("empty.manuscript"), at("killed.manuscript"));
  // However slow the machine is, some have answered and some have not.
  const isAnswered = kill % 4 === 3;
  await killed(
    ["import", "novel", "--file", "killed.manuscript"],
    isAnswered ? "answered" : within(startMs, importMs),
  );
  const manuscript = openManuscript(at("killed.manuscript"));
  const [books, chapters] = ["books", "chapters"].map((table) =>
    Number(manuscript.store.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
  );
  manuscript.close();
  if (isAnswered && books !== 1) faults.push(`${what}: answered, and there is no book`);
  if (books === 0 && chapters === 0) count.none++;
  else if (books === 1 && chapters === CHAPTERS) count.all++;
  else faults.push(`${what}: ${books} books and ${chapters} of ${CHAPTERS} chapters`);
  await expectSound(what, "killed.manuscript");
}

// An older export stands in the folder; the newer one says something else in every file.
await run("export", "1", "-o", "old", "--file", "full.manuscript");
await run("replace", "1", "tide", "flood", "--apply", "--file", "full.manuscript");
cpSync(at("old"), at("new"), { recursive: true });
const exportMs = await timed("export", "1", "-o", "new", "--file", "full.manuscript");
const [before, after] = [textsOf(at("old")), textsOf(at("new"))];
for (let kill = 0; kill < KILLS; kill++) {
  const what = `export ${kill}`;
  const out = at("out");
  if (kill % 3 > 0) cpSync(at("old"), out, { recursive: true });
  const moment = kill % 2 === 0 ? within(startMs, exportMs) : written(out, Math.floor(random() * CHAPTERS));
  await killed(["export", "1", "-o", "out", "--file", "full.manuscript"], moment);
  if (existsSync(out)) count.beside += readdirSync(out).filter(isBeside).length;
  const sides = { before: kill % 3 > 0 ? before : new Map<string, string>(), after, aside: namesAside(out) };
  expectWhole(what, textsOf(out), sides);
  await run("export", "1", "-o", "out", "--file", "full.manuscript");
  expectSame(what, textsOf(out), after);
  expectCleared(what, out);
  rmSync(out, { recursive: true });
}

// Both sides have changed, each other chapters: the even ones in the files, the others in the manuscript.
await run("undo", "--yes", "--file", "full.manuscript");
const names = [...before.keys()].filter((name) => name.endsWith(".md")).sort();
const mine = names.filter((_, index) => index % 2 === 0);
await run("export", "1", "-o", "both", "--force", "--file", "full.manuscript");
const edited = (text: string) => text.replaceAll("tide", "storm");
rmSync(at("theirs"), { recursive: true, force: true });
cpSync(at("both"), at("theirs"), { recursive: true });
for (const name of names) {
  const isMine = mine.includes(name);
  const path = at(isMine ? "both" : "theirs", name);
  writeFileSync(path, edited(readFileSync(path, "utf8")));
}
await run("import", "theirs", "--book", "1", "--file", "full.manuscript");
const unsynced = textsOf(at("both"));
const base = "base.manuscript";
copyFileSync(at("full.manuscript"), at(base));
const done = new Map([...unsynced].map(([name, text]) => [name, name.endsWith(".md") ? edited(text) : text]));
// Chapters apart from the number of their revision, which goes on with every write of the other side.
const md = (texts: Map<string, string>) =>
  new Map(
    [...texts]
      .filter(([name]) => name.endsWith(".md"))
      .map(([name, text]) => [name, text.replace(/^revision: \d+$/m, "")]),
  );
let syncMs = 0;
for (let kill = -1; kill < SYNCS; kill++) {
  const what = `sync ${kill}`;
  // A folder is known by its path, so that each run has to be in the same.
  rmSync(at("both"), { recursive: true, force: true });
  mkdirSync(at("both"));
  for (const [name, text] of unsynced) {
    mkdirSync(join(at("both"), name, ".."), { recursive: true });
    writeFileSync(at("both", name), text);
  }
  copyFileSync(at(base), at("full.manuscript"));
  if (kill < 0) {
    syncMs = await timed("sync", "both", "--file", "full.manuscript");
    expectSame("sync", md(textsOf(at("both"))), md(done));
    continue;
  }
  const moment =
    kill % 2 === 0 ? within(startMs, syncMs) : written(at("both"), Math.floor((random() * CHAPTERS) / 2));
  await killed(["sync", "both", "--file", "full.manuscript"], moment);
  count.beside += readdirSync(at("both")).filter(isBeside).length;
  const sides = { before: md(unsynced), after: md(done), aside: namesAside(at("both")) };
  expectWhole(what, md(textsOf(at("both"))), sides);
  await expectSound(what, "full.manuscript");
  const { exit, stderr } = await sh("sync", "both", "--file", "full.manuscript");
  if (exit !== 0) faults.push(`${what}: the next sync ended with ${exit}: ${stderr}`);
  expectSame(what, md(textsOf(at("both"))), md(done));
  expectCleared(what, at("both"));
  await run("sync", "both", "--exit-code", "--file", "full.manuscript");
}
// A compaction or a restore puts another file in the manuscript's place. Every other time the last save is in the log alone.
const swapped = at("swapped.manuscript");
const titleIn = async (file: string) =>
  (await sh("books", "--json", "--file", file)).json<{ books?: { title: string }[] }>().books?.[0]?.title;
copyFileSync(at("empty.manuscript"), swapped);
await run("import", "novel", "--title", "Older", "--file", swapped);
await run("backup", "--to", "copies", "--file", swapped);
const copy = join("copies", String(readdirSync(at("copies"))[0]));
const open = openManuscript(swapped);
const bookId = String(open.store.list("SELECT id FROM books")[0]);
open.store.setAside(() => {
  open.store.run(
    "INSERT INTO replays(key_id, key, at, fingerprint, reply) VALUES('', '', 0, '', zeroblob(4000000))",
  );
  open.store.run("DELETE FROM replays");
});
for (const title of ["Old", "Newest"]) updateBook(open, bookId, { title }, { source: "cli" });
const partsOf = () =>
  ["", "-wal", "-log"].flatMap((end) =>
    existsSync(swapped + end) ? [[swapped + end, readFileSync(swapped + end)] as const] : [],
  );
const logged = partsOf();
open.close();
const alone = partsOf();
const restoreMs = await timed("restore", copy, "--file", swapped);
for (let kill = 0; kill < SWAPS; kill++) {
  for (const name of readdirSync(sh.cwd)) if (name.startsWith("swapped.manuscript")) rmSync(at(name));
  for (const [name, bytes] of kill % 4 < 2 ? logged : alone) writeFileSync(name, bytes);
  const command = kill % 2 === 0 ? ["compact"] : ["restore", copy];
  const what = `${command[0]} ${kill}`;
  await killed([...command, "--file", swapped], within(startMs, restoreMs));
  const aside = readdirSync(sh.cwd).find((name) => /^swapped.*until.*backup$/.test(name));
  if (!existsSync(swapped)) faults.push(`${what}: nothing stands at the name`);
  const title = existsSync(swapped) ? await titleIn(swapped) : undefined;
  const isRestored = kill % 2 === 1 && title === "Older";
  if (isRestored || (title !== undefined && aside !== undefined)) count.swapped++;
  if (!isRestored && title !== "Newest") faults.push(`${what}: the file holds ${title}`);
  if (isRestored && (await titleIn(String(aside))) !== "Newest") faults.push(`${what}: the old file is gone`);
  await run("status", "1", "done", "--file", swapped);
  await expectSound(what, swapped);
}
await scope.end();

const kills = 2 * KILLS + SYNCS + SWAPS;
console.log(JSON.stringify({ suite: "kills", seed, kills, ...count, faults }));
if (
  count.running < LEAST_RUNNING ||
  [count.none, count.all, count.old, count.new, count.beside, count.swapped].includes(0)
) {
  faults.push("the kills came too early or too late to say anything");
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
