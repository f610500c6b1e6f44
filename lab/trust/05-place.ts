import {
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Unavailable } from "../../src/refusals.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { ask, command, type Desk, factsIn, inFolder, makeDesk, saveFact } from "./desk.ts";
import type { TrustPromise } from "./promise.ts";
import { startServed } from "./served.ts";

/** How often each thing is done to a file. */
const TIMES = 3;
/** Saves before and after. */
const SAVES = 4;
const SECOND_MS = 1000;
const TRIES = 100;
const PAUSE_MS = 20;

/** What is done to a file under the server; `old` is a whole copy of how it was before the last saves. */
type Harm = (path: string, old: string) => void;

const HARMS: readonly [name: string, harm: Harm][] = [
  ["overwritten by an older copy", (path, old) => copyFileSync(old, path)],
  ["overwritten by another file", (path) => writeFileSync(path, "Call me Ishmael. ".repeat(20_000))],
  ["truncated", (path) => truncateSync(path, 0)],
  ["replaced", (path, old) => renameSync(old, path)],
  ["removed", (path) => rmSync(path)],
  ["moved", (path) => renameSync(path, `${path}.moved`)],
  ["without its log", (path) => rmSync(`${path}-wal`, { force: true })],
  [
    "with another log",
    (path) => {
      rmSync(`${path}-wal`, { force: true });
      writeFileSync(`${path}-wal`, "");
    },
  ],
  ["linked", (path) => linkSync(path, `${path}.link`)],
];

export const promise: TrustPromise = {
  number: 5,
  promise: "A file that is moved, replaced, removed or linked is noticed; a second server is refused by name",
  bar: `${HARMS.length} harms, ${TIMES} times each: 0 saves answered into nowhere, 0 bytes written over what lies there; 20 copies put beside another's log: 0 destroyed`,
  measure: () => inFolder(measureIn),
};

async function measureIn(folder: string) {
  const faults: string[] = [];
  const missed: string[] = [];
  const harms = await harm(folder, faults);
  const copies = await putBeside(folder, faults);
  const second = await startSecond(folder, faults);
  if (second > SECOND_MS) missed.push(`a second server is refused after ${Math.round(second)} ms`);
  return { figures: `${harms}; ${copies}; the second server named the first`, faults, missed };
}

async function harm(folder: string, faults: string[]): Promise<string> {
  const cases = HARMS.flatMap(([name, does]) =>
    Array.from({ length: TIMES }, (_, time) => ({ name, does, time })),
  );
  const desks = cases.map((_, at) => makeDesk(join(folder, `harmed-${at}.manuscript`)));
  const whole = makeDesk(join(folder, "whole.manuscript"));
  const server = await startServed(folder, [...desks.map(({ path }) => path), whole.path, "--quiet"]);
  const left: [path: string, bytes: Buffer][] = [];
  let refused = 0;
  for (const [at, { name, does, time }] of cases.entries()) {
    const desk = desks[at]!; // one a case
    const old = `${desk.path}.old`;
    for (let save = 0; save < SAVES; save++) {
      if ((await saveFact(server.url, desk, `before ${save}`)) !== 201)
        faults.push(`${name}: a save before was refused`);
      if (save === 1) openManuscript(desk.path).close(); // takes the log into the file
      if (save === 1) copyFileSync(desk.path, old);
    }
    if (time % 2 === 1 || name.includes("older")) await takeLogIn(desk.path, old);
    does(desk.path, old);
    const stands =
      existsSync(desk.path) && name !== "linked" && !name.endsWith("log")
        ? readFileSync(desk.path)
        : undefined;
    for (let save = 0; save < SAVES; save++) {
      const status = await saveFact(server.url, desk, `after ${save}`);
      if (status === 503) refused++;
      else faults.push(`${name}: a save was answered ${status}`);
    }
    const read = await ask(server.url, desk, `/books/${desk.bookId}/facts`);
    if (read.status !== (name === "linked" ? 200 : 503))
      faults.push(`${name}: a read was answered ${read.status}`);
    if (stands !== undefined) left.push([desk.path, stands]);
    if ((await saveFact(server.url, whole, `${name} ${time}`)) !== 201)
      faults.push(`${name}: another manuscript was refused`);
  }
  const { exit } = await server.stop("SIGTERM");
  if (exit !== 0) faults.push(`the server ended with ${exit}: ${server.said()}`);
  for (const [path, bytes] of left)
    if (!readFileSync(path).equals(bytes)) faults.push(`${path} was written over`);
  expectSaves(
    cases.map(({ name }) => name),
    desks,
    faults,
  );
  return `${cases.length} harmed files: ${refused} saves refused, ${left.length} files left as they lay`;
}

/** Takes the log into the file, for a copy of just what that is without it would do no harm; a reader may keep it out for a moment. */
async function takeLogIn(path: string, old: string): Promise<void> {
  for (let time = 0; time < TRIES; time++) {
    openManuscript(path).close();
    if (!readFileSync(path).equals(readFileSync(old))) return;
    await delay(PAUSE_MS);
  }
}

/** Where nothing was lost from the disk, every answered save must be in the file. */
function expectSaves(names: readonly string[], desks: readonly Desk[], faults: string[]): void {
  for (const [at, name] of names.entries()) {
    const desk = desks[at]!; // one a name
    if (!["moved", "without its log", "linked"].includes(name)) continue;
    if (name === "moved") renameSync(`${desk.path}.moved`, desk.path);
    if (name === "linked") rmSync(`${desk.path}.link`);
    const facts = factsIn(desk);
    for (let save = 0; save < SAVES; save++)
      if (!facts.has(`before ${save}`)) faults.push(`${name}: before ${save} is lost`);
  }
}

/** A server is killed; copies of its files, older and rebuilt, are put where they were, beside the log that was left. */
async function putBeside(folder: string, faults: string[]): Promise<string> {
  const desks = Array.from({ length: 20 }, (_, at) => makeDesk(join(folder, `left-${at}.manuscript`)));
  const server = await startServed(folder, [...desks.map(({ path }) => path), "--quiet"]);
  for (const [at, desk] of desks.entries()) {
    await saveFact(server.url, desk, "first");
    openManuscript(desk.path).close();
    copyFileSync(desk.path, `${desk.path}.old`);
    await saveFact(server.url, desk, "second");
    openManuscript(desk.path).close();
    if (at % 4 === 1) rebuild(desk.path, `${desk.path}.old`);
  }
  await Promise.all(desks.map((desk) => saveFact(server.url, desk, "third")));
  await server.stop("SIGKILL");
  let [kept, recovered] = [0, 0];
  for (const [at, desk] of desks.entries()) {
    if (at % 4 === 3) {
      // Its own log, which must always be taken in.
      if (factsIn(desk).has("third")) recovered++;
      else faults.push("a log of the file's own was not taken in");
      continue;
    }
    if (at % 4 === 2) renameSync(`${desk.path}.old`, desk.path);
    else copyFileSync(`${desk.path}.old`, desk.path);
    const before = [desk.path, `${desk.path}-wal`].map((name) => readFileSync(name));
    if ((before[1]?.length ?? 0) === 0) continue; // it had been taken in
    try {
      openManuscript(desk.path).close();
      // The log of a busy server may not have been begun anew since the copy: then it is the copy's own, and nothing is lost.
      if (at % 4 !== 1 && isWhole(desk)) recovered++;
      else faults.push(`a copy beside another's log was opened (${at % 4})`);
      continue;
    } catch (error) {
      if (!(error instanceof Unavailable)) faults.push(String(error));
    }
    if (!before.every((bytes, index) => readFileSync(desk.path + (index === 0 ? "" : "-wal")).equals(bytes)))
      faults.push("a copy beside another's log was changed");
    else kept++;
  }
  return `${kept} copies beside another's log refused and kept byte for byte, ${recovered} logs of their own taken in`;
}

/** True if a file is sound and holds every save. */
function isWhole(desk: Desk): boolean {
  const facts = factsIn(desk);
  const manuscript = openManuscript(desk.path);
  try {
    const [said] = manuscript.store.list<string>("PRAGMA integrity_check");
    return said === "ok" && ["first", "second", "third"].every((name) => facts.has(name));
  } finally {
    manuscript.close();
  }
}

function rebuild(path: string, to: string): void {
  rmSync(to);
  const manuscript = openManuscript(path);
  manuscript.store.prepare("VACUUM INTO ?").run(to);
  manuscript.close();
}

async function startSecond(folder: string, faults: string[]): Promise<number> {
  const { path } = makeDesk(join(folder, "twice.manuscript"));
  const first = await startServed(folder, [path, "--quiet"]);
  const empty = performance.now();
  await command(["books", "--file", path], { cwd: folder });
  const start = performance.now();
  const { exit, said } = await command(["serve", path, "--port", "0"], { cwd: folder });
  // What any command takes to start is not what is measured.
  const ms = performance.now() - start - (start - empty);
  if (exit !== 1 || !said.includes(`number ${first.pid}`)) faults.push(`the second server: ${exit} ${said}`);
  await first.stop("SIGKILL");
  const third = await startServed(folder, [path, "--quiet"]);
  if ((await third.stop("SIGTERM")).exit !== 0) faults.push("after a kill the lock stood");
  if (statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined)
    faults.push("a log was left by a quiet stop");
  return ms;
}
