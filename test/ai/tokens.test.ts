import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keyOf, tokenize } from "../../src/reading/tokens.ts";

/** Words only: `^` where a sentence begins, `*` for a capital, `!` for all capitals. */
function wordsOf(text: string): string {
  return tokenize(text)
    .filter(({ kind }) => kind === "word")
    .map(
      ({ text: word, isStart, shape }) =>
        word + (isStart ? "^" : "") + { lower: "", capital: "*", upper: "!" }[shape],
    )
    .join(" ");
}

describe("tokenize", () => {
  it("keeps the dot of a short title and of an initial, and lets no sentence begin after it", () => {
    assert.equal(wordsOf("Then Mr. Hale met J. R. Capt. Orr."), "Then^* Mr.* Hale* met J.* R.* Capt.* Orr*");
    assert.equal(wordsOf("He was King. Then rain."), "He^* was King* Then^* rain");
  });

  it("begins a sentence after a full stop, an opening quotation mark and a line break, not after a comma", () => {
    assert.equal(wordsOf("“Yes,” Mara said. Go, Tam!"), "Yes^* Mara* said Go^* Tam*");
    assert.equal(wordsOf('"No!" cried Orr. "Well'), "No^* cried^ Orr* Well^*");
    assert.equal(wordsOf("Low water\nAnd Mara’s lamp,\nHow."), "Low^* water And^* Mara* lamp How^*");
  });

  it("parts the possessive and keeps the apostrophe of a name and the hyphen", () => {
    assert.deepEqual(
      tokenize("O’Brien’s Mary-Ann").map(({ text, key, kind }) => [text, key, kind]),
      [
        ["O’Brien", "o'brien", "word"],
        ["’s", "'s", "possessive"],
        ["Mary-Ann", "mary-ann", "word"],
      ],
    );
    assert.equal(keyOf("Zoë"), keyOf("Zoe\u0308"));
  });

  it("takes a title line as one where capitals tell nothing", () => {
    assert.equal(wordsOf("The Duel at Low Water"), "The^* Duel^* at^ Low^* Water^*");
    assert.equal(wordsOf("CHAPTER ONE"), "CHAPTER^! ONE^!");
    assert.equal(wordsOf("The Duel was over"), "The^* Duel* was over");
  });

  it("covers every offset of any text once and in order", () => {
    const text = "Ferry—“Lamp”… 3.5 km; 李明 said: «Да, Иван» 🜁 l’Anse\u00a0aux";
    let at = 0;
    for (const { from, to, text: piece } of tokenize(text)) {
      assert.ok(from >= at && to > from);
      assert.equal(text.slice(from, to), piece);
      assert.match(text.slice(at, from), /^\s*$/);
      at = to;
    }
    assert.equal(at, text.length);
  });
});
