import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readBooks } from "../../lab/bench/search-corpus.ts";
import { measureQuality } from "../../lab/bench/search-quality.ts";
import { driftedQuestions, unhandledRejections } from "../../lab/bench/search-steady.ts";
import { englishStem as stem } from "../../src/search/index/vocabulary.ts";

test("each paragraph of a quotation is one, as the book has it", (t) => {
  const root = mkdtempSync(join(tmpdir(), "manuscript-corpus-"));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "novel"));
  writeFileSync(join(root, "novel", "01.md"), "# I\n\n> 3 May. Left Munich.\n>\n> 4 May. Arrived.\n");
  const texts = readBooks(root, ["novel"]).paragraphs.map(({ text }) => text);
  assert.deepEqual(texts, ["3 May. Left Munich.", "4 May. Arrived."]);
});

const root = process.env.MANUSCRIPT_CORPUS;
const skip = root === undefined ? "MANUSCRIPT_CORPUS names no folder of novels" : false;

describe("on the sample novel", () => {
  const book = readBooks(join(import.meta.dirname, "../../fixtures"), ["novel"]);

  test("answers after 600 random edits as an index made afresh", () => {
    assert.ok(book.paragraphs.length > 100);
    assert.deepEqual(driftedQuestions(book, { edits: 600, questions: 105, seed: 3, stem }), []);
  });

  test("leaves no rejection unhandled while edits and searches alternate", async () => {
    assert.equal(await unhandledRejections(book, { edits: 600, everyMs: 0, stem }), 0);
  });
});

describe("on a novel of 120,000 words", { skip }, () => {
  const book = readBooks(root ?? "", ["pride-and-prejudice"]);

  test("finds the sentence that the writer has in mind better than its peers", () => {
    const [mine, plain, porter] = measureQuality(book, { count: 40, seed: 5, stem });
    assert.ok(mine !== undefined && plain !== undefined && porter !== undefined);
    const kinds = (["exact", "exact3", "typo", "natural", "type"] as const).map(
      (kind) => mine.paragraph[kind] ?? 0,
    );
    for (const value of kinds) assert.ok(value >= 0.93, kinds.join(" "));
    assert.ok(mine.chapter.scatter >= Math.max(0.66, porter.chapter.scatter, plain.chapter.scatter));
    assert.ok(mine.paragraphMean >= 0.975 && mine.chapterMean >= 0.937);
    assert.ok(mine.paragraphMean > porter.paragraphMean && mine.chapterMean > porter.chapterMean);
  });

  test("answers 330 questions after 3,000 random edits as an index made afresh", () => {
    assert.deepEqual(driftedQuestions(book, { edits: 3000, questions: 330, seed: 2, stem }), []);
  });
});
