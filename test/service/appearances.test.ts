import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Lab, serve } from "../support/client.ts";
import { OWNER } from "../support/sample.ts";

/** A book with these chapters and people. Returns its id, and theirs. */
function write({ manuscript }: Lab, chapters: readonly string[], names: readonly string[]) {
  const { id } = createBook(manuscript, { title: "Saltmere" }, OWNER);
  for (const [index, markdown] of chapters.entries())
    createChapter(manuscript, id, { title: `Chapter ${index + 1}`, markdown }, OWNER);
  const ids = names.map((name) => createFact(manuscript, id, { name, kind: "character" }, OWNER).id);
  return { id, ids };
}

describe("GET /books/{bookId}/appearances", () => {
  it("counts by chapter, with first, last and gaps, and who shares scenes", async (t) => {
    const lab = await serve(t);
    const { id, ids } = write(
      lab,
      ["Ada met Ben.\n\n***\n\nAda slept. Ada woke.", "Ben rowed.", "It rained.", "Ada and Ben married."],
      ["Ada", "Ben", "Cyr"],
    );
    const { body } = await lab.ask("GET", `/books/${id}/appearances`);
    assert.equal(body.scenesBy, "breaks");
    const [ada, ben, cyr] = body.facts;
    assert.deepEqual(
      [ada.total, ada.scenes, ada.chapters, ada.first, ada.last, ada.gaps],
      [
        4,
        3,
        [
          [0, 3],
          [3, 1],
        ],
        0,
        3,
        [[1, 2]],
      ],
    );
    assert.deepEqual(
      [ben.chapters, ben.gaps],
      [
        [
          [0, 1],
          [1, 1],
          [3, 1],
        ],
        [[2, 2]],
      ],
    );
    assert.deepEqual([cyr.total, cyr.first, cyr.gaps], [0, null, []]);
    assert.deepEqual(body.pairs, [{ factIds: ids.slice(0, 2), scenes: 2 }]);
    assert.equal((await lab.ask("GET", "/books/bk_none/appearances")).status, 404);
  });
});
