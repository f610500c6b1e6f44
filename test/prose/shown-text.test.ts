import assert from "node:assert/strict";
import { test } from "node:test";
import { readLeaves } from "../../src/prose/document/leaves.ts";
import { shownText, toOwn, toShown } from "../../src/prose/document/text.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";

function shown(markdown: string) {
  const [leaf] = parseMarkdown(markdown).blocks.flatMap(({ node }) => readLeaves(node));
  assert.ok(leaf !== undefined);
  return { own: leaf.text, ...shownText(leaf.node) };
}

for (const [what, markdown, text] of [
  ["a hard break", "nothing between\\\nbut the door", "nothing between\nbut the door"],
  ["two blanks at a line's end", "between  \nbut", "between\nbut"],
  ["a soft break", "between\nbut", "between\nbut"],
  ["a line break written as a tag", "between<br>but<br/>the", "between\nbut\nthe"],
  ["a picture between letters", "grave![x](y.png)stone", "grave stone"],
  ["a picture between blanks", "grave ![x](y.png) stone", "grave  stone"],
  ["a footnote's number", "grave[^1]stone[^1], and\n\n[^1]: Note.", "grave stone, and"],
  ["other tags, which part no word", "un<i>likely</i>", "unlikely"],
] as const) {
  test(`shownText › shows ${what}`, () => assert.equal(shown(markdown).text, text));
}

test("toShown › and toOwn lead from a text to the other and back", () => {
  const { own, text, added } = shown("one\\\ntwo<br>three[^1]four\n\n[^1]: Note.");
  for (const word of ["one", "two", "three", "four"]) {
    const stretch = { from: own.indexOf(word), to: own.indexOf(word) + word.length };
    const there = toShown(stretch, added);
    assert.equal(text.slice(there.from, there.to), word);
    assert.deepEqual(toOwn(there, added), stretch);
  }
});
