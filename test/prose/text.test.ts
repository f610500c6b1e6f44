import assert from "node:assert/strict";
import { test } from "node:test";
import { isLeaf, leafText, leavesOf, mapLeaves } from "../../src/prose/document/leaves.ts";
import { readingText } from "../../src/prose/document/text.ts";
import { br, code, em, footnote, h, hr, img, li, loose, ol, p, quote, raw, ref, tag, ul } from "../build.ts";

const rich = p("One ", em("two"), br(), "three\nfour", ref("1"), img("x", "a whale"), tag("<b>"), "!");

test("leafText › is the text nodes and nothing else", () =>
  assert.equal(leafText(rich), "One twothree\nfour!"));

test("readingText › shows breaks, alternative texts and no tags or references", () => {
  assert.equal(readingText(rich), "One two\nthree\nfoura whale!");
});

for (const [name, block, text] of [
  ["a scene break", hr("---"), "* * *"],
  ["code verbatim", code("js", "let x;\n"), "let x;\n"],
  ["a raw block verbatim", raw("html", "<!-- x -->"), "<!-- x -->"],
  ["a quote's paragraphs with a blank line between", quote(p("a"), p("b")), "a\n\nb"],
  ["a tight list line by line", ul(li("a"), li("b", ol(li("c")))), "a\nb\nc"],
  ["a loose list with blank lines", loose(ul(li("a", "b"), li("c"))), "a\n\nb\n\nc"],
  ["a footnote's text", footnote("1", p("a"), p("b")), "a\n\nb"],
  ["nothing for an empty leaf", quote(p("a"), p(), p("b")), "a\n\nb"],
] as const) {
  test(`readingText › shows ${name}`, () => assert.equal(readingText(block), text));
}

const block = quote(h(1, "a"), ul(li("b", hr()), li(code("", "c"))));

test("leavesOf › gives the leaves in document order at any depth", () => {
  assert.deepEqual(
    leavesOf(block).map(({ type }) => type),
    ["heading", "paragraph", "scene_break", "code_block"],
  );
  assert.ok(leavesOf(block).every(isLeaf));
  assert.deepEqual(leavesOf(hr()), [hr()]);
});

test("mapLeaves › replaces one leaf and shares everything beside it", () => {
  const changed = mapLeaves(block, (leaf, index) => (index === 1 ? p("B") : leaf));
  assert.deepEqual(changed, quote(h(1, "a"), ul(li(p("B"), hr()), li(code("", "c")))));
  assert.equal(changed.content?.[0], block.content?.[0]);
  assert.equal(
    mapLeaves(block, (leaf) => leaf),
    block,
  );
});
