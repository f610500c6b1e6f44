import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChapter } from "../../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../../src/service/books/read-chapter.ts";
import { type Manuscript, openManuscript } from "../../../src/service/manuscript.ts";
import { connect } from "../../../src/store/driver.ts";
import { intactRows } from "../../../src/store/schema/row-texts.ts";
import { OWNER, withSample } from "../../support/sample.ts";

const statesOf = ({ store }: Manuscript, table: "blocks" | "mentions", chapterId: string) => {
  const state = table === "blocks" ? "hash || ' ' || seal" : "CAST(hash AS TEXT)";
  const rows = store.all<{ id: string; state: string }>(
    `SELECT id, ${state} AS state FROM ${table} WHERE chapter_id = ?`,
    chapterId,
  );
  return new Map(rows.map((row) => [row.id, row.state]));
};

/** The same file opened anew, so that nothing of it is known. */
function again(t: Parameters<typeof withSample>[0], { store }: Manuscript): Manuscript {
  const own = openManuscript(store.path);
  t.after(() => own.close());
  return own;
}

describe("what a chapter's rows hold, written out by SQLite", () => {
  it("has the hash and the seal of each sound row", (t) => {
    const { own, sample } = withSample(t);
    for (const id of [sample.chapterId, sample.otherChapterId])
      for (const table of ["blocks", "mentions"] as const)
        assert.deepEqual(intactRows(own.store, table, id), statesOf(own, table, id));
    assert.ok(statesOf(own, "mentions", sample.chapterId).size > 0);
  });

  it("leaves characters outside the basic plane to those who count as JavaScript does", (t) => {
    const { own, sample } = withSample(t);
    const markdown = "Tea “for” two.\n\nA 𝄞 and a 🍵.\n\n這是水。\n\n- é\n- ½\n";
    const { id } = createChapter(own, sample.bookId, { title: "Signs", markdown }, OWNER);
    const states = statesOf(own, "blocks", id);
    const [rare] = own.store.list<string>("SELECT id FROM blocks WHERE text LIKE '%🍵%'");
    states.delete(rare ?? "");
    assert.equal(states.size, 3);
    assert.deepEqual(intactRows(own.store, "blocks", id), states);
    assert.match(JSON.stringify(readChapterAnswer(again(t, own), id, { format: "text" })), /𝄞 and a 🍵/);
  });

  it("leaves out a row of which anything was changed", (t) => {
    const { own, sample } = withSample(t);
    const [path, id] = [own.store.path, sample.chapterId];
    const whole = intactRows(own.store, "blocks", id).size;
    own.close();
    for (const column of ["rank", "node", "source", "gap", "type", "text", "words"]) {
      const connection = connect(path);
      for (const { name } of connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        .all() as { name: string }[])
        connection.exec(`DROP TRIGGER ${name}`);
      const turned = column === "words" ? "words + 1" : `${column} || 'x'`;
      const one = `id = (SELECT min(id) FROM blocks WHERE chapter_id = '${id}')`;
      const had = connection.prepare(`SELECT ${column} FROM blocks WHERE ${one}`).pluck().get();
      connection.exec(`UPDATE blocks SET ${column} = ${turned} WHERE ${one}`);
      const reads = {
        all: <Row>(sql: string, ...values: unknown[]) => connection.prepare(sql).all(...values) as Row[],
      };
      assert.equal(intactRows(reads, "blocks", id).size, whole - 1, column);
      connection.prepare(`UPDATE blocks SET ${column} = ? WHERE ${one}`).run(had);
      connection.close();
    }
  });

  it("a chapter is checked in as many statements whatever its length", (t) => {
    const { own, sample } = withSample(t);
    const asked = [4, 400].map((paragraphs) => {
      const markdown = Array.from({ length: paragraphs }, (_, at) => `It is ${at}.\n`).join("\n");
      const { id } = createChapter(own, sample.bookId, { title: `${paragraphs}`, markdown }, OWNER);
      const { store } = again(t, own);
      let count = 0;
      for (const way of ["get", "all", "list"] as const) {
        const ask = store[way].bind(store) as (...given: unknown[]) => never;
        store[way] = (...given: unknown[]) => {
          count++;
          return ask(...given);
        };
      }
      readChapterAnswer({ ...own, store }, id, { format: "markdown" });
      return count;
    });
    assert.equal(asked[0], asked[1]);
  });
});
