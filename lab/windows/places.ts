import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { connect } from "../../src/store/file/driver.ts";
import type { Bench } from "./bench.ts";

/** A path for every way of naming the manuscript, and the names that Windows has not. */
export async function tryNames(bench: Bench): Promise<string> {
  const file = resolve(bench.cwd, "novel.manuscript");
  for (const path of [
    ...[file, file.replaceAll("\\", "/"), "NOVEL.Manuscript", ".\\novel"],
    ...[file.toUpperCase(), `${file[0]}:novel.manuscript`],
  ])
    assert.match((await bench.run(["books", "--file", path])).stdout, /14 chapters|15 chapters/, path);
  const bad = ["out:bad", "C:\\w\\out:bad", "con", "NUL.docx", "a|b", "what?", "aux\\out"];
  for (const path of bad) {
    const { stderr } = await bench.run(["export", "-o", path], { exit: 2 });
    assert.match(stderr, /Windows has no .*: (no name may hold|\S+ is a device)/);
  }
  for (const path of ["nul", "con.manuscript", "a:b:c"]) await bench.run(["init", path], { exit: 2 });
  return `${bad.length} refused`;
}

/** A folder exported, edited as Notepad saves it, and merged; names in composed and decomposed letters. */
export async function trySync(bench: Bench): Promise<string> {
  await bench.run(["export", "-o", "out"]);
  const folder = join(bench.cwd, "out");
  const [first = ""] = readdirSync(folder).filter((name) => name.startsWith("02-"));
  const path = join(folder, first);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, `\ufeff${text.replaceAll("\n", "\r\n")}\r\nAm Ende.\r\n`);
  const { stdout } = await bench.run(["sync", "out"]);
  assert.match(stdout, /The Low Light/);
  assert.match((await bench.run(["show", "2"])).stdout, /Am Ende\.\n/);
  assert.doesNotMatch((await bench.run(["diff", "2"])).stdout, /\r/);
  writeFileSync(join(folder, "15-Zoe\u0308 & Łukasz.md"), "# Zoë\n\nEin Kapitel.\n");
  await bench.run(["sync", "out"]);
  assert.match((await bench.run(["outline"])).stdout, /Zoë/);
  assert.match((await bench.run(["sync", "out"])).stdout, /same|Nothing has changed/);
  assert.deepEqual(leftovers(folder), []);
  return "CRLF merged as one line more";
}

/** Both sides followed by `sync --watch`, and acts by `watch`. */
export async function tryWatch(bench: Bench): Promise<string> {
  const acts = bench.start(["watch", "--from-now"]);
  const sync = bench.start(["sync", "out", "--watch"]);
  await sync.says(/stop with Ctrl-C|Watching|same/i);
  await wait(2000);
  const folder = join(bench.cwd, "out");
  const [third = ""] = readdirSync(folder).filter((name) => name.startsWith("03-"));
  writeFileSync(
    join(folder, third),
    `${readFileSync(join(folder, third), "utf8").trimEnd()}\n\nVon draußen.\n`,
  );
  const before = Date.now();
  await acts.says(/importBook[\s\S]*Our Raymond/);
  const took = Date.now() - before;
  const text = (await bench.run(["show", "4", "--format", "markdown"])).stdout;
  await bench.run(["write", "4"], { input: `${text.trimEnd()}\n\nVon drinnen.\n` });
  const says = (name: string) =>
    /\.md$/.test(name) && readFileSync(join(folder, name), "utf8").includes("drinnen.");
  await until(() => readdirSync(folder).some(says));
  await sync.kill();
  await acts.kill();
  return `an edit of a file was told of after ${took} ms`;
}

/** Copies, and every way back. */
export async function tryCopies(bench: Bench): Promise<string> {
  const { stdout } = await bench.run(["backup"]);
  const copy = stdout.split(".backup: ")[0] ?? "";
  await bench.run(["write", "1", "--yes"], { input: "Nach der Kopie.\n" });
  await bench.run(["restore", `${copy}.backup`]);
  assert.doesNotMatch((await bench.run(["show", "1"])).stdout, /Nach der Kopie/);
  await bench.run(["restore", "--list"]);
  await bench.run(["restore", "--yes"]);
  await bench.run(["restore", "bundle.json"]);
  await bench.run(["restore", `${copy}.backup`]);
  await bench.run(["restore", "1", "1"]);
  await bench.run(["compact", "--older-than", "60d"]);
  const mended = (await bench.run(["doctor"])).stdout;
  assert.doesNotMatch(mended, /mode \d|warn|fail/);
  const { stdout: rescued } = await bench.run(["rescue", "novel.manuscript", "-o", "rescued"]);
  assert.match(rescued, /chapters are whole/);
  assert.deepEqual(leftovers(bench.cwd), []);
  return "backup, restore, compact, rescue";
}

/** Refusals in words where another program has a file open: Windows moves and removes none. */
export async function tryOpenFiles(bench: Bench): Promise<string> {
  await bench.run(["backup"]);
  const file = join(bench.cwd, "novel.manuscript");
  const other = connect(file);
  other.prepare("SELECT count(*) FROM books").get();
  assert.match((await bench.run(["restore", "--yes"], { exit: 1 })).stderr, /open in another program/);
  other.close();
  await bench.run(["restore", "--yes"]);
  const document = connect(join(bench.cwd, "held.docx"));
  document.exec("CREATE TABLE held(a)");
  const { stderr } = await bench.run(["export", "-o", "held.docx", "--force"], { exit: 1 });
  assert.match(stderr, /another program has it open/);
  document.close();
  await bench.run(["export", "-o", "held.docx", "--force"]);
  return "restore and export --force";
}

/** A path longer than the 260 characters that old programs of Windows take. */
export async function tryLongPath(bench: Bench): Promise<string> {
  const folder = join(bench.cwd, ...Array.from({ length: 6 }, (_, at) => `${at} ${"ü".repeat(45)}`));
  mkdirSync(folder, { recursive: true });
  await bench.run(["export", "-o", join(folder, "out")]);
  await bench.run(["sync", join(folder, "out")]);
  return `${join(folder, "out").length} characters`;
}

/** Waits until something is so. Throws after half a minute. */
export async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !isSo(); await wait(50))
    assert.ok(Date.now() < end, `not in time: ${isSo}`);
}

/** What a run should not have left in a folder. */
export function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => /\.(?:part|tmp|aside)$/.test(name));
}

/** The manuscript, which nothing can take away from the server that has it open. */
export function assertNotRemoved(bench: Bench): void {
  const file = `${bench.cwd}${sep}novel.manuscript`;
  assert.throws(() => unlinkSync(file), /EBUSY|EPERM/);
  assert.ok(existsSync(file));
}
