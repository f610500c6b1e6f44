import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definitionsOf } from "../../src/prose/definitions.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { parted, relabelled } from "../../src/prose/rewrite-leaf.ts";
import { store } from "./fidelity.ts";

const blocksOf = (markdown: string) => store(parseMarkdown(markdown)).blocks;

describe("parted", () => {
  /** The sources of either side; blocks in which this stands leave. */
  const sides = (markdown: string, leaving: string) =>
    parted(blocksOf(markdown), ({ source }) => source.includes(leaving))
      .map((side) => side.map(({ source }) => source).join(" "))
      .join(" | ");

  for (const [promise, markdown, leaving, expected] of [
    ["takes a note along that stands behind", "a\n\nb!\n\n[^2]: m\n\nc![^2]\n", "!", "a | b! c![^2] [^2]: m"],
    ["brings one back whose number stays", "a[^1]\n\n[^1]: n!\n\nb!\n", "!", "a[^1] [^1]: n! | b!"],
    ["leaves one that both name where it is", "a[^1]\n\nb![^1]\n\n[^1]: n\n", "!", "a[^1] [^1]: n | b![^1]"],
    ["… and one that nobody names", "a\n\nb!\n\n[^1]: n\n", "!", "a [^1]: n | b!"],
    [
      "looks for numbers in quotes and lists, too",
      "> a\n\n- b![^1]\n\n[^1]: n\n",
      "!",
      "> a | - b![^1] [^1]: n",
    ],
    [
      "looks for them in other notes",
      "a\n\nb![^1]\n\n[^1]: n[^2]!\n\n[^2]: m\n",
      "!",
      "a | b![^1] [^1]: n[^2]! [^2]: m",
    ],
  ] as const)
    it(promise, () => assert.equal(sides(markdown, leaving), expected));
});

describe("relabelled", () => {
  const renamed = (markdown: string, others: string) => {
    const prose = store(parseMarkdown(markdown));
    const blocks = relabelled(prose.blocks, blocksOf(others), definitionsOf(prose));
    return blocks.map(({ source }) => source).join(" ");
  };

  for (const [promise, markdown, others, expected] of [
    ["keeps labels that the others do not have", "a[^1]\n\n[^1]: n\n", "x[^2]\n\n[^2]: m\n", "a[^1] [^1]: n"],
    [
      "gives a label that they have another, and its numbers",
      "a[^1] \\$5 _b_[^1]\n\n[^1]: n\n",
      "[^1]: m\n",
      "a[^1-2] \\$5 _b_[^1-2] [^1-2]: n",
    ],
    ["… also one that they only name", "a[^1]\n\n[^1]: n\n", "x[^1]\n", "a[^1-2] [^1-2]: n"],
    ["… and a number that has no note here", "a[^1]\n", "x\n\n[^1]: m\n", "a[^1-2]"],
    [
      "takes none that either has",
      "a[^1] b[^1-2]\n\n[^1]: n\n\n[^1-2]: o\n",
      "x[^1][^1-3]\n\n[^1]: m\n\n[^1-3]: p\n",
      "a[^1-4] b[^1-2] [^1-4]: n [^1-2]: o",
    ],
    [
      "leaves alone what only looks like a number",
      "`[^1]` \\$5 a[^1]\n\nc\n\n[^1]: n\n",
      "[^1]: m\n",
      "`[^1]` \\$5 a[^1-2] c [^1-2]: n",
    ],
    [
      "goes into quotes and lists",
      "> \\$5 a[^1]\n\n- b[^1]\n\n[^1]: n\n",
      "[^1]: m\n",
      "> \\$5 a[^1-2] - b[^1-2] [^1-2]: n",
    ],
  ] as const)
    it(promise, () => assert.equal(renamed(markdown, others), expected));
});
