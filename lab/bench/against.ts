/**
 * CPU of `serve` a PATCH of a paragraph, beside that of another checkout that was built: `against.ts FOLDER [FOLDER]`. Both
 * servers run at once and are asked in turns, so that what else the machine does is the same for both.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { firstSaid } from "../../test/support/first-said.ts";
import { cpuMsOf } from "./processes.ts";
import { chapterOf, median, report } from "./report.ts";

const CHAPTERS = 40;
const WORDS = 3000;
const WARM_UP = 1500;
const TURNS = 40;
const WRITES = 50; // a turn

const [theirs = "", ours = resolve(import.meta.dirname, "../..")] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "manuscript-against-"));
const novel = join(folder, "novel");
mkdirSync(novel);
for (let at = 1; at <= CHAPTERS; at++)
  writeFileSync(join(novel, `${at + 100}.md`), `# Chapter ${at}\n\n${chapterOf(WORDS, at)}`);

const sides = [await start(ours), await start(resolve(theirs))];
for (const { write } of sides) for (let at = 0; at < WARM_UP; at++) await write();
for (let turn = 0; turn < TURNS; turn++) {
  for (const { write, cpuMs, costs } of turn % 2 === 0 ? sides : sides.toReversed()) {
    const before = cpuMs();
    for (let at = 0; at < WRITES; at++) await write();
    costs.push((1000 * (cpuMs() - before)) / WRITES);
  }
}
const [own, other] = sides.map(({ costs }) => median(costs));
for (const { end } of sides) await end();
rmSync(folder, { recursive: true });
report(`against: a PATCH of a paragraph in ${CHAPTERS * WORDS} words, over HTTP`, [
  { what: ours, value: own!, unit: "µs" }, // there are two
  { what: theirs, value: other!, unit: "µs" },
  { what: "ours ÷ theirs", value: own! / other!, unit: "×" },
]);

/** Takes the novel in by a checkout's own program, and serves it. */
async function start(root: string) {
  const program = join(root, "bin/manuscript.js");
  const file = join(mkdtempSync(join(folder, "side-")), "bench.manuscript");
  const run = (...args: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [program, "--file", file, "--json", ...args], { encoding: "utf8" }),
    );
  run("init");
  run("import", novel, "--title", "Bench");
  const { key } = run("key", "create");
  const child = spawn(process.execPath, [program, "serve", file, "--port", "0", "--quiet"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { origin } = new URL(/http:\S+/.exec(await firstSaid(child))?.[0] ?? "");
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}/api/v1${path}`, { headers, ...init });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json() as Promise<{ books: { id: string }[]; chapters: { id: string }[]; doc: Doc }>;
  };
  const { books } = await ask("/books");
  const { chapters } = await ask(`/books/${books[0]?.id}`);
  const paths: string[] = [];
  for (const { id } of chapters) {
    const { doc } = await ask(`/chapters/${id}?format=doc`);
    for (const { type, attrs } of doc.content)
      if (type === "paragraph") paths.push(`/chapters/${id}/paragraphs/${attrs.blockId}`);
  }
  let count = 0;
  return {
    costs: [] as number[],
    cpuMs: () => cpuMsOf(child.pid!), // it has spoken
    write: () => {
      const path = paths[(++count * 37) % paths.length]!; // far from the one before
      const markdown = `A new text, number ${count}, of a paragraph that holds as many words as most others here, she said.`;
      return ask(path, { method: "PATCH", body: JSON.stringify({ markdown }) });
    },
    end: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}

interface Doc {
  content: { type: string; attrs: { blockId: string } }[];
}
