import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BookId, ChapterId } from "../../../src/ids.ts";
import { updateBook } from "../../../src/service/books/books.ts";
import { createChapter, deleteChapter } from "../../../src/service/books/chapters.ts";
import { undoAct } from "../../../src/service/history/undo.ts";
import { replaceProse } from "../../../src/service/prose/replace-prose.ts";
import type { Store } from "../../../src/store/file/store.ts";
import {
  actUntil,
  countActsAfter,
  countProgress,
  findFirstActOf,
  findFirstSince,
  findLastUndoable,
  findNewestAct,
  isBookChangedSince,
  lastActSeq,
  lastChange,
  listActsAfter,
  listBroughtBack,
  listNames,
  listNewestActs,
  listProgress,
  listStanding,
  listTouched,
  listTouchedChapters,
  readAct,
  undoOf,
} from "../../../src/store/journal/acts.ts";
import { OWNER, withSample } from "../../support/sample.ts";
import { suite } from "../../support/sandbox.ts";

describe("the acts of a file", () => {
  let store: Store;
  let own: ReturnType<typeof withSample>["own"];
  let ids: { bookId: BookId; chapterId: ChapterId; otherChapterId: ChapterId };
  let first: number;
  const acts: { seq: number; id: string; at: number }[] = [];
  const scope = suite();
  after(scope.end);
  before(() => {
    const made = withSample(scope);
    own = made.own;
    store = own.store;
    ids = made.sample as unknown as typeof ids;
    first = lastActSeq(store);
    const { bookId, chapterId, otherChapterId } = ids;
    const newest = () => String(findNewestAct(store)?.id) as never;
    updateBook(own, bookId, { title: "Renamed" }, OWNER); // 0
    replaceProse(own, chapterId, { markdown: "Nobody came.\n" }, OWNER); // 1
    undoAct(own, newest(), OWNER); // 2
    undoAct(own, newest(), OWNER); // 3: done again
    deleteChapter(own, otherChapterId, OWNER); // 4
    undoAct(own, newest(), OWNER); // 5
    store.act({ kind: "nothing", source: "cli" }, () => () => ({})); // 6
    createChapter(own, bookId, { title: "New", markdown: "More.\n" }, OWNER); // 7
    acts.push(...store.all<(typeof acts)[number]>("SELECT seq, id, at FROM acts ORDER BY seq"));
  });
  const since = (at: number) => acts[first + at]!; // there are as many
  const seqs = (rows: readonly { seq: number }[]) => rows.map(({ seq }) => seq);

  it("are listed from either end, so many, before another", () => {
    const last = acts.length;
    assert.deepEqual(seqs(listActsAfter(store, 0, 99)), seqs(acts));
    assert.deepEqual(seqs(listActsAfter(store, 2, 3)), [3, 4, 5]);
    assert.deepEqual(seqs(listActsAfter(store, 2, 9, 5)), [3, 4]);
    assert.deepEqual(seqs(listNewestActs(store, 2)), [last - 1, last]);
    assert.deepEqual(seqs(listNewestActs(store, 2, 4)), [2, 3]);
    assert.deepEqual(seqs(listNewestActs(store, 99)), seqs(acts));
    assert.deepEqual([countActsAfter(store, 2), countActsAfter(store, 2, 5)], [last - 2, 2]);
    assert.deepEqual([countActsAfter(store, 0), countActsAfter(store, 0, 5)], [last, 4]);
    assert.deepEqual([lastActSeq(store), lastActSeq(store, 3), lastActSeq(store, 1)], [last, 2, 0]);
    assert.deepEqual(readAct(store, 3), listActsAfter(store, 2, 1)[0]);
    assert.deepEqual(findNewestAct(store), { seq: last, id: acts.at(-1)?.id });
  });

  it("are found by their time and by what they made", () => {
    const { seq, at } = since(1);
    assert.deepEqual(
      [findFirstSince(store, at), findFirstSince(store, at + 1), findFirstSince(store, 9e15)],
      [seq, seq + 1, undefined],
    );
    assert.deepEqual([actUntil(store, at), actUntil(store, at - 1), actUntil(store, 1)], [seq, seq - 1, 0]);
    assert.deepEqual([findFirstActOf(store, ids.bookId), findFirstActOf(store, "none")], [1, 0]);
  });

  it("say what they touched, and by what they are undone", () => {
    const { bookId, chapterId, otherChapterId } = ids;
    const nothing = {
      books: [],
      parts: [],
      chapters: [],
      facts: [],
      snippets: [],
      proposals: [],
      milestones: [],
    };
    const read = (at: number) => readAct(store, since(at).seq);
    assert.deepEqual(read(0).touched, { ...nothing, books: [bookId] });
    assert.deepEqual(read(1).touched.chapters, [chapterId]);
    assert.deepEqual(read(6).touched, nothing);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((at) => [read(at).undoes, read(at).undoneBy]),
      [
        [null, null],
        [null, null],
        [since(1).id, since(3).id],
        [since(2).id, null],
        [null, since(5).id],
      ],
    );
    assert.deepEqual([undoOf(store, since(1).seq), undoOf(store, since(4).seq)], [undefined, since(5).id]);
    assert.deepEqual(
      listTouched(store, since(6).seq, ["chapters"]).map(({ table }) => table),
      ["chapters"],
    );
    assert.deepEqual(listTouched(store, since(6).seq, ["facts"]), []);
    assert.deepEqual(
      listTouchedChapters(store, since(1).seq).map(({ id }) => id),
      [chapterId],
    );
    assert.deepEqual([...listBroughtBack(store, since(5).seq)], [otherChapterId]);
    assert.deepEqual([...listBroughtBack(store, since(0).seq)], []);
  });

  it("stand unless they are taken back", () => {
    const listed = [7, 3, 0].map((at) => since(at).id);
    assert.equal(findLastUndoable(store), listed[0]);
    const standing = listStanding(store, since(0).seq);
    assert.equal(standing[0], listed[0]);
    assert.equal(standing.at(-1), listed.at(-1));
    assert.ok(
      ![2, 4, 5, 6].some((at) => standing.includes(since(at).id as never)),
      "nothing, or cancelled out",
    );
    assert.equal(standing.length, 3);
  });

  it("are known by what changed since", () => {
    const { bookId } = ids;
    const change = (at: number) =>
      store.list<number>("SELECT max(seq) FROM journal WHERE act <= ?", since(at).seq)[0] ?? 0;
    assert.equal(lastChange(store), change(7));
    assert.deepEqual(
      [isBookChangedSince(store, change(6), bookId), isBookChangedSince(store, change(7), bookId)],
      [true, false],
    );
    assert.equal(isBookChangedSince(store, change(6), "bk_other"), false);
  });

  it("have the names that things had last", () => {
    const { bookId, chapterId } = ids;
    const names = listNames(store, [bookId, chapterId, "none"]);
    assert.deepEqual([...names.keys()], [bookId, chapterId]);
    assert.equal(names.get(bookId), "Renamed");
  });

  it("count words by the day, and nothing where there are none", () => {
    const { bookId } = ids;
    const count = (words: object) =>
      store.act({ kind: "x", source: "cli" }, (act) => {
        countProgress(store, act, { date: "2030-01-01", bookId, ...words });
        return () => ({});
      });
    const listed = () => listProgress(store, bookId, "2030-01-01");
    count({});
    assert.deepEqual(listed(), []);
    for (const word of ["added", "removed", "imported"]) count({ [word]: 2 });
    assert.deepEqual(listed(), [{ date: "2030-01-01", added: 2, removed: 2, imported: 2 }]);
    assert.equal(store.list("SELECT count(*) FROM progress WHERE date = '2030-01-01'")[0], 3);
  });
});
