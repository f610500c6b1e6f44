import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { exportFolder } from "../../src/files/export.ts";
import { exportAsImported } from "../../src/files/export-as-imported.ts";
import { importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { readLeaves } from "../../src/prose/document/leaves.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { listBlocks } from "../../src/store/rows/blocks.ts";
import { dump } from "../support/dump.ts";
import { folder, manuscript } from "../support/sandbox.ts";

const corpus = process.env.MANUSCRIPT_CORPUS;
const books =
  corpus === undefined
    ? []
    : readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const skip = corpus === undefined ? "MANUSCRIPT_CORPUS names no folder of books" : false;

/** A novel with a cast, its mentions and notes beside its paragraphs. */
async function annotated(t: TestContext, name: string) {
  const open = manuscript(t);
  const { bookId, chapters } = await importFiles(open, await readBookFiles(join(corpus ?? "", name)), {});
  const by = { source: "cli" } as const;
  for (const word of ["Alice", "Harker", "Victor", "Ishmael", "Elizabeth"]) {
    createFact(open, bookId, { name: word, kind: "character" }, by);
  }
  reanchorMentions(open, bookId, by);
  for (const { id } of chapters.slice(0, 20)) {
    const [block] = listBlocks(open.store, id);
    const [leaf] = block === undefined ? [] : readLeaves(JSON.parse(block.node));
    if (leaf?.blockId)
      createSnippet(open, bookId, { kind: "note", text: "Look.", blockId: leaf.blockId }, by);
  }
  return { open, bookId };
}

const textsOf = (path: string) =>
  new Map(
    (readdirSync(path, { recursive: true, encoding: "utf8" }) as string[])
      .filter((file) => /\.(?:md|yaml)$/.test(file))
      .sort()
      .map((file) => [file, readFileSync(join(path, file), "utf8")]),
  );

describe("whole novels", { skip }, () => {
  for (const { name } of books) {
    it(`${name}: a full export is the same twice, and comes back without a revision or a touched annotation`, async (t) => {
      const { open, bookId } = await annotated(t, name);
      const before = dump(open.store);
      const revisions = () => open.store.all("SELECT * FROM revisions ORDER BY 1, 2");
      const count = revisions();
      for (const options of [{}, { blockIds: true }]) {
        const [one, two] = [folder(t), folder(t)];
        await exportFolder(open, bookId, one, options);
        await exportFolder(open, bookId, two, options);
        assert.deepEqual(textsOf(two), textsOf(one));
        const { book, chapters, facts, notes } = await importFiles(open, await readBookFiles(one), {
          bookId,
        });
        const statuses = [book, ...chapters, ...facts, ...notes].map(({ status }) => status);
        assert.deepEqual([...new Set(statuses)], ["same"]);
        assert.deepEqual(dump(open.store), before);
        assert.deepEqual(revisions(), count);
      }
    });
  }

  for (const { name } of books) {
    it(`${name}: import and export --as-imported give the folder back, its list too`, async (t) => {
      const source = join(corpus ?? "", name);
      const open = manuscript(t);
      const { bookId } = await importFiles(open, await readBookFiles(source), {});
      const path = folder(t);
      const { unsaid } = await exportAsImported(open, bookId, path);
      assert.deepEqual(unsaid, []);
      const bytes = (from: string) =>
        readdirSync(from).map((file) => [file, readFileSync(join(from, file), "utf8")]);
      assert.deepEqual(bytes(path), bytes(source));
    });

    it(`${name}: import and export --plain give every file back, byte for byte`, async (t) => {
      const source = join(corpus ?? "", name);
      const open = manuscript(t);
      const { bookId, chapters } = await importFiles(open, await readBookFiles(source), {});
      const path = folder(t);
      await exportFolder(open, bookId, path, { plain: true, force: false });
      const files = readdirSync(source).filter((file) => file.endsWith(".md"));
      assert.equal(chapters.length, files.length);
      for (const file of files) {
        assert.ok(readFileSync(join(path, file)).equals(readFileSync(join(source, file))), file);
      }
      const again = await importFiles(open, await readBookFiles(path), { bookId });
      assert.deepEqual(
        again.chapters.filter(({ status }) => status !== "same"),
        [],
      );
    });
  }
});
