import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { leafText } from "../../src/prose/document/leaves.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import type { ProsePlan, StoredMention, StoredProse } from "../../src/prose/plan.ts";
import { planNode } from "../../src/prose/plan-paragraph.ts";
import { paragraphPlan, store, targetsOf, tried } from "./fidelity.ts";

const mention = (from: number, to: number): StoredMention => ({
  ...{ id: "m_1", factId: "f_1", name: "B", blockId: "b_1", text: "bb" },
  ...{ from, to },
});

const chapterOf = (markdown: string) => store(parseMarkdown(markdown));

function targetIn(chapter: StoredProse, text: string) {
  return targetsOf(chapter).find(({ node }) => leafText(node) === text)!; // a case names one
}

/** The chapter after it; then what became of the paragraph, the rows that are written, and the words. */
function told(chapter: StoredProse, { head, blocks, leaves, words, changed }: ProsePlan): string {
  const written = new Map(blocks.map((block) => [block.row, block]));
  const prose = { ...chapter, head, blocks: chapter.blocks.map((block) => written.get(block.row) ?? block) };
  const rows = chapter.blocks.flatMap(({ row }, at) => (written.get(row)?.written ? [at] : []));
  const counts = words.added + words.removed === 0 ? "" : ` +${words.added} -${words.removed}`;
  const status = `${leaves.map((leaf) => `${leaf.type} ${leaf.status}`).join()}${changed ? "" : " unchanged"}`;
  return `${joinMarkdown(prose)}| ${status} ${rows.join("+")}${counts}`.trimEnd();
}

/** What new Markdown for the paragraph "bb" comes to. */
const planned = (markdown: string, sent: string): string => {
  const chapter = chapterOf(markdown);
  return tried(() => told(chapter, paragraphPlan(chapter, targetIn(chapter, "bb"), sent)));
};

describe("planParagraph", () => {
  const promises: [
    promise: string,
    cases: readonly (readonly [before: string, sent: string, expected: string])[],
  ][] = [
    [
      "writes one row",
      [
        ["a\n\nbb\n\nc\n", "d", "a\n\nd\n\nc\n| paragraph edited 1"],
        ["a\n\nbb\n\nc\n", "d e f", "a\n\nd e f\n\nc\n| paragraph edited 1 +2 -0"],
        ["a\n\nbb\n\nc\n", "one\ntwo", "a\n\none\ntwo\n\nc\n| paragraph edited 1 +1 -0"],
        ["a\n\nbb", "c\n", "a\n\nc| paragraph edited 1"],
        ["# a\nbb\n***\n", "d", "# a\nd\n***\n| paragraph edited 1"],
        ["- a\n- bb\n\nd\n", "c", "- a\n- c\n\nd\n| paragraph edited 0"],
        ["- a\n- bb\n\nd\n", "c\nd", "- a\n- c\n  d\n\nd\n| paragraph edited 0 +1 -0"],
        ["\ufeffbb\r\n\r\nc\r\n", "d\r\ne", "\ufeffd\r\ne\r\n\r\nc\r\n| paragraph edited 0 +1 -0"],
      ],
    ],
    [
      "writes nothing where it says the same, however it is spelt",
      [
        ["a\n\nbb\n", "bb", "a\n\nbb\n| paragraph kept unchanged"],
        ["a\n\nb&#98;\n", "bb", "a\n\nb&#98;\n| paragraph kept unchanged"],
        ["# bb\nc\n", "bb\n==", "# bb\nc\n| heading kept unchanged"],
      ],
    ],
    [
      "counts the words that go",
      [
        ["bb\n", "![x](y)", "![x](y)\n| paragraph edited 0 +0 -1"],
        ["bb\n", "```\ndd ee\n```", "```\ndd ee\n```\n| code_block edited 0 +1 -0"],
      ],
    ],
    [
      "reads it with the chapter's definitions, wherever they stand",
      [
        ["a\n\nbb\n\n[x]: /y\n", "[x]", "a\n\n[x]\n\n[x]: /y\n| paragraph edited 1"],
        ["[x]: /y\n\na\n\nb\n\nbb\n", "[x]", "[x]: /y\n\na\n\nb\n\n[x]\n| paragraph edited 2"],
        ["a\n\n[x]: /y\n\nb\n\nbb\n", "[x]", "a\n\n[x]: /y\n\nb\n\n[x]\n| paragraph edited 2"],
        [
          "a\n\nbb\n\nc\n\nd [x]\n\n[x]: /z\n",
          "[x]",
          "a\n\n[x]\n\nc\n\nd [x]\n\n[x]: /z\n| paragraph edited 1",
        ],
      ],
    ],
    [
      "parts it from a neighbour that it would go on",
      [
        ["a\n\n[x]: /y\nbb\n", "'d'", "a\n\n[x]: /y\n\n'd'\n| paragraph edited 0+1"],
        ["---\nbb\n\n---\n", "d: e", "---\n\nd: e\n\n---\n| paragraph edited 0+1 +1 -0"],
        ["bb\n- c\n", "```\nd\n```", "```\nd\n```\n- c\n| code_block edited 0"],
      ],
    ],
    [
      "parts it from a definition before it all that it would go on",
      [
        ["[x]: /y\nbb\n", "'d'", "[x]: /y\n\n'd'\n| paragraph edited 0"],
        ["[x]: /y\nbb\n\nc\n", "(d)", "[x]: /y\n\n(d)\n\nc\n| paragraph edited 0"],
        ["[x]: /y\n[z]: /z\nbb\n", '"[x]"', '[x]: /y\n[z]: /z\n\n"[x]"\n| paragraph edited 0'],
        ["[x]: /y\nbb\n\nc\n", "d", "[x]: /y\nd\n\nc\n| paragraph edited 0"],
        ["[x]: /y\n\nbb\n", "'d'", "[x]: /y\n\n'd'\n| paragraph edited 0"],
      ],
    ],
    [
      "makes no front matter of a chapter that begins with a break",
      [
        ["---\n\nbb\n\n---\n", "d: e", "---\n\nd: e\n\n---\n| paragraph edited 1 +1 -0"],
        ["---\n\nc: x\n\nbb\n\n---\n", "d: e", "---\n\nc: x\n\nd: e\n\n---\n| paragraph edited 2 +1 -0"],
      ],
    ],
  ];
  for (const [promise, cases] of promises)
    it(promise, () => {
      for (const [before, sent, expected] of cases) assert.equal(planned(before, sent), expected, before);
    });

  it("takes nothing else along", () => {
    const chapter = chapterOf("a\n\nbb\n\nc\n");
    const plan = paragraphPlan(chapter, targetIn(chapter, "bb"), "d");
    const { removedRows, removed, snippetsDetached, snippetsMoved, snippetsAttached, warnings } = plan;
    const rest = [removedRows, removed, snippetsDetached, snippetsMoved, snippetsAttached, warnings];
    assert.deepEqual([...rest, plan.mentionsDropped, plan.mentionsWritten].flat(), []);
  });
});

describe("planNode", () => {
  /** What a document with another paragraph for "bb" comes to; then the mentions that go, and those that are written. */
  const replaced = (
    markdown: string,
    next: string,
    { mentions = [], span }: { mentions?: readonly StoredMention[]; span?: readonly [number, number] } = {},
  ): string | undefined => {
    const chapter = chapterOf(markdown);
    const { blockId, block: at } = targetIn(chapter, "bb");
    const leaf = parseMarkdown(next).blocks[0]!.node; // there is one
    const { blocks } = chapter;
    const spans = span && [{ from: span[0], to: span[1], text: "bb", factId: "f_1", mentionId: null }];
    const plan = planNode(chapter, {
      ...{ block: blocks[at]!, blockId, node: { ...leaf, attrs: { ...leaf.attrs, blockId } } },
      mentions: mentions.map((one) => ({ ...one, blockId })),
      marks: { spans: [spans ?? []], facts: new Map([["f_1", "f_1"]]), mint: () => "m_n", isKeeping: false },
      ...{ before: blocks.slice(0, at), after: blocks.slice(at + 1), isStart: true },
      ...{ definingBefore: [], definingAfter: [] },
    });
    if (plan === undefined) return undefined;
    const gone = plan.mentionsDropped.map(({ id, reason }) => `${id} ${reason}`);
    const written = plan.mentionsWritten.map(({ id, from, to, isNew }) => `${id} ${from}-${to} ${isNew}`);
    return [told(chapter, plan), ...gone, ...written].join("; ");
  };

  it("writes one row, in the author's spelling", () => {
    assert.equal(replaced("a\n\nbb\n", "d"), "a\n\nd\n| paragraph edited 1");
    assert.equal(replaced("- a\n-   bb\n", "bb *d*"), "- a\n-   bb *d*\n| paragraph edited 0 +1 -0");
    assert.equal(replaced("a\n\nbb\n", "bb"), "a\n\nbb\n| paragraph kept unchanged");
  });

  it("reads its mentions, also where the text stays", () => {
    const stored = [mention(0, 2)];
    assert.equal(replaced("bb\n", "bb", { mentions: stored }), "bb\n| paragraph kept; m_1 unmarked");
    assert.equal(replaced("bb\n", "bb", { span: [0, 2] }), "bb\n| paragraph kept; m_n 0-2 true");
    assert.equal(
      replaced("bb\n", "bb", { mentions: stored, span: [0, 2] }),
      "bb\n| paragraph kept unchanged",
    );
    assert.equal(replaced("bb\n", "d", { mentions: stored }), "d\n| paragraph edited 0; m_1 edited");
  });

  it("keeps a definition within its block, and is parted from one before it that would take it", () => {
    assert.equal(replaced("> [x]: /y\n>\n> bb\n", "d"), "> [x]: /y\n>\n> d\n| paragraph edited 0");
    assert.equal(replaced("[x]: /y\nbb\n", "'d'"), "[x]: /y\n\n'd'\n| paragraph edited 0");
  });
});
