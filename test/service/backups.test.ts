import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createKey } from "../../src/service/account/keys.ts";
import { announceServer, approveCode, issueToken } from "../../src/service/account/sign-in.ts";
import { BackupSchedule, copiedWhileOpen, FolderSchedule } from "../../src/service/backups/schedule.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { listCopies } from "../../src/store/copies.ts";
import { type CopyTarget, makeCopy } from "../../src/store/make-copy.ts";
import { verifyCopy } from "../../src/store/verify-copy.ts";
import { manuscript, folder as tempFolder } from "../support/sandbox.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const here = (from: string, target: CopyTarget) => ({
  made: (async () => makeCopy(from, target))(),
  stop: () => {},
});

/** A manuscript that is served, whose time is set by hand. */
function served(t: TestContext) {
  const time = { now: Date.UTC(2026, 2, 1, 12) };
  const opened = manuscript(t, { clock: () => time.now });
  const folder = join(dirname(opened.store.path), "copies");
  const told: string[] = [];
  const schedule = () =>
    new BackupSchedule(copiedWhileOpen(opened), { folder, tell: (line) => told.push(line), copy: here });
  const write = () => createBook(opened, { title: "Salt" }, { source: "api" });
  const copies = () => listCopies(opened.store.path, folder);
  return { opened, folder, time, told, schedule, write, copies };
}

describe("the copies of a served manuscript", () => {
  it("are made at the start and each hour, only if something was written since, keys too", async (t) => {
    const { opened, time, schedule, write, copies } = served(t);
    const running = schedule();
    const lookAfter = async (ms: number) => {
      time.now += ms;
      await running.look();
      return copies().length;
    };
    assert.equal(await lookAfter(0), 1, "at the start");
    assert.equal(await lookAfter(2 * HOUR), 1, "nothing was written");
    write();
    assert.equal(await lookAfter(MINUTE), 2);
    write();
    assert.equal(await lookAfter(MINUTE), 2, "within the hour");
    assert.equal(await lookAfter(HOUR), 3);
    createKey(opened, { name: "laptop" });
    assert.equal(await lookAfter(HOUR), 4);
    assert.equal(await lookAfter(9 * HOUR), 4);
    time.now -= 100 * HOUR;
    write();
    assert.equal(await lookAfter(0), 5, "a clock that was set back puts nothing off");
    assert.equal(verifyCopy(copies()[0]?.path ?? "").books, 2);
  });

  it("go on after a restart where they were: nothing is copied that the newest holds", async (t) => {
    const { schedule, write, copies, time } = served(t);
    await schedule().look();
    time.now += MINUTE;
    await schedule().look();
    const [first] = copies();
    assert.equal(first?.at, time.now - MINUTE);
    write();
    await schedule().look();
    assert.deepEqual(
      copies().map(({ at }) => at),
      [time.now],
      "of one hour the last is kept",
    );
  });

  it("are not made for who serves the file, or signs in", async (t) => {
    const { opened, time, schedule, copies } = served(t);
    await schedule().look();
    announceServer(opened, "http://127.0.0.1:7341");
    issueToken(opened);
    approveCode(opened, "4F7K9Q2M");
    time.now += 2 * HOUR;
    await schedule().look();
    assert.equal(copies().length, 1);
  });

  it("fail in a sentence, once, leave nothing behind, and are tried again", async (t) => {
    const { schedule, folder, told, copies, time } = served(t);
    const running = schedule();
    writeFileSync(folder, "in the way");
    for (let look = 0; look < 3; look++, time.now += 11 * MINUTE) await running.look();
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /^No copy of \S+ was made: \S+ .*\.$/);
    assert.deepEqual(copies(), []);
  });

  it("are sound, whole, one file, their owner's alone, and a bad one never replaces a good one", async (t) => {
    const { opened, schedule, folder, write, copies, told } = served(t);
    write();
    await schedule().look();
    const [good] = copies();
    assert.ok(good !== undefined);
    assert.equal(statSync(good.path).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(folder), [good.path.slice(folder.length + 1)]);
    const { books, last } = verifyCopy(good.path);
    assert.deepEqual([books, last?.kind], [1, "createBook"]);
    const { id } = write();
    createChapter(opened, id, { title: "One" }, { source: "api" });
    opened.store.act({ kind: "x", source: "api" }, () => {
      opened.store.run("UPDATE chapters SET digest = digest + 1"); // what a flipped bit does
      return () => undefined;
    });
    await schedule().look();
    assert.deepEqual(copies(), [good]);
    assert.equal(told.length, 1);
  });

  it("clear away what a killed process left of a copy, and nothing of one that lives", async (t) => {
    const { schedule, folder } = served(t);
    mkdirSync(folder);
    const dead = join(folder, ".manuscript-2147483646-00000000.part");
    const alive = join(folder, `.manuscript-${process.ppid}-00000000.part`);
    for (const path of [dead, `${dead}-journal`, alive]) writeFileSync(path, "");
    chmodSync(alive, 0o600);
    await schedule().look();
    assert.deepEqual([dead, `${dead}-journal`, alive].map(existsSync), [false, false, true]);
  });
});

describe("the copies of a served folder", () => {
  it("are made of each file that was written to since its last, at most one an hour", async (t) => {
    const place = tempFolder(t);
    const files = ["one", "two"].map((name) => join(place, `${name}.manuscript`));
    let now = Date.now() + 5000; // copies are told apart by the second
    const write = (path = "", title = "") => {
      const own = openManuscript(path, { create: true });
      createBook(own, { title }, { source: "api" });
      own.close();
    };
    for (const path of files) write(path, "Salt");
    const count = () => files.map((path) => listCopies(path).length);
    const begin = () => new FolderSchedule(() => files, undefined, { tell: assert.fail, copy: here });
    const schedule = begin();
    const look = (running = schedule) => running.look(() => now);
    await look();
    assert.deepEqual(count(), [1, 1]);
    await look(begin());
    assert.deepEqual(count(), [1, 1], "a restart copies nothing again");
    write(files[1], "Bread");
    await look();
    assert.deepEqual(count(), [1, 1], "within the hour");
    now += HOUR;
    await look();
    await look();
    assert.deepEqual(count(), [1, 2]);
    assert.equal(verifyCopy(listCopies(files[1] ?? "")[0]?.path ?? "").books, 2);
  });

  it("are made although a clock that was wrong has dated one in 2099", async (t) => {
    const path = join(tempFolder(t), "one.manuscript");
    const own = openManuscript(path, { create: true });
    createBook(own, { title: "Salt" }, { source: "api" });
    const look = (clock: () => number) =>
      new FolderSchedule(() => [path], undefined, { tell: assert.fail, copy: here }).look(clock);
    await look(() => Date.UTC(2099, 0, 1));
    createBook(own, { title: "Bread" }, { source: "api" });
    own.close();
    await look(() => Date.now() + 5000);
    const copies = listCopies(path).map((copy) => verifyCopy(copy.path).books);
    assert.deepEqual(copies, [1, 2]);
  });
});
