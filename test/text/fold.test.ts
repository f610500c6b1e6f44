import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { collapseSpace, foldText } from "../../src/text/fold.ts";

describe("foldText", () => {
  it("drops case, quotes, dashes, punctuation and spare spaces", () => {
    assert.equal(foldText("  “Wait—no!”  said\nANNA…"), "wait no said anna");
    assert.equal(foldText("well-known"), foldText("well known"));
    assert.equal(foldText("word -- word"), foldText("word—word"));
  });

  it("lets apostrophes, soft hyphens and zero-width marks vanish inside a word", () => {
    assert.equal(foldText("Don’t"), "dont");
    assert.equal(foldText("'Tis the boys' dog"), "tis the boys dog");
    assert.equal(foldText("har\u00adbour\u200b"), "harbour");
  });

  it("keeps letters, marks and digits of every script", () => {
    assert.equal(foldText("«Приве́т», мир!"), "приве́т мир");
    assert.equal(foldText("「はい」、と彼は言った。"), "はい と彼は言った");
    assert.equal(foldText("他说：“不。”"), "他说 不");
    assert.equal(foldText("مَرحبًا، يا عالم؟"), "مَرحبًا يا عالم");
    assert.equal(foldText("ธงชาติ २०२४ 𠮷野 🌊"), "ธงชาติ २०२४ 𠮷野 🌊");
  });

  it("folds composed and decomposed accents alike", () => {
    assert.equal(foldText("naïve café".normalize("NFD")), foldText("Naïve Café"));
  });

  it("leaves nothing of a text without words", () => {
    assert.equal(foldText(" … — “” * * * '"), "");
    assert.equal(foldText(""), "");
  });
});

describe("collapseSpace", () => {
  it("makes one space of each run of white space and trims", () => {
    assert.equal(collapseSpace("  a \n b\tc  "), "a b c");
  });
});
