import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ProposalHead,
  type ProposedEdit,
  undecidedByChapter,
  wordsOf,
} from "../../src/web/client/views/proposals/groups.ts";

const head = (id: string, chapterId: string, open = 1, stale = 0) =>
  ({
    id,
    chapterId,
    chapterTitle: `Chapter ${chapterId}`,
    counts: { open, stale, accepted: 1, rejected: 1 },
  }) as ProposalHead;

describe("undecidedByChapter", () => {
  const shape = (all: readonly ProposalHead[], most: number) =>
    undecidedByChapter(all, most).map(({ title, proposals }) => [title, ...proposals.map(({ id }) => id)]);

  it("keeps the order of the chapters, turns round that within each, and leaves out what is decided", () => {
    const all = [head("a", "1"), head("b", "1", 0, 1), head("c", "1", 0, 0), head("d", "2")];
    assert.deepEqual(shape(all, 9), [
      ["Chapter 1", "b", "a"],
      ["Chapter 2", "d"],
    ]);
    assert.deepEqual(shape([], 9), []);
  });

  it("stops at so many, without empty chapters", () => {
    const all = [head("a", "1"), head("b", "1"), head("c", "2"), head("d", "3")];
    assert.deepEqual(shape(all, 1), [["Chapter 1", "b"]]);
    assert.deepEqual(shape(all, 3), [
      ["Chapter 1", "b", "a"],
      ["Chapter 2", "c"],
    ]);
  });
});

it("a wording begins with what accepting would leave, of a stale edit with what was proposed", () => {
  const changes = [
    { op: "same", text: "The last " },
    { op: "removed", text: "ship" },
    { op: "added", text: "ferry" },
    { op: "same", text: "." },
  ];
  const edit = { status: "open", changes, markdown: "The ferry." } as ProposedEdit;
  assert.equal(wordsOf(edit), "The last ferry.");
  assert.equal(wordsOf({ ...edit, status: "stale" }), "The ferry.");
});
