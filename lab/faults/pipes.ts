import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { shell } from "../../test/cli/shell.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { randomFrom } from "../../test/support/random.ts";
import { suite } from "../../test/support/sandbox.ts";
import { writeLargeBook } from "../trust/large-book.ts";

// Scripts that write 1 to 40 calls into `manuscript mcp`, close the pipe and read the answers later, several at once on a
// large book. Every call must be answered once, every acknowledged note must exist, and each run must exit with 0.
// `npm run faults`; MANUSCRIPT_SEED repeats a run, MANUSCRIPT_RUNS is the number of scripts.
const RUNS = Number(process.env.MANUSCRIPT_RUNS ?? 60);
const WORDS = 600_000;
const LANES = 4;
const MOST_CALLS = 40;
const LATEST_READ_MS = 3000;
const seed = Number(process.env.MANUSCRIPT_SEED ?? Math.floor(Math.random() * 0x7fffffff));

interface Answer {
  id: number;
  result?: { content?: { text: string }[]; isError?: boolean };
}

const scope = suite();
const sh = shell(scope);
const faults: string[] = [];
const noted: string[] = [];
const count = { calls: 0, answered: 0 };

writeLargeBook(join(sh.cwd, "novel"), WORDS);
await sh("init", "book.manuscript");
await sh("import", "novel");
const vocabulary = readFileSync(join(sh.cwd, "novel/0001.md"), "utf8").match(/\w+/g) ?? [];

/** What one script sends: an opening and up to 40 calls. */
function requestsOf(run: number, random: () => number) {
  const below = (limit: number) => Math.floor(random() * limit);
  const call = (name: string, args: object) => ({ method: "tools/call", params: { name, arguments: args } });
  const anyCall = () =>
    [
      { method: "tools/list" },
      call("read_outline", {}),
      call("read_chapter", { chapter: 1 + below(15) }),
      call("search", { query: vocabulary[below(vocabulary.length)] }),
      call("add_note", { text: `From script ${run}.` }),
    ][below(5)];
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  const calls = Array.from({ length: 1 + below(MOST_CALLS) }, anyCall);
  return [{ method: "initialize", params }, ...calls].map((one, id) => ({ jsonrpc: "2.0", id, ...one }));
}

async function play(run: number): Promise<void> {
  const random = randomFrom(Math.imul(seed + run, 0x9e3779b1)); // neighbours would begin alike
  const requests = requestsOf(run, random);
  const child = spawn(process.execPath, [PROGRAM, "mcp"], { cwd: sh.cwd, stdio: ["pipe", "pipe", "ignore"] });
  const closed = once(child, "close");
  child.stdin.end(requests.map((one) => `${JSON.stringify(one)}\n`).join(""));
  await wait(random() * LATEST_READ_MS); // answers that do not fit into the pipe wait in the program
  const lines = Buffer.concat(await child.stdout.toArray())
    .toString()
    .split("\n")
    .slice(0, -1);
  const [exit] = await closed;
  if (exit !== 0) faults.push(`script ${run} exited with ${exit}`);
  const answers = lines.map((line): Answer => JSON.parse(line));
  count.calls += requests.length;
  count.answered += answers.length;
  for (const { id } of requests) {
    const [answer, ...more] = answers.filter((one) => one.id === id);
    const text = answer?.result?.content?.[0]?.text;
    if (answer === undefined || more.length > 0) faults.push(`script ${run}: call ${id} not answered once`);
    else if (answer.result === undefined || answer.result.isError) faults.push(`refused: ${text}`);
    noted.push(...(/^Noted as (\w+)/.exec(text ?? "")?.slice(1) ?? []));
  }
}

let next = 0;
const lanes = Array.from({ length: LANES }, async () => {
  while (next < RUNS) await play(next++);
});
await Promise.all(lanes);
const { snippets } = (await sh("notes", "list", "--json")).json<{ snippets: { id: string }[] }>();
const stored = new Set(snippets.map(({ id }) => id));
for (const id of noted) if (!stored.delete(id)) faults.push(`${id} was acknowledged and is missing`);
if (stored.size > 0) faults.push(`${stored.size} notes were not acknowledged`);
await scope.end();

const notes = noted.length;
console.log(JSON.stringify({ suite: "pipes", seed, runs: RUNS, ...count, notes, faults: faults.length }));
for (const fault of faults.slice(0, 20)) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
