import assert from "node:assert/strict";
import { test } from "node:test";
import type { DocNode } from "../../src/prose/document/types.ts";
import { readLeaf } from "../../src/prose/parse.ts";
import { BadRequest } from "../../src/refusals.ts";
import { code, em, h, hr, link, p, raw } from "../build.ts";

const ID = "#b_1";
const paragraph = p(ID, "Old.");
const heading = h(3, ID, "Old");
const fence = code("js", ID, "old()");

for (const [promise, body, target, node, source] of [
  [
    "keeps the body as it was sent",
    "He said _no_.",
    paragraph,
    p(ID, "He said ", em("no"), "."),
    "He said _no_.",
  ],
  ["trims blank lines and first blanks", "\n \n\tNew.\n\n", paragraph, p(ID, "New."), "New."],
  ["keeps soft line breaks", "One\ntwo", paragraph, p(ID, "One\ntwo"), "One\ntwo"],
  ["reads Windows line ends", "One\r\ntwo\r\n", paragraph, p(ID, "One\ntwo"), "One\ntwo"],
  ["keeps a no-break space at the end", "One\u00a0\n", paragraph, p(ID, "One\u00a0"), "One\u00a0"],
  ["makes a heading of a paragraph", "## New", paragraph, h(2, ID, "New"), "## New"],
  [
    "makes code of a paragraph",
    "~~~\nx\n~~~",
    paragraph,
    { ...code("", ID, "x"), attrs: { blockId: "b_1", params: "", fence: "~~~" } },
    "~~~\nx\n~~~",
  ],
  ["keeps a heading's level for plain text", "New", heading, h(3, ID, "New"), "### New"],
  ["reads a numbered title as text", "1. The Storm", heading, h(3, ID, "1. The Storm"), "### 1. The Storm"],
  ["changes a heading's level by its marks", "# New", heading, h(1, ID, "New"), "# New"],
  ["keeps a heading's Markdown", "A *b* #", heading, h(3, ID, "A ", em("b"), " #"), "### A *b* \\#"],
  [
    "replaces code by text",
    "# new\n\n- line",
    fence,
    code("js", ID, "# new\n\n- line"),
    "```js\n# new\n\n- line\n```",
  ],
  ["replaces code by a fence", "```py\nx\n```", fence, code("py", ID, "x"), "```py\nx\n```"],
  ["empties a paragraph with &nbsp;", "&nbsp;", paragraph, p(ID), "&nbsp;"],
] as [string, string, DocNode, DocNode, string][]) {
  test(`readLeaf › ${promise}`, () => assert.deepEqual(readLeaf(body, target), { node, source }));
}

test("readLeaf › reads references by the chapter's definitions", () => {
  const read = readLeaf("See [a].", paragraph, "[a]: /x");
  assert.deepEqual(read, { node: p(ID, "See ", link("/x", "a"), "."), source: "See [a]." });
});

for (const [name, body, target] of [
  ["a blank body", " \n\t\n", paragraph],
  ["two blocks", "One.\n\nTwo.", paragraph],
  ["a heading and a paragraph", "# One\nTwo.", heading],
  ["a list", "- One", paragraph],
  ["a quote", "> One", heading],
  ["a footnote", "[^1]: One", paragraph],
  ["a scene break", "***", paragraph],
  ["a comment", "<!-- One -->", paragraph],
  ["a definition beside the text", "[a]: /x\nText", paragraph],
  ["any text for a scene break", "Text", hr()],
  ["any text for a table", "Text", raw("table", "a|b\n-|-")],
] as [string, string, DocNode][]) {
  test(`readLeaf › refuses ${name} and points to PUT without quoting it`, () => {
    assert.throws(
      () => readLeaf(body, target),
      (error) =>
        error instanceof BadRequest &&
        error.remedies.some(({ call }) => call === "replaceProse") &&
        !/One|Two|Text/.test(error.message),
    );
  });
}
