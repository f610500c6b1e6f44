import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { passagesOf } from "../../../src/ai/llm/passage.ts";
import { findName, findProof, locateQuote } from "../../../src/ai/llm/quotes.ts";
import { estimateTokens } from "../../../src/ai/llm/tokens.ts";

const passage = [
  { number: 3, blockId: "b_3", offset: 0, text: "“Don’t,” said Mara—and Marasmus\nslept. Mara did not." },
  { number: 5, blockId: "b_5", offset: 0, text: "No." },
];

describe("a quote", () => {
  it("is found where it stands; marks, dashes and line ends of another kind are the same", () => {
    const found = locateQuote(
      passage,
      3,
      `"Don't," said Mara - `.trimEnd().replace(" -", "-and Marasmus slept"),
    );
    assert.deepEqual(found, { blockId: "b_3", from: 0, to: 37, text: passage[0]?.text.slice(0, 37) });
  });

  it("is not found in another paragraph, in another case, nor where it is empty or differs", () => {
    for (const [number, quote] of [
      [5, "said Mara"],
      [4, "said Mara"],
      [3.5, "said Mara"],
      [3, "Said Mara"],
      [3, "said  Mara"],
      [3, "said … Mara"],
      [3, ""],
      [3, " \n"],
    ] as const) {
      assert.equal(locateQuote(passage, number, quote), undefined, quote);
    }
  });

  it("proves something from three words on, or where it is the whole paragraph", () => {
    assert.equal(findProof(passage, 3, "said Mara"), undefined);
    assert.ok(findProof(passage, 3, "Mara did not"));
    assert.ok(findProof(passage, 5, "No."));
    assert.equal(findProof(passage, 5, "o"), undefined);
  });

  it("is verbatim whatever is asked for: the span's text is the paragraph's at its offsets", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "b", " ", "’", "'", "—", "-", "\n", "“", '"', "😀"),
    });
    fc.assert(
      fc.property(text, text, (prose, quote) => {
        const span = locateQuote([{ number: 1, blockId: "b", offset: 0, text: prose }], 1, quote);
        return span === undefined || (span.text !== "" && prose.slice(span.from, span.to) === span.text);
      }),
    );
  });
});

describe("a name", () => {
  const quote = locateQuote(passage, 3, "said Mara—and Marasmus slept. Mara did");

  it("is found as words of their own, inside its quote", () => {
    assert.ok(quote);
    const found = findName(passage, quote, "Mara");
    assert.deepEqual(found, { blockId: "b_3", from: 14, to: 18, text: "Mara" });
    assert.equal(
      findName(passage, { ...quote, from: 20 }, "Mara")?.from,
      passage[0]?.text.lastIndexOf("Mara"),
    );
    for (const name of ["Maras", "ara", "smus", "—", "", "Tobit"])
      assert.equal(findName(passage, quote, name), undefined, name);
    assert.equal(findName(passage, quote, "not"), undefined, "behind the quote");
  });
});

describe("passages", () => {
  it("hold all that there is in order, no more than fits, and whole paragraphs but of one that is longer by itself", () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom("x", "é", " ", ". ", "😀"), maxLength: 400 }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 300 }), (all, most) => {
        const paragraphs = all.map((text, index) => ({ number: index + 1, blockId: "b", offset: 0, text }));
        const passages = passagesOf(paragraphs, most);
        for (const { number, text } of paragraphs) {
          const pieces = passages.flat().filter((piece) => piece.number === number);
          assert.equal(pieces.map((piece) => piece.text).join(""), text);
          for (const piece of pieces)
            assert.ok(text.startsWith(piece.text, piece.offset) && piece.text.isWellFormed());
          if (estimateTokens(text) <= most) assert.equal(pieces.length, 1);
        }
        for (const one of passages)
          assert.ok(one.reduce((sum, { text }) => sum + estimateTokens(text), 0) <= most);
      }),
    );
  });

  it("of a paragraph that was cut say where a quote stands in the whole", () => {
    const text = Array.from({ length: 40 }, (_, index) => `Night ${index} was cold.`).join(" ");
    const passages = passagesOf([{ number: 1, blockId: "b", offset: 0, text }], 60);
    assert.ok(passages.length > 2);
    const quote = "Night 37 was cold.";
    const found = passages.flatMap((one) => locateQuote(one, 1, quote) ?? []);
    assert.deepEqual(found, [
      { blockId: "b", from: text.indexOf(quote), to: text.indexOf(quote) + quote.length, text: quote },
    ]);
    const name = passages.flatMap((one) =>
      found[0] === undefined ? [] : (findName(one, found[0], "37") ?? []),
    );
    assert.deepEqual(name, [
      { blockId: "b", from: text.indexOf("37"), to: text.indexOf("37") + 2, text: "37" },
    ]);
  });
});
