import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { withBook } from "./shell.ts";

/** A folder that was exported after the manuscript was copied, edited everywhere, and the copy, which knows nothing of it. */
async function strangers(t: TestContext) {
  const sh = await withBook(t);
  await sh("facts", "edit", "Mara", "--summary", "She rows.");
  const copy = join(sh.cwd, "elsewhere", "copy.manuscript");
  mkdirSync(join(sh.cwd, "elsewhere"));
  copyFileSync(join(sh.cwd, "book.manuscript"), copy);
  await sh("export", "1", "-o", "out");
  const edit = (file: string, from: string | RegExp, to: string) => {
    const path = join(sh.cwd, "out", file);
    const text = readFileSync(path, "utf8");
    assert.notEqual(text.replace(from, to), text, `${file} does not hold ${from}`);
    writeFileSync(path, text.replace(from, to));
  };
  edit("book.yaml", "The Ferry Book", "The Other Book");
  edit("facts.yaml", "She rows.", "She waits.");
  edit("02-the-lamp.md", "title: The Lamp", "title: The Lantern");
  edit("02-the-lamp.md", "lit the lamp", "lit the lantern");
  edit("02-the-lamp.md", /^revision: .*\n/m, ""); // else the manuscript's history knows the base
  const said = async () => {
    const [book] = (await sh("books", "--json", "--file", copy)).json<{ books: { title: string }[] }>().books;
    const { facts } = (await sh("facts", "list", "1", "--json", "--file", copy)).json<{
      facts: { summary: string }[];
    }>();
    const shown = (await sh("show", "2", "--file", copy)).stdout;
    const { chapters } = (await sh("outline", "1", "--json", "--file", copy)).json<{
      chapters: { title: string }[];
    }>();
    return [book?.title, facts[0]?.summary, chapters[1]?.title, /lit the (\w+)/.exec(shown)?.[1]];
  };
  const take = (...options: string[]) => sh("import", "out", "--file", copy, ...options);
  return { said, take };
}

describe("an import whose base nobody knows", () => {
  const STORED = ["The Ferry Book", "She rows.", "The Lamp", "lamp"];
  const INCOMING = ["The Other Book", "She waits.", "The Lantern", "lantern"];

  it("takes the folder at its word, of book, cast and chapters alike", async (t) => {
    const { said, take } = await strangers(t);
    assert.deepEqual(await said(), STORED);
    assert.equal((await take()).exit, 0);
    assert.deepEqual(await said(), INCOMING);
  });

  it("keeps the manuscript's word with --force theirs, of all of them", async (t) => {
    const { said, take } = await strangers(t);
    assert.equal((await take("--force", "theirs")).exit, 0);
    assert.deepEqual(await said(), STORED);
  });

  it("takes the folder's with --force mine, of all of them", async (t) => {
    const { said, take } = await strangers(t);
    assert.equal((await take("--force", "mine")).exit, 0);
    assert.deepEqual(await said(), INCOMING);
  });
});
