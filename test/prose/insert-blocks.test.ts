import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { leafText, leavesOf } from "../../src/prose/document/leaves.ts";
import { insertAll } from "../../src/prose/insert-blocks.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { BadRequest } from "../../src/refusals.ts";
import { store } from "./fidelity.ts";

/** The Markdown with others behind leaves, each named by its text; null for the start. */
function inserted(markdown: string, ...sent: (readonly [after: string | null, markdown: string])[]): string {
  const chapter = store(parseMarkdown(markdown));
  const leaves = chapter.blocks.flatMap(({ node }) => leavesOf(node));
  const idOf = (text: string) => String(leaves.find((leaf) => leafText(leaf) === text)?.attrs?.blockId);
  return joinMarkdown(
    insertAll(
      chapter,
      sent.map(([after, text]) => ({ after: after && idOf(after), markdown: text })),
    ),
  );
}

describe("insertAll", () => {
  const cases: [promise: string, before: string, after: string | null, sent: string, expected: string][] = [
    ["puts a paragraph behind another", "a\n\nb\n", "a", "c", "a\n\nc\n\nb\n"],
    ["… at the start", "a\n\nb\n", null, "c", "c\n\na\n\nb\n"],
    ["… at the end", "a\n\nb\n", "b", "c\n\n\n", "a\n\nb\n\nc\n"],
    ["… into a chapter that is empty", "", null, "c\n\nd", "c\n\nd\n"],
    ["ends a chapter as it ended", "a", "a", "c\n\n", "a\n\nc"],
    ["… with all its blank lines", "a\n\n\n", "a", "c", "a\n\n\nc\n\n\n"],
    ["keeps the blank lines before", "a\n\n\n\nb\n", "a", "c", "a\n\n\n\nc\n\nb\n"],
    ["… and makes one where none was", "# a\nb\n", "a", "c", "# a\n\nc\n\nb\n"],
    ["… also of a line of blanks", "a\n \t\nb\n", "a", "c", "a\n \t\nc\n\nb\n"],
    ["puts one between several that are sent, too", "a\n", "a", "# c\nd", "a\n\n# c\n\nd\n"],
    [
      "takes other line ends and a byte order mark off",
      "a\n\nb\n",
      "a",
      "\ufeffc\r\nd\re",
      "a\n\nc\nd\ne\n\nb\n",
    ],
    ["reads nothing sent as front matter", "a\n", null, "---\nc: d\n---\n", "---\n\nc: d\n---\n\na\n"],
    ["brings definitions along", "a\n\nb\n", "a", "[c]\n\n[c]: /x", "a\n\n[c]\n\n[c]: /x\n\nb\n"],
    ["… those that come first behind", "a\n\nb\n", "a", "[c]: /x\n\n[c]", "a\n\n[c]\n\n[c]: /x\n\nb\n"],
    ["… at the end, too", "a\n", "a", "[c]\n\n[c]: /x\n\n", "a\n\n[c]\n\n[c]: /x\n"],
    [
      "leaves the chapter's definitions where they are",
      "[a]\n\n[a]: /x\n",
      "a",
      "c",
      "[a]\n\n[a]: /x\n\nc\n",
    ],
    [
      "reads what is sent by the chapter's definitions",
      "[a]\n\nb\n\n[a]: /x\n",
      "b",
      "[a] c",
      "[a]\n\nb\n\n[a]: /x\n\n[a] c\n",
    ],
    ["puts an entry into a list", "*   a\n*   b\n", "a", "- c", "*   a\n*   c\n*   b\n"],
    ["… and several", "- a\n- b\n", "b", "- c\n- d", "- a\n- b\n- c\n- d\n"],
    ["… into the inner of two lists", "- a\n  - b\n- d\n", "b", "- c", "- a\n  - b\n  - c\n- d\n"],
    ["… into the outer, if that is of its kind", "- a\n  1. b\n- d\n", "b", "- c", "- a\n  1. b\n- c\n- d\n"],
    ["… into a list within a quote", "> - a\n> - b\n", "a", "- c", "> - a\n> - c\n> - b\n"],
    ["puts a quote among a quote's paragraphs", "> a\n>\n> b\n", "a", "> c", "> a\n>\n> c\n>\n> b\n"],
    ["… of the inner of two", "> > a\n> >\n> > b\n", "a", "> c", "> > a\n> >\n> > c\n> >\n> > b\n"],
    ["… and behind the whole of it", "> a\n>\n> b\n", "b", "> c", "> a\n>\n> b\n\n> c\n"],
    ["puts a list of another kind behind the whole", "- a\n- b\n", "b", "1. c", "- a\n- b\n\n1. c\n"],
    ["… as it does a list with more than that", "- a\n", "a", "- c\n\nd", "- a\n\n* c\n\nd\n"],
    ["puts a paragraph behind a whole quote", "> a\n>\n> b\n\nd\n", "b", "c", "> a\n>\n> b\n\nc\n\nd\n"],
  ];
  for (const [promise, before, after, sent, expected] of cases)
    it(promise, () => assert.equal(inserted(before, [after, sent]), expected));

  it("keeps the order of several behind one", () => {
    assert.equal(
      inserted("a\n\nb\n", ["a", "c"], ["b", "d"], ["a", "e"], [null, "f"]),
      "f\n\na\n\nc\n\ne\n\nb\n\nd\n",
    );
  });

  it("parts what comes first from a definition before it all that would take it", () => {
    assert.equal(inserted("[x]: /y\na\n", [null, "'d'"]), "[x]: /y\n\n'd'\n\na\n");
    assert.equal(inserted("[x]: /y\n\na\n", [null, "'d'"]), "[x]: /y\n\n'd'\n\na\n");
    assert.equal(inserted("---\na: b\n---\nc\n", [null, "d"]), "---\na: b\n---\n\nd\n\nc\n");
  });

  it("refuses what is no paragraph, and what would stand within a quote or a list", () => {
    for (const [before, after, sent, why] of [
      ["a\n", "a", " \n", /holds no paragraph/],
      [
        "> a\n>\n> b\n",
        "a",
        "c",
        /within a blockquote\. Name the last one in it.*send "> text" to put it into the quote/,
      ],
      ["- a\n- b\n", "a", "c", /within a bullet_list.*send entries such as/],
      ["- a\n- b\n", "a", "1. c", /within a bullet_list/],
    ] as const)
      assert.throws(
        () => inserted(before, [after, sent]),
        (error) => error instanceof BadRequest && why.test(error.message),
      );
  });
});
