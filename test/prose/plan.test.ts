import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mapLeaves } from "../../src/prose/document/leaves.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import type { ProsePlan, StoredAnnotations } from "../../src/prose/plan.ts";
import { planReplace } from "../../src/prose/plan-chapter.ts";
import { store } from "./fidelity.ts";

const NONE: StoredAnnotations = { mentions: [], snippets: [] };
const OPTIONS = { foreign: new Set(["b_far"]), former: new Set(["b_old"]), policy: "keep" as const };

/** What a document does to a chapter: its blocks as Markdown, each leaf's id before it in brackets, if it brings one. */
function planned(
  markdown: string,
  document: string,
  annotations: Partial<StoredAnnotations> = {},
): ProsePlan {
  const nodes = parseMarkdown(document).blocks.map(({ node }) =>
    mapLeaves(node, (leaf) => {
      const [first, ...rest] = leaf.content ?? [];
      const { id = null, text } = /^(?:(?<id>b_\w+): ?)?(?<text>.*)$/s.exec(first?.text ?? "")?.groups ?? {};
      const content =
        first === undefined ? [] : [...(text === "" ? [] : [{ ...first, text: text! }]), ...rest]; // it matches
      return { ...leaf, ...(content.length > 0 && { content }), attrs: { ...leaf.attrs, blockId: id } };
    }),
  );
  let minted = 0;
  const mintBlock = () => `b_n${++minted}`;
  const chapter = store(parseMarkdown(markdown));
  return planReplace(
    chapter,
    { nodes },
    { mentions: [], snippets: [], ...annotations },
    { ...OPTIONS, mintBlock },
  );
}

/** In a line: what became of each leaf, what is gone, which rows are written or removed, and the words. */
function told({ leaves, removed, blocks, removedRows, words, warnings, changed }: ProsePlan): string {
  const written = blocks.flatMap(({ row, written }) => (written ? [row ?? "new"] : []));
  const parts: [string, readonly string[]][] = [
    ["", leaves.map(({ blockId, status }) => `${blockId} ${status}`)],
    ["gone ", removed.map(({ blockId, text }) => `${blockId} ${text}`)],
    ["rows ", [...written, ...removedRows.map((row) => `-${row}`)]],
    ["words ", words.added + words.removed === 0 ? [] : [`+${words.added} -${words.removed}`]],
    ["warned ", warnings],
    ["", changed ? [] : ["unchanged"]],
  ];
  return parts.flatMap(([name, list]) => (list.length === 0 ? [] : [name + list.join(", ")])).join("; ");
}

const CASES: [promise: string, before: string, after: string, expected: string][] = [
  [
    "a break behind one that stays, not the first of its like",
    "a\n\n***\n\nb\n\n***\n\nc",
    "b_3: b\n\n***\n\nunlike all",
    "b_3 kept, b_4 kept, b_n1 new; gone b_1 a, b_2 , b_5 c; rows new, -new0, -new1, -new4; words +2 -2",
  ],
  [
    "a break before one that stays, not the first of its like",
    "a\n\n***\n\nb\n\n***\n\nc",
    "unlike all\n\n***\n\nb_5: c",
    "b_n1 new, b_4 kept, b_5 kept; gone b_1 a, b_2 , b_3 b; rows new, -new0, -new1, -new2; words +2 -2",
  ],
  [
    "two breaks before one that stays",
    "***\n\nx\n\n***\n\n***\n\nc",
    "unlike all\n\n***\n\n***\n\nb_5: c",
    "b_n1 new, b_3 kept, b_4 kept, b_5 kept; gone b_1 , b_2 x; rows new, -new0, -new1; words +2 -1",
  ],
  [
    "two breaks behind one that stays",
    "x\n\n***\n\ny\n\na\n\n***\n\n***",
    "b_4: a\n\n***\n\n***\n\nunlike all",
    "b_4 kept, b_5 kept, b_6 kept, b_n1 new; gone b_1 x, b_2 , b_3 y; rows new5, new, -new0, -new1, -new2; words +2 -2",
  ],
  [
    "the last break of all at the end",
    "***\n\na\n\n***",
    "unlike all\n\nb_2: a\n\nunlike too\n\n***",
    "b_n1 new, b_2 kept, b_n2 new, b_3 kept; gone b_1 ; rows new, new, -new0; words +4 -0",
  ],
  ["nothing", "a one\n\nb two", "b_1: a one\n\nb_2: b two", "b_1 kept, b_2 kept; unchanged"],
  ["nothing by text", "a one\n\nb two", "a one\n\nb two", "b_1 kept, b_2 kept; unchanged"],
  [
    "a word more, a word less",
    "a one two\n\nb three\n\nc",
    "b_1: a one\n\nb_2: b three four\n\nb_3: c",
    "b_1 edited, b_2 edited, b_3 kept; rows new0, new1; words +1 -1",
  ],
  [
    "words moved from one to the other",
    "a one two\n\nb",
    "b_1: a\n\nb_2: b one two",
    "b_1 edited, b_2 edited; rows new0, new1; words +2 -2",
  ],
  [
    "a paragraph that moves",
    "a\n\nb\n\nc",
    "b_3: c\n\nb_1: a\n\nb_2: b",
    "b_3 moved, b_1 kept, b_2 kept; rows new2, new1",
  ],
  [
    "a paragraph that moves and changes",
    "a x y\n\nb\n\nc",
    "b_2: b\n\nb_3: c\n\nb_1: a x z",
    "b_2 kept, b_3 kept, b_1 edited; rows new2, new0",
  ],
  [
    "a paragraph gone",
    "a\n\nb two\n\nc",
    "b_1: a\n\nb_3: c",
    "b_1 kept, b_3 kept; gone b_2 b two; rows -new1; words +0 -2",
  ],
  [
    "a paragraph new",
    "a\n\nb",
    "b_1: a\n\nnew and unlike\n\nb_2: b",
    "b_1 kept, b_n1 new, b_2 kept; rows new; words +3 -0",
  ],
  ["all gone", "a\n\nb c", "", "gone b_1 a, b_2 b c; rows -new0, -new1; words +0 -3"],
  [
    "an id twice, from elsewhere, never seen, once here",
    "a\n\nb",
    "b_1: a\n\nb_1: x\n\nb_far: y\n\nb_none: z\n\nb_old: w\n\nb_2: b",
    "b_1 kept, b_n1 new, b_n2 new, b_n3 new, b_old new, b_2 kept; rows new, new, new, new; words +4 -0; warned duplicate_id: b_1 became b_n1, foreign_id: b_far became b_n2, unknown_id: b_none became b_n3",
  ],
  [
    "a break between two that stay",
    "a\n\n***\n\nb",
    "b_1: a\n\n***\n\nb_3: b",
    "b_1 kept, b_2 kept, b_3 kept; unchanged",
  ],
  [
    "a break of two gone, the first",
    "a\n\n***\n\nb\n\n***\n\nc",
    "b_1: a\n\nb_3: b\n\n***\n\nb_5: c",
    "b_1 kept, b_3 kept, b_4 kept, b_5 kept; gone b_2 ; rows -new1",
  ],
  [
    "a break of two gone, the last",
    "a\n\n***\n\nb\n\n***\n\nc",
    "b_1: a\n\n***\n\nb_3: b\n\nb_5: c",
    "b_1 kept, b_2 kept, b_3 kept, b_5 kept; gone b_4 ; rows -new3",
  ],
  [
    "a break at the start, one at the end",
    "***\n\na\n\n***",
    "***\n\nb_2: a\n\n***",
    "b_1 kept, b_2 kept, b_3 kept; unchanged",
  ],
  [
    "a break that follows what follows it",
    "a\n\nb\n\n***\n\nc",
    "b_2: b\n\nb_1: a\n\n***\n\nb_4: c",
    "b_2 moved, b_1 kept, b_3 kept, b_4 kept",
  ],
  [
    "two breaks in a row beside one that stays",
    "a\n\n***\n\n***\n\nb",
    "b_1: a\n\n***\n\n***\n\nb_4: b",
    "b_1 kept, b_2 kept, b_3 kept, b_4 kept; unchanged",
  ],
  [
    "a paragraph that becomes a heading",
    "a one\n\nb",
    "# b_1: a one\n\nb_2: b",
    "b_1 edited, b_2 kept; rows new0",
  ],
  ["a heading's level", "# a one\n\nb", "## b_1: a one\n\nb_2: b", "b_1 edited, b_2 kept; rows new0"],
  ["a mark alone", "a one\n\nb", "b_1: a *one*\n\nb_2: b", "b_1 edited, b_2 kept; rows new0"],
  [
    "entries that change places",
    "- a\n- b\n\nc",
    "- b_2: b\n- b_1: a\n\nb_3: c",
    "b_2 moved, b_1 kept, b_3 kept; rows new0",
  ],
  [
    "entries of the same words whose ids change places",
    "- a\n- a\n\nc",
    "- b_2: a\n- b_1: a\n\nb_3: c",
    "b_2 moved, b_1 kept, b_3 kept; rows new0",
  ],
  [
    "two of three entries whose ids change places",
    "- a\n- b\n- b\n\nc",
    "- b_1: a\n- b_3: b\n- b_2: b\n\nb_4: c",
    "b_1 kept, b_3 moved, b_2 kept, b_4 kept; rows new0",
  ],
  [
    "two lists that become one",
    "- a\n- b\n\nx\n\n1. c\n2. d",
    "- b_1: a\n- b_2: b\n- b_4: c\n- b_5: d",
    "b_1 kept, b_2 kept, b_4 kept, b_5 kept; gone b_3 x; rows new0, -new1, -new2; words +0 -1",
  ],
  [
    "a list that becomes two",
    "- a\n- b\n- c\n- d",
    "- b_1: a\n- b_2: b\n\nnew\n\n- b_3: c\n- b_4: d",
    "b_1 kept, b_2 kept, b_n1 new, b_3 kept, b_4 kept; rows new0, new, new; words +1 -0",
  ],
  [
    "a paragraph joined to the one before",
    "The first one.\n\nThe second, much longer than that.\n\nc",
    "b_1: The first one. The second, much longer than that.\n\nb_3: c",
    "b_1 edited, b_3 kept; gone b_2 The second, much longer than that.; rows new0, -new1; words +6 -6",
  ],
  [
    "a paragraph split",
    "The first one. The second, much longer than that.\n\nc",
    "b_1: The first one.\n\nThe second, much longer than that.\n\nb_2: c",
    "b_1 edited, b_n1 new, b_2 kept; rows new0, new; words +6 -6",
  ],
];

describe("planReplace", () => {
  for (const [promise, before, after, expected] of CASES)
    it(promise, () => assert.equal(told(planned(before, after)), expected));

  it("moves notes with what absorbed their paragraph, detaches others with a quote, attaches what comes back", () => {
    const note = (id: string, blockId: string | null, lost: string | null = null) => ({
      ...{ id, blockId, lost },
      kind: "note",
    });
    const snippets = [
      ...[note("s_1", "b_1"), note("s_2", "b_2"), note("s_4", "b_4")],
      ...[note("s_5", null, "b_old"), note("s_6", null, "b_far"), note("s_7", null)],
    ];
    const before = `The first one.\n\nThe second, much longer than that.\n\nc\n\n${"e".repeat(199)}\u{1f600} f`;
    const after = "b_1: The first one. The second, much longer than that.\n\nb_3: c\n\nb_old: d";
    const plan = planned(before, after, { snippets });
    assert.deepEqual(plan.snippetsMoved, [{ id: "s_2", from: "b_2", to: "b_1" }]);
    assert.deepEqual(plan.snippetsAttached, [{ id: "s_5", blockId: "b_old" }]);
    const quote = `${"e".repeat(199)}…`;
    assert.deepEqual(plan.snippetsDetached, [{ id: "s_4", kind: "note", blockId: "b_4", quote }]);
  });

  it("keeps of two that say the same the one with a note or a mention", () => {
    const [before, after] = ["same\n\nsame\n\nz", "same\n\nz"];
    const mention = { id: "m_1", factId: "f_1", name: "S", blockId: "b_2", from: 0, to: 4, text: "same" };
    const snippets = [
      { id: "s_1", kind: "note", blockId: "b_2", lost: null },
      { id: "s_2", kind: "note", blockId: null, lost: null },
    ];
    const kept = (given: Partial<StoredAnnotations>) => told(planned(before, after, given)).slice(0, 8);
    const none = kept({});
    assert.deepEqual(
      [none, kept({ snippets }), kept({ mentions: [mention] })],
      ["b_1 kept", "b_2 kept", "b_2 kept"],
    );
  });

  it("counts no words of what comes from another chapter or goes to one, and drops mentions on what changes as it goes", () => {
    const stored = store(parseMarkdown("a one\n\nb two\n\nc\n"));
    const mention = (blockId: string) => ({
      ...{ id: `m${blockId}`, factId: "f_1", name: "S", blockId, from: 0, to: 1, text: "s" },
    });
    const note = (blockId: string) => ({ id: `s${blockId}`, kind: "note", blockId, lost: null });
    const ids = ["b_1", "b_2", "b_3"];
    const [node] = parseMarkdown("from elsewhere\n").blocks;
    const come = mapLeaves(node!.node, (leaf) => ({ ...leaf, attrs: { blockId: "b_old" } })); // one is written
    const plan = planReplace(
      stored,
      { nodes: [stored.blocks[2]!.node, come] }, // three are stored
      { mentions: ids.map(mention), snippets: ids.map(note) },
      {
        ...{ ...OPTIONS, mintBlock: () => "b_n", arrived: new Set(["b_old"]) },
        left: new Map([
          ["b_1", { isEdited: true }],
          ["b_2", { isEdited: false }],
        ]),
      },
    );
    assert.equal(told(plan), "b_3 kept, b_old moved; rows new2, new, -new0, -new1");
    assert.deepEqual(
      plan.mentionsDropped.map(({ id, reason }) => `${id} ${reason}`),
      ["mb_1 edited"],
    );
    assert.deepEqual([plan.snippetsDetached, plan.snippetsMoved], [[], []]);
  });

  it("calls a chapter changed where only what comes before its first block is, or its byte order mark", () => {
    const stored = store(parseMarkdown("a\n"));
    const isChanged = (markdown: string) =>
      planReplace(stored, parseMarkdown(markdown), NONE, { ...OPTIONS, mintBlock: () => "b_n" }).changed;
    assert.deepEqual(["a\n", "\na\n", "\ufeffa\n"].map(isChanged), [false, true, true]);
  });
});
