import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { withBook } from "./shell.ts";

describe("export -o with the name of a single document", () => {
  const SAID: Readonly<Record<string, RegExp>> = {
    "book.docx": /a Word document.*'The Ferry Book' --plain -o - \| pandoc -f markdown -o book\.docx$/m,
    "book.EPUB": /an EPUB.*pandoc/,
    "book.pdf": /a PDF.*pandoc/,
    "book.html": /HTML.*pandoc/,
    "book.pages": /of Pages.*pandoc -f markdown -o book\.docx$/m,
    "book.txt": /one text file.*--plain -o - > book\.txt$/m,
    "my book.md": /one text file.*--plain -o - > 'my book\.md'$/m,
    "book.json": /-f json -o book\.json$/m,
  };

  it("is refused, with the command that makes one", async (t) => {
    const sh = await withBook(t);
    const before = readdirSync(sh.cwd);
    for (const [name, said] of Object.entries(SAID)) {
      const { exit, stderr } = await sh("export", "The Ferry Book", "-o", name);
      assert.deepEqual([name, exit], [name, EXIT.usage]);
      assert.match(stderr, said);
    }
    assert.deepEqual(readdirSync(sh.cwd), before);
  });

  it("goes on with a folder of such a name that is there", async (t) => {
    const sh = await withBook(t);
    mkdirSync(join(sh.cwd, "ferry.md"));
    assert.equal((await sh("export", "-o", "ferry.md")).exit, EXIT.done);
    assert.ok(existsSync(join(sh.cwd, "ferry.md", "book.yaml")));
  });
});
