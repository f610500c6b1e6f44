import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BookIndex } from "../../src/search/book-index.ts";
import type { ChapterEntry, FactEntry, ParagraphEntry, SearchResult } from "../../src/search/types.ts";
import { fact, toyStem } from "./book.ts";

const words = [
  "rain",
  "rains",
  "raining",
  "lantern",
  "lanterns",
  "Mara",
  "Mara’s",
  "sea",
  "to-day",
  "林黛玉",
  "the",
];
const text = fc.array(fc.constantFrom(...words), { maxLength: 7 }).map((chosen) => chosen.join(" "));
const chapterId = fc.constantFrom("c1", "c2", "c3");

type Change = (book: BookIndex, kept: Kept) => void;

/** What the index should hold. */
class Kept {
  readonly paragraphs = new Map<string, ParagraphEntry>();
  readonly chapters = new Map<string, ChapterEntry>();
  readonly facts = new Map<string, FactEntry>();

  /** An index made afresh, entered in another order than the changes came. */
  fresh(): BookIndex {
    const book = new BookIndex({ stem: toyStem });
    for (const entry of [...this.facts.values()].reverse()) book.putFact(entry);
    for (const entry of [...this.paragraphs.values()].reverse()) book.putParagraph(entry);
    for (const entry of this.chapters.values()) book.putChapter(entry);
    return book;
  }
}

const paragraph = fc.record({
  blockId: fc.constantFrom(..."abcdefghijkl"),
  chapterId,
  text,
  place: fc.integer({ min: 0, max: 9 }),
});
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: paragraph.map(
      (entry): Change =>
        (book, kept) => {
          book.putParagraph(entry);
          kept.paragraphs.set(entry.blockId, entry);
        },
    ),
  },
  {
    weight: 2,
    arbitrary: paragraph.map(
      ({ blockId }): Change =>
        (book, kept) => {
          book.removeParagraph(blockId);
          kept.paragraphs.delete(blockId);
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ chapterId, title: text, synopsis: text, position: fc.nat(5) }).map(
      (entry): Change =>
        (book, kept) => {
          const chapter = { ...entry, partId: null, status: "draft" };
          book.putChapter(chapter);
          kept.chapters.set(chapter.chapterId, chapter);
        },
    ),
  },
  {
    weight: 1,
    arbitrary: chapterId.map(
      (removed): Change =>
        (book, kept) => {
          book.removeChapter(removed);
          kept.chapters.delete(removed);
          for (const { blockId, chapterId: owner } of [...kept.paragraphs.values()])
            if (owner === removed) kept.paragraphs.delete(blockId);
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ id: fc.constantFrom("f1", "f2", "f3"), name: text, summary: text }).map(
      (entry): Change =>
        (book, kept) => {
          book.putFact(fact(entry));
          kept.facts.set(entry.id, fact(entry));
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("f1", "f2", "f3").map(
      (id): Change =>
        (book, kept) => {
          book.removeFact(id);
          kept.facts.delete(id);
        },
    ),
  },
);

const questions = [
  "rain",
  "rain sea",
  "lantern mara",
  '"rain lantern"',
  "sea -mara",
  "lan",
  "rian",
  "today the",
  "黛玉",
  "l* rai*",
  "the",
  "nothing rain",
];

/** The same answer with its scores apart, which may differ by 1e-9. */
function parted(result: SearchResult): { scores: number[]; rest: unknown } {
  const hits = [...result.chapters, ...result.facts];
  return {
    scores: hits.map(({ score }) => score),
    rest: JSON.parse(JSON.stringify(result, (key, value) => (key === "score" ? 0 : value))),
  };
}

function sameAnswers(left: BookIndex, right: BookIndex): void {
  for (const question of questions) {
    const [one, other] = [parted(left.find(question, 20)), parted(right.find(question, 20))];
    assert.deepEqual(one.rest, other.rest, question);
    for (const [index, score] of one.scores.entries())
      assert.ok(Math.abs(score - other.scores[index]!) < 1e-9, question);
  }
}

test("BookIndex › answers after any changes as an index made afresh", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const book = new BookIndex({ stem: toyStem });
      const kept = new Kept();
      for (const apply of changes) apply(book, kept);
      sameAnswers(book, kept.fresh());
      assert.equal(book.bytes, kept.fresh().bytes);
    }),
    { numRuns: 150, seed: 4 },
  );
});

test("BookIndex › answers the same question with the same answer, searches between or not", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const [asked, unasked] = [new BookIndex({ stem: toyStem }), new BookIndex({ stem: toyStem })];
      for (const apply of changes) {
        apply(asked, new Kept());
        apply(unasked, new Kept());
        for (const question of questions.slice(0, 3)) asked.find(question, 20);
      }
      assert.deepEqual(
        questions.map((question) => asked.find(question, 5)),
        questions.map((question) => unasked.find(question, 5)),
      );
    }),
    { numRuns: 40, seed: 4 },
  );
});
