import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BookId, ChapterId } from "../../src/ids.ts";
import { tokenizer } from "../../src/prose/markdown/parser.ts";
import { Conflict, NotFound } from "../../src/refusals.ts";
import { createFact, deleteFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createBook, deleteBook } from "../../src/service/books/books.ts";
import { createChapter, updateChapter } from "../../src/service/books/chapters.ts";
import { moveParagraphs } from "../../src/service/books/move-paragraphs.ts";
import { readChapter } from "../../src/service/books/read-chapter.ts";
import { joinChapters } from "../../src/service/books/split-chapter.ts";
import { restoreBook } from "../../src/service/history/restore-book.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { readDraftBase, writeDraft } from "../../src/service/interchange/write-draft.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { deleteParagraph, insertParagraphs } from "../../src/service/prose/paragraphs.ts";
import { renameFact } from "../../src/service/prose/rename-fact.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { replaceInBook } from "../../src/service/prose/replace-text.ts";
import { acceptProposal } from "../../src/service/review/accept-proposal.ts";
import { propose } from "../../src/service/review/propose.ts";
import { listProposals, readProposal } from "../../src/service/review/read-proposal.ts";
import { rejectProposal } from "../../src/service/review/reject-proposal.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript, seeded, suite } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";

const paragraphs = (mark: string) =>
  Array.from({ length: 250 }, (_, index) => `The ${mark} paragraph of number ${index}.`);

describe("a long write, planned before the file is its own", () => {
  it("is planned again if another program wrote the chapter meanwhile", (t) => {
    const bytes = seeded(3);
    let between: (() => void) | undefined;
    // New ids are made while the plan is, out of random bytes by the thousand: then the other program writes.
    const random = (length: number) => {
      const write = between;
      between = undefined;
      write?.();
      return bytes(length);
    };
    const own = manuscript(t, { random });
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    const { id } = createChapter(
      own,
      bookId,
      { title: "C", markdown: paragraphs("old").join("\n\n") },
      OWNER,
    );
    const other = openManuscript(own.store.path, { random: seeded(9) });
    t.after(() => other.close());
    const blockId = idsOf(own, id)[5] ?? "";
    between = () => replaceParagraph(other, { chapterId: id, blockId }, { markdown: "Theirs." }, OWNER);
    const text = [...paragraphs("old").toSpliced(5, 1, "Theirs."), ...paragraphs("new")].join("\n\n");
    const answer = replaceProse(own, id, { markdown: text }, OWNER);
    assert.equal(between, undefined, "the other program wrote in between");
    assert.deepEqual([...new Set(answer.blocks.slice(0, 250).map(({ status }) => status))], ["kept"]);
    assert.deepEqual(answer.blocks[5]?.blockId, blockId);
    assert.equal(textOf(own, id), text);
    undoAct(own, answer.act ?? "", OWNER);
    assert.ok(textOf(own, id).includes("Theirs."), "what the other wrote is not undone with it");
  });

  const stale = setUp();
  for (const [name, run] of Object.entries(stale.writes)) {
    for (const times of [1, 10])
      it(`${name}: stands on what another hand wrote meanwhile, ${times === 1 ? "once" : "again and again"}`, () =>
        stale.tryOne(run, times));
  }
});

describe("a proposal", () => {
  it("is weighed before others have to wait, made or rejected, not while the file is its own", (t) => {
    const own = manuscript(t);
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    const markdown = paragraphs("old").join("\n\n");
    const { id } = createChapter(own, bookId, { title: "C", markdown }, OWNER);
    const [one = "", two = ""] = idsOf(own, id);
    const parse = t.mock.method(tokenizer, "parse");
    const act = own.store.act.bind(own.store);
    const within: number[] = [];
    t.mock.method(own.store, "act", (...given: Parameters<typeof act>) => {
      const before = parse.mock.callCount();
      const acted = act(...given);
      within.push(parse.mock.callCount() - before);
      return acted;
    });
    const edits = [
      { op: "replace" as const, blockId: one, markdown: "*New.*" },
      { op: "insert_after" as const, blockId: two, markdown: "More." },
    ];
    const { proposal } = propose(own, id, { revision: 1, edits }, OWNER);
    assert.deepEqual(proposal, readProposal(own, proposal.id));
    const rejected = rejectProposal(own, proposal.id, { edits: [0] }, OWNER);
    assert.deepEqual(rejected.proposal, readProposal(own, proposal.id));
    assert.deepEqual(within, [0, 0]);
    assert.ok(parse.mock.callCount() > 0, "it was read before");
  });
});

describe("a write of two chapters, planned before the file is its own", () => {
  const { pairs, tryPair } = setUp();
  for (const [name, run] of Object.entries(pairs)) {
    for (const times of [1, 10])
      it(`${name}: stands on what another hand wrote in the other one, ${times === 1 ? "once" : "again and again"}`, () =>
        tryPair(run, times));
  }
});

describe("a book that is deleted", () => {
  const { deleteBetween } = setUp();
  it("takes with it what another hand wrote meanwhile, and tells which mentions went", deleteBetween);
});

describe("a fact that is deleted", () => {
  const { bringBackBetween } = setUp();
  it(
    "goes with its mentions, too, if another hand brought it back since it was looked for",
    bringBackBetween,
  );
});

describe("a proposal", () => {
  const { rejectBetween, removeBetween } = setUp();
  it("is refused if another hand took its paragraph out since it was read", removeBetween);
  it("that is accepted leaves out what another hand rejected since it was planned", rejectBetween);
});

type Ids = { bookId: BookId; id: ChapterId; blocks: string[] };

/** A manuscript in which another hand writes after each plan, before its act. */
function setUp() {
  const scope = suite();
  const own = manuscript(scope);
  const other = openManuscript(own.store.path, { random: seeded(9) });
  scope.after(() => other.close());
  const { store } = own;
  const snapshot = store.snapshot.bind(store);
  let between: (() => void) | undefined;
  store.snapshot = (read) => {
    const isOutside = store.openAct === undefined;
    const result = snapshot(read);
    if (isOutside) between?.();
    return result;
  };
  const writes: Record<string, (ids: Ids) => string> = {
    replaceParagraph: ({ id, blocks }) => {
      replaceParagraph(own, { chapterId: id, blockId: blocks[6] ?? "" }, { markdown: "Mine." }, OWNER);
      return "Mine.";
    },
    insertParagraphs: ({ id, blocks }) => {
      insertParagraphs(own, id, { after: blocks[4] ?? "", markdown: "Between." }, OWNER);
      return "Between.\n\nTheirs";
    },
    deleteParagraph: ({ id, blocks }) => {
      deleteParagraph(own, { chapterId: id, blockId: blocks[4] ?? "" }, OWNER);
      return "number 3.\n\nTheirs";
    },
    updateChapter: ({ id }) => {
      updateChapter(own, id, { title: "Another" }, OWNER);
      return "# Another";
    },
    replaceInBook: ({ bookId }) => {
      const { replaced } = replaceInBook(own, bookId, { find: "paragraph", with: "passage" }, OWNER);
      assert.equal(replaced, 9);
      return "The old passage";
    },
    renameFact: ({ bookId }) => {
      const { id: fact } = createFact(own, bookId, { name: "Theirs" }, OWNER);
      const { replaced } = renameFact(own, fact, { name: "Ours", prose: true, alias: false }, OWNER);
      assert.equal(replaced, 1);
      return "Ours.";
    },
    reanchorMentions: ({ bookId }) => {
      createFact(own, bookId, { name: "Theirs" }, OWNER);
      assert.equal(reanchorMentions(own, bookId, OWNER).anchored, 1);
      return "Theirs.";
    },
    deleteFact: ({ bookId }) => {
      const { id: fact } = createFact(own, bookId, { name: "old" }, OWNER);
      reanchorMentions(other, bookId, OWNER);
      assert.equal(deleteFact(own, fact, OWNER).mentionsDropped.length, 9);
      return "Theirs.";
    },
    undoAct: ({ id, blocks }) => {
      const place = { chapterId: id, blockId: blocks[5] ?? "" };
      const { act } = replaceParagraph(other, place, { markdown: "Mine." }, OWNER);
      assert.throws(() => undoAct(own, act ?? "", OWNER), Conflict);
      return "number 4.\n\nTheirs.";
    },
    restoreBook: ({ bookId, id, blocks }) => {
      const place = { chapterId: id, blockId: blocks[5] ?? "" };
      const { act } = replaceParagraph(other, place, { markdown: "Ours." }, OWNER);
      restoreBook(own, bookId, { to: act ?? "" }, OWNER);
      return "number 4.\n\nOurs.";
    },
    writeDraft: ({ id }) => {
      const base = readDraftBase(other, id);
      writeDraft(own, id, { markdown: `${base.markdown}\n\nMore.`, base }, OWNER);
      return "More.";
    },
  };
  const tryOne = (run: (ids: Ids) => string, times: number) => {
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    const markdown = `# C\n\n${paragraphs("old").slice(0, 10).join("\n\n")}`;
    const { id } = createChapter(own, bookId, { title: "C", markdown }, OWNER);
    const blocks = idsOf(own, id).slice(1);
    let left = times;
    between = () => {
      if (left-- <= 0) return;
      const text = `Theirs.${"!".repeat(left)}`;
      replaceParagraph(other, { chapterId: id, blockId: blocks[5] ?? "" }, { markdown: text }, OWNER);
    };
    const expected = run({ bookId, id, blocks });
    between = undefined;
    assert.ok(left < times, "another hand wrote in between");
    const text = textOf(own, id);
    assert.ok(text.includes(expected), text);
    assert.match(text, /Theirs\.|Ours\./);
    assertSound(store);
  };
  const pairs: Record<string, (one: ChapterId, next: ChapterId) => ChapterId[]> = {
    joinChapters: (one, next) => {
      joinChapters(own, one, { chapterId: next }, OWNER);
      return [one];
    },
    "joinChapters with the next": (one) => {
      joinChapters(own, one, {}, OWNER);
      return [one];
    },
    moveParagraphs: (one, next) => {
      moveParagraphs(own, one, { blockIds: idsOf(other, one).slice(0, 1), toChapterId: next }, OWNER);
      return [one, next];
    },
  };
  const tryPair = (run: (typeof pairs)[string], times: number) => {
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    const make = (title: string, markdown: string) =>
      createChapter(own, bookId, { title, markdown }, OWNER).id;
    const [one, next] = [make("One", "First.\n\nSecond."), make("Next", "Third.\n\nFourth.")];
    const blockId = idsOf(own, next)[1] ?? "";
    let left = times;
    between = () => {
      if (left-- > 0)
        replaceParagraph(other, { chapterId: next, blockId }, { markdown: `Theirs ${left}.` }, OWNER);
    };
    const chapters = run(one, next);
    between = undefined;
    assert.ok(left < times, "another hand wrote in between");
    const text = chapters.map((id) => textOf(own, id)).join("\n\n");
    const written = `Theirs ${Math.max(0, left)}.`;
    assert.deepEqual(text.match(/\w+(?: \d)?\./g)?.sort(), ["First.", "Second.", written, "Third."].sort());
    assertSound(store);
  };
  const rejectBetween = () => {
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    const markdown = paragraphs("old").slice(0, 10).join("\n\n");
    const { id } = createChapter(own, bookId, { title: "C", markdown }, OWNER);
    const { id: proposal } = propose(own, id, { revision: 1, edits: deletions(idsOf(own, id)) }, OWNER);
    between = () => {
      between = undefined;
      rejectProposal(other, proposal, { edits: [1] }, OWNER);
    };
    const { accepted } = acceptProposal(own, proposal, {}, OWNER);
    assert.equal(between, undefined, "another hand decided in between");
    assert.deepEqual(accepted, [0]);
    const text = textOf(own, id);
    assert.ok(!text.includes("number 1.") && text.includes("number 7."), text);
  };
  const deleteBetween = () => {
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    const markdown = paragraphs("old").slice(0, 10).join("\n\n");
    const { id } = createChapter(own, bookId, { title: "C", markdown }, OWNER);
    const blockId = idsOf(own, id)[5] ?? "";
    createFact(own, bookId, { name: "old" }, OWNER);
    reanchorMentions(own, bookId, OWNER);
    between = () => {
      between = undefined;
      replaceParagraph(other, { chapterId: id, blockId }, { markdown: "Theirs." }, OWNER);
    };
    const { act, mentionsDropped } = deleteBook(own, bookId, OWNER);
    assert.equal(between, undefined, "another hand wrote in between");
    assert.equal(mentionsDropped.length, 9);
    undoAct(own, act ?? "", OWNER);
    assert.ok(textOf(own, id).includes("Theirs."));
    assertSound(store);
  };
  const bringBackBetween = () => {
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    createChapter(own, bookId, { title: "C", markdown: "An old one." }, OWNER);
    const { id: fact } = createFact(own, bookId, { name: "old" }, OWNER);
    reanchorMentions(own, bookId, OWNER);
    const { act } = deleteFact(other, fact, OWNER);
    between = () => {
      between = undefined;
      undoAct(other, act ?? "", OWNER);
    };
    assert.equal(deleteFact(own, fact, OWNER).mentionsDropped.length, 1);
    assert.equal(between, undefined, "another hand wrote in between");
    assertSound(store);
  };
  const removeBetween = () => {
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    const { id } = createChapter(own, bookId, { title: "C", markdown: "One.\n\nTwo." }, OWNER);
    const [, blockId = ""] = idsOf(own, id);
    between = () => {
      between = undefined;
      deleteParagraph(other, { chapterId: id, blockId }, OWNER);
    };
    const edits = [{ op: "replace" as const, blockId, markdown: "Mine." }];
    assert.throws(() => propose(own, id, { revision: 1, edits }, OWNER), NotFound);
    assert.equal(between, undefined, "another hand wrote in between");
    assert.deepEqual(listProposals(own, bookId, {}).proposals, []);
  };
  return { writes, tryOne, pairs, tryPair, rejectBetween, deleteBetween, bringBackBetween, removeBetween };
}

function deletions(blocks: readonly string[]) {
  return [1, 7].map((at) => ({ op: "delete" as const, blockId: blocks[at] ?? "" }));
}

function read(own: Parameters<typeof readChapter>[0], id: ChapterId, format: "doc" | "markdown") {
  return JSON.parse(String(readChapter(own, id, { format }).body));
}

function textOf(own: Parameters<typeof readChapter>[0], id: ChapterId): string {
  return read(own, id, "markdown").markdown.trim();
}

function idsOf(own: Parameters<typeof readChapter>[0], id: ChapterId): string[] {
  return read(own, id, "doc").doc.content.map(({ attrs }: { attrs: { blockId: string } }) => attrs.blockId);
}
