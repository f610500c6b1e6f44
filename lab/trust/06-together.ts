import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { connect } from "../../src/store/file/driver.ts";
import { ask, command, type Desk, factsIn, inFolder, makeDesk, saveFact } from "./desk.ts";
import { monitoredIn, turnsOf } from "./monitored.ts";
import type { TrustPromise } from "./promise.ts";
import { type Served, startServed } from "./served.ts";

const WRITES = 2000;
const LANES = 4;
const FRESH = 10;
const MOST_STALL_MS = 50;
const MOST_COMMAND_MS = 4500;
const MOST_LOG_BYTES = 64 * 2 ** 20;
const CHAPTERS = 200;
const WORDS_EACH = 50_000;

export const promise: TrustPromise = {
  number: 6,
  isNightly: true,
  promise: "A server and commands write one file at once, beside a long reader and a very long import",
  bar: `2 × ${WRITES} writes: 0 busy, 0 lost; a turn of the server's loop < ${MOST_STALL_MS} ms of CPU; a search sees a command's write at the next request; the log ≤ 64 MiB`,
  measure: () => inFolder(measureIn),
};

async function measureIn(folder: string) {
  const faults: string[] = [];
  const missed: string[] = [];
  const desk = makeDesk(join(folder, "w.manuscript"));
  const server = await startServed(folder, [desk.path, "--quiet"], monitoredIn(folder));
  const longestTurn = async () => (await turnsOf(server.pid, folder)).turnMs;
  await longestTurn(); // nor does its start count
  const both = await writeBoth(server, desk, faults);
  const turnBeside = await longestTurn();
  const beside = await writeBesideReader(server, desk, faults);
  if (beside.logBytes > MOST_LOG_BYTES)
    missed.push(`the log grew to ${beside.logBytes} bytes beside a reader`);
  if (beside.commandMs > MOST_COMMAND_MS)
    missed.push(`a command beside a reader took ${Math.round(beside.commandMs)} ms`);
  await searchFresh(server, desk, folder, faults);
  await longestTurn();
  const imported = await writeBesideImport(server, desk, folder, { faults, missed });
  const turnImport = await longestTurn();
  const turnMs = Math.max(turnBeside, turnImport);
  if (turnMs > MOST_STALL_MS) missed.push(`a turn of the server's loop took ${Math.round(turnMs)} ms`);
  if ((await server.stop("SIGTERM")).exit !== 0) faults.push("the server did not end well");
  const found = factsIn(desk);
  const wanted = [...both.names, ...beside.names, ...imported.names];
  for (const name of wanted) if (!found.has(name)) faults.push(`lost: ${name}`);
  const figures = `2 × ${WRITES} writes and ${beside.names.length} beside a reader (log ${Math.round(beside.logBytes / 2 ** 20)} MiB, ${beside.leftBytes} bytes after it) and ${imported.names.length} beside an import of ${(CHAPTERS * WORDS_EACH) / 1e6} million words: ${faults.length} busy or lost; ${FRESH} searches fresh; the longest turn of the server's loop ${Math.round(turnMs)} ms; by the clock a read waited ${Math.round(both.waitMs)} ms beside the writers and ${Math.round(imported.waitMs)} beside the import`;
  return { figures, faults, missed };
}

/** The longest that an answer to a read takes until `until` has ended, in milliseconds. */
async function waitUntil(server: Served, desk: Desk, until: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = until.finally(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) {
    const start = performance.now();
    await ask(server.url, desk, "/books");
    most = Math.max(most, performance.now() - start);
    await wait(20);
  }
  await end;
  return most;
}

async function writeBoth(server: Served, desk: Desk, faults: string[]) {
  const at = (path: string) => JSON.stringify(import.meta.resolve(path));
  const script = `
    const { openManuscript } = await import(${at("../../src/service/manuscript.ts")});
    const { createFact } = await import(${at("../../src/service/annotations/facts.ts")});
    const manuscript = openManuscript(process.argv[1]);
    for (let write = 0; write < ${WRITES}; write++) createFact(manuscript, process.argv[2], { name: "theirs " + write }, { source: "cli" });
    manuscript.close();`;
  const args = ["--import", "tsx", "--input-type=module", "-e", script, desk.path, desk.bookId];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const said: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let write = lane; write < WRITES; write += LANES) {
      const status = await saveFact(server.url, desk, `ours ${write}`);
      if (status !== 201) faults.push(`a save was answered ${status}`);
    }
  });
  const waitMs = await waitUntil(server, desk, Promise.all([once(child, "exit"), ...lanes]));
  if (child.exitCode !== 0) faults.push(`the other program: ${Buffer.concat(said)}`);
  const names = ["ours", "theirs"].flatMap((who) =>
    Array.from({ length: WRITES }, (_, write) => `${who} ${write}`),
  );
  return { waitMs, names };
}

/** Another program reads one moment all along, as a database browser does; then it ends, and the log is taken in. */
async function writeBesideReader(server: Served, desk: Desk, faults: string[]) {
  const reader = connect(desk.path, { readonly: true });
  reader.exec("BEGIN; SELECT count(*) FROM facts");
  const names = Array.from({ length: 500 }, (_, write) => `beside a reader ${write}`);
  for (const name of names) {
    const status = await saveFact(server.url, desk, name);
    if (status !== 201) faults.push(`beside a reader a save was answered ${status}`);
  }
  const start = performance.now();
  const { exit } = await command(["books", "--file", desk.path], { cwd: "/" });
  const commandMs = performance.now() - start;
  if (exit !== 0) faults.push(`beside a reader a command ended with ${exit}`);
  const size = () => statSync(`${desk.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const logBytes = size();
  reader.close();
  const end = Date.now() + 15_000;
  await saveFact(server.url, desk, "after the reader");
  while (size() > 0 && Date.now() < end) await wait(100);
  if (size() > 0) faults.push("the log was not taken in after the reader");
  return { names, commandMs, logBytes, leftBytes: size() };
}

async function searchFresh(server: Served, desk: Desk, folder: string, faults: string[]): Promise<void> {
  for (let time = 0; time < FRESH; time++) {
    const word = `quagga${"abcdefghij"[time]}x`;
    writeFileSync(join(folder, `${word}.md`), `# ${word}\n\nThe ${word} stood at the gate.\n`);
    await command(["import", `${word}.md`, "--book", desk.bookId, "--json", "--file", desk.path], {
      cwd: folder,
    });
    const { body } = await ask(server.url, desk, `/books/${desk.bookId}/search?q=${word}`);
    if (!JSON.stringify(body).includes("stood at the gate"))
      faults.push(`a search did not see ${word}: ${JSON.stringify(body).slice(0, 200)}`);
  }
}

// One act is one transaction: how long a save waits for ten million words to be written is a matter of the machine.
async function writeBesideImport(
  server: Served,
  desk: Desk,
  folder: string,
  { faults, missed }: { faults: string[]; missed: string[] },
) {
  const novel = join(folder, "novel");
  mkdirSync(novel);
  const line = "In the grey of the morning the tide brought in what nobody had taken away again. ";
  const paragraph = `${line.repeat(6).trim()}\n\n`;
  const text = paragraph.repeat(Math.ceil(WORDS_EACH / (16 * 6)));
  for (let chapter = 0; chapter < CHAPTERS; chapter++)
    writeFileSync(join(novel, `${1000 + chapter}.md`), `# Chapter ${chapter}\n\n${text}`);
  const importing = command(["import", "novel", "--json", "--file", desk.path], { cwd: folder });
  let isOver = false;
  const names: string[] = [];
  const saving = (async () => {
    for (let save = 0; !isOver; save++) {
      const name = `beside the import ${save}`;
      const status = await saveFact(server.url, desk, name);
      if (status === 201) names.push(name);
      else if (status === 503) missed.push("beside the import a save was told to come again");
      else faults.push(`beside an import a save was answered ${status}`);
      await wait(100);
    }
  })();
  const waitMs = await waitUntil(server, desk, importing);
  isOver = true;
  await saving;
  const { exit, said } = await importing;
  if (exit !== 0) faults.push(`the import ended with ${exit}: ${said}`);
  return { waitMs, names };
}
