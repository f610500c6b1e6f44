import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "../../src/contract/limits.ts";
import type { BookId, ChapterId, FactId } from "../../src/ids.ts";
import { PayloadTooLarge } from "../../src/refusals.ts";
import { changeFact, createFact } from "../../src/service/annotations/facts.ts";
import { anchorMentions, reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { write } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { assertNotCrowded } from "../../src/store/rows/crowding.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript, suite } from "../support/sandbox.ts";

const scope = suite();
const own = manuscript(scope);
const book = () => createBook(own, { title: "Crowded" }, OWNER).id as BookId;
const refused = (says: RegExp) => (error: unknown) =>
  error instanceof PayloadTooLarge && says.test(error.message);

describe("crowding", { concurrency: false }, () => {
  it("refuses what would make a list of facts or snippets too long to answer, and what is short enough", () => {
    const small = { ...LIMITS, listBytes: 4096 };
    const within = (run: () => unknown) =>
      write(own, "crowd", OWNER, (act, store) => {
        run();
        assertNotCrowded(store, act, undefined, small);
        return () => ({});
      });
    const bookId = book();
    const { id } = createFact(own, bookId, { name: "Mara", summary: "a".repeat(4000) }, OWNER);
    const factId = id as FactId;
    const add = () =>
      own.store.run(
        `INSERT INTO facts(id, book_id, name, kind, aliases, attributes, summary, created_at)
         VALUES('fa_new', ?, 'Tide', '', '[]', '[]', '', 0)`,
        bookId,
      );
    assert.throws(() => within(add), refused(/facts.*together; delete or shorten/));
    assert.throws(() => within(() => changeFact(own, factId, { kind: "person" })), refused(/facts/));
    within(() => changeFact(own, factId, { summary: "" }));
    within(add);
    createSnippet(own, bookId, { kind: "note", text: "c".repeat(4000) }, OWNER);
    assert.throws(
      () =>
        within(() =>
          own.store.run("UPDATE snippets SET url = 'https://example.org' WHERE book_id = ?", bookId),
        ),
      refused(/snippets/),
    );
    within(() => own.store.run("DELETE FROM snippets WHERE book_id = ?", bookId));
  });

  it("takes so many mentions in a paragraph, of which reanchoring takes the first", () => {
    const bookId = book();
    const markdown = "Mara ".repeat(LIMITS.paragraphMentions + 1);
    const chapterId = createChapter(own, bookId, { title: "One", markdown }, OWNER).id as ChapterId;
    const factId = createFact(own, bookId, { name: "Mara" }, OWNER).id as FactId;
    assert.equal(reanchorMentions(own, bookId, OWNER).anchored, LIMITS.paragraphMentions);
    const [blockId = ""] = own.store.list<string>("SELECT id FROM leaves WHERE chapter_id = ?", chapterId);
    const span = { factId, blockId, from: 0, to: 2 };
    assert.throws(
      () => anchorMentions(own, chapterId, { revision: 1, mentions: [span] }, OWNER),
      refused(/5,000 mentions/),
    );
  });

  it("takes so many mentions on one character", () => {
    const bookId = book();
    const markdown = "Mara sings.";
    const chapterId = createChapter(own, bookId, { title: "One", markdown }, OWNER).id as ChapterId;
    const [blockId = ""] = own.store.list<string>("SELECT id FROM leaves WHERE chapter_id = ?", chapterId);
    const facts = Array.from(
      { length: LIMITS.mentionDepth + 1 },
      (_, at) => createFact(own, bookId, { name: `Mara ${at}` }, OWNER).id as FactId,
    );
    const mentions = facts.map((factId) => ({ factId, blockId, from: 0, to: 4 }));
    const anchor = (some: typeof mentions) =>
      anchorMentions(own, chapterId, { revision: 1, mentions: some }, OWNER);
    assert.throws(() => anchor(mentions), refused(/20 mentions.*same character/));
    const [first, ...others] = mentions;
    anchor([...others, { ...first!, from: 5, to: 10 }]); // there are 21
    const read = readChapterAnswer(own, chapterId, { format: "doc" });
    assert.ok("doc" in read && !replaceProse(own, chapterId, { doc: read.doc }, OWNER).changed);
    assert.equal(write(own, "noop", { ...OWNER, skipsEmpty: true }, () => () => ({})).act, null);
  });

  it("ends with the suite", scope.end);
});
