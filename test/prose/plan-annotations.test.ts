import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Leaf } from "../../src/prose/document/leaves.ts";
import type { TextEdit } from "../../src/prose/document/text-edit.ts";
import type { StoredMention } from "../../src/prose/plan.ts";
import {
  type LeafChanges,
  type MentionPolicy,
  planMentions,
  planSnippets,
  quoteParagraph,
} from "../../src/prose/plan-annotations.ts";

const leaf = (blockId: string | null, text: string): Leaf => ({
  ...{ blockId, text, breaks: [] },
  node: { type: "paragraph", content: [{ type: "text", text }] },
});

/** Three leaves: `b_1` stays, `b_2` has other words, `b_3` is gone and in `b_1` now; a new one comes first. */
const CHANGES: LeafChanges = {
  old: [leaf("b_1", "Mara came"), leaf("b_2", "Mara went"), leaf("b_3", "Mara")],
  next: [leaf(null, "new"), leaf(null, "Mara came"), leaf(null, "then Mara went")],
  ids: ["b_n", "b_1", "b_2"],
  from: [-1, 0, 1],
  into: [-1, -1, 1],
};

const mention = (blockId: string, own: Partial<StoredMention> = {}): StoredMention => ({
  ...{ id: `m_${blockId.slice(2)}`, factId: "f_1", name: "Mara", blockId, from: 0, to: 4, text: "Mara" },
  ...own,
});
const MENTIONS = [mention("b_1"), mention("b_2"), mention("b_3")];

/** Which go and why, which are written where, and what is warned of. */
function told(
  policy: MentionPolicy,
  changes: Partial<LeafChanges> = {},
  marks?: Parameters<typeof planMentions>[3],
): string {
  const plan = planMentions({ mentions: MENTIONS }, { ...CHANGES, ...changes }, policy, marks);
  const gone = plan.mentionsDropped.map(({ id, reason }) => `${id} ${reason}`);
  const written = plan.mentionsWritten.map(
    ({ id, blockId, from, to, text, isNew }) =>
      `${id} ${isNew ? "new " : ""}${blockId} ${from}-${to} ${text}`,
  );
  return [...gone, ...written, ...plan.warnings].join("; ");
}

const edit = (from: number, to: number, insert: string): TextEdit => ({ from, to, insert });
const edits = (...list: TextEdit[]) => ({ edits: new Map([["b_2", list]]) });

describe("planMentions", () => {
  it("keeps those on text that stays, or drops all where Markdown is the whole truth", () => {
    assert.equal(told("keep"), "m_2 edited; m_3 removed");
    assert.equal(told("markdown"), "m_1 markdown; m_2 edited; m_3 removed");
  });

  it("moves one with its words where the edits are known", () => {
    assert.equal(told("keep", edits(edit(0, 0, "then "))), "m_3 removed; m_2 b_2 5-9 Mara");
    assert.equal(told("keep", edits(edit(5, 9, "left"))), "m_3 removed");
    assert.equal(told("keep", edits(edit(0, 4, "Mary"))), "m_2 edited; m_3 removed");
    assert.equal(told("keep", { edits: new Map([["b_9", []]]) }), "m_2 edited; m_3 removed");
    assert.equal(told("keep", { edits: new Map([["b_1", [edit(0, 0, "x")]]]) }), "m_2 edited; m_3 removed");
  });

  it("changes one with its words where those are its fact's name", () => {
    const renaming = { ...edits(edit(0, 4, "Mary")), renamed: "f_1" };
    assert.equal(told("keep", renaming), "m_3 removed; m_2 b_2 0-4 Mary");
    assert.equal(told("keep", { ...renaming, renamed: "f_2" }), "m_2 edited; m_3 removed");
  });

  it("reads a document's marks: known ones stay, others are new, what it lacks goes", () => {
    const span = (from: number, to: number, mentionId: string | null = null, factId = "f_1") => ({
      ...{ from, to, text: "Mara", factId, mentionId },
    });
    const marks = (spans: ReturnType<typeof span>[][], isKeeping = false) => {
      let minted = 0;
      return {
        spans,
        facts: new Map([
          ["f_1", "f_1"],
          ["f_2", "f_1"],
        ]),
        mint: () => `m_n${++minted}`,
        isKeeping,
      };
    };
    const read = (spans: ReturnType<typeof span>[][], isKeeping?: boolean) =>
      told("document", {}, marks(spans, isKeeping));
    const gone = "m_2 edited; m_3 removed";
    assert.equal(told("document"), gone);
    assert.equal(read([[], [span(0, 4)], []]), gone);
    assert.equal(read([[], [span(0, 4, "m_1")], []]), gone);
    assert.equal(read([[], [], []]), `${gone}; m_1 unmarked`);
    assert.equal(read([[], [span(1, 4, "m_1")], []]), `${gone}; m_1 b_1 1-4 Mara`);
    assert.equal(read([[span(0, 4)], [span(0, 4)], []]), `${gone}; m_n1 new b_n 0-4 Mara`);
    assert.equal(read([[span(0, 4, "m_1")], [], []]), `${gone}; m_1 b_n 0-4 Mara`);
    assert.equal(read([[], [span(0, 4), span(0, 4)], []]), gone);
    assert.equal(read([[], [span(0, 4)], [span(5, 9)]]), `${gone}; marks_on_edited_text: b_2`);
    assert.equal(read([[], [span(5, 9)], []]), `${gone}; m_1 unmarked; m_n1 new b_1 5-9 Mara`);
    // The fact of the first was merged into that of the other.
    assert.equal(read([[], [span(0, 4, null, "f_2"), span(0, 4, "m_1")], []]), gone);
    assert.equal(read([[], [span(0, 4, "m_1", "f_2")], []]), gone);
    const unknown = read([[], [span(0, 4, "m_1", "f_9"), span(1, 2, null, "f_9")], []]);
    assert.equal(unknown, `${gone}; m_1 unknown_fact; unknown_fact: f_9 in b_1; unknown_fact: f_9 in b_1`);
    const keeping = (...spans: ReturnType<typeof span>[]) => read([[], [span(0, 4)], spans], true);
    assert.equal(keeping(span(5, 9, "m_2")), "m_3 removed; m_2 b_2 5-9 Mara");
    assert.equal(keeping(span(0, 4, "m_3")), "m_2 edited; m_3 b_2 0-4 Mara");
    assert.equal(keeping({ ...span(5, 9, "m_2"), text: "went" }), gone);
    assert.equal(keeping(span(0, 4)), `${gone}; m_n1 new b_2 0-4 Mara`);
    assert.equal(keeping(), gone);
  });
});

describe("planSnippets", () => {
  it("leaves notes where their paragraph stays, moves, detaches or attaches the others", () => {
    const note = (id: string, blockId: string | null, lost: string | null = null) => ({
      ...{ id, blockId, lost },
      kind: "note",
    });
    const notes = [note("s_1", "b_1"), note("s_2", "b_2"), note("s_3", "b_3"), note("s_9", "b_9")];
    const apart = [note("s_4", null, "b_n"), note("s_5", null, "b_3"), note("s_6", null)];
    const plan = (changes: Partial<LeafChanges> = {}) =>
      planSnippets({ snippets: [...notes, ...apart] }, { ...CHANGES, ...changes });
    assert.deepEqual(plan(), {
      snippetsMoved: [{ id: "s_3", from: "b_3", to: "b_1" }],
      snippetsDetached: [{ id: "s_9", kind: "note", blockId: "b_9", quote: "" }],
      snippetsAttached: [{ id: "s_4", blockId: "b_n" }],
    });
    const { snippetsDetached, snippetsMoved } = plan({ into: [-1, -1, -1] });
    assert.deepEqual(snippetsMoved, []);
    assert.deepEqual(snippetsDetached[0], { id: "s_3", kind: "note", blockId: "b_3", quote: "Mara" });
  });
});

describe("quoteParagraph", () => {
  it("is at most 200 units, and never half a character", () => {
    const a = "a".repeat(198);
    assert.equal(quoteParagraph(`${a}bc`), `${a}bc`);
    assert.equal(quoteParagraph(`${a}bcd`), `${a}b…`);
    assert.equal(quoteParagraph(`${a}\u{1f600}d`), `${a}…`);
    assert.equal(quoteParagraph(`\ufffd${a}\ufffdde`), `\ufffd${a}…`);
  });
});
