import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createBook } from "../../src/service/books/books.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { rescue } from "../../src/service/health/rescue.ts";
import { reportOf } from "../../src/service/health/rescue-report.ts";
import { listBooks } from "../../src/service/list-books.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { randomFrom } from "../support/random.ts";
import { OWNER, withSample } from "../support/sample.ts";
import { folder, seeded } from "../support/sandbox.ts";
import { DAMAGES, judge, lay, makeWreckable } from "../support/wreck.ts";

describe("rescue", () => {
  it("brings back every paragraph whose pages are intact, none that was not written, and tells of all others", (t) => {
    const place = folder(t);
    const random = randomFrom(7);
    const size = { chapters: 2, paragraphs: 8, edits: 12 };
    const books = [false, true].map((hasLog) => {
      return makeWreckable(join(place, `made ${hasLog}`), random, { ...size, hasLog });
    });
    for (const [at, damage] of [...new Set(DAMAGES), ...DAMAGES.slice(-1)].entries()) {
      const book = books[damage === DAMAGES.at(-1) ? 1 : 0]!; // made above: the last tears a log
      const wreck = damage(book, random);
      const path = lay(join(place, `laid ${at}`), wreck, at % 2 === 0 ? book.copies : []);
      const before = readFileSync(path);
      const to = join(place, `out ${at}`, "book.manuscript");
      const rescued = rescue(path, to, () => mkdirSync(join(to, "..")));
      const { chapters, text } = reportOf(rescued, { name: "book.manuscript", folders: [] });
      rescued.manuscript.close();
      const told = {
        path: to,
        told: chapters,
        isTold: text.includes("pages of the file"),
        isCutTold: /^# .*newest saves are missing\n/.test(text),
      };
      assert.deepEqual(judge(book, wreck, told), [], wreck.what);
      assert.ok(text.split("The history that would tell of more is damaged").length <= 2, text);
      assert.deepEqual(
        diagnose(to).checks.filter(({ status }) => status === "fail"),
        [],
        wreck.what,
      );
      assert.deepEqual(readFileSync(path), before);
    }
  });

  it("turns back a bit of a paragraph that was turned over", (t) => {
    const { own, sample } = withSample(t);
    own.store.checkpoint();
    const path = join(folder(t), "flipped.manuscript");
    const bytes = readFileSync(own.store.path);
    const at = bytes.indexOf("You are late");
    writeFileSync(path, bytes.fill("Yow", at, at + 3));
    const to = join(folder(t), "new.manuscript");
    const rescued = rescue(path, to, () => {});
    t.after(() => rescued.manuscript.close());
    assert.ok(reportOf(rescued, { name: "new.manuscript", folders: [] }).isWhole);
    const text = (manuscript: Manuscript) =>
      readChapterAnswer(manuscript, sample.chapterId, { format: "markdown" });
    assert.deepEqual(text(rescued.manuscript), text(own));
  });

  it("leaves out a log that was written for another manuscript, and says so", (t) => {
    const [{ own, sample }, { own: other }] = [withSample(t), withSample(t, { random: seeded(9) })];
    own.store.checkpoint();
    const path = join(folder(t), "mixed.manuscript");
    writeFileSync(path, readFileSync(own.store.path));
    other.store.setAside(() =>
      other.store.run("UPDATE settings SET value = 'another' WHERE name = 'writer'"),
    );
    createBook(other, { title: "Not of this file" }, OWNER);
    for (const ending of ["-wal", "-log"]) copyFileSync(other.store.path + ending, path + ending);
    const rescued = rescue(path, join(folder(t), "new.manuscript"), () => {});
    t.after(() => rescued.manuscript.close());
    const { isWhole, text } = reportOf(rescued, { name: "new.manuscript", folders: [] });
    assert.ok(!isWhole);
    assert.match(text, /written for another manuscript/);
    assert.deepEqual(
      listBooks(rescued.manuscript).books.map(({ id }) => id),
      [sample.bookId],
    );
  });
});
