import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import type { ChapterId } from "../../src/ids.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter, deleteChapter } from "../../src/service/books/chapters.ts";
import { examine } from "../../src/service/health/examine.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { listBlocks } from "../../src/store/rows/blocks.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";

const PROSE = [
  'Plain, with "quotes", a tab\there and a line\nbehind it.',
  "Back\\slash, <tag>, *emphasis*, [a link](x.md) and a hard  \nbreak.",
  "Line and paragraph separators \u2028 \u2029, \u{1f600} beyond the plane, de\u0301compose\u0301, \u00a0, \u0085.",
  "- One\n\n  Two\n- Three",
  "> quoted\n>\n> twice",
  "* * *",
  '```\n\tcode \\ "\n```',
  "| a | b |\n| - | - |\n| c | d |",
].join("\n\n");

describe("blocks that wait beside the file", () => {
  it("come to the very rows that a request writes, sound, journalled in their order", async (t) => {
    const open = manuscript(t);
    const path = folder(t);
    writeFileSync(join(path, "1.md"), `${PROSE}\n\n\nNo end`);
    writeFileSync(join(path, "2.md"), "");
    const { bookId, chapters } = await importFiles(open, await readBookFiles(path), {});
    const markdown = `${PROSE}\n\n\nNo end`;
    const { chapter } = createChapter(open, bookId, { title: "Again" }, OWNER);
    replaceProse(open, chapter.id, { markdown }, OWNER);
    const rows = (id: ChapterId) => listBlocks(open.store, id);
    const [imported, requested] = [rows(chapters[0]!.id), rows(chapter.id)]; // two files
    const told = (blocks: typeof imported) =>
      blocks.map(({ id, leaves, node, hash: _, seal: __, ...block }) => {
        const named = leaves.reduce((text, leaf, at) => text.replace(leaf, `leaf ${at}`), node);
        return { ...block, node: named };
      });
    assert.deepEqual(told(imported), told(requested));
    assert.equal(imported.length, 9);
    assert.deepEqual(
      open.store.list(
        "SELECT row_id FROM journal WHERE tbl = 'blocks' AND chapter = ? ORDER BY seq",
        chapters[0]!.id,
      ), // as above
      imported.map(({ id }) => id),
    );
    assert.deepEqual(Object.values(examine(open.store).flaws).flat(), []);
  });

  for (const [name, pages] of [
    ["", undefined],
    [", or row by row where they find no room", 3],
  ] as const)
    it(`come to the same rows when many are written, deleted and brought back${name}`, (t) => {
      const open = manuscript(t);
      const { store } = open;
      let waited = 0;
      const fill = store.scratch.fill.bind(store.scratch);
      store.scratch.fill = (write) => {
        if (pages !== undefined) store.list(`PRAGMA scratch.max_page_count = ${pages}`);
        const result = fill(write);
        waited++;
        return result;
      };
      const { id: bookId } = createBook(open, { title: "B" }, OWNER);
      const few = createChapter(open, bookId, { title: "Few", markdown: PROSE }, OWNER).id;
      assert.equal(waited, 0);
      const markdown = Array.from({ length: 80 }, () => PROSE).join("\n\n");
      const { id } = createChapter(open, bookId, { title: "Many" }, OWNER);
      replaceProse(open, id, { markdown }, OWNER);
      const written = listBlocks(store, id);
      const once = listBlocks(store, few);
      const told = ({ type, source, text, words, leaves }: (typeof once)[number]) => ({
        type,
        source,
        text,
        words,
        leaves: leaves.length,
      });
      assert.deepEqual(written.map(told), Array.from({ length: 80 }, () => once.map(told)).flat());
      const journalled = "SELECT row_id FROM journal WHERE tbl = 'blocks' AND chapter = ? ORDER BY seq";
      assert.deepEqual(
        store.list(journalled, id),
        written.map((block) => block.id),
      );
      undoAct(open, deleteChapter(open, id, OWNER).act ?? "", OWNER);
      assert.deepEqual(listBlocks(store, id), written);
      createChapter(open, bookId, { title: "More", markdown }, OWNER);
      assert.equal(waited, pages === undefined ? 3 : 0);
      assert.deepEqual(Object.values(examine(store).flaws).flat(), []);
      assert.deepEqual(store.list("SELECT name FROM pragma_database_list ORDER BY seq"), ["main"]);
    });

  it("leave nothing behind, whether they are taken in or not", async (t) => {
    const open = manuscript(t);
    const path = folder(t);
    writeFileSync(join(path, "1.md"), "One.\n");
    writeFileSync(join(path, "2.md"), `${"> ".repeat(500)}too deep.\n`);
    const files = await readBookFiles(path);
    await assert.rejects(importFiles(open, files, {}), /2\.md/);
    await assert.rejects(importFiles(open, files, {}), /2\.md/);
    await importFiles(open, { ...files, chapters: files.chapters.slice(0, 1) }, { dryRun: true });
    assert.deepEqual(open.store.list("SELECT name FROM pragma_database_list ORDER BY seq"), ["main"]);
    assert.deepEqual(open.store.list("SELECT count(*) FROM acts"), [0]);
  });
});
