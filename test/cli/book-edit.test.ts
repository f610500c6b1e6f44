import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { openManuscript } from "../../src/service/manuscript.ts";
import { listBooks, setDescription } from "../../src/store/rows/books.ts";
import { shell } from "./shell.ts";

type Known = Record<string, string | undefined>;

/** A manuscript with one book of one chapter, in step with the folder `out`. */
async function synced(t: TestContext) {
  const sh = shell(t);
  const done = async (...argv: string[]) => {
    const ran = await sh(...argv);
    assert.equal(ran.exit, 0, `${argv.join(" ")}: ${ran.stderr}`);
    return ran;
  };
  await done("init", "tide.manuscript");
  await done("book", "add", "Tide");
  await done("chapter", "add", "One", "It rang.");
  await done("export", "-o", "out");
  const list = join(sh.cwd, "out", "book.yaml");
  return {
    sh,
    done,
    book: async () => (await done("book", "edit", "--json")).json<{ book: Known }>().book,
    list: () => readFileSync(list, "utf8"),
    edit: (from: string | RegExp, to: string) =>
      writeFileSync(list, readFileSync(list, "utf8").replace(from, to)),
  };
}

describe("book edit", () => {
  it("says who wrote a book and in which language, shows it, and is undone", async (t) => {
    const { sh, done, book } = await synced(t);
    await done("book", "edit", "--author", " Ada North ", "--language", "pt-BR", "--cover", "images/a.png");
    assert.match(
      (await done("book", "edit")).stdout,
      /author +Ada North\n *language +pt-BR\n *cover +images\/a\.png/,
    );
    assert.match((await done("outline")).stdout, /^Tide .*\nAda North {2}pt-BR\n/);
    const outline = (await done("outline", "--json")).json<Known>();
    assert.deepEqual([outline.author, outline.rights], ["Ada North", undefined]);
    assert.match((await done("history")).stdout, /described the book +1 book: Tide/);
    await done("book", "edit", "--author", "", "--language", "de");
    assert.deepEqual([(await book()).author, (await book()).language], [undefined, "de"]);
    await done("undo");
    await done("undo");
    assert.equal((await book()).language, undefined);
    for (const [option, text] of [
      ["--language", "pt_BR"],
      ["--cover", "../a.png"],
      ["--author", "  "],
    ] as const) {
      const refused = await sh("book", "edit", option, text);
      assert.deepEqual([refused.exit, refused.stdout], [2, ""], option);
    }
  });

  it("is merged with book.yaml three ways, each field by itself", async (t) => {
    const { sh, done, book, list, edit } = await synced(t);
    await done("book", "edit", "--author", "Ada North", "--rights", "All mine");
    await done("sync", "out");
    assert.match(list(), /^author: Ada North\nrights: All mine$/m);
    edit("author: Ada North", "author: A. North\nlanguage: en-gb # hers");
    await done("book", "edit", "--rights", "CC0");
    await done("sync", "out");
    const { author, language, rights } = await book();
    assert.deepEqual({ author, language, rights }, { author: "A. North", language: "en-gb", rights: "CC0" });
    assert.match(list(), /author: A\. North\nlanguage: en-gb # hers\nrights: CC0/);
    edit("A. North", "Adam");
    await done("book", "edit", "--author", "Ada", "--rights", "None");
    const clash = await sh("sync", "out", "--json");
    assert.deepEqual(clash.json<{ book: object }>().book, {
      status: "conflict",
      fields: [],
      conflicts: ["author"],
    });
    assert.match(list(), /author: Adam\nlanguage: en-gb # hers\nrights: None/);
    await done("sync", "out", "--force", "theirs");
    assert.equal((await sh("sync", "out", "--exit-code")).exit, 0);
  });

  it("takes what an older version kept among the other keys of the list, and leaves the list as it is", async (t) => {
    const { sh, done, book, list, edit } = await synced(t);
    const manifest = {
      author: "Ada North",
      identifier: 9780000000001,
      series: "Tides",
      language: ["de", "en"],
    };
    const file = openManuscript(join(sh.cwd, "tide.manuscript"));
    file.store.act({ kind: "importBook", source: "import" }, () => {
      const { id } = listBooks(file.store)[0]!; // it has one
      setDescription(file.store, id, { metadata: null, manifest: JSON.stringify(manifest) });
      return () => undefined;
    });
    file.close();
    await done("sync", "out");
    edit("author: Ada North", "author:   Ada North   # she");
    const before = list();
    await done("sync", "out");
    const { author, identifier, language } = await book();
    assert.deepEqual([author, identifier, language], ["Ada North", "9780000000001", undefined]);
    assert.equal(list(), before);
    await done("book", "edit", "--description", "Water.");
    await done("sync", "out");
    assert.equal(list(), `${before.replace(/ {3}/g, " ")}description: Water.\n`);
  });
});
