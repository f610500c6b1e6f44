import assert from "node:assert/strict";
import { test } from "node:test";
import { readDocument } from "../../src/prose/document/read-document.ts";
import { sameNode } from "../../src/prose/document/same-node.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { separates } from "../../src/prose/markdown/adjacent-blocks.ts";
import { normalizeBlocks } from "../../src/prose/markdown/normalize.ts";
import { writeBlock, writeChapter } from "../../src/prose/write.ts";
import { BadRequest } from "../../src/refusals.ts";
import {
  br,
  code,
  doc,
  em,
  footnote,
  h,
  hr,
  img,
  li,
  link,
  loose,
  mention,
  ol,
  p,
  quote,
  raw,
  ref,
  strike,
  strong,
  tag,
  tt,
  ul,
} from "../build.ts";
import { join, parse, write } from "./rewrite.ts";

// What stock serializers lose or turn into something else. Source: docs/decisions/014-markdown.md.
const BLOCKS: [string, DocNode, string][] = [
  ["a heading over two lines", h(1, "a", br(), "b"), "a\\\nb\n==="],
  ["a deep heading over two lines", h(3, "a\nb", br(), "c"), "### a&#10;b<br>c"],
  ["an entity and a tag in text", p("&copy; <b> a < b & c"), "\\&copy; \\<b> a < b & c"],
  [
    "block marks behind a break",
    p("a", br(), "- b", br(), "> c", br(), "1. d"),
    "a\\\n\\- b\\\n\\> c\\\n1\\. d",
  ],
  ["block marks behind a line end", p("a\n# b\n---\n===\n~~~"), "a\n\\# b\n\\---\n\\===\n\\~\\~\\~"],
  ["blanks at the ends", p("  a \nb "), "&#32; a&#32;\nb&#32;"],
  ["empty lines in text", p("\na\n\nb\n"), "&#10;a\n&#10;b&#10;"],
  ["a heading that ends in a mark", h(2, "C #"), "## C \\#"],
  ["a numbered heading", h(2, "1. The Storm"), "## 1. The Storm"],
  ["emphasis between letters and a dash", p("said", em("—never—"), "so"), "sai&#100;*—never—*&#115;o"],
  ["emphasis within a word", p("un", em("believ"), "able"), "un*believ*able"],
  ["a blank within emphasis", p("a", em(" b"), "c"), "&#97;*&#32;b*c"],
  ["strong next to emphasis", p(em("a"), strong("b")), "*a***b**"],
  ["overlapping marks", p(em("a", strong("b")), strong("c")), "_&#97;**b**_**c**"],
  ["emphasis in a struck sentence", p(strike("a ", em("b"), " c")), "~~a *b* c~~"],
  ["code with backticks", p(tt("a`b"), " ", tt("`"), " ", tt(" c ")), "``a`b`` `` ` `` `  c  `"],
  ["an image's brackets", p(img("a b.png", "x]*y*", 'the "t"')), '![x\\]\\*y\\*](<a b.png> "the \\"t\\"")'],
  ["a link's odd target", p(link("a(b)<c>", "x")), "[x](<a(b)\\<c\\>>)"],
  ["an address as its own link", p(link("http://a.example", "http://a.example")), "<http://a.example>"],
  [
    "text that looks like a link",
    p("[a](b) [c][d] [[e]] [f]"),
    "\\[a\\](b) \\[c\\]\\[d\\] \\[\\[e\\]\\] \\[f\\]",
  ],
  ["text that looks like a note", p("a[^1] b"), "a\\[^1] b"],
  ["a reference before a parenthesis", p("a", ref("1"), "(b)"), "a[^1]\\(b)"],
  ["text that looks like a definition", p("[a]: b"), "\\[a\\]: b"],
  ["text that looks like a table", p("a | b\n--- | ---"), "a | b\n\\--- | ---"],
  ["an empty paragraph", p(), "&nbsp;"],
  ["the text &nbsp;", p("&nbsp;"), "\\&nbsp;"],
  ["a break at the end", p("a", br()), "a<br>"],
  ["a break alone", p(br()), "&NoBreak;<br>"],
  ["a comment before text", p(tag("<!-- x -->"), " a"), "&NoBreak;<!-- x --> a"],
  ["a tag alone", p(tag("<b>")), "&NoBreak;<b>"],
  ["a byte order mark", p("\ufeffa"), "&#65279;a"],
  ["code that holds a fence", code("", "```\nx\n```"), "````\n```\nx\n```\n````"],
  ["code with odd words behind its fence", code("a `b`", "x"), "~~~a `b`\nx\n~~~"],
  ["code that ends in a line end", code("js", "x\n"), "```js\nx\n\n```"],
  ["a scene break in a list of its own mark", ul(li(hr("- - -"))), "-\n  - - -"],
  ["an empty entry", ul(li(p()), li("a")), "-\n- a"],
  ["empty lists in lists", ul(li(ul(li(ul(li(p())))))), "* - -"],
  ["lists of one kind next to each other", quote(ul(li("a")), ul(li("b"))), "> - a\n>\n> * b"],
  ["an ordered list behind its like", quote(ol(li("a")), ol(li("b"))), "> 1. a\n>\n> 1) b"],
  [
    "a loose list in a tight one",
    ul(li("a", loose(ol(li("b"), li("c")))), li("d")),
    "- a\n  1. b\n\n  2. c\n- d",
  ],
  [
    "the highest number",
    { ...ol(li("a"), li("b")), attrs: { order: 999999999, delim: ")", tight: true } },
    "999999999) a\n999999999) b",
  ],
  ["a footnote with a list", footnote("n", p("a"), ul(li("b"))), "[^n]: a\n\n    - b"],
  ["a footnote that starts with a list", footnote("n", ul(li("a", "b"))), "[^n]: - a\n\n      b"],
  ["HTML in a quote", quote(raw("html", "<!-- a\n\nb -->"), p("c")), "> <!-- a\n>\n> b -->\n>\n> c"],
];

for (const [name, given, markdown] of BLOCKS) {
  test(`writeBlock › writes ${name}`, () => {
    const [block] = normalizeBlocks(readDocument(doc(given))) as [DocNode];
    assert.equal(writeBlock(given), markdown);
    assert.ok(sameNode(parse(markdown)[0]!, block));
  });
}

for (const text of [
  "Once upon a time — “so” they say… it’s 5 o'clock.",
  "[[wikilink]] and [brackets] and [ ] a box",
  "%%a comment%% ==mark== {++added++} {>>why<<} #tag ^id @doe $x_1$ H~2~O",
  "::: warning",
  "@pov: Jane",
  "Mr. ____ of snake_case, 2 * 3, a < b, R&D, <<x.md>>, C:\\path",
  "⁂",
  "a\nb\nc",
]) {
  test(`writeBlock › leaves ${JSON.stringify(text)} as it is`, () => assert.equal(writeBlock(p(text)), text));
}

test("writeBlock › leaves mentions out", () => {
  assert.equal(writeBlock(p("Call me ", mention("f", "Ish"), mention("g", "mael"), ".")), "Call me Ishmael.");
});

test("writeBlock › escapes what the chapter's definitions would make a link", () => {
  assert.equal(writeBlock(p("[a] b")), "[a] b");
  assert.equal(writeBlock(p("[a] b"), "[a]: /x"), "\\[a\\] b");
});

test("writeBlock › escapes more in the one paragraph that needs it, not in its neighbours", () => {
  const written = writeBlock(quote(p("It's (so) [x] — *"), p(em("a", strong("b")), strong("c!"))));
  assert.equal(written, "> It's (so) [x] — *\n>\n> _&#97;**b**_**c!**");
});

for (const [name, block, what] of [
  ["HTML with a blank line", raw("html", "<div>\n\nx\n</div>"), "raw HTML"],
  ["a table that is none", raw("table", "a"), "a table"],
  ["a tag over a line that would be a list", p("a", tag("<!--\n- b\n-->")), "raw HTML"],
  ["a table that is none beside HTML", quote(raw("html", "<p>x</p>"), raw("table", "a")), "a table"],
] as const) {
  test(`writeBlock › refuses ${name}, naming what cannot be written and nothing else`, () => {
    const named = new RegExp(`^A ${block.type} cannot be written as Markdown: it holds ${what} that would`);
    assert.throws(
      () => writeBlock(block),
      (error) => error instanceof BadRequest && named.test(error.message),
    );
  });
}

test("writeBlock › begins an entry with a table below its mark where the mark would be a cell", () => {
  assert.equal(writeBlock(ul(li(raw("table", "a|b\n-|-\nc|d")))), "-\n  a|b\n  -|-\n  c|d");
  assert.equal(writeBlock(ul(li(raw("table", "| a |\n|---|")))), "- | a |\n  |---|");
});

test("writeChapter › gives the second of two like lists another mark, in its node too", () => {
  const blocks = writeChapter([ul(li("a")), ul(li("b")), ul(li("c"))]);
  assert.equal(join(blocks), "- a\n\n* b\n\n- c\n");
  assert.deepEqual(
    blocks.map(({ node }) => node),
    parse(join(blocks)),
  );
});

test("writeChapter › writes nothing for no blocks", () => assert.equal(write([]), ""));

test("separates › tells what a blank line does not keep apart", () => {
  assert.ok(separates(p("a"), p("b")) && separates(ul(li("a")), ol(li("b"))));
  assert.ok(!separates(ul(li("a")), ul(li("b"))));
  assert.ok(!separates(raw("html", "<!-- open"), p("b")));
  assert.ok(!separates(ul(li("a")), raw("html", "  <div>")));
});
