import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { BookIndex } from "../../src/search/book-index.ts";
import type { SearchResult } from "../../src/search/index/types.ts";
import { anyCharacter } from "../prose/arbitrary.ts";
import { randomly } from "../prose/rewrite.ts";
import { bookOf, fact, putProse } from "./book.ts";

const words = [
  "the",
  "lantern",
  "harbour",
  "don’t",
  "well-known",
  "Zoë",
  "東京",
  "U.S.A.",
  "a",
  "aa",
  "ab",
  "__proto__",
];
const book = bookOf(Array.from({ length: 20 }, (_, chapter) => paragraphs(chapter)));
book.putFact(fact({ id: "f1", name: "The constructor", summary: "Keeps __proto__ and toString." }));

function paragraphs(chapter: number): string[] {
  return Array.from({ length: 20 }, (_, at) =>
    words
      .slice((chapter + at) % 9)
      .join(" ")
      .repeat(1 + (at % 5)),
  );
}

/** What holds of every answer. */
function sound(result: SearchResult): void {
  assert.ok(result.chapters.length + result.facts.length <= result.limit);
  assert.ok(result.total >= result.chapters.length + result.facts.length);
  for (const { score, matchCount, excerpts } of result.chapters) {
    assert.ok(Number.isFinite(score) && score > 0);
    assert.ok(excerpts.length >= 1 && excerpts.length <= 3 && matchCount >= excerpts.length);
    for (const { text, highlights } of excerpts) {
      assert.ok(text.length <= 200);
      let end = 0;
      for (const [from, to] of highlights) {
        assert.ok(from >= end && to > from && to <= text.length);
        end = to;
      }
    }
  }
  for (const { score, matchedOn } of result.facts) assert.ok(score > 0 && matchedOn.length > 0);
}

describe("find answers hostile questions", () => {
  const hostile = [
    ...[
      '"',
      '""',
      '"""',
      "“",
      "-",
      "--",
      "-*",
      "*",
      "**",
      "- - -",
      '-"',
      '"-"',
      "(",
      "[a",
      "\\",
      "AND",
      "NEAR(a b)",
    ],
    ...[
      "text:a",
      "^a",
      "a* b* aa* ab*",
      "constructor",
      "__proto__",
      "hasOwnProperty",
      "toString",
      "\u0000",
      "\ud83d",
    ],
    ...[
      "a".repeat(500),
      "lantern ".repeat(62),
      "a* ".repeat(166),
      "-a ".repeat(166),
      '"'.repeat(500),
      "𠮷".repeat(250),
    ],
    ...[
      '"the the the the the the the the"',
      '"a aa" '.repeat(71),
      "é".repeat(500),
      "'".repeat(500),
      "a-".repeat(250),
    ],
    Array.from({ length: 250 }, (_, at) => String.fromCharCode(97 + (at % 26))).join(" "),
  ];
  for (const query of hostile) {
    test(JSON.stringify(query.slice(0, 40)), () => sound(book.find(query, 20)));
  }

  test("of any characters", () => {
    const piece = fc.oneof(
      fc.constantFrom(...words, '"', "-", "*", " "),
      fc.string({ unit: anyCharacter, maxLength: 5 }),
    );
    const query = fc.array(piece, { minLength: 1, maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(query, fc.integer({ min: 1, max: 50 }), (asked, limit) => sound(book.find(asked, limit))),
      {
        ...randomly(150),
        seed: 7,
      },
    );
  });

  test("about any text", () => {
    const text = fc.array(
      fc.oneof(fc.constantFrom(...words), fc.string({ unit: anyCharacter, maxLength: 90 })),
    );
    fc.assert(
      fc.property(text, (pieces) => {
        const index = new BookIndex();
        putProse(index, "c", [pieces.join(" ")]);
        for (const piece of pieces.slice(0, 5))
          if (piece.trim() !== "") sound(index.find(piece.slice(0, 500), 5));
        putProse(index, "c", []);
        assert.equal(index.bytes, new BookIndex().bytes);
      }),
      { ...randomly(60), seed: 7 },
    );
  });
});

test("find › has every run of two to four Han characters that the text has, and no other", () => {
  const characters = "林黛玉賈宝釵風月夜雨花";
  const run = fc
    .array(fc.constantFrom(...characters), { minLength: 2, maxLength: 30 })
    .map((all) => all.join(""));
  const asked = fc
    .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 4 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(run, asked, fc.nat(25), (text, other, at) => {
      const index = bookOf([[`${text}。`]]);
      const part = text.slice(Math.min(at, text.length - 2)).slice(0, 4);
      assert.equal(index.find(part, 5).total, 1);
      assert.equal(index.find(other, 5).total, text.includes(other) ? 1 : 0);
    }),
    { ...randomly(75), seed: 7 },
  );
});

test("BookIndex › lives through edits and searches that alternate on the event loop", async () => {
  const index = bookOf([["The lantern."], ["The harbour."]]);
  for (let edit = 0; edit < 300; edit += 1) {
    const text = (at: number) => `The lantern of the night ${edit - ((edit - at) % 7)}.`;
    putProse(
      index,
      "c1",
      Array.from({ length: 7 }, (_, at) => text(at)),
    );
    if (edit % 3 === 0) await new Promise(setImmediate);
    assert.ok(index.find("lantern night", 20).total > 0);
  }
});
