import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tokenizer } from "../../src/prose/markdown/parser.ts";

const LINES = [
  ...[
    "",
    "",
    "",
    "One line.",
    "“Two,” she said",
    "it’s",
    "  indented",
    "\tby a tab",
    "Ärger \u00a0",
    "\u00a0",
    "trailing  ",
  ],
  ...[
    "> quoted",
    ">",
    "> - in a quote",
    "- item",
    "  its text",
    "1. first",
    "   its text",
    "1986 it was",
    "# Title",
    "===",
    "---",
  ],
  ...[
    "***",
    "```",
    "| a | b |",
    "| - | - |",
    "a | b",
    "- | -",
    "<div>",
    "</div>",
    "[a]: b",
    "[^1]: note",
    "    its text",
    "-",
    "+ x",
  ],
];

test("a paragraph that is told by how its lines begin is the one that markdown-it reads", () => {
  const { ruler } = tokenizer.block;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 12 }), (lines) => {
      const read = () => JSON.stringify(tokenizer.parse(lines.join("\n"), {}));
      const ours = read();
      ruler.disable("prose");
      try {
        assert.equal(ours, read());
      } finally {
        ruler.enable("prose");
      }
    }),
    { numRuns: 500 },
  );
});
