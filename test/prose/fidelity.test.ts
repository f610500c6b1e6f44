import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { anyMarkdown } from "./arbitrary.ts";
import { paragraphPlan, store, targetsOf } from "./fidelity.ts";
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

// A line that is sent alone is planned without reading it again; with a line end behind it, it is read with its neighbours.
it("one line for another is planned as it is with its neighbours read", () => {
  const line = anyMarkdown.map((text) => text.replaceAll(/[\r\n]+/g, " ").trim());
  const prose = fc.array(fc.oneof({ weight: 2, arbitrary: fc.constantFrom("One.", "Two, she said.") }, line));
  const parting = fc.constantFrom("\n\n", "\n\n", "\n \n", "\n", "\n\n[x]: y\n\n");
  const edited = fc.property(prose, parting, line, (lines, gap, markdown) => {
    const chapter = store(parseMarkdown(lines.join(gap)));
    for (const target of targetsOf(chapter)) {
      const plan = (sent: string) => tried(() => paragraphPlan(chapter, target, sent));
      assert.deepEqual(plan(markdown), plan(`${markdown}\n`), JSON.stringify([lines, gap, markdown]));
    }
  });
  fc.assert(edited, randomly(500));
});

function tried<Result>(run: () => Result): Result | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}
