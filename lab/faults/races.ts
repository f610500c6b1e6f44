import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as soon, setTimeout as wait } from "node:timers/promises";
import { shell } from "../../test/cli/shell.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { randomFrom } from "../../test/support/random.ts";
import { suite } from "../../test/support/sandbox.ts";

// Editors that save while a sync or an export writes the same files, once temporary files appear, as files are replaced, and
// at random; three syncs at once; and a sync that watches, with a writer on either side. Each save is a paragraph of its
// own, and has to be somewhere: in the manuscript, in a file, or kept beside. `npm run faults`; MANUSCRIPT_SEED repeats it.
const ROUNDS = 24;
const SAVES = 10;
const TRIPLES = 20;
const WATCHED_MS = 8000;
const CHAPTERS = 24;
const seed = Number(process.env.MANUSCRIPT_SEED ?? Math.floor(Math.random() * 0x7fffffff));

const random = randomFrom(seed);

const scope = suite();
const sh = shell(scope);
const out = join(sh.cwd, "out");
const faults: string[] = [];
const count = { saves: 0, within: 0, triples: 0, removed: 0, watched: 0, written: 0, lost: 0 };

/** Runs a command line in process. Throws where it fails, a conflict apart. */
async function run(...argv: string[]): Promise<string> {
  const { exit, stdout, stderr } = await sh(...argv);
  if (exit !== 0 && exit !== 5) throw new Error(`${argv.join(" ")} ended with ${exit}: ${stderr}${stdout}`);
  return stdout;
}

function start(...argv: string[]): ChildProcess & { ended: Promise<unknown> } {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: sh.cwd,
    stdio: "ignore",
    env: { ...process.env, HOME: sh.cwd },
  });
  return Object.assign(child, { ended: once(child, "exit") });
}

const files = () =>
  readdirSync(out).filter((name) => /^\d.*\.md$/.test(name) && !name.includes(".conflict."));

/** Saves a text as editors do: in place, or beside and renamed. */
function save(file: string, text: string): void {
  const path = join(out, file);
  const isInPlace = random() < 0.5;
  writeFileSync(isInPlace ? path : `${path}~`, text);
  if (!isInPlace) renameSync(`${path}~`, path);
}

const said = new Set<string>();
const paragraph = () => {
  const text = `Saved ${said.size} among the others of seed ${seed}.`;
  said.add(text);
  return text;
};

/** Every text that there is: the manuscript's, the folder's, and what is kept in it. */
async function everything(): Promise<string> {
  const names = readdirSync(out, { recursive: true, encoding: "utf8" });
  const texts = names.map((name) => join(out, name)).filter((path) => statSync(path).isFile());
  return [await run("export", "1", "-o", "-"), ...texts.map((path) => readFileSync(path, "utf8"))].join("\n");
}

async function expectKept(what: string): Promise<void> {
  const all = await everything();
  for (const text of said) {
    if (all.includes(text)) continue;
    said.delete(text);
    count.lost++;
    faults.push(`${what}: "${text}" is nowhere`);
  }
}

/** Waits until something is being written in the folder, or the run has ended. */
async function writing(child: ChildProcess, ending: RegExp): Promise<void> {
  while (child.exitCode === null && !readdirSync(out).some((name) => ending.test(name))) await soon();
}

mkdirSync(join(sh.cwd, "novel"));
for (let chapter = 10; chapter < 10 + CHAPTERS; chapter++) {
  const lines = Array.from(
    { length: 12 },
    (_, index) => `In ${chapter} the tide took the boat ${index} out.`,
  );
  writeFileSync(join(sh.cwd, "novel", `${chapter}-c.md`), `# Chapter ${chapter}\n\n${lines.join("\n\n")}\n`);
}
await run("init", "race.manuscript");
await run("import", "novel");
await run("export", "1", "-o", "out");

for (let round = 0; round < ROUNDS; round++) {
  await run(
    "replace",
    "1",
    round % 2 === 0 ? "tide" : "flood",
    round % 2 === 0 ? "flood" : "tide",
    "--apply",
  );
  const loaded = new Map(files().map((file) => [file, readFileSync(join(out, file), "utf8")]));
  const child = round % 6 === 5 ? start("export", "1", "-o", "out", "--force") : start("sync", "out");
  if (round % 3 === 0) await writing(child, /^\.manuscript-.*\.tmp$/);
  else if (round % 3 === 1) await writing(child, /^\.manuscript-.*\.aside$/);
  else await wait(200 + random() * 600);
  for (let left = SAVES; left > 0; left--) {
    const names = [...loaded.keys()];
    const file = names.splice(Math.floor((0.3 + 0.7 * random()) * names.length), 1)[0] ?? names[0] ?? "";
    const text = loaded.get(file);
    if (text === undefined) continue;
    loaded.delete(file); // each once a round: an editor's own later save is no loss
    save(file, `${text.trimEnd()}\n\n${paragraph()}\n`);
    count.saves++;
    if (child.exitCode === null) count.within++;
    await soon();
  }
  await child.ended;
  await expectKept(`round ${round}`);
  await run("sync", "out");
  await expectKept(`sync after round ${round}`);
}

const earlier = new Set(said); // what an export by force replaced is kept in the folder alone
for (let turn = 0; turn < TRIPLES; turn++) {
  const [file = ""] = files().slice(turn % CHAPTERS);
  const text = paragraph();
  const path = join(sh.cwd, "more.md");
  const id = /^id: (\S+)/m.exec(readFileSync(join(out, file), "utf8"))?.[1] ?? "";
  writeFileSync(path, `${(await run("show", id)).trimEnd()}\n\n${text}\n`);
  await run("write", id, path);
  const other = files()[(turn + 7) % CHAPTERS] ?? "";
  writeFileSync(join(out, other), `${readFileSync(join(out, other), "utf8").trimEnd()}\n\n${paragraph()}\n`);
  const three = [start("sync", "out"), start("sync", "out"), start("sync", "out")];
  await Promise.all(three.map(({ ended }) => ended));
  for (const { exitCode } of three) if (exitCode !== 0) faults.push(`triple ${turn} ended with ${exitCode}`);
  const before = count.lost;
  const stored = await run("export", "1", "-o", "-");
  const removed = [...said].filter((one) => !earlier.has(one) && !stored.includes(one));
  count.removed += removed.length;
  if (removed.length > 0)
    faults.push(`triple ${turn}: ${removed.length} paragraphs are not in the manuscript`);
  await expectKept(`triple ${turn}`);
  count.triples += before === count.lost ? 1 : 0;
}

const watching = start("sync", "out", "--watch");
await wait(1500);
const until = Date.now() + WATCHED_MS;
const [one = "", two = ""] = files();
while (Date.now() < until) {
  const file = random() < 0.5 ? one : two;
  if (random() < 0.6) {
    // An editor that reads the file anew before it adds a paragraph, and takes its time to save.
    const text = readFileSync(join(out, file), "utf8");
    const added = paragraph();
    await wait(random() * 120);
    // Like an editor that is told when a file has changed on disk: it loads that first.
    if (readFileSync(join(out, file), "utf8") !== text) {
      said.delete(added);
      continue;
    }
    save(
      file,
      text.replace(/\n\n([^\n]*)\n$/, (end) => `${end}\n${added}\n`),
    );
    count.watched++;
  } else {
    const [from, to] = count.written % 2 === 0 ? ["boat", "ship"] : ["ship", "boat"];
    const { exit } = await sh("replace", "1", `${from} 3`, `${to} 3`, "--apply");
    if (exit === 0) count.written++;
  }
  await wait(random() * 60);
}
await wait(1500);
watching.kill("SIGINT");
await watching.ended;
await run("sync", "out");
await expectKept("watch");
if (existsSync(out) && readdirSync(out).some((name) => /\.(?:tmp|aside)$/.test(name)))
  faults.push(`left in the folder: ${readdirSync(out).filter((name) => name.startsWith(".manuscript-"))}`);
await scope.end();

console.log(JSON.stringify({ suite: "races", seed, ...count, faults: faults.length }));
if (count.saves < 200 || count.within < count.saves / 4)
  faults.push("the saves came too early or too late to say anything");
for (const fault of faults.slice(0, 20)) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
