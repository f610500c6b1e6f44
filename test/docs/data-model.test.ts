import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { connect } from "../../src/store/file/driver.ts";
import { withBook } from "../cli/shell.ts";
import { DATA_MODEL } from "../support/data-model.ts";
import { OWNER } from "../support/sample.ts";

describe("the query of the data model", () => {
  it("prints the Markdown that an export writes, chapter by chapter in their order", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    const own = openManuscript(path);
    const [book] = own.store.list<string>("SELECT id FROM books");
    const hard =
      "\n\n<!-- first -->\n[tide]: https://tide.example\n\n* one\n* two\n\n\n```\ncode\n```\n***\nNo line end";
    createChapter(own, String(book), { title: "Before all", position: 1, markdown: hard }, OWNER);
    createChapter(own, String(book), { title: "Empty" }, OWNER);
    createChapter(
      own,
      createBook(own, { title: "Another" }, OWNER).id,
      { title: "Alone", markdown: "Words.\n" },
      OWNER,
    );
    own.close();
    const [, query = ""] = /```sql\n(.*?)```/s.exec(readFileSync(DATA_MODEL, "utf8")) ?? [];
    const plain = connect(path, { readonly: true });
    const printed = plain.prepare(query).pluck().all() as string[];
    plain.close();
    const exported: string[] = [];
    for (const number of ["1", "2"]) {
      await sh("export", number, "--plain", "-o", number);
      const folder = join(sh.cwd, number);
      const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
      exported.push(...files.sort().map((name) => readFileSync(join(folder, name), "utf8")));
    }
    assert.deepEqual(
      printed.map((text) => text.replace(/^== .* ==\n\n/, "")),
      exported,
    );
    assert.deepEqual(
      printed.map((text) => /^== (.*) ==$/m.exec(text)?.[1]),
      [
        "The Ferry Book, 1: Before all",
        "The Ferry Book, 2: The Ferry",
        "The Ferry Book, 3: The Lamp",
        "The Ferry Book, 4: Empty",
        "Another, 1: Alone",
      ],
    );
  });
});
