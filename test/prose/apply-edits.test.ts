import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { applyEdits, type ProseEdit } from "../../src/prose/apply-edits.ts";
import { leafIds, leafText, leavesOf } from "../../src/prose/document/leaves.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { assembleProse } from "../../src/prose/plan/assemble.ts";
import { store, tried } from "./fidelity.ts";

type Op = readonly [op: ProseEdit["op"], text: string | null, markdown: string | null];

/** The ids of the leaves, then the Markdown; each edit names its paragraph by what that says. */
function edited(markdown: string, ops: readonly Op[]): string {
  const chapter = store(parseMarkdown(markdown));
  const leaves = chapter.blocks.flatMap(({ node }) => leavesOf(node));
  const idOf = (text: string) => String(leaves.find((leaf) => leafText(leaf) === text)?.attrs?.blockId);
  const edits = ops.map(([op, text, sent]) => ({ op, blockId: text && idOf(text), markdown: sent }));
  let minted = 0;
  const prose = applyEdits(chapter, edits, () => `n${++minted}`);
  return `${leafIds(prose.blocks).join(" ")}: ${joinMarkdown(prose)}`;
}

describe("applyEdits", () => {
  const cases: [promise: string, before: string, ops: readonly Op[], expected: string][] = [
    ["changes one paragraph", "a\n\nb\n", [["replace", "a", "c"]], "b_1 b_2: c\n\nb\n"],
    ["… to the blank", "a\n\nb\n", [["replace", "a", "  c  "]], "b_1 b_2:   c  \n\nb\n"],
    ["… without what ends it", "a\n\nb\n", [["replace", "a", "c\n\n"]], "b_1 b_2: c\n\nb\n"],
    [
      "… and several",
      "a\n\nb\n",
      [
        ["replace", "a", "c"],
        ["replace", "b", "d"],
      ],
      "b_1 b_2: c\n\nd\n",
    ],
    ["takes one out", "a\n\nb\n", [["delete", "a", null]], "b_2: b\n"],
    [
      "… and all",
      "a\n\nb\n",
      [
        ["delete", "a", null],
        ["delete", "b", null],
      ],
      ": ",
    ],
    [
      "puts new ones behind one, each with an id of its own",
      "a\n\nb\n",
      [["insert_after", "a", "c\n\nd"]],
      "b_1 n1 n2 b_2: a\n\nc\n\nd\n\nb\n",
    ],
    ["… at the start", "a\n", [["insert_after", null, "c"]], "n1 b_1: c\n\na\n"],
    [
      "… in the order given, where one stood that goes",
      "a\n\nb\n",
      [
        ["insert_after", "a", "c"],
        ["insert_after", "a", "d"],
        ["delete", "a", null],
      ],
      "n1 n2 b_2: c\n\nd\n\nb\n",
    ],
    [
      "moves one that is taken out here and said there",
      "a\n\nb\n\nc\n",
      [
        ["delete", "a", null],
        ["insert_after", "b", "a"],
      ],
      "b_2 b_1 b_3: b\n\na\n\nc\n",
    ],
    [
      "… once",
      "a\n\nc\n",
      [
        ["delete", "a", null],
        ["insert_after", "c", "a\n\na"],
      ],
      "b_2 b_1 n1: c\n\na\n\na\n",
    ],
    [
      "… not as another kind of paragraph",
      "# a\n\nb\n",
      [
        ["delete", "a", null],
        ["insert_after", "b", "a"],
      ],
      "b_2 n1: b\n\na\n",
    ],
    ["… nor one that stays", "a\n\nb\n", [["insert_after", "b", "a"]], "b_1 b_2 n1: a\n\nb\n\na\n"],
    [
      "… nor one that says something else now",
      "a\n\nb\n",
      [
        ["replace", "a", "x"],
        ["insert_after", "a", "a"],
      ],
      "b_1 n1 b_2: x\n\na\n\nb\n",
    ],
    [
      "does so within a list",
      "- a\n- b\n",
      [
        ["insert_after", "a", "- c"],
        ["delete", "b", null],
      ],
      "b_1 n1: - a\n- c\n",
    ],
  ];
  for (const [promise, before, ops, expected] of cases)
    it(promise, () => assert.equal(edited(before, ops), expected));

  it("refuses a text that is none", () => {
    for (const op of ["replace", "insert_after"] as const)
      assert.match(
        tried(() => edited("a\n", [[op, "a", null]])),
        /^refused: The Markdown (is blank|holds no)/,
      );
  });
});

/** The chapter with its blocks in this order, each named by what it says: `+x` is new, `a=x` says something else. */
function assembled(markdown: string, order: string): string {
  const chapter = store(parseMarkdown(markdown));
  const nodeOf = (text: string) => parseMarkdown(text.replaceAll("~", " ")).blocks[0]!.node; // there is one
  const placed = order
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      if (word.startsWith("+")) return { node: nodeOf(word.slice(1)), stored: undefined };
      const [text, other] = word.split("=");
      const stored = chapter.blocks.find(({ node }) => leavesOf(node).map(leafText).join("/") === text);
      return { node: other === undefined ? stored!.node : nodeOf(other), stored }; // it is named
    });
  return joinMarkdown(assembleProse(chapter, placed));
}

describe("assembleProse", () => {
  const promises: [
    promise: string,
    cases: readonly (readonly [before: string, order: string, after: string])[],
  ][] = [
    [
      "keeps the blank lines behind what stays",
      [
        ["a\n\nb\n\nc\n", "a c", "a\n\nc\n"],
        ["a\n\n\n\nb\n\n\nc\n\n", "a c", "a\n\n\n\nc\n\n"],
        ["a\n\n\n\nb\n\n\nc\n\n", "c a b", "c\n\na\n\n\n\nb\n"],
        ["a\n \t\nb\n\nc\n", "a c", "a\n \t\nc\n"],
        ["\n\na\n\nb\n", "b a", "\n\nb\n\na\n"],
        ["a\r\n\r\nb\r\n", "b a", "b\r\n\r\na\r\n"],
      ],
    ],
    [
      "makes one where another comes behind, and where none was",
      [
        ["# a\nb\n", "a b", "# a\nb\n"],
        ["# a\nb\n\nc\n", "a c", "# a\n\nc\n"],
        ["# a\nb\n\nc\n", "a +x b c", "# a\n\nx\n\nb\n\nc\n"],
        ["a\n\n\nb\n\nc", "b c a", "b\n\nc\n\na\n"],
        ["a\n", "+x a", "x\n\na\n"],
      ],
    ],
    [
      "ends with a line end, or as it did",
      [
        ["# a\nb\n\nc", "a", "# a\n"],
        ["a\n\n\nb\n\nc", "a b", "a\n\n\nb\n"],
        ["a", "+x a", "x\n\na"],
        ["a", "a +x", "a\n\nx\n"],
        ["", "+x +y", "x\n\ny\n"],
        ["", "", ""],
        ["a\n", "", ""],
      ],
    ],
    [
      "keeps the link definitions before a block that goes, or behind it",
      [
        ["[x]: /y\n\na\n", "", "[x]: /y\n"],
        ["[x]: /y\n\na [x]\n\nb\n", "b", "[x]: /y\n\nb\n"],
        ["a\n\n[x]: /y\n\nb\n\nc\n", "b c", "b\n\nc\n\n[x]: /y\n"],
        ["a\n\nb\n\n[x]: /y\n", "a", "a\n\n[x]: /y\n"],
        ["a\n\n[x]: /y", "", "[x]: /y\n"],
      ],
    ],
    [
      "… behind one that stays, with blank lines",
      [
        ["a\n\n[x]: /y\n\nb\n\nc\n", "a c", "a\n\n[x]: /y\n\nc\n"],
        ["a\n\n[x]: /y\n\nb\n\nc\n", "a +z b c", "a\n\n[x]: /y\n\nz\n\nb\n\nc\n"],
        ["a\n\n[x]: /y\nb\n", "a +z b", "a\n\n[x]: /y\n\nz\n\nb\n"],
        ["a\n\n[x]: /y\n\nb\n\nc\n", "b c a", "b\n\nc\n\na\n\n[x]: /y\n\n"],
        ["a\n\nb\n\n[x]: /y\n", "b a", "b\n\n[x]: /y\n\na\n"],
      ],
    ],
    [
      "… within one that goes, and leaves them in one that changes",
      [
        ["> [x]: /y\n>\n> a\n\nb\n", "b", "b\n\n[x]: </y>\n"],
        ["> [x]: /y\n>\n> a\n\nb\n", "a=>~c b", "> [x]: /y\n>\n> c\n\nb\n"],
        ["> [x]: /y\n>\n> a\n", "", "[x]: </y>\n"],
        ["[z]: /z\n\n> [x]: /y\n>\n> a\n\nb\n", "b", "[z]: /z\n\nb\n\n[x]: </y>\n"],
        ["- [x]: /y\n- a\n\n[b]: /z\n", "", "[x]: </y>\n[b]: /z\n"],
      ],
    ],
    [
      "gives a new list beside another a sign of its own",
      [
        ["- a\n- b\n", "a/b +-~c", "- a\n- b\n\n* c\n"],
        ["- a\n", "+-~c a", "* c\n\n- a\n"],
        ["1. a\n", "a +1.~b", "1. a\n\n1) b\n"],
        ["- a\n\nx\n\n- b\n", "a b", "- a\n\n* b\n"],
      ],
    ],
  ];
  for (const [promise, cases] of promises)
    it(promise, () => {
      for (const [before, order, after] of cases)
        assert.equal(assembled(before, order), after, JSON.stringify([before, order]));
    });
});
