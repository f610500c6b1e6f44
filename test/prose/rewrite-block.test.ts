import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { rewriteBlock } from "../../src/prose/plan/splice.ts";
import { rewriteLeaves } from "../../src/prose/rewrite-leaf.ts";
import { store, tried } from "./fidelity.ts";

const blockOf = (markdown: string) => store(parseMarkdown(markdown)).blocks[0]!; // there is one

/** The Markdown of a block that shall say what `next` says; `sent` is how somebody has written its leaves. */
function rewritten(before: string, next: string, sent: readonly string[] = []): string {
  const { node } = parseMarkdown(next).blocks[0]!; // there is one
  return rewriteBlock(blockOf(before), node, "", { sent: new Map(sent.entries()) }).source;
}

describe("rewriteBlock", () => {
  const promises: [
    promise: string,
    cases: readonly (readonly [before: string, next: string, after: string, ...sent: string[]])[],
  ][] = [
    [
      "leaves the lines of what stays, and the marks before what changes",
      [
        ["- \ta\n- b", "- c\n- b", "- \tc\n- b"],
        ["> a\nb", "> a\n> c", "> a\nc"],
        ["   a", "b", "   b"],
        ["a\n=", "# b", "b\n="],
        ["# a #", "# b", "# b #"],
        ["-   a\n\n    b", "- a\n\n  c", "-   a\n\n    c"],
        ["1)  a\n2)  b", "1) a\n2) c", "1)  a\n2)  c"],
        ["> - a\n>   b\n> - c", "> - a\n>   d\n> - c", "> - a\n>   d\n> - c"],
      ],
    ],
    [
      "goes on with a further line as the others go on",
      [
        ["1) a\n2) b", "1) a\n2) c\n   d", "1) a\n2) c\n   d"],
        ["> a\n>\n> b", "> a\n>\n> c\n> d", "> a\n>\n> c\n> d"],
        ["- a\n  - b\nc", "- a\n  - b\n    d\n    e", "- a\n  - b\nd\ne"],
        ["-   a\n\n    b", "- a\n\n  c\n  d", "-   a\n\n    c\n    d"],
        [">  a\n>   b", "> c\n> d\n> e", ">  c\n> d\n> e"],
      ],
    ],
    [
      "takes lines out where fewer are said",
      [
        ["> a\n> b\n>\n> c", "> a\n>\n> c", "> a\n>\n> c"],
        ["- a\n  b\n- c", "- d\n- c", "- d\n- c"],
      ],
    ],
    [
      "makes a paragraph a heading, and a heading a paragraph",
      [
        ["a", "# a", "# a"],
        ["# a", "a", "a"],
        ["a\n=", "## a", "## a"],
        ["- # a\n- b", "- # c\n- b", "- # c\n- b"],
        ["- a\n- b", "- c\n- # b", "- c\n- # b"],
      ],
    ],
    [
      "writes an empty paragraph as its mark alone where that can be",
      [
        ["- a\n-\n- c", "- a\n- b\n- c", "- a\n- b\n- c"],
        ["- a\n- b", "- a\n-", "- a\n-"],
        ["a", "&nbsp;", "&nbsp;"],
        ["> a\n>\n> b", "> a\n>\n> &nbsp;", "> a\n>\n> &nbsp;"],
      ],
    ],
    [
      "writes code anew within its fences",
      [
        ["~~~js\na\n~~~", "~~~js\nb\nc\n~~~", "~~~js\nb\nc\n~~~"],
        ["    a", "    b", "    b"],
        ["- ```\n  a\n  ```\n- b", "- ```\n  c\n\n  d\n  ```\n- b", "- ```\n  c\n\n  d\n  ```\n- b"],
      ],
    ],
    [
      "keeps line ends of both kinds",
      [
        ["> a\r\n> b\n> c", "> a\n> d\n> c", "> a\r\n> d\n> c"],
        ["> a\r\n> b\n> c", "> d\n> b\n> c\n> e", "> d\r\n> b\n> c\n> e"],
        ["- a\r\n- b\n- c", "- # x\n- b\n- c", "- # x\r\n- b\n- c"],
        ["- a\n- b\r\n- c", "- a\n- x\n  y\n- c", "- a\n- x\r\n  y\r\n- c"],
        [
          "- ```\r\n  a\r\n  ```\r\n- b\n- c",
          "- ```\n  x\n\n  y\n  ```\n- b\n- c",
          "- ```\n  x\n\n  y\n  ```\r\n- b\n- c",
        ],
      ],
    ],
    [
      "takes what somebody has sent, if that says so",
      [
        ["- a\n- b", "- c\n- b", "- &#99;\n- b", "&#99;"],
        ["- a\n- b", "- # c\n- b", "- #   c\n- b", "#   c"],
        ["a", "a", "&#97;", "&#97;"],
        ["a", "# b", "b\n===", "b\n==="],
        ["# a", "# b", "# b #", "# b #"],
        ["# a", "# b", "# &#98;", "&#98;"],
        ["> a", "> b\n> c", "> b\n> c", "b\nc"],
      ],
    ],
    ["… and not if it does not", [["a", "b", "b", "x"]]],
  ];
  for (const [promise, cases] of promises)
    it(promise, () => {
      for (const [before, next, after, ...sent] of cases)
        assert.equal(rewritten(before, next, sent), after, JSON.stringify([before, next]));
    });
});

describe("rewriteLeaves", () => {
  const rewrite = (before: string, texts: Record<string, string>, isExact: boolean): string => {
    const sent = Object.entries(texts).map(([id, markdown]) => [id, { markdown, isExact }] as const);
    return tried(() => rewriteLeaves(blockOf(before), new Map(sent), "").source);
  };
  const cases: [
    promise: string,
    before: string,
    texts: Record<string, string>,
    exact: string,
    other: string,
  ][] = [
    ["takes the blanks around a text if they are meant", "a", { b_1: " b " }, " b ", "b"],
    ["… also two that end it", "a  \nb", { b_1: "c  " }, "c  ", "c"],
    ["… not the lines that end it", "a", { b_1: "b\n\n" }, "b", "b"],
    ["… nor those around an entry's", "- a\n- b", { b_1: " c ", b_2: "d" }, "- c\n- d", "- c\n- d"],
    [
      "takes a byte order mark and other line ends off",
      "a",
      { b_1: "\ufeffb\r\nc\rd" },
      "b\nc\nd",
      "b\nc\nd",
    ],
    [
      "… and puts those that stand there back",
      "a\r\nb\nc",
      { b_1: "d\ne\nf\ng" },
      "d\r\ne\nf\ng",
      "d\r\ne\nf\ng",
    ],
    ["… with the blanks around it", "a\r\nb\nc", { b_1: " d\ne\nf" }, " d\r\ne\nf", "d\r\ne\nf"],
    ["leaves what is not named", "a", { b_9: "b" }, "a", "a"],
    ["reads a heading's text with its marks or without", "# a", { b_1: "b" }, "# b", "# b"],
    ["… and another level", "# a", { b_1: "## b" }, "## b", "## b"],
    ["makes a paragraph a heading", "a", { b_1: "# b" }, "# b", "# b"],
    [
      "leaves a definition where it is",
      "> [x]: /y\n>\n> a",
      { b_1: "c" },
      "> [x]: /y\n>\n> c",
      "> [x]: /y\n>\n> c",
    ],
    ["writes code between its fences", "```\na\n```", { b_1: "b" }, "```\nb\n```", "```\nb\n```"],
  ];
  for (const [promise, before, texts, exact, other] of cases)
    it(promise, () =>
      assert.deepEqual([rewrite(before, texts, true), rewrite(before, texts, false)], [exact, other]),
    );

  it("refuses what is not one paragraph", () => {
    assert.match(
      rewrite("a", { b_1: "b\n\nc" }, true),
      /^refused: The body must be exactly one block, got 2/,
    );
    assert.match(rewrite("a", { b_1: " " }, false), /^refused: The Markdown is blank/);
  });

  it("is the very block where nothing is said of it", () => {
    const block = blockOf("a");
    assert.equal(rewriteLeaves(block, new Map(), ""), block);
  });
});
