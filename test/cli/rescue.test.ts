import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { connect } from "../../src/store/file/driver.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

const PAGE = 4096;

/** Zeroes the first page of a table. */
function zero(path: string, table: string): void {
  const connection = connect(path, { readonly: true });
  const sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?";
  const root = connection.prepare(sql).pluck().get(table) as number;
  connection.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, (root - 1) * PAGE, root * PAGE));
}

describe("rescue", () => {
  it("makes a new manuscript, Markdown and a report of a sound file, and ends with 0", async (t) => {
    const sh = await withBook(t);
    const { chapters } = (await sh("outline", "--json")).json<{ chapters: { id: string }[] }>();
    const answer = fits(await sh("rescue", "book.manuscript", "-o", "out", "--json"), "rescue");
    assert.deepEqual(
      answer.chapters.map(({ id, state }) => [id, state]),
      chapters.map(({ id }) => [id, "whole"]),
    );
    assert.deepEqual([answer.isWhole, answer.losses], [true, []]);
    assert.match(readFileSync(answer.report, "utf8"), /^# All \d chapters are whole\n/);
    assert.ok(existsSync(join(answer.folders[0] ?? "", "book.yaml")));
    const [text, again] = [
      await sh("export", "--plain", "-o", "-"),
      await sh("--file", answer.manuscript, "export", "--plain", "-o", "-"),
    ];
    assert.equal(again.stdout, text.stdout);
    const [acts, kept] = [
      await sh("history", "--json"),
      await sh("--file", answer.manuscript, "history", "--json"),
    ];
    assert.deepEqual(kept.json().acts, acts.json().acts);
  });

  it("tells first how many chapters are whole, keeps the damaged file as it was, and ends with 1", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    zero(path, "blocks");
    const before = readFileSync(path);
    const { exit, stdout, stderr } = await sh("rescue", "book.manuscript", "-o", "out");
    assert.equal(exit, EXIT.failed);
    assert.match(stdout, /^0 of \d chapters are whole, \d are lost\.\n/);
    assert.match(stderr, /REPORT\.md/);
    assert.match(readFileSync(join(sh.cwd, "out", "REPORT.md"), "utf8"), /^# 0 of \d chapters are whole/);
    assert.deepEqual(readFileSync(path), before);
    assert.equal((await sh("--file", "out/book.manuscript", "doctor")).exit, EXIT.done);
  });

  it("says of a file of a newer version that it need not be all, unless the number is damaged", async (t) => {
    const sh = await withBook(t);
    for (const [format, isTold] of [
      [99, true],
      [842_150_450, false],
    ] as const) {
      const connection = connect(join(sh.cwd, "book.manuscript"));
      connection.pragma(`user_version = ${format}`);
      connection.close();
      const ran = await sh("rescue", "book.manuscript", "-o", `out-${format}`, "--json");
      const { isWhole, losses } = ran.json<{ isWhole: boolean; losses: string[] }>();
      assert.deepEqual([ran.exit, isWhole], [isTold ? EXIT.failed : EXIT.done, !isTold]);
      assert.equal(losses.join().includes(`format ${format}`), isTold);
    }
  });

  it("takes what the file has lost from a copy beside it, and says from which", async (t) => {
    const sh = await withBook(t);
    const { copy } = fits(await sh("backup", "--json"), "backup");
    await sh("synopsis", "1", "Later than the copy.");
    zero(join(sh.cwd, "book.manuscript"), "blocks");
    const ran = await sh("rescue", "book.manuscript", "-o", "out", "--json");
    const { chapters, report } = fits(ran, "rescue");
    assert.ok(chapters.every(({ state }) => state === "whole"));
    assert.match(
      readFileSync(report, "utf8"),
      new RegExp(`taken from the copy \`${copy}\`; nothing was written in`),
    );
  });

  it("gets the text out of a file that does not open at all", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    const text = await sh("export", "--plain", "-o", "-");
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, 0, PAGE));
    assert.equal((await sh("books")).exit, EXIT.failed);
    await sh("rescue", "book.manuscript", "-o", "out");
    const again = await sh("--file", "out/book.manuscript", "export", "--plain", "-o", "-");
    assert.equal(again.stdout, text.stdout);
  });

  it("takes over keys, credits, the plan and the language model, and says which of them may be missing", async (t) => {
    const sh = await withBook(t);
    await sh("key", "create", "--name", "scripts");
    await sh("key", "create", "--name", "old");
    await sh("key", "revoke", "old");
    const llm = ["--llm-url", "http://127.0.0.1:11434/v1", "--llm-model", "llama3.1:8b"];
    await sh("account", "set", "--credits", "70", "--allowance", "50", ...llm);
    const shown = async (file: string) =>
      [await sh("--file", file, "key", "list"), await sh("--file", file, "account", "show")].map(
        ({ stdout }) => stdout,
      );
    const { report, isWhole } = fits(await sh("rescue", "book.manuscript", "-o", "out", "--json"), "rescue");
    assert.ok(isWhole);
    assert.deepEqual(await shown("out/book.manuscript"), await shown("book.manuscript"));
    assert.match(readFileSync(report, "utf8"), /API keys are taken over as hashes/);
    for (const table of ["keys", "ledger", "settings"]) zero(join(sh.cwd, "book.manuscript"), table);
    const again = await sh("rescue", "book.manuscript", "-o", "again", "--json");
    const { losses } = again.json<{ losses: string[] }>();
    assert.match(
      losses.join("\n"),
      /^API keys may be missing.*\n.*the balance.*may be wrong\.\nThe plan and the language model/,
    );
    assert.doesNotMatch((await shown("again/book.manuscript"))[0] ?? "", /msk_/);
  });

  it("names the facts that are gone", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "rename", "Mara", "Marah");
    zero(join(sh.cwd, "book.manuscript"), "facts");
    const ran = await sh("rescue", "book.manuscript", "-o", "out", "--json");
    const { losses } = ran.json<{ losses: string[] }>();
    assert.deepEqual(losses, ["1 entry of the story map is missing: “Mara”."]);
  });

  it("refuses a folder that holds files, a file without a manuscript, and a call without a folder, and makes nothing", async (t) => {
    const sh = await withBook(t);
    writeFileSync(join(sh.cwd, "other.manuscript"), "x".repeat(3 * PAGE));
    assert.equal((await sh("rescue", "book.manuscript", "-o", ".")).exit, EXIT.wouldLose);
    assert.match((await sh("rescue", "book.manuscript")).stderr, /-o rescued/);
    assert.match(
      (await sh("rescue", "other.manuscript", "-o", "out")).stderr,
      /neither a book nor a chapter/,
    );
    assert.equal((await sh("rescue", "none.manuscript", "-o", "out")).exit, EXIT.notFound);
    assert.ok(!existsSync(join(sh.cwd, "out")));
  });
});
