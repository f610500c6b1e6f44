import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BookIndex } from "../../src/search/book-index.ts";
import type {
  SearchedChapter,
  SearchedFact,
  SearchedParagraph,
  SearchResult,
} from "../../src/search/index/types.ts";
import { randomly } from "../prose/rewrite.ts";
import { fact, putProse, toyStem } from "./book.ts";

/** A book as it may be at one time: chapters by id with their prose, and facts. */
interface Version {
  chapters: readonly (SearchedChapter & { prose: readonly string[] })[];
  facts: readonly SearchedFact[];
}

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
const blockId = fc.constantFrom(..."abcdefghijkl");
const prose = fc.uniqueArray(blockId, { maxLength: 6 });
const chapter = fc.record({
  id: fc.constantFrom("c1", "c2", "c3"),
  title: text,
  synopsis: text,
  position: fc.nat(5),
  prose,
});
const cast = fc.record({ id: fc.constantFrom("f1", "f2", "f3"), name: text, summary: text }).map(fact);
const version: fc.Arbitrary<Version & { texts: Record<string, string> }> = fc.record({
  chapters: fc.uniqueArray(chapter, { selector: ({ id }) => id }),
  facts: fc.uniqueArray(cast, { selector: ({ id }) => id }),
  texts: fc
    .array(text, { minLength: 12, maxLength: 12 })
    .map((all) => Object.fromEntries([..."abcdefghijkl"].map((id, at) => [id, all[at] ?? ""]))),
});

/** Brings an index to a version. A block stands in the first chapter that names it. */
function bring(
  book: BookIndex,
  { chapters, facts, texts }: Version & { texts: Record<string, string> },
): BookIndex {
  book.retain(new Set(chapters.map(({ id }) => id)), new Set(facts.map(({ id }) => id)));
  const taken = new Set<string>();
  for (const one of chapters) {
    book.putChapter(one);
    const own = one.prose.filter((id) => !taken.has(id));
    for (const id of own) taken.add(id);
    const paragraphs = own.map((id): SearchedParagraph => ({ blockId: id, text: texts[id] ?? "" }));
    putProse(book, one.id, paragraphs);
  }
  for (const one of facts) book.putFact(one);
  return book;
}

const questions = [
  ...["rain", "rain sea", "lantern mara", '"rain lantern"', "sea -mara", "lan", "rian"],
  ...["today the", "黛玉", "l* rai*", "the", "nothing rain"],
];

/** The same answer with its scores apart, which may differ by 1e-9. */
function parted(result: SearchResult): { scores: number[]; rest: unknown } {
  const scores = [...result.chapters, ...result.facts].map(({ score }) => score);
  return { scores, rest: JSON.parse(JSON.stringify(result, (key, value) => (key === "score" ? 0 : value))) };
}

function sameAnswers(left: BookIndex, right: BookIndex): void {
  for (const question of questions) {
    const [one, other] = [parted(left.find(question, 20)), parted(right.find(question, 20))];
    assert.deepEqual(one.rest, other.rest, question);
    for (const [index, score] of one.scores.entries()) {
      assert.ok(Math.abs(score - (other.scores[index] ?? 0)) < 1e-9, question);
    }
  }
}

test("BookIndex › answers after any changes as an index made afresh", () => {
  fc.assert(
    fc.property(fc.array(version, { minLength: 1, maxLength: 8 }), (versions) => {
      const book = new BookIndex({ stem: toyStem });
      for (const one of versions) bring(book, one);
      const fresh = bring(new BookIndex({ stem: toyStem }), versions.at(-1)!); // at least one
      sameAnswers(book, fresh);
      assert.equal(book.bytes, fresh.bytes);
      assert.equal(book.paragraphCount, fresh.paragraphCount);
    }),
    { ...randomly(150), seed: 5 },
  );
});

test("BookIndex › answers the same question with the same answer, searches between or not", () => {
  fc.assert(
    fc.property(fc.array(version, { maxLength: 6 }), (versions) => {
      const [asked, unasked] = [new BookIndex({ stem: toyStem }), new BookIndex({ stem: toyStem })];
      for (const one of versions) {
        bring(asked, one);
        bring(unasked, one);
        for (const question of questions.slice(0, 3)) asked.find(question, 20);
      }
      const answers = (book: BookIndex): SearchResult[] =>
        questions.map((question) => book.find(question, 5));
      assert.deepEqual(answers(asked), answers(unasked));
    }),
    { ...randomly(40), seed: 4 },
  );
});
