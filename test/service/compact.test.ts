import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { ActId } from "../../src/ids.ts";
import { NotFound, Refusal } from "../../src/refusals.ts";
import { updateSnippet } from "../../src/service/annotations/snippets.ts";
import { compact } from "../../src/service/backups/compact.ts";
import { setStatus } from "../../src/service/books/chapter-fields.ts";
import { listRevisions, readChapter } from "../../src/service/books/read-chapter.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { createMilestone, deleteMilestone } from "../../src/service/history/milestones.ts";
import { undoAct, undoActs } from "../../src/service/history/undo.ts";
import { whileClosed } from "../../src/service/manuscript.ts";
import { deleteParagraph, insertParagraphs } from "../../src/service/prose/paragraphs.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { openStore } from "../../src/store/file/open.ts";
import { listProgress } from "../../src/store/journal/acts.ts";
import { foldHistory, listFoldedWrongly } from "../../src/store/journal/fold.ts";
import { type FoldUnit, listBounds, planFolds } from "../../src/store/journal/folds.ts";
import { readPast } from "../../src/store/journal/past.ts";
import { copyWhole } from "../../src/store/make-copy.ts";
import { localTime } from "../../src/text/columns.ts";
import { dump } from "../support/dump.ts";
import { randomFrom } from "../support/random.ts";
import { writeSample } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** The sample a day later, and ways to write its chapters, read them at any revision, and fold what was written. */
function desk(t: TestContext) {
  let now = Date.UTC(2026, 2, 1, 6);
  const own = manuscript(t, { clock: () => now });
  const sample = writeSample(own);
  const { chapterId, blockId } = sample;
  now += DAY_MS;
  const after = (minutes: number) => {
    now += minutes * MINUTE_MS;
  };
  const type = (markdown: string) =>
    String(replaceParagraph(own, { chapterId, blockId }, { markdown }, { source: "page" }).act);
  const read = (id: string, revision?: number) =>
    readChapter(own, id, { bare: true, ...(revision === undefined ? {} : { revision }) }).body.toString();
  const fold = (unit: FoldUnit = "sittings") =>
    whileClosed(own, () =>
      compact(own.store.path, { at: now, dryRun: false, fold: { olderThan: now + 1, unit } }),
    );
  const assertWhole = () =>
    assert.deepEqual(
      diagnose(own.store.path).checks.filter(({ status }) => status === "fail"),
      [],
    );
  return { own, ...sample, after, type, read, fold, assertWhole };
}

describe("a history that is folded", () => {
  it("has one act of a sitting, the newest, and its undo gives the text from before", (t) => {
    const { own, chapterId, after, type, read, fold, assertWhole } = desk(t);
    const before = read(chapterId);
    const acts = ["One.", "One two.", "One two three."].map(type);
    after(11);
    const late = ["Two.", "Two three."].map(type);
    const text = read(chapterId);
    const revisions = () => listRevisions(own, chapterId).revisions;
    const [first, ...written] = revisions();
    const { before: was, after: is } = fold();
    assert.equal(is.saves, was.saves - 3);
    assertWhole();
    assert.equal(read(chapterId), text);
    const kept = [first, written[2], written[4]];
    assert.deepEqual(
      revisions().map(({ revision, act }) => [revision, act]),
      kept.map((one) => [one?.revision, one?.act]),
    );
    const words = (list: readonly { added: number; removed: number }[]) =>
      list.reduce((sum, { added, removed }) => sum + added - removed, 0);
    assert.equal(words(revisions()), words([first!, ...written]));
    assert.match(read(chapterId, kept[1]?.revision), /One two three\./);
    undoAct(own, late[1]!, { source: "cli" });
    undoAct(own, acts[2]!, { source: "cli" });
    assert.equal(read(chapterId), before);
    assertWhole();
  });

  it("says of a revision and of an act that went what became of them", (t) => {
    const { own, chapterId, type, read, fold } = desk(t);
    const [gone, , kept] = ["One.", "One two.", "One two three."].map(type);
    const { at = "" } = listActs(own, {}).acts.find(({ id }) => id === kept) ?? {};
    const { aside } = fold();
    const into = `${kept} of ${localTime(at)}`;
    assert.throws(
      () => read(chapterId, 2),
      new RegExp(`revision 2 of this chapter: "manuscript compact" folded it into 4, which is ${into}`),
    );
    const refused = (undo: () => unknown, why: RegExp) =>
      assert.throws(undo, (error) => error instanceof NotFound && why.test(error.message));
    const told = new RegExp(
      `folded the saves of that time into ${into}, .* are in ${basename(String(aside))} beside`,
    );
    refused(() => undoAct(own, gone!, { source: "cli" }), told);
    refused(() => undoActs(own, { acts: [kept!, gone!] }, { source: "page" }), told);
    refused(
      () => undoAct(own, "act_0000000000000000" as ActId, { source: "cli" }),
      /No such act, or no more/,
    );
    rmSync(String(aside)); // nothing tells any more into which
    refused(() => undoAct(own, gone!, { source: "cli" }), /folded old saves into one each/);
  });

  it("keeps apart what another hand, a milestone or an undo stands between", (t) => {
    const { own, bookId, chapterId, type, read, fold } = desk(t);
    type("One.");
    type("One two.");
    const named = createMilestone(own, bookId, { name: "Here" }, { source: "page" });
    const text = read(chapterId);
    type("One two three.");
    const undone = type("Undone.");
    const undo = undoAct(own, undone, { source: "page" });
    type("One two three four.");
    deleteMilestone(own, named.id, { source: "page" });
    const { before, after } = fold();
    assert.equal(after.saves, before.saves - 1);
    assert.equal(read(chapterId, 3), text);
    assert.throws(() => read(chapterId, 2), NotFound);
    assert.doesNotMatch(read(chapterId, 6), /Undone/);
    const { undoneBy } = listActs(own, {}).acts.find(({ id }) => id === undone) ?? {};
    assert.equal(undoneBy, undo.act);
  });

  it("is found out where a row is told otherwise than before", (t) => {
    const { own, type } = desk(t);
    ["One.", "One two.", "One two three."].forEach(type);
    const work = join(folder(t), "work.manuscript");
    copyWhole(own.store.path, work);
    const folded = openStore(work, own.store);
    t.after(() => folded.close());
    const bounds = listBounds(own.store);
    const both = { whole: own.store, folded };
    const range = { before: Number.MAX_SAFE_INTEGER, unit: "sittings", pauseMs: MINUTE_MS } as const;
    folded.setAside(() => foldHistory(folded, planFolds(own.store, range)));
    assert.deepEqual(listFoldedWrongly(both, bounds), []);
    folded.setAside(() =>
      folded.run(
        "UPDATE journal_entries SET before = json_set(before, '$.gap', 'x') WHERE seq = (SELECT max(seq) FROM journal_entries)",
      ),
    );
    assert.equal(listFoldedWrongly(both, bounds).length, 1);
  });

  const ALL = [
    [1, "sittings"],
    [2, "days"],
    [3, "milestones"],
  ] as const;
  for (const [seed, unit] of ALL)
    it(`tells the same book at every milestone and every revision that is left, folded by ${unit}`, (t) => {
      const { own, bookId, chapterId, otherChapterId, snippetId, after, read, fold, assertWhole } = desk(t);
      scribble(seed, { own, bookId, chapters: [chapterId, otherChapterId], snippetId, after });
      const { store } = own;
      const milestones = store.list<number>("SELECT act FROM milestones ORDER BY act");
      const past = readPast(store, bookId, milestones);
      const now = dump(store);
      const progress = listProgress(store, bookId, "2000-01-01");
      const texts = new Map(
        [chapterId, otherChapterId].flatMap((id) =>
          listRevisions(own, id).revisions.map(({ revision }) => [`${id} ${revision}`, read(id, revision)]),
        ),
      );
      const folded = fold(unit);
      assert.ok(folded.after.saves < folded.before.saves);
      assert.ok(folded.after.historyBytes <= folded.before.historyBytes);
      assertWhole();
      const numbers = "SELECT min(seq) = 1 AND max(seq) = count(*) FROM journal_entries";
      assert.deepEqual(own.store.list(numbers), [1], "no hole tells of a loss");
      assert.deepEqual(dump(own.store), now);
      assert.deepEqual(readPast(own.store, bookId, milestones), past);
      assert.deepEqual(listProgress(own.store, bookId, "2000-01-01"), progress);
      for (const id of [chapterId, otherChapterId])
        for (const { revision } of listRevisions(own, id).revisions)
          assert.equal(read(id, revision), texts.get(`${id} ${revision}`), `${id} ${revision}`);
      assert.equal(fold(unit).aside, null, "a second time finds nothing to do");
    });
});

/** Up to 120 acts of a writer who types, pauses, cuts, undoes, names drafts and edits a note, the same for one seed. */
function scribble(
  seed: number,
  {
    own,
    bookId,
    chapters,
    snippetId,
    after,
  }: Pick<ReturnType<typeof desk>, "own" | "bookId" | "snippetId" | "after"> & {
    chapters: readonly string[];
  },
): void {
  const random = randomFrom(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const text = () =>
    Array.from({ length: 1 + random() * 30 }, () => pick(["grey", "sea", "rose", "Mara"])).join(" ");
  const acts: string[] = [];
  let chapterId = chapters[0]!;
  const leaf = () =>
    pick(own.store.list<string>("SELECT id FROM leaves WHERE chapter_id = ? ORDER BY id", chapterId));
  const caller = () => ({ source: pick(["page", "page", "page", "api"] as const) });
  const WAYS: (() => { act?: string | null })[] = [
    () => insertParagraphs(own, chapterId, { after: leaf(), markdown: text() }, caller()),
    () => deleteParagraph(own, { chapterId, blockId: leaf() }, caller()),
    () => replaceProse(own, chapterId, { markdown: `# Anew\n\n${text()}\n\n${text()}\n` }, caller()),
    () => undoAct(own, pick(acts.slice(-3)), caller()),
    () => setStatus(own, chapterId, { status: pick(["draft", "done"]) }, caller()),
    () => updateSnippet(own, snippetId, { kind: "note", text: text() }, caller()),
    () => createMilestone(own, bookId, { name: `Draft ${acts.length}` }, caller()),
  ];
  const edit = () => replaceParagraph(own, { chapterId, blockId: leaf() }, { markdown: text() }, caller());
  for (let time = 0; time < 120; time++) {
    after(random() < 0.1 ? Math.floor(300 * random()) : 2);
    if (random() < 0.1) chapterId = pick(chapters);
    try {
      const { act } = (random() < 0.7 ? edit : pick(WAYS))();
      if (act != null) acts.push(act);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // what stands in the way of an undo
    }
  }
}
