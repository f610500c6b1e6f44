import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { lockFile } from "../../src/store/file/open.ts";
import { fits } from "./fits.ts";
import { leaveFree } from "./leave-free.ts";
import { withBook } from "./shell.ts";

const FREE_BYTES = 2_000_000;

describe("compact", () => {
  it("says what file and history take, gives back free pages, and keeps the file of until now", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    leaveFree(path);
    const [text, history, old] = [
      await sh("export", "--plain", "-o", "-"),
      await sh("history", "--json"),
      readFileSync(path),
    ];
    const dry = await sh("compact", "--dry-run");
    assert.match(
      dry.stdout,
      /^This file: 2\.\d MiB, of that 0\.\d MiB history; 1\.\d MiB can be given back\.\n$/,
    );
    assert.deepEqual(readFileSync(path), old);
    const tried = fits(await sh("compact", "--dry-run", "--json"), "compact");
    const { aside, written, ...done } = fits(await sh("compact", "--json"), "compact");
    assert.deepEqual({ ...done, aside: null, written: false }, tried);
    assert.ok(written && done.before.bytes - done.after.bytes > FREE_BYTES / 2);
    assert.equal(statSync(path).size, done.after.bytes);
    assert.ok(done.after.historyBytes > 0 && done.after.historyBytes < done.after.bytes);
    assert.equal((await sh("export", "--plain", "-o", "-", "--file", String(aside))).stdout, text.stdout);
    assert.equal((await sh("doctor")).exit, EXIT.done);
    assert.deepEqual((await sh("history", "--json")).json(), history.json());
    assert.equal((await sh("export", "--plain", "-o", "-")).stdout, text.stdout);
  });

  it("finds nothing to give back a second time, and leaves the file", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    leaveFree(path);
    assert.match((await sh("compact")).stdout, /; 1\.\d MiB are given back: it has 0\.\d MiB now\.\n$/);
    await sh("status", "1", "done");
    const { ino } = statSync(path);
    const again = fits(await sh("compact", "--json"), "compact");
    assert.deepEqual([again.written, again.aside, again.after], [false, null, again.before]);
    assert.match((await sh("compact")).stdout, /; there is nothing to give back\.\n$/);
    assert.equal(statSync(path).ino, ino);
  });

  it("folds old saves into one of each sitting, tells of it before, and keeps every milestone", async (t) => {
    const sh = await withBook(t);
    const write = (words: string) => sh.with({ stdin: `# The Lamp\n\n${words}\n` })("write", "2", "--force");
    await write("Mara lit the lamp, and waited.");
    await write("Mara lit the lamp, and waited for Tobit.");
    await sh("milestone", "add", "Draft");
    await write("Mara lit the lamp.");
    await write("Mara lit the lamp again.");
    const draft = await sh("export", "--at", "Draft", "--plain", "-o", "-");
    const fold = ["compact", "--older-than", "2099-01-01"];
    const refused = await sh(...fold);
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.match(refused.stderr, /Give --older-than 30d or more, or --force/);
    assert.match((await sh("compact", "--keep", "days")).stderr, /say how old: --older-than 1y/);
    const old = fits(await sh("compact", "--older-than", "1y", "--json"), "compact");
    assert.deepEqual([old.written, old.after], [false, old.before]);
    const saves = old.before.saves;
    assert.match(
      (await sh(...fold, "--force", "--dry-run")).stdout,
      new RegExp(`; ${saves} saves would become ${saves - 2}`),
    );
    assert.match(
      (await sh(...fold, "--force")).stdout,
      new RegExp(`; ${saves} saves have become ${saves - 2}`),
    );
    const again = fits(await sh(...fold, "--force", "--json"), "compact");
    assert.deepEqual([again.written, again.before.saves], [false, saves - 2]);
    assert.equal((await sh("export", "--at", "Draft", "--plain", "-o", "-")).stdout, draft.stdout);
    assert.match((await sh("diff", "2")).stdout, /revision 3 → 5/);
    assert.match(
      (await sh("show", "2", "--revision", "2")).stderr,
      /folded it into 3, which is act_\w+ of \d{4}-/,
    );
    assert.equal((await sh("undo")).exit, EXIT.done);
    assert.match((await sh("show", "2")).stdout, /waited for Tobit/);
    assert.equal((await sh("doctor")).exit, EXIT.done);
  });

  it("is refused while a server has the file, but for a dry run", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    leaveFree(path);
    const unlock = lockFile(path);
    t.after(unlock);
    const old = readFileSync(path);
    const refused = await sh("compact");
    assert.equal(refused.exit, EXIT.failed);
    assert.match(refused.stderr, /is served by another process/);
    assert.equal((await sh("compact", "--dry-run")).exit, EXIT.done);
    assert.deepEqual(readFileSync(path), old);
    assert.deepEqual(
      readdirSync(sh.cwd).filter((name) => /until|part/.test(name)),
      [],
    );
  });
});
