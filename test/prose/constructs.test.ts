import assert from "node:assert/strict";
import { test } from "node:test";
import { joinMarkdown, parseMarkdown } from "../../src/prose/parse.ts";
import { sameNode } from "../../src/prose/same-node.ts";
import { parse, write } from "./rewrite.ts";

// What writers put into files. Sources: Obsidian and Longform, novelWriter, pandoc, MultiMarkdown, CriticMarkup.
const KEPT_AFRESH = [
  "[[wikilink]] and [[Page|alias]] and [[Page#Part]]",
  "![[embedded.png]]",
  "%%a comment%% in Obsidian",
  "==highlight==",
  "A #tag and a block ^block-id",
  "> [!note] Title\n> body",
  "- [ ] to do\n- [x] done",
  "~~struck~~",
  "<!-- comment -->",
  "Text <!-- inline --> text",
  "---\nlongform:\n  scenes:\n    - one\n---",
  "***",
  "* * *",
  "---",
  "⁂",
  "#",
  "\\#",
  "~",
  "###",
  "@pov: Jane",
  "@char: John, Sam",
  "% a novelWriter comment",
  "%Synopsis: what happens",
  "#! Title page",
  "### A scene",
  "{++added++} {--gone--} {~~old~>new~~}",
  "{>>comment<<} {==marked==}{>>why<<}",
  "A note[^1] without its text",
  "A note[^1].\n\n[^1]: The note.\n\n    Its second paragraph.",
  "^[inline note]",
  "[@doe99, p. 3] and @doe99",
  "::: warning\ntext\n:::",
  "Text{.class #id}",
  "# Head {#id}",
  "| a | b |\n|---|:-:|\n| 1 | 2 |",
  "Term\n: Definition",
  "H~2~O and x^2^",
  "$x_1 + y_1$",
  "$$\nx = y\n$$",
  "\\newpage",
  "\\begin{center}x\\end{center}",
  "{{TOC}}",
  "<<include.md>>",
  "[TOC]",
  "“Smart quotes” — ‘single’ … –",
  "'Straight' -- \"quotes\" ...",
  "He said *so*, **really**.",
  "One\\\ntwo",
  "A hard-wrapped\nparagraph of\nthree lines",
  "&nbsp;",
  "http://a.example/x_y_z",
  "<http://a.example>",
  '[text](url "title")',
  "![alt](a.png)",
  "```js\nx\n```",
  "~~~\nx\n~~~",
  "1) one\n2) two",
  "+ one\n+ two",
  "C:\\path, snake_case, 2 * 3, R&D, a < b, <3, 50%, Mr. ____",
  "``quoted'' and 5 o'clock",
];

// Written afresh these read the same and look otherwise; as long as nobody edits them they keep their bytes.
const KEPT_AS_WRITTEN = [
  ">> centred <<",
  "\tAn indented first line.",
  "He said _so_, __really__.",
  "One  \ntwo",
  "A heading\n=====",
  "&copy; &mdash;",
  "*[HTML]: an abbreviation",
  "- a\n\n\n- b",
  "[text][ref] and [ref]\n\n[ref]: http://a.example",
  "Line<br />line",
];

for (const markdown of [...KEPT_AFRESH, ...KEPT_AS_WRITTEN]) {
  test(`parseMarkdown › keeps ${JSON.stringify(markdown)}`, () => {
    assert.equal(joinMarkdown(parseMarkdown(`${markdown}\n`)), `${markdown}\n`);
    const nodes = parse(`${markdown}\n`);
    const fresh = write(nodes);
    if (KEPT_AFRESH.includes(markdown)) assert.equal(fresh, `${markdown}\n`);
    const again = parse(fresh);
    assert.ok(again.length === nodes.length && again.every((node, at) => sameNode(node, nodes[at]!)));
  });
}
