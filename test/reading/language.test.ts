import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { languageOf } from "../../src/reading/language.ts";
import { learnLanguage } from "../../src/reading/learn-language.ts";
import { finish } from "../../src/reading/reading.ts";

function learn(texts: readonly string[]) {
  const blocks = texts.map((text, index) => ({ blockId: `b${index}`, text }));
  return finish(learnLanguage({ chapterId: "c", revision: 1, title: "", blocks }));
}

/** What is marked in each chapter: "kind word". */
const told = (...chapters: (readonly string[])[]) =>
  finish(languageOf(chapters.map(learn))).map((marks) => marks.map(({ kind, word }) => `${kind} ${word}`));

describe("languageOf", () => {
  for (const [text, marks] of [
    ["She could see the boat.", ["filter could see"]],
    ["She felt a surge of anger.", ["filter felt"]],
    ["Mara heard the door open and saw him coming up the hard.", ["filter saw"]],
    ["The house seemed to lean, and it began to rain.", ["filter seemed", "filter began to"]],
    ["He could not see. She felt for the latch, and saw to the fire. It began the same way.", []],
    ["He noticed nothing. He saw the ring.", []],
    ["He was very tired and quite alone.", ["intensifier very", "intensifier quite"]],
    ["That very day he would rather walk than ride. Not quite. It was the very thing.", []],
    ["It was due to the fact that he nodded his head.", ["padding the fact that", "padding nodded his head"]],
    ["“I could see it, very well, and it seemed to be the fact that matters.”", []],
    ["“Go,” exclaimed Edith.", ["tag exclaimed"]],
    ["“Go,” he smiled. “Now.”", ["tag smiled"]],
    ["“Go.” He smiled. “Now.”", []],
    ["“Go,” he said softly.", ["tag_adverb softly"]],
    ["Edith said sharply, “Go.”", ["tag_adverb sharply"]],
    ["“Go,” said Edith, and he went slowly.", []],
    ["“It is done.” He acknowledged the truth of it all.", []],
    ["She waded slowly out to the boat. He hauled the rope in slowly.", ["repeat slowly"]],
    ["Slowly, slowly, the boat came in.", []],
    ["He hauled the rope in. He hauled the anchor in.", []],
    ["He ate. He slept. He woke. He rose.", ["opening He"]],
    ["What was it? What is it? What will it be? What then?", []],
  ] as const)
    it(`marks ${marks.length === 0 ? "nothing" : marks.join(" and ")} in: ${text}`, () => {
      assert.deepEqual(told([text]), [marks]);
    });

  it("marks a habit in the chapter that it is thick in, and in the whole book if that is full of it", () => {
    const shrug = "He shook his head.";
    const plain = Array.from({ length: 40 }, () => "The boat came in, and the tide with it.");
    assert.deepEqual(told([shrug, ...plain], [shrug, shrug, shrug, ...plain], plain), [
      [],
      Array(3).fill("tic shook … head"),
      [],
    ]);
    assert.deepEqual(told([shrug, shrug, ...plain], [shrug, shrug, ...plain]), [[], []]);
    assert.equal(told(Array(8).fill(shrug)).flat().length, 8);
  });

  it("marks the rarer of two spellings, and neither of what are two words", () => {
    assert.deepEqual(told(["A grey sky, a grey sea.", "A gray gull."], ["The to-day of today’s today."]), [
      ["spelling gray / grey"],
      ["spelling to-day / today"],
    ]);
    assert.deepEqual(told(["A well-known man is well known. He spelt it; they spelled it."]), [[]]);
  });

  it("asks about one sentence in the present among many in the past, and not in a chapter told by I", () => {
    const past = Array.from({ length: 24 }, () => "She walked to the door.");
    const slip = ["She turned.", "She opens the door.", "She went out."];
    assert.deepEqual(told([...past, ...slip]), [["tense opens"]]);
    assert.deepEqual(told([...past, ...slip, ...Array(8).fill("I knew it.")]), [[]]);
    assert.deepEqual(told([...past, ...slip, ...slip, ...slip]), [[]]);
  });

  it("asks about the thoughts of another where I tell", () => {
    const mine = Array.from({ length: 8 }, () => "I thought so.");
    assert.deepEqual(told([...mine, "Edith wondered why."]), [["viewpoint wondered"]]);
    assert.deepEqual(told(["Edith wondered why."]), [[]]);
  });

  it("keeps the words and the sentence of a mark, with offsets in the paragraph", () => {
    const text = "Low water. The house seemed to lean. Rain.";
    const [mark] = finish(languageOf([learn([text])])).flat();
    assert.ok(mark !== undefined);
    assert.deepEqual([mark.sentence, mark.text], ["The house seemed to lean.", "seemed"]);
    assert.equal(text.slice(mark.from, mark.to), "seemed");
  });
});
