import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { learnStyle } from "../../src/reading/learn-style.ts";
import { type BookStyle, styleOf } from "../../src/reading/style.ts";
import { finish } from "./finish.ts";

const BOUNDS = {
  ...{ phrases: 10, echoes: 10, overusedOfChapter: 3, variants: 20, openings: 3, runs: 3, places: 2 },
};

function learn(texts: readonly string[]) {
  const blocks = texts.map((text, index) => ({
    blockId: `b${index}`,
    text,
    ...(text === "" ? { type: "scene_break" } : {}),
  }));
  return finish(learnStyle({ chapterId: "c", revision: 1, title: "", blocks }));
}

const told = (chapters: readonly (readonly string[])[], only?: number): BookStyle =>
  finish(styleOf(chapters.map(learn), BOUNDS, only));

const forms = ({ variants }: BookStyle) =>
  variants.map(({ forms: all }) => all.map(({ text, count }) => `${text} ${count}`).join(", "));

describe("styleOf", () => {
  it("finds phrases that come back, the longest of each, and none of function words and names alone", () => {
    const breath = "She let out a long breath.";
    const { phrases, phrasesTotal } = told([
      [breath, "He saw Mara Quill of Marrow, and it was as if she had.", breath],
      [
        breath,
        "Then Mara Quill of Marrow left, for it was as if he had.",
        "It was as if. Mara Quill of Marrow. ".repeat(4),
      ],
    ]);
    assert.deepEqual(
      phrases.map(({ text, count, places }) => [text, count, places.map(({ chapter }) => chapter)]),
      [["she let out a long breath", 3, [0, 0]]],
    );
    assert.equal(phrasesTotal, 1);
  });

  it("counts no phrase over the end of a sentence, and none that overlaps itself", () => {
    assert.equal(
      told([["The lamp burned. Low water came. ".repeat(1), "He lit the lamp. Burned low."]]).phrases.length,
      0,
    );
    const [only] = told([[`${"knock ".repeat(24)}.`]]).phrases;
    assert.deepEqual([only?.words, only?.count], [6, 4]);
  });

  it("finds uncommon words that come back soon, by stem", () => {
    const filler = "They went on and on over the hill until it was very late. ".repeat(8);
    const { echoes } = told([
      ["He glimmered once.", "A glimmer of it came.", filler, "Lanterns.", filler, "A lantern."],
    ]);
    assert.deepEqual(
      echoes
        .filter(({ word }) => /glimmer|lantern/.test(word))
        .map(({ word, count, nearest }) => [word, count, nearest]),
      [["glimmered", 2, 3]],
    );
  });

  it("holds a chapter's words against the book", () => {
    const plain = "The road went over the hill and down to the water. ".repeat(30);
    const { overused } = told([[plain], [plain, "The lantern shook. ".repeat(12)]]);
    assert.deepEqual(
      overused.map(({ chapter, word, count, expected }) => [chapter, word, count, Math.round(expected)]),
      [
        [1, "lantern", 12, 6],
        [1, "shook", 12, 6],
      ],
    );
    assert.deepEqual(told([[plain], [plain, "The lantern shook. ".repeat(12)]], 0).overused, []);
  });

  it("finds what is written in several ways", () => {
    const style = told([
      [
        "Good-bye today. Goodbye to-day, good bye. The grey sky, a gray sea. He realised it; to realize it. In 12 days or twelve.",
        "At the Council sat the council. They left the Council for a council. A prize, a prise. Four for the tour.",
        "“The Council of Marrow,” he said. It was filled and filed.",
      ],
    ]);
    assert.deepEqual(
      forms(style).sort(),
      [
        "12 1, twelve 1",
        "Council 3, council 2",
        "good-bye 1, goodbye 1, good bye 1",
        "gray 1, grey 1",
        "to-day 1, today 1",
      ].sort(),
    );
  });

  it("measures sentences, scenes and speech", () => {
    const { sentences, scenes, longest, wordCount, spoken, characters } = learn([
      "One two three. “Four five,” he said.",
      "",
      "Six seven eight nine ten eleven.",
    ]);
    assert.deepEqual([sentences[3], sentences[4], sentences[6], wordCount], [1, 1, 1, 13]);
    assert.deepEqual(scenes, [7, 6]);
    assert.deepEqual(longest[0], { blockId: "b2", from: 0, to: 32, words: 6 });
    assert.equal(Math.round((100 * spoken) / characters), 18);
  });

  it("tells what sentences begin with, and runs of those that begin alike", () => {
    const { sentenceOpenings, paragraphOpenings } = told([
      ["She ran. She fell. She rose. He slept.", "She left."],
    ]);
    assert.deepEqual(sentenceOpenings.most, [{ word: "she", count: 4 }]);
    assert.deepEqual(sentenceOpenings.runs, [
      { word: "she", count: 3, place: { chapter: 0, word: 0, words: 1 } },
    ]);
    assert.deepEqual(paragraphOpenings.most, [{ word: "she", count: 2 }]);
  });

  it("is bounded in one letter, one word, new words and other scripts", () => {
    const size = 60_000;
    const words = Array.from({ length: size / 8 }, (_, index) => `w${index.toString(36)}`).join(" ");
    for (const text of [
      "a".repeat(size),
      "a ".repeat(size / 2),
      "knock ".repeat(size / 6),
      ".".repeat(size),
      words,
    ]) {
      const style = told([[text]]);
      assert.ok(style.phrases.length <= BOUNDS.phrases && style.echoes.length <= BOUNDS.echoes);
    }
    const chinese = told([
      ["她三天后来了，说她不会再来。".repeat(size / 14)],
      ["เขามาในวันศุกร์ ".repeat(5000)],
    ]);
    assert.deepEqual([chinese.phrases, chinese.echoes, chinese.overused, chinese.variants], [[], [], [], []]);
  });
});
