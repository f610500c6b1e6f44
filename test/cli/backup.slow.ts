import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { EXIT } from "../../src/contract/problems.ts";
import { createBook } from "../../src/service/books/books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { lockFile } from "../../src/store/file/open.ts";
import { fits } from "./fits.ts";
import { type Shell, withBook } from "./shell.ts";

const titleOf = async (sh: Shell) =>
  (await sh("books", "--json")).json<{ books: { title: string }[] }>().books[0]?.title;

describe("backup", () => {
  it("makes a whole copy beside the file while another program writes it, and lists it", async (t) => {
    const sh = await withBook(t);
    const writer = openManuscript(join(sh.cwd, "book.manuscript"));
    t.after(() => writer.close());
    const made = fits(await sh("backup", "--json"), "backup");
    assert.match(made.copy, /book-backups\/book-[\dTZ-]+-kept\.backup$/);
    assert.ok(made.isNew && made.books === 1 && made.words > 0);
    const { copies } = fits(await sh("backup", "--list", "--json"), "backup --list");
    assert.deepEqual(
      copies.map(({ path, kind, bytes }) => ({ path, kind, bytes })),
      [{ path: made.copy, kind: "by hand", bytes: made.bytes }],
    );
    assert.deepEqual(
      (await sh("restore", "--list", "--json")).json(),
      (await sh("backup", "--list", "--json")).json(),
    );
  });

  it("with --rotate copies only what has changed, into any folder", async (t) => {
    const sh = await withBook(t);
    const rotate = async () => fits(await sh("backup", "--rotate", "--to", "else", "--json"), "backup").isNew;
    assert.deepEqual([await rotate(), await rotate()], [true, false]);
    await sh("status", "1", "done");
    assert.deepEqual([await rotate(), await rotate()], [true, false]);
    const { copies } = fits(await sh("restore", "--list", "--from", "else", "--json"), "backup --list");
    assert.ok(copies.length > 0 && copies.every(({ kind }) => kind === "scheduled"));
  });

  it("leaves nothing of a copy of a damaged file", async (t) => {
    const sh = await withBook(t);
    truncateSync(join(sh.cwd, "book.manuscript"), 150_000);
    const { exit, stderr } = await sh("backup");
    assert.equal(exit, EXIT.failed);
    assert.match(stderr, /book\.manuscript is damaged/);
    assert.ok(!existsSync(join(sh.cwd, "book-backups")));
  });
});

describe("restore of the whole file", () => {
  it("goes back to a copy, says what it holds and held, and is itself taken back", async (t) => {
    const sh = await withBook(t);
    const { copy } = (await sh("backup", "--json")).json<{ copy: string }>();
    const before = await titleOf(sh);
    await sh("book", "rename", "Later");
    const dry = fits(await sh("restore", copy, "--dry-run", "--json"), "restore FILE");
    assert.deepEqual([dry.written, dry.aside, await titleOf(sh)], [false, null, "Later"]);
    const done = fits(await sh("restore", copy, "--json"), "restore FILE");
    assert.deepEqual([done.lastAct, done.before?.lastAct], [dry.lastAct, dry.before?.lastAct]);
    assert.equal(done.before?.lastAct?.kind, "updateBook");
    assert.equal(await titleOf(sh), before);
    assert.equal((await sh("doctor")).exit, EXIT.done);
    assert.equal((await sh("restore", done.aside ?? "")).exit, EXIT.done);
    assert.equal(await titleOf(sh), "Later");
  });

  it("takes the copy with the newest writing, and says by how much it is older, or that its history is another", async (t) => {
    const sh = await withBook(t);
    const copy = async () => (await sh("backup", "--json")).json<{ copy: string }>().copy;
    const first = await copy();
    const of2099 = join(sh.cwd, "book-backups", "book-2099-01-01T00-00-00Z.backup");
    renameSync(first, of2099);
    await sh("book", "rename", "Second");
    const second = await copy();
    assert.match((await sh("restore", "--dry-run")).stdout, /The copy has every save of the file\n$/);
    for (const title of ["Third", "Fourth"]) await sh("book", "rename", title);
    const { stdout } = await sh("restore", "--dry-run");
    assert.ok(stdout.includes(`would be what ${second} holds`));
    assert.match(stdout, /The copy is 2 saves older than the file, the last at \d{4}-\d\d-\d\d \d\d:\d\d\n$/);
    assert.match(
      (await sh("restore", of2099, "--dry-run")).stdout,
      /is 3 saves older than the file, the last/,
    );
    const { aside } = fits(await sh("restore", second, "--json"), "restore FILE");
    assert.match(
      (await sh("restore", String(aside), "--dry-run")).stdout,
      /is 2 saves newer than the file\n$/,
    );
    await sh("book", "rename", "Another");
    const parted = await sh("restore", String(aside), "--dry-run");
    assert.match(
      parted.stdout,
      /another history: it lacks 1 save of the file, and the file lacks 2 of its own\n$/,
    );
    const { stdout: list } = await sh("restore", "--list");
    assert.deepEqual(
      list.split("\n").map((line) => /(\d saves? older|another history) /.exec(line)?.[1]),
      ["1 save older", "2 saves older", "another history", undefined],
    );
    const { copies } = fits(await sh("restore", "--list", "--json"), "backup --list");
    assert.deepEqual(
      copies.map(({ savesBehind, savesAhead }) => [savesBehind, savesAhead]),
      [
        [1, 0],
        [2, 0],
        [1, 2],
      ],
    );
  });

  it("takes in what only the log holds, of the file and of a copy, and never leaves a log beside another file", async (t) => {
    const sh = await withBook(t);
    const file = join(sh.cwd, "book.manuscript");
    const { copy } = (await sh("backup", "--json")).json<{ copy: string }>();
    const killed = openManuscript(file);
    createBook(killed, { title: "In the file" }, { source: "cli" }); // which learns with it where it lies
    killed.store.act({ kind: "updateBook", source: "api" }, () => {
      killed.store.run("UPDATE books SET title = 'In the log'");
      return () => {};
    });
    for (const ending of ["", "-wal"]) copyFileSync(file + ending, join(sh.cwd, `left${ending}`));
    killed.close();
    for (const ending of ["", "-wal"]) copyFileSync(join(sh.cwd, `left${ending}`), file + ending);
    const { aside } = fits(await sh("restore", copy, "--json"), "restore FILE");
    assert.deepEqual(
      [file, aside].map((name) => existsSync(`${name}-wal`)),
      [false, false],
    );
    for (const held of [aside ?? "", "left"]) {
      assert.notEqual(await titleOf(sh), "In the log");
      await sh("restore", held);
      assert.equal(await titleOf(sh), "In the log");
      await sh("restore", copy);
    }
  });

  it("restores a damaged or missing manuscript, an upgrade's copy by its name, and a bundle", async (t) => {
    const sh = await withBook(t);
    const file = join(sh.cwd, "book.manuscript");
    const title = await titleOf(sh);
    const { copy } = (await sh("backup", "--json")).json<{ copy: string }>();
    await sh("export", "-f", "json", "-o", "bundle.json");
    writeFileSync(file, "no longer a database");
    const done = fits(await sh("restore", "--yes", "--json"), "restore FILE");
    assert.equal(done.before, null);
    assert.equal(readFileSync(done.aside ?? "", "utf8"), "no longer a database");
    rmSync(file);
    assert.equal(
      (await sh("restore", copy.replace(/.*\//, ""))).exit,
      EXIT.done,
      "by the name that it has in its folder",
    );
    assert.equal(await titleOf(sh), title);
    await sh("book", "rename", "Later");
    assert.equal((await sh("restore", "bundle.json")).exit, EXIT.done);
    assert.equal(await titleOf(sh), title);
    const old = join(import.meta.dirname, "../../fixtures/manuscripts/0.1.0.manuscript.gz");
    writeFileSync(join(sh.cwd, "book.manuscript-v1.backup"), gunzipSync(readFileSync(old)));
    const upgraded = fits(await sh("restore", "book.manuscript-v1.backup", "--json"), "restore FILE");
    assert.equal(upgraded.format, 1);
    assert.equal((await sh("books")).exit, EXIT.done);
  });

  it("refuses a bad copy, a served file and the manuscript itself, and changes nothing", async (t) => {
    const sh = await withBook(t);
    const file = join(sh.cwd, "book.manuscript");
    const { copy } = (await sh("backup", "--json")).json<{ copy: string }>();
    const bad = join(sh.cwd, "bad.backup");
    copyFileSync(copy, bad);
    truncateSync(bad, 100_000);
    writeFileSync(join(sh.cwd, "empty.backup"), "");
    await sh("books"); // takes the log in
    const before = readFileSync(file);
    const refused = async (words: string, pattern: RegExp, exit: number = EXIT.failed) => {
      const ran = await sh("restore", ...words.split(" "));
      assert.equal(ran.exit, exit, words);
      assert.match(ran.stderr, pattern, words);
      assert.ok(readFileSync(file).equals(before), words);
    };
    await refused("bad.backup", /bad\.backup is damaged/);
    await refused("empty.backup", /is empty/);
    await refused("book.manuscript", /is the manuscript itself/, EXIT.usage);
    await refused("2", /manuscript restore 2 REVISION/, EXIT.usage);
    await refused("none.backup", /No such copy/, EXIT.notFound);
    const unlock = lockFile(file);
    await refused(copy, /is served by another process/);
    unlock();
    assert.deepEqual(
      readdirSync(sh.cwd).filter((name) => /until|part/.test(name)),
      [],
    );
  });

  it("goes on with a copy that was put over the file by hand, and sets aside the log that is not its own", async (t) => {
    const sh = await withBook(t);
    const file = join(sh.cwd, "book.manuscript");
    const { copy } = (await sh("backup", "--json")).json<{ copy: string }>();
    const title = await titleOf(sh);
    const killed = openManuscript(file);
    for (const title of ["One", "Two", "Three"]) createBook(killed, { title }, { source: "cli" });
    for (const ending of ["", "-wal"]) copyFileSync(file + ending, join(sh.cwd, `left${ending}`));
    killed.close();
    copyFileSync(copy, file);
    copyFileSync(join(sh.cwd, "left-wal"), `${file}-wal`);
    const refused = await sh("books");
    assert.match(refused.stderr, /run: manuscript restore "\S+book\.manuscript"/);
    const dry = await sh("restore", file, "--dry-run");
    assert.match(
      dry.stdout,
      /^The log \S+-wal was not written for \S+ but for another file, .*\. \S+ would go on without it, and holds 1 book, /,
    );
    const { aside } = fits(await sh("restore", file, "--json"), "restore FILE");
    assert.equal(await titleOf(sh), title);
    assert.ok(existsSync(`${aside}-wal`));
    assert.equal((await sh("doctor")).exit, EXIT.done);
  });

  it("goes on without a log that was taken away, once it was said what is missing", async (t) => {
    const sh = await withBook(t);
    const file = join(sh.cwd, "book.manuscript");
    const killed = openManuscript(file);
    createBook(killed, { title: "In the file" }, { source: "cli" }); // which learns with it where it lies
    createBook(killed, { title: "In the log alone" }, { source: "cli" });
    const before = readFileSync(file);
    const note = readFileSync(`${file}-log`);
    const { atime, mtime } = statSync(file);
    killed.close();
    writeFileSync(file, before);
    writeFileSync(`${file}-log`, note);
    utimesSync(file, atime, mtime);
    for (const words of [["books"], ["doctor"], ["restore", "2"], ["export", "1", "-o", "out"]])
      assert.notEqual((await sh(...words)).exit, EXIT.done, words.join(" "));
    assert.match((await sh("books")).stderr, /is gone or empty.*run: manuscript restore "/);
    assert.match(
      (await sh("restore", file, "--dry-run")).stdout,
      /would go on without it, and holds 2 books,/,
    );
    const { exit, stdout, stderr } = await sh("restore", file);
    assert.equal(exit, EXIT.done, stderr);
    assert.match(stdout, /^The log \S+-wal, which held the newest saves, is gone/);
    assert.equal((await sh("books", "--json")).json<{ books: [] }>().books.length, 2);
    const [aside = ""] = readdirSync(sh.cwd).filter((name) => name.includes("-until-"));
    assert.equal((await sh("restore", aside)).exit, EXIT.done);
    assert.ok(!existsSync(`${file}-log`));
  });

  it("of the newest asks first, and says what of", async (t) => {
    const sh = await withBook(t);
    await sh("backup");
    await sh("book", "rename", "Later");
    const asked = sh.with({ isAsked: true, stdin: "n\n" });
    const ran = await asked("restore");
    assert.equal(ran.exit, EXIT.wouldLose);
    assert.match(
      ran.stderr,
      /The whole manuscript \S+ goes back to its newest copy, \S+ of [\d :-]+ \(it is 1 save older than the file\); .*\[y\/N\]/,
    );
    assert.equal(await titleOf(sh), "Later");
    assert.equal((await sh.with({ isAsked: true, stdin: "y\n" })("restore")).exit, EXIT.done);
    assert.notEqual(await titleOf(sh), "Later");
  });
});
