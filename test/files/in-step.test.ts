import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { markdownOf } from "../../lab/faults/two-sided/exchange.ts";
import { importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter, updateChapter } from "../../src/service/books/chapters.ts";
import { createPart, updatePart } from "../../src/service/books/parts.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";
import { exchange } from "./exchange.ts";

/** A book of two chapters in a folder that is in step with it. */
async function inStep(t: TestContext) {
  const open = manuscript(t);
  const { id: bookId } = createBook(open, { title: "Book" }, OWNER);
  const ids = ["One", "Two"].map(
    (title) => createChapter(open, bookId, { title, markdown: `The text of ${title}.\n` }, OWNER).id,
  );
  const path = join(folder(t), "out");
  const own = exchange(open, bookId, path);
  await own.export();
  const read = (file: string) => readFileSync(join(path, file), "utf8");
  const write = (file: string, text: string) => writeFileSync(join(path, file), text);
  return { ...own, open, bookId, ids, path, read, write };
}

/** Runs `meanwhile` as soon as a sync begins to record what it is about to write. */
function whenRecording({ store }: Awaited<ReturnType<typeof inStep>>["open"], meanwhile: () => void): void {
  const { setAside } = store;
  let isDone = false;
  store.setAside = (...args: Parameters<typeof setAside>) => {
    if (!isDone) {
      isDone = true;
      meanwhile();
    }
    return setAside.apply(store, args) as never;
  };
}

describe("a sync that compares hashes", () => {
  it("writes a fact that came between its reading and its recording the next time", async (t) => {
    const own = await inStep(t);
    createFact(own.open, own.bookId, { name: "Mara" }, OWNER);
    whenRecording(own.open, () => createFact(own.open, own.bookId, { name: "Bram" }, OWNER));
    await own.sync();
    assert.doesNotMatch(own.read("facts.yaml"), /Bram/, "it came too late for this one");
    await own.sync();
    assert.match(own.read("facts.yaml"), /Bram/);
  });

  it("does so after an export, too", async (t) => {
    const own = await inStep(t);
    createFact(own.open, own.bookId, { name: "Mara" }, OWNER);
    whenRecording(own.open, () => createFact(own.open, own.bookId, { name: "Bram" }, OWNER));
    await own.export();
    await own.sync();
    assert.match(own.read("facts.yaml"), /Bram/);
  });

  it("brings notes.yaml up to date after it deleted the chapter of a note", async (t) => {
    const own = await inStep(t);
    const [, two = ""] = own.ids;
    createSnippet(own.open, own.bookId, { kind: "note", text: "Which ferry?", chapterId: two }, OWNER);
    await own.sync();
    assert.match(own.read("notes.yaml"), /chapter: 02-two\.md/);
    createSnippet(own.open, own.bookId, { kind: "note", text: "Whose bell?", chapterId: two }, OWNER);
    rmSync(join(own.path, "02-two.md"));
    await own.sync({ delete: true });
    assert.doesNotMatch(own.read("notes.yaml"), /02-two\.md/);
  });

  it("lists a chapter whose file lost its front matter with its id", async (t) => {
    const own = await inStep(t);
    const [one = ""] = own.ids;
    own.write("01-one.md", own.read("01-one.md").replace(/^---[\s\S]*?\n---\n\n/, ""));
    await own.sync();
    assert.match(own.read("book.yaml"), new RegExp(`id: ${one}`));
    await own.sync();
    own.write("01-one.md", `---\nstatus: draft\n---\n\n${own.read("01-one.md")}`);
    await own.sync();
    assert.doesNotMatch(own.read("book.yaml"), new RegExp(`id: ${one}`));
  });

  it("keeps the revisions of a list that its writer laid out otherwise", async (t) => {
    const own = await inStep(t);
    for (const file of ["01-one.md", "02-two.md"])
      own.write(file, own.read(file).replace(/^---[\s\S]*?\n---\n\n/, ""));
    await own.sync();
    own.write("book.yaml", own.read("book.yaml").replace(/^ {2}(?=[- ])/gm, ""));
    await own.sync();
    const [one = ""] = own.ids;
    updateChapter(own.open, one, { title: "One" }, OWNER);
    own.write("01-one.md", "Another text of One.\n");
    await own.sync();
    const { revision } = own.open.store.get<{ revision: number }>(
      "SELECT revision FROM chapters WHERE id = ?",
      one,
    ) ?? { revision: 0 };
    assert.match(own.read("book.yaml"), new RegExp(`id: ${one}\\s+revision: ${revision}\\b`));
  });

  it("names a part by its title once its number is another part's", async (t) => {
    const own = await inStep(t);
    const [one = ""] = own.ids;
    const parts = ["Low water", "High water"].map((title) =>
      createPart(own.open, own.bookId, { title }, OWNER),
    );
    await own.sync();
    own.write("01-one.md", own.read("01-one.md").replace("\nid:", '\npart: "2"\nid:'));
    await own.sync();
    updatePart(own.open, parts[1]?.id ?? "", { position: 1 }, OWNER);
    await own.sync();
    own.write("01-one.md", own.read("01-one.md").replace("text", "words"));
    const { chapters } = await own.sync();
    assert.equal(chapters[0]?.conflict, undefined);
    const row = own.open.store.get<{ title: string }>(
      "SELECT p.title FROM chapters c JOIN parts p ON p.id = c.part_id WHERE c.id = ?",
      one,
    );
    assert.equal(row?.title, "High water");
  });

  it("gives a folder back what an undo of its import took", async (t) => {
    const own = await inStep(t);
    const before = own.read("01-one.md");
    own.write("01-one.md", before.replace("status: draft", "status: draft\nmood: grey"));
    const { act } = await own.sync();
    undoAct(own.open, act ?? "", OWNER);
    await own.sync();
    assert.doesNotMatch(own.read("01-one.md"), /mood/);
  });

  it("sees that two files have changed names", async (t) => {
    const own = await inStep(t);
    renameSync(join(own.path, "01-one.md"), join(own.path, "x.md"));
    renameSync(join(own.path, "02-two.md"), join(own.path, "01-one.md"));
    renameSync(join(own.path, "x.md"), join(own.path, "02-two.md"));
    await own.sync();
    assert.equal(markdownOf(own.open, own.ids[0] ?? ""), "The text of One.\n");
    assert.match(own.read("02-two.md"), /title: One/);
  });

  it("keeps both sides' edits where a folder of bare prose was copied after a conflict", async (t) => {
    const own = await inStep(t);
    for (const file of ["01-one.md", "02-two.md"])
      own.write(file, own.read(file).replace(/^---[\s\S]*?\n---\n\n/, ""));
    await own.sync();
    own.write("01-one.md", "The words of One.\n");
    const [one = ""] = own.ids;
    const other = join(folder(t), "other");
    mkdirSync(other);
    writeFileSync(join(other, "01-one.md"), "");
    const { replaceProse } = await import("../../src/service/prose/replace-prose.ts");
    replaceProse(own.open, one, { markdown: "The sound of One.\n" }, { ...OWNER, mentions: "keep" });
    const { id: three } = createChapter(own.open, own.bookId, { title: "Three", markdown: "T.\n" }, OWNER);
    assert.ok(three);
    const first = await own.sync();
    assert.equal(first.chapters[0]?.status, "conflict");
    const copied = join(folder(t), "copied");
    cpSync(own.path, copied, { recursive: true });
    const { chapters } = await importFiles(own.open, await readBookFiles(copied), { bookId: own.bookId });
    assert.equal(chapters[0]?.status, "conflict");
  });
});
