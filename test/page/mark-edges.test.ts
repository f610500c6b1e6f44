import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { writeBlock } from "../../src/prose/write.ts";
import { asStored, readStored } from "../../src/web/client/views/write/saving/json.ts";
import { withSayableEdges } from "../../src/web/client/views/write/saving/mark-edges.ts";

type Piece = readonly [text: string, ...marks: string[]];

const CASES: readonly (readonly [pieces: readonly Piece[], markdown: string])[] = [
  [[["He said"], ["“no,”", "em"], [" and"]], "He said“*no,”* and"],
  [[["“Stop”", "strong"], ["he said"]], "**“Stop**”he said"],
  [[["so. ", "em"], ["Then"]], "*so.* Then"],
  [[["Then"], [" so", "em"], [" on"]], "Then *so* on"],
  [[["a"], ["—", "em"], ["b"]], "a—b"],
  [[["un"], ["believ", "em"], ["able"]], "un*believ*able"],
  [
    [
      ["all ", "em"],
      ["of", "em", "strong"],
      [" it", "strong"],
    ],
    "*all* ***of*** **it**",
  ],
  [[["A “", "strong"], ["word", "code", "strong"], ["” more"]], "**A “`word`**” more"],
];

describe("withSayableEdges", () => {
  for (const [pieces, markdown] of CASES)
    it(`lets marks end where Markdown can say it: ${markdown}`, () => {
      const content = pieces.map(([text, ...marks]) => ({
        type: "text",
        text,
        ...(marks.length === 0 ? {} : { marks: marks.map((type) => ({ type })) }),
      }));
      const leaf = readStored({ type: "paragraph", content });
      const kept = withSayableEdges(leaf);
      assert.equal(kept.textContent, leaf.textContent);
      assert.equal(writeBlock(asStored(kept)), markdown);
    });

  it("leaves a text without marks as it is", () => {
    const leaf = readStored({ type: "paragraph", content: [{ type: "text", text: "Plain." }] });
    assert.equal(withSayableEdges(leaf), leaf);
  });
});
