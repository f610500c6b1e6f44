import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { exportFolder } from "../../src/files/export.ts";
import { importFiles } from "../../src/files/import.ts";
import { readBook } from "../../src/files/read-book.ts";
import { folder, manuscript } from "../support/sandbox.ts";

const corpus = process.env.MANUSCRIPT_CORPUS;
const books =
  corpus === undefined
    ? []
    : readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const skip = corpus === undefined ? "MANUSCRIPT_CORPUS names no folder of books" : false;

describe("whole novels", { skip }, () => {
  for (const { name } of books) {
    it(`${name}: import and export --plain give every file back, byte for byte`, async (t) => {
      const source = join(corpus ?? "", name);
      const open = manuscript(t);
      const { bookId, chapters } = await importFiles(open, await readBook(source), {});
      const path = folder(t);
      await exportFolder(open, bookId, path, { plain: true, force: false });
      const files = readdirSync(source).filter((file) => file.endsWith(".md"));
      assert.equal(chapters.length, files.length);
      for (const file of files) {
        assert.ok(readFileSync(join(path, file)).equals(readFileSync(join(source, file))), file);
      }
      const again = await importFiles(open, await readBook(path), { bookId });
      assert.deepEqual(
        again.chapters.filter(({ status }) => status !== "same"),
        [],
      );
    });
  }
});
