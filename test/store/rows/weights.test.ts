import assert from "node:assert/strict";
import { it } from "node:test";
import type { BookId, ChapterId, FactId } from "../../../src/ids.ts";
import * as weights from "../../../src/store/rows/weights.ts";
import { withSample } from "../../support/sample.ts";

it("each weight is told to the row: so many are not more than so many", (t) => {
  const { own, sample } = withSample(t);
  const { store } = own;
  const [bookId, chapterId] = [sample.bookId as BookId, sample.chapterId as ChapterId];
  const count = (sql: string, ...given: string[]) =>
    Number(store.list(`SELECT count(*) FROM ${sql}`, ...given)[0]);
  const inBook = "chapters c JOIN blocks b ON b.chapter_id = c.id WHERE c.book_id = ?";
  const [act = ""] = store.list<string>(
    "SELECT id FROM acts WHERE seq = (SELECT act FROM journal GROUP BY act ORDER BY count(*) DESC LIMIT 1)",
  );
  const rowsOf = (act: string) => count("acts a JOIN journal j ON j.act = a.seq WHERE a.id = ?", act);
  const [last = ""] = store.list<string>("SELECT id FROM acts ORDER BY seq DESC LIMIT 1");
  const [secondLast = ""] = store.list<string>("SELECT id FROM acts ORDER BY seq DESC LIMIT 1 OFFSET 1");
  const parts = [
    count("blocks WHERE chapter_id = ?", chapterId),
    count("mentions WHERE chapter_id = ?", chapterId),
  ];
  const told: [what: string, exactly: number, isMore: (rows: number) => boolean][] = [
    ["a chapter", Math.max(...parts), (rows) => weights.isLongChapter(store, chapterId, rows)],
    ["a book", count(inBook, bookId), (rows) => weights.isLongBook(store, bookId, rows)],
    [
      "a fact",
      count("mentions WHERE fact_id = ?", sample.factId),
      (rows) => weights.isOftenMentioned(store, sample.factId as FactId, rows),
    ],
    [
      "mentions",
      count("mentions m JOIN chapters c ON c.id = m.chapter_id WHERE c.book_id = ?", bookId),
      (rows) => weights.areManyMentions(store, bookId, rows),
    ],
    ["an act", rowsOf(act), (rows) => weights.isLongAct(store, act, rows)],
    ["the newest act", rowsOf(last) - 1, (rows) => weights.areLongActs(store, 1, rows)],
    ["the two newest", rowsOf(last) + rowsOf(secondLast) - 1, (rows) => weights.areLongActs(store, 2, rows)],
    [
      "a list's rows",
      Math.max(count("facts WHERE book_id = ?", bookId), count("snippets WHERE book_id = ?", bookId)),
      (rows) => weights.hasLongList(store, bookId, { rows, bytes: 1e9 }),
    ],
    [
      "a list's bytes",
      Math.max(
        ...store.list<number>(
          "SELECT sum(octet_length(aliases) + octet_length(attributes) + octet_length(summary)) FROM facts WHERE book_id = ?",
          bookId,
        ),
        ...store.list<number>(
          "SELECT sum(coalesce(octet_length(text), 0) + coalesce(octet_length(items), 0)) FROM snippets WHERE book_id = ?",
          bookId,
        ),
      ),
      (bytes) => weights.hasLongList(store, bookId, { rows: 1e6, bytes }),
    ],
  ];
  for (const [what, exactly, isMore] of told)
    assert.deepEqual(
      [exactly > 0 && isMore(exactly - 1), isMore(exactly)],
      [exactly > 0, false],
      `${what}: ${exactly}`,
    );
});
