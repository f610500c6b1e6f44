import assert from "node:assert/strict";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { serve } from "../support/client.ts";

const PAGE_BYTES = 4096;
const CUTS: [what: string, left: (bytes: number) => number][] = [
  ["to half", (bytes) => Math.floor(bytes / 2)],
  ["to a tenth", (bytes) => Math.floor(bytes / 10)],
  ["by one page", (bytes) => bytes - PAGE_BYTES],
];
const LONG = Array.from({ length: 6 }, (_, at) => `${at} ${"the tide came in over the stones, ".repeat(40)}`);

/** A served book that ends in a long chapter, and what saves a numbered paragraph of the one before. */
async function served(t: TestContext) {
  const lab = await serve(t);
  const { bookId, chapterId, blockId } = lab.sample;
  const { path } = lab.manuscript.store;
  const save = (line: number) =>
    lab.ask("PATCH", `/chapters/${chapterId}/paragraphs/${blockId}`, { body: { markdown: `Line ${line}.` } });
  const read = () => lab.ask("GET", `/chapters/${chapterId}`);
  const made = { title: "Long", markdown: LONG.join("\n\n") };
  assert.equal((await lab.ask("POST", `/books/${bookId}/chapters`, { body: made })).status, 201);
  assert.equal((await save(0)).status, 200);
  assert.ok(lab.manuscript.store.checkpoint());
  return { manuscript: lab.manuscript, chapterId, path, save, read };
}

describe("a file that is cut short under a server", () => {
  for (const [what, left] of CUTS)
    it(`${what}: no save is acknowledged from then on, and none from before is lost`, async (t) => {
      for (let saves = 0; saves < 10; saves++) {
        const { manuscript, chapterId, path, save, read } = await served(t);
        for (let line = 1; line <= saves; line++) assert.equal((await save(line)).status, 200);
        const whole = readFileSync(path);
        truncateSync(path, left(statSync(path).size));
        const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
        for (let line = 100; line < 103; line++) {
          const { status, body } = await save(line);
          assert.equal(status, 503, `with ${saves} saves in the log`);
          assert.match(body.message, /was cut short: it has \d+ of its \d+ bytes.*restore --list.* rescue /);
        }
        assert.equal((await read()).status, 503);
        manuscript.close();
        assert.deepEqual([readFileSync(path), readFileSync(`${path}-wal`)], [file, log]);
        writeFileSync(path, whole);
        const back = openManuscript(path);
        assert.match(JSON.stringify(readChapterAnswer(back, chapterId, {})), new RegExp(`Line ${saves}\\.`));
        back.close();
      }
    });
});
