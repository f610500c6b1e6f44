import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ENDPOINTS, type EndpointId, endpoints, siblings } from "../../src/contract/index.ts";
import { validate } from "../../src/contract/validate.ts";
import { HANDLERS } from "../../src/http/handlers.ts";
import type { ChapterId } from "../../src/ids.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter, deleteChapter, updateChapter } from "../../src/service/books/chapters.ts";
import { actsSince, undoAct, undoSince } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { dump } from "../support/dump.ts";
import { OWNER, type Sample, withSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";

interface Case {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Done before, so that there is something to write over. */
  first?: (own: Manuscript, sample: Sample) => Promise<Record<string, string> | undefined>;
  /** The body, from what was done before. */
  bodyOf?: (done: Record<string, string>) => unknown;
}

const P = (params: Record<string, string>, body?: unknown): Case => ({ params, body });

/** What each writing route is tried with. A route that is not here fails the last test. */
const CASES: Partial<Record<EndpointId, (sample: Sample) => Case>> = {
  createBook: () => ({ body: { title: "New" } }),
  updateBook: ({ bookId }) => P({ bookId }, { title: "Other" }),
  deleteBook: ({ bookId }) => P({ bookId }),
  setGoal: ({ bookId }) => P({ bookId }, { targetWords: 5, dailyWords: 2 }),
  deleteGoal: ({ bookId }) => P({ bookId }),
  createPart: ({ bookId }) => P({ bookId }, { title: "Between", position: 2 }),
  updatePart: ({ partId }) => P({ partId }, { title: "Renamed", position: 2 }),
  deletePart: ({ partId }) => P({ partId }),
  createChapter: ({ bookId, partId }) =>
    P({ bookId }, { title: "Third", partId, markdown: "Prose.\n\nMore.\n" }),
  updateChapter: ({ chapterId, otherPartId }) => P({ chapterId }, { title: "Moved", partId: otherPartId }),
  deleteChapter: ({ chapterId }) => P({ chapterId }),
  replaceProse: ({ chapterId }) => P({ chapterId }, { markdown: "All new.\n\n- rope\n- sail\n" }),
  replaceParagraph: ({ chapterId, blockId }) => P({ chapterId, blockId }, { markdown: "Nobody came." }),
  insertParagraphs: ({ chapterId, blockId }) =>
    P({ chapterId }, { after: blockId, markdown: "Fog.\n\n- sail\n" }),
  deleteParagraph: ({ chapterId, blockId }) => P({ chapterId, blockId }),
  replaceInBook: ({ bookId }) => P({ bookId }, { find: "ferry", with: "gull" }),
  setStatus: ({ chapterId }) => P({ chapterId }, { status: "done" }),
  saveSynopsis: ({ chapterId }) => P({ chapterId }, { synopsis: "" }),
  splitChapter: ({ chapterId, blockId }) => P({ chapterId }, { blockId, title: "Before" }),
  joinChapters: ({ chapterId }) => P({ chapterId }, {}),
  moveParagraphs: ({ chapterId, otherChapterId, blockId }) =>
    P({ chapterId }, { blockIds: [blockId], toChapterId: otherChapterId }),
  restoreRevision: ({ chapterId, blockId }) => ({
    params: { chapterId },
    body: { revision: 1 },
    first: (own) => call(own, "replaceParagraph", P({ chapterId, blockId }, { markdown: "Nobody." })),
  }),
  createFact: ({ bookId }) =>
    P({ bookId }, { name: "Bell", aliases: ["the bell"], attributes: [{ key: "a", value: "b" }] }),
  updateFact: ({ factId }) => P({ factId }, { name: "Maria", summary: "" }),
  mergeFacts: ({ factId, otherFactId }) => ({ body: { keepId: factId, dropId: otherFactId } }),
  deleteFact: ({ factId }) => P({ factId }),
  propose: ({ chapterId, blockId }) =>
    P({ chapterId }, { revision: 1, edits: [{ op: "delete", blockId }], reason: "Cut." }),
  acceptProposal: (sample) => ({ first: (own) => proposed(own, sample), body: {} }),
  rejectProposal: (sample) => ({ first: (own) => proposed(own, sample), body: { edits: [1] } }),
  acceptProposals: ({ chapterId, blockId }) => {
    const occurrences = [{ blockId, from: 48, to: 52 }];
    const proposals = [{ id: "pr_1", type: "new_fact", name: "Bell", kind: "object", occurrences }];
    return P({ chapterId }, { revision: 1, proposals });
  },
  dismissFindings: ({ bookId }) => P({ bookId }, { ids: ["fi_1", "pr_1"] }),
  anchorMentions: ({ chapterId, blockId, otherFactId }) =>
    P({ chapterId }, { revision: 1, mentions: [{ factId: otherFactId, blockId, from: 0, to: 4 }] }),
  reanchorMentions: ({ bookId, chapterId, blockId }) => ({
    params: { bookId },
    first: (own) =>
      call(own, "replaceParagraph", P({ chapterId, blockId }, { markdown: "Mara and old Tobit." })),
  }),
  createSnippet: ({ bookId, blockId }) =>
    P({ bookId }, { kind: "reference", blockId, url: "https://example.org/" }),
  updateSnippet: ({ snippetId }) => P({ snippetId }, { kind: "research", text: "Else.", blockId: null }),
  deleteSnippet: ({ snippetId }) => P({ snippetId }),
  createMilestone: ({ bookId }) => P({ bookId }, { name: "Draft" }),
  updateMilestone: ({ milestoneId }) => P({ milestoneId }, { name: "Draft two" }),
  deleteMilestone: ({ milestoneId }) => P({ milestoneId }),
  restoreBook: ({ bookId, chapterId, blockId }) => ({
    params: { bookId },
    body: { to: "First draft" },
    first: async (own) => {
      await call(own, "replaceParagraph", P({ chapterId, blockId }, { markdown: "Nobody." }));
      await call(own, "deleteChapter", P({ chapterId }));
      return undefined;
    },
  }),
  undoActs: ({ chapterId }) => ({
    first: (own) => call(own, "setStatus", P({ chapterId }, { status: "done" })),
    bodyOf: ({ act }) => ({ acts: [act] }),
  }),
  undoAct: ({ chapterId }) => ({
    first: async (own) => ({
      act: (await call(own, "setStatus", P({ chapterId }, { status: "done" }))).act!,
    }), // a write names its act
  }),
};

/** A proposal of every kind of edit. */
async function proposed(own: Manuscript, { chapterId, blockId }: Sample): Promise<Record<string, string>> {
  const edits = [
    { op: "insert_after", blockId: null, markdown: "Fog." },
    { op: "insert_after", blockId, markdown: "More fog.\n\n- rope\n" },
    { op: "delete", blockId },
  ];
  const { id } = await call(own, "propose", P({ chapterId }, { revision: 1, edits }));
  return { proposalId: id! }; // a write names what it made
}

async function call(
  own: Manuscript,
  id: EndpointId,
  asked: Case,
  dryRun = false,
): Promise<Record<string, string>> {
  const row = ENDPOINTS[id];
  const handler = HANDLERS[id] as (given: object) => Promise<Record<string, string>>;
  return handler({
    manuscript: own,
    caller: { ...OWNER, dryRun },
    params: validate(row.params, asked.params ?? {}, "params"),
    query: validate(row.query, asked.query ?? {}, "query"),
    body: "body" in row ? validate(row.body.json, asked.body, "body") : undefined,
    holds: () => false,
  });
}

async function prepare(own: Manuscript, sample: Sample, id: EndpointId): Promise<Case> {
  const asked = CASES[id]!(sample); // the last test proves that there is one
  const params = await asked.first?.(own, sample);
  if (asked.bodyOf !== undefined) return { body: asked.bodyOf(params ?? {}) };
  return params === undefined || "wordCount" in params ? asked : { ...asked, params };
}

const writing = [...endpoints, ...siblings]
  .filter(({ tier }) => tier === "write" || tier === "propose")
  .map(({ id }) => id as EndpointId);

describe("undo", () => {
  for (const id of writing.filter((candidate) => CASES[candidate] !== undefined)) {
    it(`${id}: a dry run writes nothing; do, undo, and the file is as before; undo the undo, and it is done again`, async (t) => {
      const { own, sample } = withSample(t);
      const asked = await prepare(own, sample, id);
      const acts = () => own.store.get("SELECT count(*) AS n FROM acts");
      const [before, count] = [dump(own.store), acts()];
      assert.equal((await call(own, id, asked, true)).act, null);
      assert.deepEqual([dump(own.store), acts()], [before, count]);
      const { act } = await call(own, id, asked);
      const done = dump(own.store);
      assertSound(own.store);
      assert.notDeepEqual(done, before, "the operation changed nothing");
      const undone = undoAct(own, String(act), OWNER);
      assert.deepEqual(dump(own.store), before);
      undoAct(own, String(undone.act), OWNER);
      assert.deepEqual(dump(own.store), done);
      assertSound(own.store);
    });
  }

  it("takes back all since an act to the byte, though an older one was undone beneath a later", (t) => {
    const { own, sample } = withSample(t);
    const { id } = createChapter(own, sample.bookId, { title: "T", markdown: "No!" }, OWNER);
    const before = dump(own.store);
    const first = String(replaceProse(own, id, { markdown: "" }, OWNER).act);
    replaceProse(own, id, { markdown: "Yes." }, OWNER);
    const undone = undoAct(own, first, OWNER);
    undoAct(own, String(undone.act), OWNER);
    undoAct(own, first, OWNER);
    undoSince(own, { act: first }, OWNER, actsSince(own, { act: first }));
    assert.deepEqual(dump(own.store), before);
  });

  it("writes each paragraph that comes back once: its block, its leaf, its entry in the journal", (t) => {
    const own = manuscript(t);
    const { id: bookId } = createBook(own, { title: "Long" }, OWNER);
    const markdown = Array.from({ length: 200 }, (_, at) => `Paragraph ${at}.`).join("\n\n");
    const { id } = createChapter(own, bookId, { title: "One", markdown }, OWNER);
    const before = dump(own.store);
    const { act } = deleteChapter(own, id as ChapterId, OWNER);
    const changes = () => own.store.list<number>("SELECT total_changes()")[0] ?? 0;
    const from = changes();
    undoAct(own, act!, OWNER); // it was no dry run
    const written = changes() - from;
    assert.ok(written < 3 * 200 + 30, `${written} rows`);
    assert.deepEqual(dump(own.store), before);
    assertSound(own.store);
  });

  it("takes for standing what no undo cancels, unless prose beside it was written between the two", (t) => {
    // Steps: a paragraph more at the end of chapter A or B, a title, an undo of the step of that number. What is done again stands last.
    const told: [steps: string, standing: string][] = [
      ["A B", "2 1"],
      ["A B -1", "2"],
      ["A B -1 -3", "1 2"],
      ["A -1", ""],
      ["A -1 -2", "1"],
      ["A -1 -2 -3", ""],
      ["A -1 B -2", "1 3"],
      ["A T -1", "2"],
      ["A T -1 -3", "1 2"],
      ["A B T -2 -4", "2 3 1"],
    ];
    for (const [steps, expected] of told) {
      const own = manuscript(t);
      const bookId = createBook(own, { title: "Book" }, OWNER).id;
      const chapters = ["A", "B"].map(
        (title) => createChapter(own, bookId, { title, markdown: "0" }, OWNER).id,
      );
      const before = dump(own.store);
      const acts: string[] = [];
      for (const [at, step] of steps.split(" ").entries()) {
        const id = chapters[step === "B" ? 1 : 0]!; // there are two
        const done =
          step === "T"
            ? updateChapter(own, id, { title: "Other" }, OWNER)
            : step.startsWith("-")
              ? undoAct(own, acts[-1 - Number(step)] ?? "", OWNER)
              : replaceProse(own, id, { markdown: `0\n\n${at + 1}` }, OWNER);
        acts.push(String(done.act));
      }
      const standing = actsSince(own, { act: acts[0] ?? "" });
      assert.equal(standing.map((act) => acts.indexOf(act) + 1).join(" "), expected, steps);
      undoSince(own, { act: acts[0] ?? "" }, OWNER, standing);
      assert.deepEqual(dump(own.store), before, steps);
    }
  });

  it("every writing route has a case here", () => {
    assert.deepEqual(
      writing.filter((id) => CASES[id] === undefined),
      [],
    );
  });
});
