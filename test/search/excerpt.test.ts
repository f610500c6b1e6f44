import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { excerpt } from "../../src/search/reading/excerpt.ts";
import { Highlights } from "../../src/search/reading/highlights.ts";

function cut(text: string, ...words: string[]): { text: string; words: string[] } {
  const highlights = new Highlights();
  for (const [part, word] of words.entries()) highlights.addWord(word, part);
  const shown = excerpt(text, highlights.find(text));
  return { text: shown.text, words: shown.highlights.map(([from, to]) => shown.text.slice(from, to)) };
}

const filler = "and so the long road went on ";

describe("excerpt", () => {
  test("keeps a short text whole", () => {
    assert.deepEqual(cut("A lantern, lit.", "lit"), { text: "A lantern, lit.", words: ["lit"] });
  });

  test("shows the window with the most words of the question", () => {
    const text = `A lantern ${filler.repeat(12)}until the lantern met the sea ${filler.repeat(12)}`;
    const shown = cut(text, "lantern", "sea");
    assert.deepEqual(shown.words, ["lantern", "sea"]);
    assert.match(shown.text, /^….*lantern met the sea.*…$/);
  });

  test("is never longer than 200 characters and cuts at spaces", () => {
    for (let lead = 0; lead < 60; lead += 1) {
      const text = `${"x".repeat(lead)} ${filler.repeat(8)}lantern ${filler.repeat(8)}sea`;
      const shown = cut(text, "lantern", "sea");
      assert.ok(shown.text.length <= 200, `${shown.text.length}`);
      assert.ok(shown.words.includes("lantern"));
      for (const word of shown.text.replaceAll("…", "").trim().split(" "))
        assert.ok(` ${text} `.includes(` ${word} `), word);
    }
  });

  test("cuts a text without spaces between characters", () => {
    const shown = cut(`${"𠮷".repeat(150)}lantern${"𠮷".repeat(150)}`, "lantern");
    assert.ok(shown.text.isWellFormed());
    assert.ok(shown.text.length <= 200);
  });

  test("begins with the text where nothing is marked", () => {
    assert.match(cut(filler.repeat(20)).text, /^and so .*…$/);
  });

  test("joins overlapping highlights", () => {
    assert.deepEqual(cut("林黛玉は", "林黛", "黛玉").words, ["林黛玉"]);
  });
});
