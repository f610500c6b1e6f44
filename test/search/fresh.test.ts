import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BookIndex } from "../../src/search/book-index.ts";
import type {
  SearchedChapter,
  SearchedFact,
  SearchedParagraph,
  SearchResult,
} from "../../src/search/types.ts";
import { randomly } from "../prose/rewrite.ts";
import { fact, toyStem } from "./book.ts";

type Put =
  | { put: "paragraph"; entry: SearchedParagraph }
  | { put: "chapter"; entry: SearchedChapter }
  | { put: "fact"; entry: SearchedFact };
type Change = Put | { remove: "paragraph" | "chapter" | "fact"; id: string };

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
const chapterId = fc.constantFrom("c1", "c2", "c3");
const factId = fc.constantFrom("f1", "f2", "f3");
const paragraph = fc.record({
  blockId,
  chapterId,
  text,
  place: fc.constantFrom("a0", "a0V", "a1", "a2", "b0"),
});
const heading = { partId: fc.constant(null), status: fc.constant("draft") };
const chapter = fc.record({ chapterId, title: text, synopsis: text, position: fc.nat(5), ...heading });
const cast = fc.record({ id: factId, name: text, summary: text }).map(fact);

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: fc.constant("paragraph"), entry: paragraph }) },
  { weight: 2, arbitrary: fc.record({ put: fc.constant("chapter"), entry: chapter }) },
  { weight: 2, arbitrary: fc.record({ put: fc.constant("fact"), entry: cast }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.constant("paragraph"), id: blockId }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.constant("chapter"), id: chapterId }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.constant("fact"), id: factId }) },
);

function apply(book: BookIndex, one: Change): void {
  if ("remove" in one) {
    if (one.remove === "paragraph") book.removeParagraph(one.id);
    else if (one.remove === "chapter") book.removeChapter(one.id);
    else book.removeFact(one.id);
  } else if (one.put === "paragraph") book.putParagraph(one.entry);
  else if (one.put === "chapter") book.putChapter(one.entry);
  else book.putFact(one.entry);
}

/** An index made of what the changes leave, entered in another order. */
function fresh(changes: readonly Change[]): BookIndex {
  const kept = new Map<string, Change>();
  for (const one of changes) {
    if ("put" in one) kept.set(keyOf(one), one);
    else kept.delete(`${one.remove} ${one.id}`);
    if (!("remove" in one) || one.remove !== "chapter") continue;
    for (const [key, held] of kept) {
      if ("put" in held && held.put === "paragraph" && held.entry.chapterId === one.id) kept.delete(key);
    }
  }
  const book = new BookIndex({ stem: toyStem });
  for (const one of [...kept.values()].reverse()) apply(book, one);
  return book;
}

function keyOf(one: Put): string {
  if (one.put === "fact") return `fact ${one.entry.id}`;
  return one.put === "chapter" ? `chapter ${one.entry.chapterId}` : `paragraph ${one.entry.blockId}`;
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
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const book = new BookIndex({ stem: toyStem });
      for (const one of changes) apply(book, one);
      sameAnswers(book, fresh(changes));
      assert.equal(book.bytes, fresh(changes).bytes);
    }),
    { ...randomly(150), seed: 5 },
  );
});

test("BookIndex › answers the same question with the same answer, searches between or not", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const [asked, unasked] = [new BookIndex({ stem: toyStem }), new BookIndex({ stem: toyStem })];
      for (const one of changes) {
        apply(asked, one);
        apply(unasked, one);
        for (const question of questions.slice(0, 3)) asked.find(question, 20);
      }
      const answers = (book: BookIndex): SearchResult[] =>
        questions.map((question) => book.find(question, 5));
      assert.deepEqual(answers(asked), answers(unasked));
    }),
    { ...randomly(40), seed: 4 },
  );
});
