import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hasDefinitions } from "../../src/prose/definitions.ts";
import { readDocument } from "../../src/prose/document/read-document.ts";
import { sameNode } from "../../src/prose/document/same-node.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { parse, write } from "./rewrite.ts";

const folder = process.env.MANUSCRIPT_CORPUS;
const skip = folder
  ? false
  : "set MANUSCRIPT_CORPUS to a folder of books, each a folder of Markdown chapters";

// How the same novel comes from different hands.
const VARIANTS: Record<string, (markdown: string) => string> = {
  "as it is": (markdown) => markdown,
  "wrapped at 72": wrap,
  "with straight quotes": (markdown) => markdown.replace(/[“”]/g, '"').replace(/[‘’]/g, "'"),
  "with _em_": (markdown) => markdown.replace(/(?<![*\\\w])\*([^*\n]+)\*(?![*\w])/g, "_$1_"),
  "with Windows line ends": (markdown) => markdown.replaceAll("\n", "\r\n"),
};

for (const [name, vary] of Object.entries(VARIANTS)) {
  test(`a novel ${name} › comes back byte for byte, block by block, and afresh as the same document`, {
    skip,
  }, (t) => {
    const chapters = readChapters(folder ?? "");
    for (const { file, markdown } of chapters) checkChapter(file, vary(markdown));
    t.diagnostic(`${chapters.length} chapters`);
  });
}

function checkChapter(file: string, markdown: string): void {
  const chapter = parseMarkdown(markdown);
  assert.ok(joinMarkdown(chapter) === markdown, `${file}: bytes`);
  const nodes = chapter.blocks.map(({ node }) => node);
  const definitions = chapter.blocks.map(({ gap }) => gap).filter(hasDefinitions);
  const alone = chapter.blocks.flatMap(({ source }) =>
    parseMarkdown(source, definitions.join("")).blocks.map((block) => block.node),
  );
  assertSame(alone, nodes, `${file}: slices`);
  assertSame(parse(write(nodes)), nodes, `${file}: written afresh`);
  assert.ok(
    JSON.stringify(readDocument({ type: "doc", content: nodes })) === JSON.stringify(nodes),
    `${file}: sent back`,
  );
}

function assertSame(actual: readonly DocNode[], expected: readonly DocNode[], message: string): void {
  assert.equal(actual.length, expected.length, message);
  for (const [at, node] of actual.entries())
    assert.ok(sameNode(node, expected[at]!), `${message}, block ${at}`);
}

function readChapters(root: string): { file: string; markdown: string }[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => ({ file, markdown: readFileSync(join(root, file), "utf8") }));
}

function wrap(markdown: string): string {
  return markdown.split("\n").map(wrapLine).join("\n");
}

// Lines that are long and plain enough to be a paragraph; a quote keeps its mark.
function wrapLine(line: string): string {
  const mark = /^(?:> ?)*/.exec(line)?.[0] ?? "";
  if (line.length <= 72 || /^(?:> ?)*(?:#|\||\s|\[|!|<|[-*+] |\d+[.)] )/.test(line)) return line;
  const lines: string[] = [];
  let current = mark;
  for (const word of line.slice(mark.length).split(" ")) {
    const glued = /^(?:[-+*#>=~|<]|\d+[.)])/.test(word) || word === "";
    if (current.length + word.length > 72 && current !== mark && !glued) {
      lines.push(current.trimEnd());
      current = mark;
    }
    current += `${word} `;
  }
  return [...lines, current.slice(0, -1)].join("\n");
}
