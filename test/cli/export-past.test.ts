import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { withBook } from "./shell.ts";

describe("export --at", () => {
  it("writes the book as it was, with the revisions that its chapters had", async (t) => {
    const sh = await withBook(t);
    await sh("export", "--plain", "-o", "then");
    const then = readdirSync(join(sh.cwd, "then")).filter((file) => file.endsWith(".md"));
    const text = (folder: string, file: string) => readFileSync(join(sh.cwd, folder, file), "utf8");
    await sh("milestone", "add", "Draft 1");
    await sh("replace", "the", "THE", "--apply");
    await sh("chapter", "rename", "1", "Another");
    await sh("chapter", "delete", "2", "--yes");
    await sh("chapter", "add", "Later", "Nobody.");
    assert.equal((await sh("export", "--at", "Draft 1", "--plain", "-o", "past")).exit, EXIT.done);
    assert.deepEqual(
      readdirSync(join(sh.cwd, "past")).filter((file) => file.endsWith(".md")),
      then,
    );
    for (const file of then) assert.equal(text("past", file), text("then", file));
    await sh("export", "--at", "Draft 1", "-o", "marked");
    assert.match(text("marked", then[0] ?? ""), /^revision: 1$/m);
    const printed = (await sh("export", "--at", "Draft 1", "--plain", "-o", "-")).stdout;
    for (const file of then) assert.ok(printed.includes(text("then", file).trim()));
  });

  it("takes a day and an act, and refuses what is still to come and what was before the book", async (t) => {
    const sh = await withBook(t);
    const acts = (await sh("history", "--json")).json().acts as { id: string; kind: string }[];
    await sh("book", "add", "Second");
    assert.equal((await sh("export", "1", "--at", acts.at(-1)?.id ?? "", "-o", "act")).exit, EXIT.done);
    const future = await sh("export", "1", "--at", "2999-01-01", "-o", "none");
    assert.deepEqual([future.exit, /still to come/.test(future.stderr)], [EXIT.usage, true]);
    const before = await sh("export", "2", "--at", acts.at(-1)?.id ?? "", "-o", "none");
    assert.deepEqual([before.exit, /not there yet/.test(before.stderr)], [EXIT.usage, true]);
    assert.ok(!readdirSync(sh.cwd).includes("none"));
  });

  it("writes into no folder that holds anything, and says which options it does not go with", async (t) => {
    const sh = await withBook(t);
    await sh("milestone", "add", "Draft 1");
    await sh("export", "-o", "out");
    const refused = await sh("export", "--at", "Draft 1", "-o", "out");
    assert.deepEqual([refused.exit, /new folder/.test(refused.stderr)], [EXIT.wouldLose, true]);
    for (const option of ["--force", "--as-imported", "--format=json"])
      assert.equal((await sh("export", "--at", "Draft 1", option)).exit, EXIT.usage, option);
  });

  it("makes a folder that a sync brings up to date, and takes nothing back by", async (t) => {
    const sh = await withBook(t);
    await sh("milestone", "add", "Draft 1");
    await sh("replace", "the", "THE", "--apply");
    const now = (await sh("export", "--plain", "-o", "-")).stdout;
    await sh("export", "--at", "Draft 1", "-o", "past");
    assert.equal((await sh("sync", "past")).exit, EXIT.done);
    assert.equal((await sh("export", "--plain", "-o", "-")).stdout, now);
  });
});
