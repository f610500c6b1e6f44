import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { lockFolder } from "../../src/store/folder-lock.ts";
import { folder } from "../support/sandbox.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

/** A folder in which one paragraph was changed on both sides. */
async function disputed(t: TestContext) {
  const sh = await withBook(t);
  await sh("export", "1", "-o", "out");
  const path = join(sh.cwd, "out", "02-the-lamp.md");
  const edit = (word: string) =>
    writeFileSync(path, readFileSync(path, "utf8").replace(/lit the \w+/, `lit the ${word}`));
  edit("candle");
  await sh("replace", "1", "lit the lamp", "lit the torch", "--apply");
  return {
    sh,
    edit,
    names: () => readdirSync(join(sh.cwd, "out")),
    at: (name: string) => join(sh.cwd, "out", name),
  };
}

describe("a folder that is synced", () => {
  it("costs the manuscript little each time, however many notes it has", async (t) => {
    const sh = await withBook(t);
    await sh("export", "1", "-o", "out");
    const [notes, lamp] = ["notes.yaml", "02-the-lamp.md"].map((name) => join(sh.cwd, "out", name));
    const texts = Array.from({ length: 100 }, (_, at) => `- text: ${"Ask. ".repeat(100)}${at}\n`);
    writeFileSync(
      String(notes),
      `${texts.join("")}- text: Why?\n  chapter: 02-the-lamp.md\n  quote: Mara lit the lamp\n`,
    );
    const sync = async (word: string) => {
      writeFileSync(
        String(lamp),
        readFileSync(String(lamp), "utf8").replace(/Mara lit \S+/, `Mara lit ${word}`),
      );
      assert.equal((await sh("sync", "out")).exit, EXIT.done);
      const { before } = fits(await sh("compact", "--dry-run", "--json"), "compact");
      return before.bytes - before.unusedBytes;
    };
    await sync("the");
    const bytes = await sync("one");
    for (const word of ["two", "three", "four", "five"]) await sync(word);
    assert.ok(((await sync("six")) - bytes) / 5 < 10_000);
    assert.match(readFileSync(String(notes), "utf8").slice(-300), /quote: Mara lit six/);
  });

  it("keeps a conflict's file that somebody has edited, and numbers the next; a resolved one does not come back", async (t) => {
    const { sh, edit, names, at } = await disputed(t);
    const conflicts = () => names().filter((name) => name.includes(".conflict"));
    await sh("sync", "out");
    await sh("sync", "out");
    assert.deepEqual(conflicts(), ["02-the-lamp.conflict.md"]);
    appendFileSync(at("02-the-lamp.conflict.md"), "Mine is better.\n");
    edit("wick");
    assert.match((await sh("sync", "out")).stderr, /Both texts are in 02-the-lamp\.conflict\.2\.md/);
    await sh("sync", "out");
    assert.deepEqual(conflicts(), ["02-the-lamp.conflict.2.md", "02-the-lamp.conflict.md"]);
    assert.match(readFileSync(at("02-the-lamp.conflict.md"), "utf8"), /candle[\s\S]*Mine is better/);
  });

  it("keeps what force overwrites, and reads none of it again", async (t) => {
    const { sh, names, at } = await disputed(t);
    const { kept } = (await sh("sync", "out", "--force", "theirs", "--json")).json<{
      kept: { file: string; keptAs: string }[];
    }>();
    assert.deepEqual(
      kept.map(({ file }) => file),
      ["02-the-lamp.md"],
    );
    assert.match(readFileSync(String(kept[0]?.keptAs), "utf8"), /lit the candle/);
    writeFileSync(at("01-the-ferry.md"), "Something else.\n");
    const forced = await sh("export", "1", "-o", "out", "--force");
    assert.match(forced.stderr, /01-the-ferry\.md: what it said is kept in .*\.manuscript-kept/);
    assert.ok(names().includes(".manuscript-kept"));
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
  });

  it("has nothing deleted for it where a part's folder is not there, or not one file", async (t) => {
    const sh = await withBook(t);
    await sh("part", "add", "First");
    await sh("chapter", "move", "The Lamp", "--part", "First");
    await sh("export", "1", "-o", "out");
    const [part = ""] = readdirSync(join(sh.cwd, "out")).filter((name) => /^\d+-first$/.test(name));
    renameSync(join(sh.cwd, "out", part), join(sh.cwd, "away"));
    const refused = await sh("sync", "out", "--delete");
    assert.equal(refused.exit, EXIT.wouldLose, refused.stdout + refused.stderr);
    assert.match(refused.stderr, /not mounted/);
    mkdirSync(join(sh.cwd, "out", part));
    assert.match((await sh("sync", "out", "--delete")).stdout, /The Ferry Book: 1 chapter, /);
  });

  it("may have no chapter yet", async (t) => {
    const sh = await withBook(t);
    await sh("book", "add", "Empty");
    await sh("export", "Empty", "-o", "empty");
    assert.equal((await sh("sync", "empty")).exit, EXIT.done);
    await sh("chapter", "add", "One", "It began.", "--book", "Empty");
    await sh("sync", "empty");
    assert.ok(readdirSync(join(sh.cwd, "empty")).includes("01-one.md"));
  });

  it("is one run's alone: another waits, then names it", async (t) => {
    const path = folder(t);
    const asked = { folder: path, locks: join(path, "locks"), patienceMs: 0 };
    const release = await lockFolder({ ...asked, who: "manuscript sync" });
    await assert.rejects(lockFolder({ ...asked, who: "another" }), /in use by manuscript sync, process \d+/);
    release();
    (await lockFolder({ ...asked, who: "another" }))();
  });
});
