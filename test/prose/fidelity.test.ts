import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { editEach, replaceWords } from "./fidelity-measure.ts";
import { FIDELITY_TEXTS } from "./fidelity-texts.ts";

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
