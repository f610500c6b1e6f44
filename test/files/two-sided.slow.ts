import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fieldsOf, markdownOf } from "../../lab/faults/two-sided/exchange.ts";
import { newTally } from "../../lab/faults/two-sided/meet.ts";
import { dice, wordsOf } from "../../lab/faults/two-sided/prose.ts";
import { runOnce } from "../../lab/faults/two-sided/run.ts";
import { exportFolder } from "../../src/files/export.ts";
import { createBook } from "../../src/service/books/books.ts";
import { saveSynopsis } from "../../src/service/books/chapter-fields.ts";
import { createChapter, deleteChapter, updateChapter } from "../../src/service/books/chapters.ts";
import { createPart, updatePart } from "../../src/service/books/parts.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";
import { exchange } from "./exchange.ts";

const RUNS = 5;
const SEED = 7;

describe("a folder and a book, both edited", () => {
  it("lose nothing, merge different paragraphs and tell of the same", async (t) => {
    const open = manuscript(t, { reader: null });
    open.store.prepare("PRAGMA synchronous = OFF").run();
    const root = folder(t);
    const tally = newTally();
    for (let run = 0; run < RUNS; run++) {
      const path = join(root, String(run));
      mkdirSync(path);
      await runOnce({ open, root: path, words: wordsOf(dice(SEED, run)) }, tally);
    }
    assert.ok(tally.merged > 0 && tally.conflicts > 0);
    t.diagnostic(JSON.stringify(tally));
  });
});

const A = "The ferry came in before light.";
const B = "Mara rang the bell on the quay.";
const C = "Nobody answered her for an hour.";
const text = (...paragraphs: string[]) => `${paragraphs.join("\n\n")}\n`;

/** A book of one chapter in a folder, with ways to edit either side. */
async function exchanged(t: TestContext, { plain = false } = {}) {
  const open = manuscript(t);
  const { id: bookId } = createBook(open, { title: "Book" }, OWNER);
  const { id } = createChapter(open, bookId, { title: "One", markdown: text(A, B, C) }, OWNER);
  const path = join(folder(t), "out");
  await exportFolder(open, bookId, path, { plain });
  const file = join(path, "01-one.md");
  return {
    ...exchange(open, bookId, path),
    open,
    bookId,
    id,
    path,
    file,
    edit: (from: string, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to)),
    write: (from: string, to: string) => {
      const markdown = markdownOf(open, id).replace(from, to);
      replaceProse(open, id, { markdown }, { ...OWNER, mentions: "keep" });
    },
    markdown: () => markdownOf(open, id),
    fields: () => fieldsOf(open, id),
  };
}

describe("an import of a folder that stays behind the book", () => {
  it("keeps the book's title when prose comes again from a list with the old one", async (t) => {
    const { open, id, edit, import: take, fields } = await exchanged(t, { plain: true });
    updateChapter(open, id, { title: "Theirs" }, OWNER);
    edit("before light", "at noon");
    await take();
    edit("an hour", "an age");
    await take();
    assert.equal(fields().title, "Theirs");
  });

  it("keeps the book's prose when a file brought only another title, and its prose later", async (t) => {
    const { write, edit, import: take, markdown } = await exchanged(t);
    write("before light", "at noon");
    edit("title: One", "title: Mine");
    await take();
    edit("an hour", "an age");
    await take();
    assert.equal(markdown(), text(A.replace("before light", "at noon"), B, C.replace("an hour", "an age")));
  });

  it("tells of a synopsis that the file did not have yet and now has otherwise", async (t) => {
    const { open, id, edit, import: take, fields } = await exchanged(t);
    saveSynopsis(open, id, { synopsis: "Theirs" }, OWNER);
    edit("before light", "at noon");
    await take();
    edit("status: draft", "status: draft\nsynopsis: Mine");
    const { chapters } = await take();
    assert.deepEqual(chapters[0]?.conflict?.fields, ["synopsis"]);
    assert.equal(fields().synopsis, "Theirs");
  });
});

describe("a sync", () => {
  it("does not bring a deleted chapter back because its file got another name", async (t) => {
    const { open, bookId, id, sync, path, file } = await exchanged(t);
    createChapter(open, bookId, { title: "Two", markdown: text(C) }, OWNER);
    deleteChapter(open, id, OWNER);
    renameSync(file, join(path, "02-other.md"));
    const { deleted, chapters } = await sync();
    assert.deepEqual([deleted, chapters], [[{ id, file: "02-other.md" }], []]);
  });

  it("knows a chapter by its prose where its file got another name and lost its front matter", async (t) => {
    const { open, bookId, id, sync, write, path, file, markdown } = await exchanged(t);
    createChapter(open, bookId, { title: "Two", markdown: text(C) }, OWNER);
    await sync();
    write("before light", "at noon");
    writeFileSync(
      join(path, "07-other.md"),
      readFileSync(file, "utf8").replace(/^---\n[\s\S]*?\n---\n\n/, ""),
    );
    rmSync(file);
    const { chapters } = await sync();
    assert.deepEqual(
      chapters.map(({ id, status }) => [id, status]).filter(([, status]) => status === "created"),
      [],
    );
    assert.equal(chapters.find((one) => one.file === "07-other.md")?.id, id);
    assert.equal(markdown(), text(A.replace("before light", "at noon"), B, C));
    assert.match(readFileSync(join(path, "07-other.md"), "utf8"), /at noon/);
  });

  it("leaves a chapter in its part when the one before it in the folder goes to a part that had none", async (t) => {
    const open = manuscript(t);
    const { id: bookId } = createBook(open, { title: "Book" }, OWNER);
    const [first, second] = ["First", "Second"].map((title) => createPart(open, bookId, { title }, OWNER).id);
    const [one, two] = ["One", "Two"].map(
      (title) => createChapter(open, bookId, { title, partId: first ?? null, markdown: text(A) }, OWNER).id,
    );
    const { export: put, sync } = exchange(open, bookId, join(folder(t), "out"));
    await put();
    updateChapter(open, String(one), { partId: second ?? null, position: 1 }, OWNER);
    for (let times = 0; times < 2; times++) await sync();
    const parts = [one, two].map((id) => fieldsOf(open, String(id)).part);
    assert.deepEqual(parts, ["Second", "First"]);
  });

  it("moves nothing back, and makes no part again, for an older list that is put back alone", async (t) => {
    const open = manuscript(t);
    const { id: bookId } = createBook(open, { title: "Book" }, OWNER);
    const [first, second] = ["First", "Second"].map((title) => createPart(open, bookId, { title }, OWNER).id);
    const [one, two] = [null, first ?? null].map(
      (partId) => createChapter(open, bookId, { title: "One", partId, markdown: text(A) }, OWNER).id,
    );
    const path = join(folder(t), "out");
    const { export: put, sync } = exchange(open, bookId, path);
    await put();
    const older = readFileSync(join(path, "book.yaml"));
    updateChapter(open, String(one), { partId: second ?? null }, OWNER);
    updatePart(open, String(first), { title: "Renamed" }, OWNER);
    await sync();
    writeFileSync(join(path, "book.yaml"), older);
    const { older: told } = await sync();
    assert.deepEqual(told, ["book.yaml"]);
    const parts = [one, two].map((id) => fieldsOf(open, String(id)).part);
    assert.deepEqual(parts, ["Second", "Renamed"]);
    const titles = open.store.all<{ title: string }>("SELECT title FROM parts ORDER BY rank");
    assert.deepEqual(
      titles.map(({ title }) => title),
      ["Renamed", "Second"],
    );
    assert.doesNotMatch(readFileSync(join(path, "book.yaml"), "utf8"), /First/);
  });

  it("of a renamed file whose chapter changed leaves nothing for the next one to write", async (t) => {
    const { open, edit, write, sync, path, file } = await exchanged(t);
    edit("an hour", "an age");
    await sync();
    write("before light", "at noon");
    renameSync(file, join(path, "02-other.md"));
    await sync();
    const rows = () => open.store.get("SELECT max(seq) AS last FROM journal");
    const before = rows();
    await sync();
    assert.deepEqual(rows(), before);
  });
});
