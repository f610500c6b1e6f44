import assert from "node:assert/strict";
import { test } from "node:test";
import { readDocument } from "../../src/prose/document/read-document.ts";
import { sameNode } from "../../src/prose/document/same-node.ts";
import { schema } from "../../src/prose/document/schema.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { normalizeBlocks } from "../../src/prose/markdown/normalize.ts";
import { BadRequest, type Detail, PayloadTooLarge } from "../../src/refusals.ts";
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
  p,
  quote,
  raw,
  strong,
  tag,
  tt,
  ul,
} from "../build.ts";

const text = (value: string, ...marks: unknown[]) => ({ type: "text", text: value, marks });
const bare = (...content: unknown[]) => ({ type: "doc", content: [{ type: "paragraph", content }] });

test("readDocument › completes attributes, sorts marks, joins texts and drops equal marks", () => {
  const fact = { type: "mention", attrs: { factId: "f" } };
  const given = bare(
    text("a", { type: "strong" }, { type: "em" }),
    text("b", { type: "em" }, { type: "strong" }),
    text("c", fact, fact),
  );
  assert.deepEqual(readDocument(given), [p(em(strong("ab")), mention("f", "c"))]);
});

test("readDocument › gives what the schema makes of it", () => {
  const blocks = readDocument(
    doc(
      h(2, "a", br(), em("b")),
      quote(loose(ul(li("c"), li("d", code("js", "e"))))),
      hr(),
      footnote("1", p()),
    ),
  );
  const checked = schema.nodeFromJSON({ type: "doc", content: blocks });
  checked.check();
  assert.equal(withoutNumbers(JSON.stringify(checked.toJSON().content)), JSON.stringify(blocks));
});

// An entry without a number of its own is stored without attributes.
const withoutNumbers = (json: string) => json.replaceAll('"attrs":{"value":null},', "");

test("readDocument › takes an empty document and an empty title for none", () => {
  assert.deepEqual(readDocument({ type: "doc" }), []);
  assert.deepEqual(readDocument(doc(p(img("x", "", "")))), [p(img("x"))]);
});

test("normalizeBlocks › gives neighbouring lists different marks and a fence that its code does not hold", () => {
  const [first, second] = normalizeBlocks(readDocument(doc(ul(li("a")), ul(li("b")))));
  assert.deepEqual([first?.attrs?.bullet, second?.attrs?.bullet], ["-", "*"]);
  assert.equal(normalizeBlocks(readDocument(doc(code("", "```\nx"))))[0]?.attrs?.fence, "````");
});

const REFUSED: [string, unknown, Detail["path"]][] = [
  ["what is no document", null, "/doc"],
  ["a list for a document", [], "/doc"],
  ["another root", { type: "paragraph" }, "/doc/type"],
  ["an unknown node", doc(p(), { type: "video" }), "/doc/content/1/type"],
  ["a name that every object has", doc({ type: "constructor" }), "/doc/content/0/type"],
  ["an unknown mark", bare(text("a", { type: "underline" })), "/doc/content/0/content/0/marks/0/type"],
  [
    "an unknown attribute",
    doc({ type: "paragraph", attrs: { align: "left" } }),
    "/doc/content/0/attrs/align",
  ],
  ["an unknown key", doc({ type: "paragraph", id: "x" } as unknown as DocNode), "/doc/content/0/id"],
  ["heading level 99", doc(h(99, "a")), "/doc/content/0/attrs/level"],
  ["a javascript: link", doc(p(link("javascript:x", "a"))), "/doc/content/0/content/0/marks/0/attrs/href"],
  [
    "a hidden javascript: link",
    doc(p(link(" java\tscript:x", "a"))),
    "/doc/content/0/content/0/marks/0/attrs/href",
  ],
  ["a data: image that is a page", doc(p(img("data:text/html,x"))), "/doc/content/0/content/0/attrs/src"],
  ["an image without a source", bare({ type: "image" }), "/doc/content/0/content/0/attrs/src"],
  [
    "a mention without a fact",
    bare(text("a", { type: "mention" })),
    "/doc/content/0/content/0/marks/0/attrs/factId",
  ],
  [
    "a malformed blockId",
    doc(p("#b_1", "a"), { type: "paragraph", attrs: { blockId: "b 1" } }),
    "/doc/content/1/attrs/blockId",
  ],
  [
    "a blockId on a container",
    doc({ ...quote(p()), attrs: { blockId: "b_1" } }),
    "/doc/content/0/attrs/blockId",
  ],
  ["empty text", bare(text("")), "/doc/content/0/content/0/text"],
  ["text outside a paragraph", { type: "doc", content: [text("a")] }, "/doc/content/0"],
  ["a paragraph in a paragraph", bare({ type: "paragraph" }), "/doc/content/0/content/0"],
  ["a list entry outside a list", doc(li("a")), "/doc/content/0"],
  ["an empty quote", doc(quote()), "/doc/content/0/content"],
  ["a control character", bare(text("a\u0007")), "/doc/content/0/content/0/text"],
  ["a carriage return", bare(text("a\r\n")), "/doc/content/0/content/0/text"],
  ["half a surrogate pair", bare(text("a\ud83d")), "/doc/content/0/content/0/text"],
  ["a line break in inline code", doc(p(tt("a\nb"))), "/doc/content/0/content/0/text"],
  ["bold code blocks", doc(code("", ...strong("a"))), "/doc/content/0/content/0/marks/0"],
  ["text for a tag", doc(p(tag("Hello"))), "/doc/content/0/content/0/attrs/text"],
  [
    "front matter that is not first",
    doc(p(), raw("front_matter", "---\na: b\n---")),
    "/doc/content/1/attrs/kind",
  ],
];

for (const [name, given, path] of REFUSED) {
  test(`readDocument › refuses ${name} and names its place`, () => {
    assert.deepEqual(
      faultsOf(given).map((detail) => detail.path),
      [path],
    );
  });
}

function faultsOf(given: unknown): Detail[] {
  try {
    readDocument(given);
  } catch (error) {
    assert.ok(error instanceof BadRequest);
    return error.extra.details as Detail[];
  }
  return [];
}

function nest(levels: number): DocNode {
  let block = p("a");
  for (let level = 0; level < levels; level++) block = quote(block);
  return doc(block);
}

test("readDocument › takes a hundred levels and refuses more, however many", () => {
  assert.deepEqual(faultsOf(nest(100)), []);
  for (const levels of [101, 20_000]) assert.match(faultsOf(nest(levels))[0]?.message ?? "", /100 levels/);
});

test("readDocument › refuses more than 10,000 paragraphs or 200,000 nodes", () => {
  const many = { type: "doc", content: Array.from({ length: 200_000 }, () => p()) };
  const refused = (doc: unknown, says: RegExp) =>
    assert.throws(
      () => readDocument(doc),
      (error) => error instanceof PayloadTooLarge && says.test(error.message),
    );
  refused({ ...many, content: many.content.slice(0, 10_001) }, /10,000 paragraphs/);
  refused(many, /200,000 nodes/);
});

test("sameNode › ignores block ids, mentions and how a text is cut, and nothing else", () => {
  const node = p("#b_1", "Call me ", mention("f", "Ishmael"), ".");
  assert.ok(sameNode(node, p("Call me Ishmael.")));
  assert.ok(sameNode(p(em("a", mention("f", "b"))), p(em("ab"))));
  assert.ok(!sameNode(node, p("Call me ", em("Ishmael"), ".")));
  assert.ok(!sameNode(node, p("Call me Ishmael")));
  assert.ok(!sameNode(h(1, "a"), h(2, "a")));
  assert.ok(!sameNode(ul(li("a")), loose(ul(li("a")))));
  assert.ok(!sameNode(p("a", br()), p("a")));
  assert.ok(!sameNode(p("a", br(), "b"), p("ab", br())));
});
