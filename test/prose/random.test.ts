import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readDocument } from "../../src/prose/document/read-document.ts";
import { sameNode } from "../../src/prose/document/same-node.ts";
import { schema } from "../../src/prose/document/schema.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { normalizeBlocks } from "../../src/prose/markdown/normalize.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { anyMarkdown, denseDoc, nativeDoc, plainDoc } from "./arbitrary.ts";
import { parse, randomly, write } from "./rewrite.ts";

function assertSame(actual: readonly DocNode[], expected: readonly DocNode[]): void {
  if (actual.length === expected.length && actual.every((node, at) => sameNode(node, expected[at]!))) return;
  assert.deepEqual(actual, expected);
}

for (const [name, arbitrary, runs] of [
  ["a paragraph of punctuation", plainDoc, 2000],
  ["marks squeezed against each other", denseDoc, 1500],
  ["any document", nativeDoc, 1000],
] as const) {
  test(`writeChapter › writes ${name} so that it reads as the same document`, (t) => {
    const settings = randomly(runs);
    t.diagnostic(`seed ${settings.seed}`);
    const property = fc.property(arbitrary, (doc) => {
      const nodes = normalizeBlocks(readDocument(doc));
      assertSame(parse(write(nodes)), nodes);
    });
    fc.assert(property, settings);
  });
}

for (const [promise, check] of [
  ["joins any text back to its bytes", (text) => assert.equal(joinMarkdown(parseMarkdown(text)), text)],
  ["gives nodes that the schema accepts", acceptedBySchema],
  ["gives a document that a client can send back unchanged", sentBack],
  ["reads every slice alone as the same block", readAlone],
  ["gives blocks that can be written afresh", (text) => assertSame(parse(write(parse(text))), parse(text))],
] as [string, (text: string) => void][]) {
  test(`parseMarkdown › ${promise}`, (t) => {
    const settings = randomly(1000);
    t.diagnostic(`seed ${settings.seed}`);
    fc.assert(fc.property(anyMarkdown, check), settings);
  });
}

function acceptedBySchema(text: string): void {
  const content = parse(text);
  const doc = schema.nodeFromJSON({ type: "doc", content });
  doc.check();
  const json = JSON.stringify(doc.content.toJSON() ?? []);
  assert.equal(json.replaceAll('"attrs":{"value":null},', ""), JSON.stringify(content));
}

function sentBack(text: string): void {
  const content = parse(text);
  assert.equal(JSON.stringify(readDocument({ type: "doc", content })), JSON.stringify(content));
}

function readAlone(text: string): void {
  const definitions = text.includes("]:") ? text : "";
  for (const { node, source } of parseMarkdown(text).blocks) {
    // Both mean something at the start of a file only.
    if (node.attrs?.kind === "front_matter" || source.startsWith("\ufeff")) continue;
    assertSame(
      parseMarkdown(source, definitions).blocks.map((block) => block.node),
      [node],
    );
  }
}
