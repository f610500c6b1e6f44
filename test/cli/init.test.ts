import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { type Shell, withBook } from "./shell.ts";

/** The file that commands mean. */
const meant = async (sh: Shell) => fits(await sh("use", "--json"), "use").file;

describe("after init", () => {
  it("of a name without the ending, commands in this folder mean the new file, and not the one above", async (t) => {
    const above = await withBook(t);
    mkdirSync(join(above.cwd, "salt"));
    const sh = above.with({ cwd: join(above.cwd, "salt") });
    const made = await sh("init", "salt");
    assert.equal(made.stdout, `Made ${join(sh.cwd, "salt.manuscript")}\n`);
    assert.match(
      made.stderr,
      /^Commands in this folder mean it from now on; back to the one before: manuscript use \.\.\/book\.manuscript\n$/,
    );
    assert.equal(await meant(sh), join(sh.cwd, "salt.manuscript"));
    await sh.with({ stdin: "# Salt\n\nWhite.\n" })("import", "-", "--title", "Salt");
    assert.doesNotMatch((await above("books")).stdout, /Salt/);
    assert.match((await sh("books")).stdout, /Salt/);
  });

  it("beside another manuscript, commands mean the new one, which is said; use goes back", async (t) => {
    const sh = await withBook(t);
    assert.equal(await meant(sh), join(sh.cwd, "book.manuscript"));
    const { stderr } = await sh("init", "second");
    assert.match(stderr, /back to the one before: manuscript use book\.manuscript\n$/);
    assert.equal((await sh("books", "--json")).json().total, 0);
    await sh("init", "My Novel");
    assert.match(
      (await sh("init", "fifth")).stderr,
      /manuscript use 'My Novel\.manuscript'\n$/,
      "as a shell reads it",
    );
    await sh("use", "second");
    mkdirSync(join(sh.cwd, "below"));
    assert.equal(await meant(sh.with({ cwd: join(sh.cwd, "below") })), join(sh.cwd, "second.manuscript"));
    assert.equal((await sh("use", "book")).stdout, "Commands in this folder mean book.manuscript\n");
    assert.equal((await sh("books", "--json")).json().total, 1);
    assert.equal((await sh("books", "--json", "--file", "second")).json().total, 0, "a name needs no ending");
  });

  it("elsewhere, or under $MANUSCRIPT_FILE, says what commands here go on to mean", async (t) => {
    const sh = await withBook(t);
    const elsewhere = await sh("init", "other/new");
    assert.match(
      elsewhere.stderr,
      /other mean it, and here they still mean \S+book\.manuscript; .*--file \S+new\.manuscript/,
    );
    const named = sh.with({ env: { MANUSCRIPT_FILE: "book.manuscript" } });
    assert.match((await named("init", "third")).stderr, /here they still mean \S+book\.manuscript/);
    assert.equal(await meant(named), join(sh.cwd, "book.manuscript"));
    assert.match((await named("use", "third")).stderr, /\$MANUSCRIPT_FILE goes before/);
    const both = sh.with({ env: { MANUSCRIPT_FILE: "fourth" } });
    assert.equal((await both("init")).stdout, `Made ${join(sh.cwd, "fourth.manuscript")}\n`);
    assert.equal(await meant(both), join(sh.cwd, "fourth.manuscript"));
    assert.equal(
      await meant(sh),
      join(sh.cwd, "third.manuscript"),
      "a named file is no choice for the folder",
    );
  });
});

describe("a manuscript without the ending, as init made them once", () => {
  it("is used by its name, is not made again, and can be chosen", async (t) => {
    const sh = await withBook(t);
    renameSync(join(sh.cwd, "book.manuscript"), join(sh.cwd, "salt"));
    assert.equal((await sh("books", "--json", "--file", "salt")).json().total, 1);
    const again = await sh("init", "salt");
    assert.equal(again.exit, EXIT.wouldLose);
    assert.match(again.stderr, /if it is a manuscript, "manuscript use \S+salt" makes commands here mean it/);
    assert.ok(!existsSync(join(sh.cwd, "salt.manuscript")));
    await sh("use", "salt");
    assert.equal((await sh("books", "--json")).json().total, 1);
  });
});

describe("several manuscripts in a folder", () => {
  it("are refused until one is chosen, and a chosen one that is gone is not taken for another", async (t) => {
    const sh = await withBook(t);
    cpSync(join(sh.cwd, "book.manuscript"), join(sh.cwd, "second.manuscript"));
    const { exit, stderr } = await sh("books");
    assert.equal(exit, EXIT.usage);
    assert.match(stderr, /book\.manuscript, second\.manuscript\. Choose one with "manuscript use FILE"/);
    await sh("use", "second");
    assert.equal((await sh("books")).exit, EXIT.done);
    renameSync(join(sh.cwd, "second.manuscript"), join(sh.cwd, "renamed.manuscript"));
    const gone = await sh("books");
    assert.equal(gone.exit, EXIT.notFound);
    assert.match(
      gone.stderr,
      /second\.manuscript, which \S+\.manuscript-file names; run "manuscript use FILE"/,
    );
  });
});

describe("a manuscript that is missing, and a copy of it is there", () => {
  it("is not made anew: every command and init name the command that brings it back", async (t) => {
    const sh = await withBook(t);
    const [file, aside] = ["", "-until-2026-03-05T10-00-00Z.backup"].map((end) =>
      join(sh.cwd, `book.manuscript${end}`),
    );
    renameSync(String(file), String(aside));
    const command = `Bring it back with: manuscript restore "${aside}" --file "${file}"`;
    for (const argv of [
      "books",
      "books --file book",
      "serve",
      "serve .",
      "doctor",
      "open",
      "app book",
      "use book",
    ]) {
      const { exit, stderr } = await sh(...argv.split(" "));
      assert.equal(exit, EXIT.notFound, argv);
      assert.ok(
        stderr.includes(`No such manuscript at ${file}, but a copy of it is there. ${command}.`),
        stderr,
      );
    }
    for (const argv of ["init", "init book"]) {
      const { exit, stderr } = await sh(...argv.split(" "));
      assert.equal(exit, EXIT.wouldLose, argv);
      assert.ok(stderr.endsWith(`${command}; for a new manuscript choose another name.\n`), stderr);
    }
    assert.ok(!existsSync(String(file)));
    assert.equal((await sh("init", "other")).exit, EXIT.done);
    rmSync(join(sh.cwd, "other.manuscript"));
    assert.equal((await sh("restore", String(aside), "--file", String(file))).exit, EXIT.done);
    assert.equal((await sh("books", "--json")).json().total, 1);
  });

  it("is brought back from its folder of copies, too", async (t) => {
    const sh = await withBook(t);
    const { copy } = (await sh("backup", "--json")).json<{ copy: string }>();
    rmSync(join(sh.cwd, "book.manuscript"));
    assert.ok((await sh("books")).stderr.includes(`manuscript restore "${copy}" --file `));
    assert.equal((await sh("init")).exit, EXIT.wouldLose);
    assert.equal((await sh("restore", "--yes")).exit, EXIT.done);
    assert.equal((await sh("books", "--json")).json().total, 1);
  });
});
