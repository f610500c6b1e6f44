import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ask, command, type Desk, factsIn, inFolder, makeDesk, saveFact } from "./desk.ts";
import type { TrustPromise } from "./promise.ts";
import { type Served, startServed } from "./served.ts";

/** Longer than the server waits until it takes the log into the file. */
const IDLE_MS = 1600;
const TRIES = 12;

export const promise: TrustPromise = {
  number: 4,
  promise: "A disk that is full, read-only or failing costs no save, and no reading",
  bar: "0 false successes, 0 false failures, reads 200, the first write after the repair answered without a restart",
  measure: () => inFolder(measureIn),
};

const count = { refused: 0, answered: 0, reads: 0, commands: 0 };

async function measureIn(folder: string) {
  Object.assign(count, { refused: 0, answered: 0, reads: 0, commands: 0 });
  const faults: string[] = [];
  const skipped: string[] = [];
  const runs: [name: string, run: (at: string, faults: string[]) => Promise<string | undefined>][] = [
    ["full", onFullDisk],
    ["readonly", onReadOnlyDisk],
    ["failing", onFailingDisk],
  ];
  for (const [name, run] of runs) {
    const own = join(folder, name);
    mkdirSync(own);
    const found: string[] = [];
    const reason = await run(own, found);
    if (reason !== undefined) skipped.push(reason);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  const { refused, answered, reads, commands } = count;
  const figures = `${refused} saves refused, ${answered} answered and there, ${reads} reads and ${commands} commands answered meanwhile`;
  return { figures, faults, skipped };
}

/** A small file system in memory; a reason if it cannot be had. */
function mounted(at: string, megabytes: number): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "no root to mount a small disk";
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", at]);
  return status === 0 ? undefined : `no small disk: ${String(stderr).trim()}`;
}

const unmount = (at: string) => spawnSync("umount", ["-l", at]);

/** Saves until the disk takes no more, and some more: each that is refused must be refused as 503. */
async function saveRefused(server: Served, desk: Desk, kept: Set<string>, faults: string[]): Promise<void> {
  for (let save = 0; save < TRIES; save++) {
    const name = `refused ${save} ${kept.size}`;
    const status = await saveFact(server.url, desk, name);
    if (status === 201) kept.add(name);
    else if (status === 503) count.refused++;
    else faults.push(`a save was answered ${status}`);
    const read = await ask(server.url, desk, "/books");
    if (read.status === 200) count.reads++;
    else faults.push(`a read was answered ${read.status}`);
  }
}

async function saveKept(server: Served, desk: Desk, kept: Set<string>, faults: string[]): Promise<void> {
  const name = `kept ${kept.size}`;
  const status = await saveFact(server.url, desk, name);
  if (status === 201) kept.add(name);
  else faults.push(`${name} was answered ${status}`);
}

/** Every answered save, and no other, must be there once all is over. */
function expectKept(desk: Desk, kept: ReadonlySet<string>, faults: string[]): void {
  const found = factsIn(desk);
  for (const name of kept) if (!found.has(name)) faults.push(`answered, and lost: ${name}`);
  for (const name of found) if (!kept.has(name)) faults.push(`refused, and there: ${name}`);
  count.answered += kept.size;
}

async function runReading(at: string, desk: Desk, faults: string[]): Promise<void> {
  for (const words of [["books"], ["outline"], ["facts", "list"], ["doctor", "--json"]]) {
    const { exit, said } = await command([...words, "--file", desk.path], {
      cwd: at,
      env: { TMPDIR: "/tmp" },
    });
    // A doctor says of a full disk that it is full.
    if (exit === 0 || (words[0] === "doctor" && exit === 1)) count.commands++;
    else faults.push(`${words[0]} ended with ${exit}: ${said}`);
  }
}

async function stopped(server: Served, faults: string[]): Promise<void> {
  const { exit } = await server.stop("SIGTERM");
  if (exit !== 0) faults.push(`the server ended with ${exit}: ${server.said()}`);
}

async function onFullDisk(at: string, faults: string[]): Promise<string | undefined> {
  const reason = mounted(at, 8);
  if (reason !== undefined) return reason;
  try {
    const desk = makeDesk(join(at, "w.manuscript"));
    const kept = new Set<string>();
    const server = await startServed(at, [desk.path, "--quiet"]);
    await saveKept(server, desk, kept, faults);
    // Another program takes the rest of the disk while saves wait in the log.
    spawnSync("dd", ["if=/dev/zero", `of=${join(at, "filler")}`, "bs=4096"], { stdio: "ignore" });
    await saveRefused(server, desk, kept, faults);
    await wait(IDLE_MS);
    await saveRefused(server, desk, kept, faults);
    await runReading(at, desk, faults);
    rmSync(join(at, "filler"));
    await saveKept(server, desk, kept, faults);
    spawnSync("dd", ["if=/dev/zero", `of=${join(at, "filler")}`, "bs=4096"], { stdio: "ignore" });
    await stopped(server, faults);
    await runReading(at, desk, faults);
    rmSync(join(at, "filler"));
    await writeNearlyFull(at, desk, kept, faults);
    expectKept(desk, kept, faults);
    return undefined;
  } finally {
    unmount(at);
  }
}

/** A command on a disk that has room for the log alone: it says what it did. */
async function writeNearlyFull(at: string, desk: Desk, kept: Set<string>, faults: string[]): Promise<void> {
  for (const free of [64, 128, 256, 512]) {
    const filler = join(at, "filler");
    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4096"], { stdio: "ignore" });
    execFileSync("truncate", ["-s", `-${free}K`, filler]);
    const name = `command ${free}`;
    const { exit, out } = await command(["facts", "add", name, "--json", "--file", desk.path], { cwd: at });
    if (exit === 0) kept.add(name);
    if ((exit === 0) !== /"act":/.test(out) || /\n./.test(out.trim()))
      faults.push(`a command ended with ${exit}: ${out}`);
    rmSync(filler);
  }
}

async function onReadOnlyDisk(at: string, faults: string[]): Promise<string | undefined> {
  const reason = mounted(at, 64);
  if (reason !== undefined) return reason;
  const remount = (how: string) => spawnSync("mount", ["-o", `remount,${how}`, at]).status === 0;
  try {
    const desk = makeDesk(join(at, "w.manuscript"));
    const kept = new Set<string>();
    let server = await startServed(at, [desk.path, "--quiet"]);
    await saveKept(server, desk, kept, faults);
    await server.stop("SIGKILL");
    // What the killed server left in the log is read as well.
    if (!remount("ro")) return "a disk that cannot be made read-only";
    server = await startServed(at, [desk.path, "--quiet"]);
    await saveRefused(server, desk, kept, faults);
    const facts = await ask(server.url, desk, `/books/${desk.bookId}/facts`);
    if (facts.body.total !== kept.size) faults.push(`of ${kept.size} saves ${facts.body.total} are read`);
    await stopped(server, faults);
    await runReading(at, desk, faults);
    const out = `${at}-out`;
    const exported = await command(["export", "1", "-o", out, "--file", desk.path], { cwd: "/" });
    if (exported.exit !== 0 || !existsSync(join(out, "book.yaml"))) faults.push(`export: ${exported.said}`);
    remount("rw");
    server = await startServed(at, [desk.path, "--quiet"]);
    await saveKept(server, desk, kept, faults);
    await stopped(server, faults);
    expectKept(desk, kept, faults);
    return undefined;
  } finally {
    unmount(at);
  }
}

/** Fails every sync while the file that `FAIL_SYNC` names is there. */
const SHIM = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
static int fails(void) { const char *f = getenv("FAIL_SYNC"); return f && access(f, F_OK) == 0; }
int fsync(int fd) { if (fails()) { errno = EIO; return -1; } return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { if (fails()) { errno = EIO; return -1; } return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd); }
`;

async function onFailingDisk(at: string, faults: string[]): Promise<string | undefined> {
  writeFileSync(join(at, "shim.c"), SHIM);
  const built = spawnSync("cc", ["-shared", "-fPIC", "-o", join(at, "shim.so"), join(at, "shim.c"), "-ldl"]);
  if (built.status !== 0) return "no C compiler to make syncs fail";
  const flag = join(at, "fails");
  const desk = makeDesk(join(at, "w.manuscript"));
  const kept = new Set<string>();
  const env = { LD_PRELOAD: join(at, "shim.so"), FAIL_SYNC: flag };
  const server = await startServed(at, [desk.path, "--quiet"], { env });
  await saveKept(server, desk, kept, faults);
  writeFileSync(flag, "");
  await saveRefused(server, desk, kept, faults);
  await wait(IDLE_MS);
  await saveRefused(server, desk, kept, faults);
  if (count.refused === 0) faults.push("no sync has failed");
  rmSync(flag);
  await saveKept(server, desk, kept, faults);
  writeFileSync(flag, "");
  await wait(IDLE_MS);
  await stopped(server, faults);
  rmSync(flag);
  expectKept(desk, kept, faults);
  return undefined;
}
