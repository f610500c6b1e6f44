import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bareForms } from "../../src/search/terms/words.ts";
import { bookOf, chaptersOf } from "./book.ts";

describe("bareForms", () => {
  for (const [term, bare] of [
    ["الكتاب", ["كتاب"]],
    ["وبالكتاب", ["كتاب"]],
    ["كتاب", []],
    ["המלך", ["מלך"]],
    ["שבבית", ["בבית", "בית"]],
    ["בית", []],
    ["the", []],
  ] as const)
    it(`of ${term} are ${bare.join(", ") || "none"}`, () => assert.deepEqual(bareForms(term), bare));
});

describe("a word with an article written onto it", () => {
  it("comes after the word itself", () => {
    const book = bookOf([["قرأ الكتاب هنا"], ["قرأ كتاب هنا"], ["קרא המלך כאן"], ["קרא מלך כאן"]]);
    assert.deepEqual(chaptersOf(book.find("كتاب", 20)), ["c2", "c1"]);
    assert.deepEqual(chaptersOf(book.find("الكتاب", 20)), ["c1", "c2"]);
    assert.deepEqual(chaptersOf(book.find("מלך", 20)), ["c4", "c3"]);
  });
});

describe("a German compound", () => {
  const prose = [
    ["Sie stand an der Haustür und wartete."],
    ["Das Haus und die Tür."],
    ["Die Natur und der Geburtstag."],
    ["Geburt und Tag."],
  ];

  it("is found by a part of it, after the part itself, where the book has both parts", () => {
    const book = bookOf(prose);
    assert.deepEqual(chaptersOf(book.find("Tür", 20)), ["c2", "c1"]);
    assert.deepEqual(chaptersOf(book.find("Haus", 20)), ["c2", "c1"]);
    assert.deepEqual(chaptersOf(book.find("Tag", 20)), ["c4", "c3"]);
    const highlighted = book.find("Tür", 20).chapters[1]?.excerpts[0];
    assert.ok(highlighted !== undefined && highlighted.highlights.length === 1);
  });

  it("is found by a part that the book has in it alone, if the other is a word there", () => {
    const book = bookOf([...prose, ["Die Gartenbank und der Garten."]]);
    assert.deepEqual(chaptersOf(book.find("Bank", 20)), ["c5"]);
    assert.deepEqual(chaptersOf(book.find("Gartn", 20)), ["c5"]);
  });

  it("is not where the book lacks the other part, nor in a book that is not German", () => {
    assert.deepEqual(
      chaptersOf(bookOf([["Die Haustür und sie."], ["Eine Tür."]]).find('Tür -"Eine"', 20)),
      [],
    );
    const english = bookOf([["A handbag."], ["A hand, a bag."]]);
    assert.deepEqual(chaptersOf(english.find("bag", 20)), ["c2"]);
  });
});
