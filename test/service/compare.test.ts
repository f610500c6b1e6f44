import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NotFound } from "../../src/refusals.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Comparison, compareRevisions } from "../../src/service/prose/compare-revisions.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { type Change, diffAmong, diffWords } from "../../src/service/prose/word-diff.ts";
import { randomly } from "../prose/rewrite.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

const show = (changes: readonly Change[]) =>
  changes
    .map(({ op, text }) => (op === "same" ? text : op === "added" ? `{+${text}+}` : `[-${text}-]`))
    .join("");

for (const [name, before, after, shown] of [
  ["one word", "The red house.", "The blue house.", "The [-red-]{+blue+} house."],
  [
    "words in a row as one change",
    "a red house stood",
    "a blue ship stood",
    "a [-red house-]{+blue ship+} stood",
  ],
  ["a word with its apostrophe", "I can't go", "I can go", "I [-can't-]{+can+} go"],
  ["one character of a script without spaces", "東京都に行く", "東京市に行く", "東京[-都-]{+市+}に行く"],
  ["a sign alone", "Go.", "Go!", "Go[-.-]{+!+}"],
  ["nothing", "Same.", "Same.", "Same."],
  ["all of it", "", "New.", "{+New.+}"],
] as const) {
  test(`diffWords › shows ${name}`, () => assert.equal(show(diffWords(before, after)), shown));
}

test("diffAmong › reads one text among a few word by word, and tells one of very many as a whole", () => {
  const words = Array.from({ length: 300 }, (_, at) => `word${at}`);
  const before = words.join(" ");
  const after = words.map((word, at) => (at % 3 === 0 ? `${word}x` : word)).join(" ");
  const few = diffAmong(2 * (before.length + after.length))(before, after);
  assert.deepEqual(few, diffWords(before, after));
  assert.equal(few.filter(({ op }) => op === "added").length, 100);
  assert.deepEqual(
    diffAmong(1000 * (before.length + after.length))(before, after).map(({ op }) => op),
    ["removed", "added"],
  );
});

test("diffWords › gives both texts back", (t) => {
  const settings = randomly(250);
  t.diagnostic(`seed ${settings.seed}`);
  const text = fc
    .array(fc.constantFrom("a", "red", "house", " ", ", ", "\n", "漢", "e\u0301", "🐋"))
    .map((parts) => parts.join(""));
  const side = (changes: Change[], other: Change["op"]) =>
    changes
      .filter(({ op }) => op !== other)
      .map((change) => change.text)
      .join("");
  const property = fc.property(text, text, (before, after) => {
    const changes = diffWords(before, after);
    assert.equal(side(changes, "added"), before);
    assert.equal(side(changes, "removed"), after);
  });
  fc.assert(property, settings);
});

const brief = ({ paragraphs }: Comparison) =>
  paragraphs.map(({ status, changes }) => `${status}: ${show(changes)}`);

test("compareRevisions › follows each paragraph by its id", (t) => {
  const own = manuscript(t);
  const { bookId } = writeSample(own);
  const first =
    "# Head\n\nThe ferry came before light that day.\n\nNobody spoke at all on the quay.\n\nThe end of it.\n";
  const { id } = createChapter(own, bookId, { title: "T", markdown: first }, OWNER);
  const second =
    "# Head\n\nThe end of it.\n\nThe ferry came *before* light that day.\n\nA new line stands here.\n";
  replaceProse(own, id, { markdown: second }, OWNER);
  const found = compareRevisions(own, id);
  assert.deepEqual(brief(found), [
    "moved: The end of it.",
    "edited: The ferry came {+*+}before{+*+} light that day.",
    "removed: [-Nobody spoke at all on the quay.-]",
    "new: {+A new line stands here.+}",
  ]);
  assert.deepEqual(found.words, { added: 5, removed: 7 });
  assert.deepEqual([found.from, found.to], [1, 2]);
});

test("compareRevisions › keeps the words of two lines apart", (t) => {
  const own = manuscript(t);
  const { bookId } = writeSample(own);
  const { id } = createChapter(
    own,
    bookId,
    { title: "T", markdown: "nothing between\\\nbut the door\n" },
    OWNER,
  );
  replaceProse(own, id, { markdown: "nothing between\\\nbut the gate\n" }, OWNER);
  assert.deepEqual(brief(compareRevisions(own, id)), ["edited: nothing between\nbut the [-door-]{+gate+}"]);
});

test("compareRevisions › names every paragraph that went, also beside one that moved", (t) => {
  const own = manuscript(t);
  const { bookId } = writeSample(own);
  const lines = [
    "The first of them all.",
    "A second one moves.",
    "This third line goes.",
    "Here the fourth stays.",
    "So does the fifth.",
  ];
  const { id } = createChapter(own, bookId, { title: "T", markdown: lines.join("\n\n") }, OWNER);
  replaceProse(own, id, { markdown: [lines[0], lines[3], lines[4], lines[1]].join("\n\n") }, OWNER);
  assert.deepEqual(brief(compareRevisions(own, id)), [
    "removed: [-This third line goes.-]",
    "moved: A second one moves.",
  ]);
});

test("compareRevisions › compares any two revisions, and an only one with itself", (t) => {
  const own = manuscript(t);
  const { bookId } = writeSample(own);
  const { id } = createChapter(own, bookId, { title: "T", markdown: "One.\n" }, OWNER);
  assert.deepEqual(brief(compareRevisions(own, id)), []);
  replaceProse(own, id, { markdown: "One two.\n" }, OWNER);
  replaceProse(own, id, { markdown: "One two three.\n" }, OWNER);
  assert.deepEqual(brief(compareRevisions(own, id, { from: 1 })), ["edited: One{+ two three+}."]);
  assert.deepEqual(brief(compareRevisions(own, id, { from: 3, to: 2 })), ["edited: One two[- three-]."]);
  assert.throws(() => compareRevisions(own, id, { from: 9 }), NotFound);
  assert.throws(() => compareRevisions(own, "ch_none"), NotFound);
});
