import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { anyMarkdown } from "./arbitrary.ts";
import { editEach, replaceWords } from "./fidelity-measure.ts";
import { FIDELITY_TEXTS } from "./fidelity-texts.ts";
import { randomly } from "./rewrite.ts";

// A link whose text is its label must change with it: the one edit that cannot leave the other letters.
const BY_LABEL: ReadonlySet<string> = new Set(["tasks", "definitions"]);

// The others are measured by `npm run bench -- fidelity`.
const WAYS: ReadonlySet<string> = new Set([
  "document, middle",
  "document, anew",
  "paragraph",
  "map",
  "import",
]);

describe("one leaf edited leaves every other byte", () => {
  for (const [name, text] of Object.entries(FIDELITY_TEXTS)) {
    it(name, () => {
      for (const { way, after, refused, outside, letters } of editEach(text, {
        way: (way) => WAYS.has(way),
      })) {
        assert.ok(!refused, `${way}: ${after}`);
        assert.ok(outside, `${way}: ${after}`);
        if (!BY_LABEL.has(name)) assert.notEqual(letters, false, `${way}: ${after}`);
      }
      for (const { way, after, letters } of replaceWords(text, 3))
        if (!BY_LABEL.has(name)) assert.ok(letters, `${way}: ${after}`);
    });
  }
});

it("one leaf edited leaves every other byte of any Markdown", () => {
  // Line ends of old Macs, alone, are counted as lines by few.
  const markdown = anyMarkdown.map((text) => text.replace(/\r(?!\n)/g, "\n"));
  const edited = fc.property(markdown, fc.nat(5), (text, chosen) => {
    for (const { way, after, refused, outside } of editEach(text, { leaf: (ordinal) => ordinal === chosen }))
      assert.ok(refused || outside, `${way}: ${JSON.stringify([text, after])}`);
  });
  fc.assert(edited, randomly(60));
});
