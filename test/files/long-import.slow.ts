import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { examine } from "../../src/service/health/examine.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { readMarkdownBytes } from "../../src/store/rows/chapters.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";

const PARAGRAPHS = 8_400;

describe("an import of very many paragraphs", () => {
  it("parses each file once, writes all of them as one act, sound, and is taken back whole", async (t) => {
    const open = manuscript(t);
    const path = folder(t);
    const text = (name: string) =>
      Array.from({ length: PARAGRAPHS }, (_, at) => `Line ${at} of ${name}.\n`).join("\n");
    const names = ["1", "2", "3", "4"];
    for (const name of names) writeFileSync(join(path, `${name}.md`), text(name));
    const parsed: number[] = [];
    const step = (done: number, total: number) => {
      if (total === 8) parsed.push(done);
    };
    const answer = await importFiles(open, await readBookFiles(path), { step });
    assert.deepEqual(parsed.toSorted(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(
      answer.chapters.map(({ paragraphs }) => paragraphs.new),
      names.map(() => PARAGRAPHS),
    );
    for (const [index, { id }] of answer.chapters.entries())
      assert.equal(String(readMarkdownBytes(open.store, id)?.body), text(names[index]!)); // as many
    assert.deepEqual(Object.values(examine(open.store).flaws).flat(), []);
    undoAct(open, answer.act!, OWNER); // it wrote
    assert.deepEqual(open.store.list("SELECT count(*) FROM blocks"), [0]);
  });
});
