import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { findHunks } from "../../src/prose/plan/hunks.ts";
import { readUnits, sliceUnits, textUnits } from "../../src/prose/plan/units.ts";

const unitsOf = (markdown: string) => readUnits(parseMarkdown(markdown).blocks[0]!.node); // one paragraph

/** `2-3>2-4`: what is at 2 to 3 becomes what is at 2 to 4. */
const found = (before: string, after: string): string =>
  findHunks(unitsOf(before), unitsOf(after))
    .map(({ old, next }) => `${old.from}-${old.to}>${next.from}-${next.to}`)
    .join(" ");

describe("findHunks", () => {
  const promises: [
    promise: string,
    cases: readonly (readonly [before: string, after: string, hunks: string])[],
  ][] = [
    [
      "are apart where words that both have once stand between",
      [
        ["a b c d e", "a x c y e", "2-3>2-3 6-7>6-7"],
        ["x one y", "z one w", "0-1>0-1 6-7>6-7"],
        ["x one", "z one", "0-1>0-1"],
        ["one x", "one z", "4-5>4-5"],
        ["p one q two r", "s two t one v", "0-7>0-1 12-13>6-13"],
        ["one two three", "three one two", "0-0>0-6 7-13>13-13"],
        ["one two", "two one", "0-4>0-0 7-7>3-7"],
      ],
    ],
    [
      "are one where such a word is there twice, on either side",
      [
        ["x one y one z", "w one v one u", "0-13>0-13"],
        ["x one y", "w one v one u", "0-7>0-13"],
        ["x one y one z", "w one u", "0-13>0-7"],
        ["a b a", "b a b", "0-5>0-5"],
      ],
    ],
    [
      "begin and end with what differs",
      [
        ["one x one", "one y one", "4-5>4-5"],
        ["a a b", "a b", "2-4>2-2"],
        ["ab", "b", "0-1>0-0"],
        ["ab", "a", "1-2>1-1"],
        ["aa", "a", "1-2>1-1"],
        ["a", "aa", "1-1>1-2"],
        ["one  two", "one two", "4-5>4-4"],
        ["one", "one two", "3-3>3-7"],
        ["two", "one two", "0-0>0-4"],
      ],
    ],
    ["are none between equals", [["same one", "same one", ""]]],
    [
      "cut no pair of code units in two, and take no other letter along",
      [
        ["\u{1f600}", "\u{1f601}", "0-2>0-2"],
        ["\u{1f600}", "\u{10600}", "0-2>0-2"],
        ["x\u{1f600}", "x\u{1f601}", "1-3>1-3"],
        ["\u{1f600}x", "\u{10600}x", "0-2>0-2"],
        ["\u{1f600}\u{1f600}", "\u{1f600}", "2-4>2-2"],
        ["\u{1f600}a", "\u{1f600}b", "2-3>2-3"],
        ["a\u{1f600}", "b\u{1f600}", "0-1>0-1"],
      ],
    ],
    [
      "tell marks, pictures and breaks apart",
      [
        ["one *two* three", "one two three", "4-7>4-7"],
        ["one *two* x", "six *two* y", "0-3>0-3 8-9>8-9"],
        ["![a](b) x", "![a](c) x", "0-1>0-1"],
        ["a ![a](b) x", "b ![a](b) y", "0-1>0-1 4-5>4-5"],
        ["a  \nb", "a  \nc", "2-3>2-3"],
      ],
    ],
  ];
  for (const [promise, cases] of promises)
    it(promise, () => {
      for (const [before, after, hunks] of cases)
        assert.equal(found(before, after), hunks, `${before} > ${after}`);
    });
});

describe("units", () => {
  it("are letters and other nodes, and put together again what they were of", () => {
    const units = unitsOf("one *two* ![x](y)![x](y) three");
    const told = sliceUnits(units, 2, 11).map(({ type, text, marks }) => [type, text, marks?.[0]?.type]);
    assert.deepEqual(told, [
      ["text", "e ", undefined],
      ["text", "two", "em"],
      ["text", " ", undefined],
      ["image", undefined, undefined],
      ["image", undefined, undefined],
      ["text", " ", undefined],
    ]);
    assert.deepEqual(sliceUnits(units, 3, 3), []);
    assert.deepEqual(textUnits(unitsOf("a ![x](y) b")), [0, 1, 3, 4]);
  });

  it("of one text stay two where something stood between, and where they are two nodes", () => {
    const text = { type: "text", text: "ab" };
    const units = readUnits({ type: "paragraph", content: [text, { type: "text", text: "cd" }] });
    const told = sliceUnits([units[0]!, units[1]!, units[2]!], 0, 3).map((node) => node.text);
    assert.deepEqual(told, ["ab", "c"]);
    assert.equal(text.text, "ab");
  });
});
