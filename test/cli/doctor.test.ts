import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { connect } from "../../src/store/file/driver.ts";
import { fits } from "./fits.ts";
import { shell, withBook } from "./shell.ts";

describe("doctor", () => {
  it("ends with 0 where all is well or a warning at most, with 1 where anything failed", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    const { checks } = fits(await sh("doctor", "--json"), "doctor");
    assert.ok(checks.some(({ name }) => name === "history"));
    const { stdout, exit } = await sh("doctor");
    assert.equal(exit, EXIT.done);
    assert.equal(stdout.split("\n").length, checks.length + 1);
    assert.match(stdout, /\nok {2}integrity {3}every page is sound\n/);
    if (process.platform !== "win32") {
      chmodSync(path, 0o640);
      const warned = await sh("doctor");
      assert.equal(warned.exit, EXIT.done);
      assert.match(warned.stdout, /\nwarn {2}file .*mode 640.*\n {6}Run: chmod 600 /);
    }
    writeFileSync(path, readFileSync(path).subarray(0, 50));
    const failed = await sh("doctor", "--json");
    assert.equal(failed.exit, EXIT.failed);
    assert.equal(failed.json().status, "fail");
    assert.match(failed.stdout, /manuscript rescue/);
  });

  it("leaves no file behind, and no other command that only reads a manuscript or its copies does", async (t) => {
    const sh = await withBook(t);
    await sh("backup");
    for (const command of ["doctor", "backup --list", "restore --dry-run", "compact --dry-run", "books"]) {
      await sh(...command.split(" "));
      const names = readdirSync(sh.cwd, { recursive: true, encoding: "utf8" });
      assert.deepEqual(
        names.filter((name) => /-(wal|shm)$/.test(name)),
        [],
        command,
      );
    }
  });

  it("takes out what is foreign, makes anew what is missing, and keeps the file as it was", async (t) => {
    const sh = await withBook(t);
    const raw = connect(join(sh.cwd, "book.manuscript"));
    raw.exec(
      "CREATE TRIGGER evil AFTER INSERT ON acts BEGIN DELETE FROM books; END; DROP INDEX chapters_order",
    );
    raw.close();
    assert.equal((await sh("status", "1", "done")).exit, EXIT.failed);
    assert.match((await sh("doctor")).stdout, /\nfail {2}schema .*evil.*\n.*doctor --mend/);
    const { mended } = fits(await sh("doctor", "--mend", "--json"), "doctor");
    assert.deepEqual(mended?.schema, ["took out the trigger evil", "made index chapters_order anew"]);
    assert.ok(existsSync(String(mended?.keptAs)));
    assert.equal((await sh("status", "1", "done")).exit, EXIT.done);
    assert.match((await sh("doctor", "--mend")).stdout, /^There was nothing to mend\./);
  });

  it("is named where a chapter is damaged, which an export leaves out, and its file alone", async (t) => {
    const sh = await withBook(t);
    await sh("export", "-o", "out");
    const [lost, kept] = fits(await sh("export", "-o", "out", "--json"), "export").chapters;
    assert.ok(lost !== undefined && kept !== undefined);
    const path = join(sh.cwd, "out", lost.file);
    const before = readFileSync(path, "utf8");
    const raw = connect(join(sh.cwd, "book.manuscript"));
    raw.exec("UPDATE current_act SET seq = 0; DROP TRIGGER IF EXISTS count_block_update");
    raw.prepare("UPDATE blocks SET text = text || 'x', node = node || ' ' WHERE chapter_id = ?").run(lost.id);
    raw.exec("DELETE FROM journal_entries WHERE act = 0; UPDATE current_act SET seq = NULL");
    raw.close();
    await sh("doctor", "--mend");
    for (const folder of ["out", "other"]) {
      const { exit, stderr } = await sh("export", "-o", folder);
      assert.equal(exit, EXIT.failed);
      assert.match(stderr, new RegExp(`Not written: ${lost.file}\\. .*${lost.id}.*doctor --mend`));
      assert.ok(existsSync(join(sh.cwd, folder, kept.file)));
    }
    assert.equal(readFileSync(path, "utf8"), before);
    assert.ok(!existsSync(join(sh.cwd, "other", lost.file)));
  });

  it("leads to a rescue where mending leaves something, and so does every refusal for damage", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    const command = `manuscript rescue "${path}" -o rescued`;
    const raw = connect(path);
    raw.exec("UPDATE current_act SET seq = 0; DROP TRIGGER count_block_update");
    raw.exec(
      "UPDATE blocks SET source = source || 'xx'; DELETE FROM journal_entries WHERE act = 0; UPDATE current_act SET seq = NULL",
    );
    raw.close();
    const { stdout } = await sh("doctor", "--mend");
    assert.ok(stdout.includes(`Run: ${command}`), stdout);
    const told = [await sh("doctor"), await sh("export", "-o", "out"), await sh("backup")];
    for (const { exit, stdout, stderr } of told) {
      assert.equal(exit, EXIT.failed);
      assert.ok((stdout + stderr).includes(command), stdout + stderr);
    }
    assert.match((await sh("show", "1")).stderr, /run: manuscript rescue FILE -o rescued/);
    const bytes = readFileSync(path);
    for (const damage of [bytes.subarray(0, 40_000), Buffer.from(bytes).fill(0, 0, 4096)]) {
      writeFileSync(path, damage);
      for (const words of [["books"], ["doctor"]]) {
        const { stdout, stderr } = await sh(...words);
        assert.ok((stdout + stderr).includes(command), words.join(" ") + stdout + stderr);
      }
    }
  });

  it("says that there is no file", async (t) => {
    assert.equal((await shell(t)("--file", "none.manuscript", "doctor")).exit, EXIT.notFound);
  });
});
