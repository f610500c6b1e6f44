import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import type { ActId, BookId, ChapterId } from "../../../src/ids.ts";
import { createBook, deleteBook, setGoal, updateBook } from "../../../src/service/books/books.ts";
import { setStatus } from "../../../src/service/books/chapter-fields.ts";
import { createChapter, deleteChapter, updateChapter } from "../../../src/service/books/chapters.ts";
import { deletePart } from "../../../src/service/books/parts.ts";
import { restoreBook } from "../../../src/service/history/restore-book.ts";
import { undoAct } from "../../../src/service/history/undo.ts";
import { replaceProse } from "../../../src/service/prose/replace-prose.ts";
import { changeKinds, readJournal } from "../../../src/store/file/act.ts";
import type { Store } from "../../../src/store/file/store.ts";
import { journalled } from "../../../src/store/file/tables.ts";
import { listRevisions, readRevision, revisionAfter } from "../../../src/store/journal/history.ts";
import { imagesInOrder, readPast } from "../../../src/store/journal/past.ts";
import { sizesAt } from "../../../src/store/journal/sizes.ts";
import { OWNER, withSample } from "../../support/sample.ts";
import { suite } from "../../support/sandbox.ts";
import { assertSound } from "../../support/sound.ts";

const WHERES = {
  books: "id = :book",
  goals: "book_id = :book",
  parts: "book_id = :book",
  chapters: "book_id = :book",
  blocks: "chapter_id IN (SELECT id FROM chapters WHERE book_id = :book)",
  mentions: "chapter_id IN (SELECT id FROM chapters WHERE book_id = :book)",
} as const;

/** A book's rows as they are now, by the tables themselves. */
function rowsOf(store: Store, book: string) {
  return Object.fromEntries(
    (Object.keys(WHERES) as (keyof typeof WHERES)[]).map((table) => {
      const columns = journalled(table).map((column) => `"${column}"`);
      const rows = store.all<{ id: string }>(
        `SELECT id, ${columns} FROM ${table} WHERE ${WHERES[table]} ORDER BY id`,
        { book },
      );
      return [table, rows.map(({ id, ...row }) => [id, row])];
    }),
  );
}

const sorted = (image: ReturnType<typeof readPast>[number]) =>
  Object.fromEntries(
    Object.entries(image).map(([table, rows]) => [table, [...rows].sort(([a], [b]) => (a < b ? -1 : 1))]),
  );

/** The sample's book, what was done to it act by act, and how it was after each. */
function history(t: Pick<TestContext, "after">) {
  const { own, sample } = withSample(t);
  const { store } = own;
  const { bookId, chapterId, otherChapterId, partId } = sample as unknown as {
    bookId: BookId;
    chapterId: ChapterId;
    otherChapterId: ChapterId;
    partId: never;
  };
  const { id: strange } = createBook(own, { title: "Another" }, OWNER);
  const elsewhere = createChapter(
    own,
    strange as BookId,
    { title: "There", markdown: "Far off.\n" },
    OWNER,
  ).id;
  const words = () =>
    store.list<number>("SELECT coalesce(sum(word_count), 0) FROM chapters WHERE book_id = ?", bookId)[0] ?? 0;
  const states: { seq: number; rows: object; size: object; revision: number | undefined }[] = [];
  const note = () =>
    states.push({
      seq: store.list<number>("SELECT max(seq) FROM acts")[0] ?? 0,
      rows: rowsOf(store, bookId),
      size: {
        isThere: store.list("SELECT 1 FROM books WHERE id = ?", bookId).length === 1,
        wordCount: words(),
        chapterCount: store.list("SELECT 1 FROM chapters WHERE book_id = ?", bookId).length,
      },
      revision: store.list<number>("SELECT revision FROM chapters WHERE id = ?", chapterId)[0],
    });
  note();
  let last: ActId | null = null;
  const undone = () => undoAct(own, String(last) as ActId, OWNER);
  const acts: (() => unknown)[] = [
    () => updateBook(own, bookId, { title: "Renamed" }, OWNER),
    () => setGoal(own, bookId, { targetWords: 5000, deadline: null, dailyWords: 7 }, OWNER),
    () =>
      replaceProse(own, chapterId, { markdown: "# The Ferry\n\nMara came late.\n\nNobody asked.\n" }, OWNER),
    () => createChapter(own, bookId, { title: "New", markdown: "One more.\n" }, OWNER),
    () => replaceProse(own, elsewhere as ChapterId, { markdown: "Farther off.\n" }, OWNER),
    () => updateChapter(own, chapterId, { title: "Last", position: 2 } as never, OWNER),
    () => setStatus(own, otherChapterId, { status: "done" }, OWNER),
    () => deletePart(own, partId, OWNER),
    () => deleteChapter(own, otherChapterId, OWNER),
    undone,
    () => replaceProse(own, chapterId, { markdown: "Back to nothing much.\n" }, OWNER),
    () => deleteBook(own, bookId, OWNER),
    undone,
  ];
  for (const act of acts) {
    try {
      act();
    } catch (error) {
      throw new Error(`${act}`, { cause: error });
    }
    last = store.list<ActId>("SELECT id FROM acts ORDER BY seq DESC LIMIT 1")[0] ?? null;
    note();
  }
  return { own, store, states, bookId, chapterId };
}

describe("a book's past", () => {
  let made: ReturnType<typeof history>;
  const scope = suite();
  after(scope.end);
  before(() => {
    made = history(scope);
  });

  it("is what it was after each act, asked for alone, together, in any order and twice", () => {
    const { store, states, bookId } = made;
    for (const { seq, rows } of states) {
      const [image] = readPast(store, bookId, [seq]);
      assert.deepEqual(sorted(image!), rows, `act ${seq}`); // one was asked for
    }
    const shuffled = [...states.slice(4), ...states.slice(0, 7)].reverse();
    const images = readPast(
      store,
      bookId,
      shuffled.map(({ seq }) => seq),
    );
    assert.deepEqual(
      images.map(sorted),
      shuffled.map(({ rows }) => rows),
    );
    for (const image of images)
      for (const table of ["books", "parts", "chapters", "blocks"] as const)
        for (const [id, row] of image[table]) {
          const first = images[0]?.[table].get(id);
          if (first !== undefined && JSON.stringify(first) === JSON.stringify(row)) assert.equal(row, first);
        }
    const [before] = readPast(store, bookId, [0]);
    assert.ok(Object.values(before!).every((rows) => rows.size === 0)); // one was asked for
  });

  it("has the sizes and the revisions of then", () => {
    const { store, states, bookId, chapterId } = made;
    const seqs = states.map(({ seq }) => seq);
    assert.deepEqual(
      sizesAt(store, bookId, seqs),
      states.map(({ size }) => size),
    );
    assert.deepEqual(sizesAt(store, bookId, []), []);
    assert.deepEqual(sizesAt(store, bookId, [0]), [{ isThere: false, wordCount: 0, chapterCount: 0 }]);
    assert.deepEqual(
      seqs.map((seq) => revisionAfter(store, chapterId, seq)),
      states.map(({ revision }) => revision),
    );
    assert.equal(revisionAfter(store, chapterId, 1), undefined);
    for (const { revision, wordCount } of listRevisions(store, chapterId, {}).revisions) {
      const prose = readRevision(store, chapterId, revision);
      assert.ok(prose !== undefined && (wordCount === 0 || prose.blocks.length > 0));
    }
    assert.equal(readRevision(store, chapterId, 99), undefined);
  });

  it("is told of by the few entries of an act as by the journal itself", () => {
    const { store } = made;
    const listed = (kinds: object[]) => [...new Set(kinds.map((kind) => JSON.stringify(kind)))].sort();
    for (const seq of store.list<number>("SELECT seq FROM acts")) {
      const entries = readJournal(store, seq);
      assert.ok(entries !== undefined);
      const byHand = changeKinds(store, seq, entries).map(
        ({ table, op, chapter, chapterAfter, isProse, isPlace }) => ({
          table,
          op,
          chapter,
          chapterAfter,
          isProse,
          isPlace,
        }),
      );
      assert.deepEqual(listed(byHand), listed(changeKinds(store, seq, undefined)), `act ${seq}`);
    }
  });
});

describe("a book that is put back", () => {
  it("has every row that it had then, and today's names of files", (t) => {
    const { own, store, states, bookId } = history(t);
    const plain = (rows: object) =>
      JSON.parse(JSON.stringify({ ...rows, mentions: [] }), (key, value) => (key === "file" ? null : value));
    const there = states.filter(({ size }) => (size as { isThere: boolean }).isThere);
    for (const { seq, rows } of there.toReversed()) {
      const [to = ""] = store.list<string>("SELECT id FROM acts WHERE seq = ?", seq);
      restoreBook(own, bookId, { to } as never, OWNER);
      assert.deepEqual(plain(rowsOf(store, bookId)), plain(rows), `act ${seq}`);
    }
    assertSound(store);
  });
});

describe("images in order", () => {
  it("are by their rank, then by their id", () => {
    const images = (["b1", "a1", "a2", "c0"] as const).map(
      (name) => [name, { rank: name.slice(1) }] as const,
    );
    assert.deepEqual(
      imagesInOrder(images).map(([id]) => id),
      ["c0", "a1", "b1", "a2"],
    );
    assert.deepEqual(
      imagesInOrder(images.toReversed()).map(([id]) => id),
      ["c0", "a1", "b1", "a2"],
    );
  });
});
