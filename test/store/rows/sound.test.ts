import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as pause } from "node:timers/promises";
import type { BookId, ChapterId } from "../../../src/ids.ts";
import { Damaged, NotFound } from "../../../src/refusals.ts";
import { connect } from "../../../src/store/driver.ts";
import type { Store } from "../../../src/store/file/store.ts";
import {
  asStored,
  assertBookList,
  assertChapter,
  assertCount,
  assertIndex,
  assertLists,
  assertOrder,
  assertRead,
  assertRow,
  assertRows,
  isExamined,
  isSound,
  noteChange,
  noteSound,
  noteWritten,
  onceAnAct,
  soundly,
} from "../../../src/store/rows/sound.ts";
import type { TableName } from "../../../src/store/schema/tables.ts";
import { withSample } from "../../support/sample.ts";

/** The sample, and its ids as the rows have them. */
function lab(t: TestContext) {
  const { own, sample } = withSample(t);
  const { store } = own;
  const ids = sample as unknown as { bookId: BookId; chapterId: ChapterId; otherChapterId: ChapterId };
  return { store, ...sample, ...ids };
}

/** How many statements a check takes. */
function asked(t: TestContext, store: Store, check: () => unknown): number {
  const mocks = (["get", "all", "list"] as const).map((name) => t.mock.method(store, name).mock);
  try {
    check();
    return mocks.reduce((sum, mock) => sum + mock.callCount(), 0);
  } finally {
    for (const mock of mocks) mock.restore();
  }
}

/** What a disk does: a row is another, and no act has written it. */
function harm(store: Store, ...sql: string[]): void {
  const raw = connect(store.path);
  raw.pragma("foreign_keys = OFF");
  const triggers = raw.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  raw.exec("BEGIN");
  for (const { name } of triggers) raw.exec(`DROP TRIGGER ${name}`);
  for (const each of sql) assert.ok(raw.prepare(each).run().changes > 0, each);
  for (const trigger of triggers) raw.exec(trigger.sql);
  raw.exec("COMMIT");
  raw.close();
}

/** An act that changes nothing that is looked at. */
const write = (store: Store, inAct: () => void = () => {}) =>
  store.act({ kind: "x", source: "cli" }, () => {
    inAct();
    return () => ({});
  });

const rowsOf = (store: Store, table: TableName): string[] => store.list(`SELECT id FROM ${table}`);
const stateOf = (store: Store, table: TableName, id: string) => {
  const seal = table === "mentions" ? "" : " || ' ' || seal";
  return String(store.list(`SELECT hash${seal} FROM ${table} WHERE id = ?`, id)[0]);
};

describe("rows that are asked for", () => {
  it("are looked at once for each state that they have, and asked for their state once an act", async (t) => {
    const { store } = lab(t);
    for (const table of ["chapters", "facts", "mentions", "goals", "blocks"] as const) {
      const ids = rowsOf(store, table);
      const check = () => asked(t, store, () => assertRows(store, table, ids));
      await pause();
      assert.equal(check(), 1 + 2 * ids.length, `${table}: the newest act, each state and each row`);
      assert.equal(check(), 0, "at once again");
      await pause();
      assert.equal(check(), 1, "the newest act alone");
      write(store);
      assert.equal(check(), 1 + ids.length, "each state, and no row");
      assert.equal(check(), 0);
    }
  });

  it("are sound or damaged by what they hold, by their state, and by being there", async (t) => {
    const { store, factId, otherFactId } = lab(t);
    assert.throws(() => assertRows(store, "facts", [factId, "fact_none"]), Damaged);
    harm(store, `UPDATE facts SET name = 'Mora' WHERE id = '${factId}'`);
    await pause();
    assertRows(store, "facts", [factId]);
    write(store);
    assertRows(store, "facts", [factId]); // its hash is the same: looked at once for each state
    harm(store, `UPDATE facts SET hash = hash + 1 WHERE id = '${otherFactId}'`);
    assert.throws(() => assertRows(store, "facts", [otherFactId]), Damaged);
    assert.throws(() => assertRows(store, "facts", [otherFactId]), Damaged, "and ever again");
  });

  it("may be written by the act that runs, and by nobody else", (t) => {
    const { store, factId, otherFactId } = lab(t);
    const renamed = () => store.run("UPDATE facts SET name = 'Mira' WHERE id = ?", factId);
    write(store, () => {
      renamed();
      assertRows(store, "facts", [factId, otherFactId]);
    });
    assertRows(store, "facts", [factId]);
    harm(store, `UPDATE facts SET hash = hash + 1 WHERE id = '${otherFactId}'`);
    assert.throws(() => write(store, () => assertRows(store, "facts", [otherFactId])), Damaged);
    assert.throws(
      () =>
        write(store, () => {
          renamed();
          assertRows(store, "facts", [otherFactId]);
        }),
      Damaged,
    );
  });

  it("are not known by what an act said that was taken back", (t) => {
    const { store, factId } = lab(t);
    const back = new Error("taken back");
    assert.throws(
      () =>
        write(store, () => {
          assertRows(store, "facts", [factId]);
          throw back;
        }),
      back,
    );
    assert.ok(asked(t, store, () => assertRows(store, "facts", [factId])) > 0);
    harm(store, `UPDATE facts SET hash = hash + 1 WHERE id = '${factId}'`);
    write(store);
    assert.throws(() => assertRows(store, "facts", [factId]), Damaged);
  });

  it("are asked for in every look while an act runs", (t) => {
    const { store, factId } = lab(t);
    assertRows(store, "facts", [factId]);
    write(store, () => {
      const check = () => asked(t, store, () => assertRows(store, "facts", [factId]));
      assert.ok(check() > 0 && check() > 0);
    });
  });

  it("read with their state are looked at where it is another", (t) => {
    const { store, factId, otherFactId } = lab(t);
    const state = stateOf(store, "facts", factId);
    assert.ok(!isSound(store, "facts", factId, state));
    assert.equal(
      asked(t, store, () => assertRead(store, "facts", factId, state)),
      2,
    );
    assert.equal(
      asked(t, store, () => assertRead(store, "facts", factId, state)),
      0,
    );
    assert.ok(isSound(store, "facts", factId, state) && !isSound(store, "facts", factId, "1 1"));
    assert.throws(() => assertRead(store, "facts", "fact_none", state), Damaged);
    noteSound(store, "facts", otherFactId, "1 1");
    assert.ok(isSound(store, "facts", otherFactId, "1 1"));
    noteWritten(store, [{ id: "blk_x", hash: 5, seal: 6 }]);
    assert.ok(isSound(store, "blocks", "blk_x", "5 6") && !isSound(store, "blocks", "blk_x", "5 7"));
  });

  it("that are missing are damage only where the table has them after all", (t) => {
    const { store, factId } = lab(t);
    assertRow(store, "facts", "fact_none", undefined);
    assert.throws(() => assertRow(store, "facts", factId, undefined), Damaged);
    assertRow(store, "facts", factId, {});
    assert.throws(() => assertRow(store, "facts", "fact_none", {}), Damaged);
  });
});

describe("lists that are asked for", () => {
  it("are gone through once an act, each by its table, column and value", async (t) => {
    const { store, bookId } = lab(t);
    const check = (table: TableName, id: string = bookId) =>
      asked(t, store, () => assertBookList(store, table, id as BookId));
    for (const table of ["chapters", "facts", "parts"] as const) {
      await pause();
      assert.ok(check(table) > 3, table);
      assert.equal(check(table), 0);
      assert.ok(check(table, "bk_none") > 0);
      await pause();
      assert.equal(check(table), 1, "the newest act");
      write(store);
      assert.ok(check(table) > 2);
    }
    write(store, () => {
      check("facts");
      assert.ok(check("facts") > 0, "what an act does may be taken back");
    });
    const both = (ids: string[]) => asked(t, store, () => assertLists(store, "facts", "book_id", ids));
    assert.ok(both([bookId, "bk_none"]) > 0);
    assert.equal(both([bookId, "bk_none"]), 0);
  });

  it("are damaged with a row of theirs, and with what an index has besides", (t) => {
    const { store, bookId, factId } = lab(t);
    const index = { table: "mentions", column: "fact_id", parent: "facts" } as const;
    const [name = ""] = store.list<string>(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'mentions' AND sql LIKE '%(fact_id%'",
    );
    const check = () => assertIndex(store, name, index);
    check();
    assert.equal(asked(t, store, check), 0);
    harm(
      store,
      `UPDATE facts SET hash = hash + 1 WHERE id = '${factId}'`,
      "UPDATE mentions SET fact_id = 'fact_none'",
    );
    write(store);
    assert.throws(() => assertBookList(store, "facts", bookId), Damaged);
    assert.throws(check, Damaged, "a name of nothing");
    assert.throws(() => assertBookList(store, "facts", bookId), Damaged, "and ever again");
  });

  it("are as long as the table says", (t) => {
    const { store } = lab(t);
    assertCount(store, "snippets", [1, 2], 2);
    assertCount(store, "snippets", [], undefined);
    for (const [listed, count] of [
      [[1], 2],
      [[1, 2, 3], 2],
      [[1], undefined],
    ] as const)
      assert.throws(() => assertCount(store, "snippets", listed, count), Damaged);
  });

  it("are looked at again until they were sound, and never half within an act", (t) => {
    const { store } = lab(t);
    let looks = 0;
    const look = () => onceAnAct(store, "trial", () => void looks++);
    assert.throws(
      () =>
        onceAnAct(store, "trial", () => {
          throw new Damaged("x");
        }),
      Damaged,
    );
    look();
    look();
    assert.equal(looks, 1);
    onceAnAct(store, "another", () => void looks++);
    assert.equal(looks, 2);
    write(store, look);
    look();
    assert.equal(looks, 4);
  });
});

describe("a chapter that is asked for", () => {
  it("is gone through once for each of its versions, and taken by its digest where its rows are known", (t) => {
    const { store, chapterId, otherChapterId } = lab(t);
    const check = (id: ChapterId = chapterId) => asked(t, store, () => assertChapter(store, id));
    const first = check();
    assert.ok(first > 3);
    assert.equal(check(), 1, "its version alone");
    write(store);
    assert.equal(check(), 1);
    assert.ok(check(otherChapterId) > 3);
    write(store, () => store.run("UPDATE chapters SET title = 'Another' WHERE id = ?", chapterId));
    const again = check();
    assert.ok(again > 1 && again < first, "its own row, and not its blocks");
    assert.equal(
      asked(t, store, () => assertChapter(store, chapterId, { revision: 9, version: 9 })) > 1,
      true,
      "another version than that which is known",
    );
    write(store, () => {
      assert.ok(check() > 0);
    });
  });

  const harms: [what: string, sql: (id: string) => string][] = [
    ["its own row", (id) => `UPDATE chapters SET title = 'Turned' WHERE id = '${id}'`],
    ["its digest", (id) => `UPDATE chapters SET digest = digest + 1 WHERE id = '${id}'`],
    [
      "a block's document",
      (id) => `UPDATE blocks SET node = node || ' ' WHERE chapter_id = '${id}' AND text LIKE 'Mara%'`,
    ],
    [
      "a block's text",
      (id) => `UPDATE blocks SET text = 'Mora' WHERE chapter_id = '${id}' AND text LIKE 'Mara%'`,
    ],
    ["all its blocks", (id) => `UPDATE blocks SET text = text || '!' WHERE chapter_id = '${id}'`],
    [
      "a block that is gone",
      (id) =>
        `DELETE FROM blocks WHERE id IN (SELECT id FROM blocks WHERE chapter_id = '${id}' ORDER BY rank LIMIT 1)`,
    ],
    ["a mention", (id) => `UPDATE mentions SET start = start + 1 WHERE chapter_id = '${id}'`],
    ["a mention that is gone", (id) => `DELETE FROM mentions WHERE chapter_id = '${id}'`],
  ];
  for (const [what, sql] of harms)
    it(`is damaged by ${what}, and sound for who looks for damage`, (t) => {
      const { store, chapterId } = lab(t);
      harm(store, sql(chapterId));
      asStored(store, () => assertChapter(store, chapterId));
      assert.throws(() => assertChapter(store, chapterId), Damaged);
      assert.throws(() => assertChapter(store, chapterId), Damaged);
    });

  it("is in order, whatever of it is known", (t) => {
    const { store, chapterId } = lab(t);
    assertOrder(store, chapterId);
    assertOrder(store, "ch_none" as ChapterId);
    assertChapter(store, "ch_none" as ChapterId);
    assertChapter(store, chapterId);
    noteChange(store, chapterId, 2);
    harm(store, `UPDATE chapters SET digest = digest + 2 WHERE id = '${chapterId}'`);
    assert.throws(() => assertOrder(store, chapterId), Damaged);
    asStored(store, () => assertOrder(store, chapterId));
  });
});

describe("who looks for damage", () => {
  it("reads all as it is, and nobody else does afterwards, though the look was broken off", (t) => {
    const { store, factId, otherFactId, bookId } = lab(t);
    harm(store, `UPDATE facts SET hash = hash + 1 WHERE id = '${factId}'`);
    assert.ok(!isExamined(store));
    asStored(store, () => {
      assert.ok(isExamined(store));
      const look = () => {
        assertRows(store, "facts", [factId, "fact_none"]);
        assertRow(store, "facts", factId, undefined);
        assertRead(store, "facts", factId, "x");
        assertBookList(store, "facts", bookId);
        assertCount(store, "facts", [], 5);
      };
      assert.equal(asked(t, store, look), 0);
      noteSound(store, "facts", otherFactId, "1 1");
      assert.ok(!isSound(store, "facts", otherFactId, "1 1"));
    });
    const broken = new Error("broken off");
    assert.throws(
      () =>
        asStored(store, () => {
          throw broken;
        }),
      broken,
    );
    assert.ok(!isExamined(store));
    assert.throws(() => assertRows(store, "facts", [factId]), Damaged);
    assert.equal(
      asStored(store, () => 7),
      7,
    );
  });

  it("reads once more, all of one moment, before what does not fit is damage", (t) => {
    const { store } = lab(t);
    let reads = 0;
    const read = () => {
      reads++;
      if (reads === 1) throw new Damaged("between two writes");
      return reads;
    };
    assert.equal(soundly(store, read), 2);
    assert.equal(soundly(store, read), 3);
    const wrong = new NotFound("x");
    for (const [error, times] of [
      [wrong, 1],
      [new Damaged("x"), 2],
    ] as const) {
      reads = 0;
      assert.throws(
        () =>
          soundly(store, () => {
            reads++;
            throw error;
          }),
        error,
      );
      assert.equal(reads, times);
    }
  });
});
