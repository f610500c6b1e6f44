import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type ImportOptions, importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { setStatus } from "../../src/service/books/chapter-fields.ts";
import { updateChapter } from "../../src/service/books/chapters.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { theChapter } from "../../src/service/guards.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { readBook as readStored } from "../../src/service/interchange/read-book.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { folder, manuscript } from "../support/sandbox.ts";

/** Writes files into a folder: text by relative name. */
function write(path: string, files: Readonly<Record<string, string | Buffer>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** A manuscript, and the import of a folder that holds these files. */
function setUp(t: TestContext) {
  const open = manuscript(t);
  const path = folder(t);
  return {
    open,
    path,
    take: async (files: Readonly<Record<string, string | Buffer>>, options: ImportOptions = {}) =>
      importFiles(open, await readBookFiles(write(path, files)), options),
  };
}

const outlineOf = (open: Manuscript, bookId: string) => JSON.parse(readOutline(open, bookId).body.toString());
const titles = (chapters: readonly { title: string }[]) => chapters.map(({ title }) => title);

describe("a folder as a new book", () => {
  it("takes the Markdown files in natural order, as one act", async (t) => {
    const { open, take } = setUp(t);
    const answer = await take({
      "10-ten.md": "Ten.\n",
      "2-two.md": "# The Second\n\nTwo.\n",
      "1.md": "One.\n",
      "README.md": "About.\n",
      ".hidden.md": "No.\n",
      "notes.txt": "No.\n",
    });
    assert.deepEqual(titles(answer.chapters), ["1", "The Second", "ten"]);
    assert.deepEqual(
      answer.chapters.map(({ status, file, wordCount }) => [status, file, wordCount]),
      [
        ["created", "1.md", 1],
        ["created", "2-two.md", 3],
        ["created", "10-ten.md", 1],
      ],
    );
    const { acts } = listActs(open, {});
    assert.deepEqual(
      acts.map(({ id, kind, source }) => ({ id, kind, source })),
      [{ id: answer.act, kind: "importBook", source: "import" }],
    );
  });

  it("book.json gives title, order, parts, goal and its own keys; front matter goes before it", async (t) => {
    const { open, take } = setUp(t);
    const book = {
      title: "The Book",
      author: "A. Writer",
      goal: { targetWords: 500 },
      parts: ["Out", { title: "Back", slug: "b" }],
      chapters: [
        { file: "b.md", title: "From book.json", part: "b" },
        { file: "sub/a.md", part: 0 },
      ],
    };
    const { bookId } = await take({
      "book.json": JSON.stringify(book),
      "b.md": "---\npart: Out\nstatus: done\nsynopsis: S\n---\n# Heading\n",
      "sub/a.md": "---\ntitle: From front matter\n---\n\nText.\n",
      "03-late.md": "Late.\n",
      "scraps.md": "Not listed, not numbered.\n",
    });
    const { title, chapters, parts, goal } = outlineOf(open, bookId);
    assert.equal(title, "The Book");
    assert.equal(goal.targetWords, 500);
    assert.deepEqual(titles(parts), ["Out", "Back"]);
    assert.deepEqual(titles(chapters), ["late", "From book.json", "From front matter"]);
    assert.deepEqual(
      [chapters[1].status, chapters[1].synopsis, chapters[1].partId],
      ["done", "S", parts[0].id],
    );
    assert.deepEqual(readStored(open, bookId).manifest, {
      author: "A. Writer",
      parts: { Back: { slug: "b" } },
    });
  });

  it("keeps front matter, byte order mark and line ends beside the prose, byte for byte", async (t) => {
    const { open, take } = setUp(t);
    const { chapters } = await take({
      "1.md": "\ufeff---\r\ntitle: T\r\nmood: dark\r\n---\r\n\r\n\r\nText.\r\n\r\nMore.\r\n",
    });
    const { frontMatter, bom, eol, head } = theChapter(open, chapters[0]?.id ?? "");
    assert.deepEqual(
      { frontMatter, bom, eol, head },
      { frontMatter: "---\r\ntitle: T\r\nmood: dark\r\n---\r\n", bom: 1, eol: "crlf", head: "\n\n" },
    );
  });

  it("follows no link out of the folder, nor to another chapter", async (t) => {
    const { path, take } = setUp(t);
    const outside = write(folder(t), { "secret.md": "Secret.\n", "dir/02-x.md": "x" });
    symlinkSync(join(outside, "secret.md"), join(path, "01-secret.md"));
    write(path, { "03-own.md": "Own.\n" });
    symlinkSync(join(path, "03-own.md"), join(path, "04-again.md"));
    const { chapters } = await take({ "02-here.md": "Here.\n" });
    assert.deepEqual(
      chapters.map(({ file }) => file),
      ["02-here.md", "03-own.md"],
    );
    const listed = (file: string) => take({ "book.json": JSON.stringify({ chapters: [{ file }] }) });
    for (const file of ["../secret.md", "/etc/passwd", "a/../../x.md", ".hidden.md", "C:\\x.md"]) {
      await assert.rejects(() => listed(file), /hidden or outside/, file);
    }
    await assert.rejects(() => listed("01-secret.md"), /01-secret\.md, which book\.json lists/);
  });

  it("refuses the whole import, naming the file, and writes nothing", async (t) => {
    const { open, path, take } = setUp(t);
    write(path, { "1.md": "Good.\n" });
    for (const [bad, message] of [
      [Buffer.from([0x63, 0xe9]), /2\.md is not UTF-8; nothing was imported/],
      ["a\u0000b", /2\.md: .*control character/],
      [
        "---\nid: ch_1\nstatus: later\n---\nx",
        /2\.md: status must be one of draft, revising, done, got "later"/,
      ],
      [`---\nid: ch_1\ntitle: ${"x".repeat(501)}\n---\nx`, /2\.md: title .*must be at most 500 characters/],
      [Buffer.alloc(4 * 1024 * 1024 + 1, "a"), /2\.md has 4194305 bytes/],
    ] as const) {
      await assert.rejects(() => take({ "2.md": bad }), message);
    }
    await assert.rejects(
      () => take({ "2.md": "x", "book.json": '{"chapters": ["3.md"]}' }),
      /3\.md, which book\.json lists/,
    );
    assert.equal(listActs(open, {}).total, 0);
  });
});

describe("into a book that is there", () => {
  it("matches by the front matter's id, then by file name, else makes a chapter after the one before it", async (t) => {
    const { open, take } = setUp(t);
    const first = await take({ "1-a.md": "Ay.\n", "2-b.md": "Bee.\n", "3-c.md": "See.\n" });
    const { bookId } = first;
    const ids = first.chapters.map(({ id }) => id);
    const { chapters } = await take(
      { "1-a.md": "Ay.\n", "2-b.md": `---\nid: ${ids[2]}\n---\n\nSea.\n`, "1-new.md": "New.\n" },
      { bookId },
    );
    const [, inserted, , last] = chapters;
    assert.deepEqual(
      chapters.map(({ id, file, status }) => [id, file, status]),
      [
        [ids[0], "1-a.md", "same"],
        [inserted?.id, "1-new.md", "created"],
        [ids[2], "2-b.md", "updated"],
        [last?.id, "3-c.md", "created"],
      ],
    );
    assert.deepEqual(
      outlineOf(open, bookId).chapters.map(({ id }: { id: string }) => id),
      [ids[0], inserted?.id, ids[1], ids[2], last?.id],
      "a chapter that no file is for stays",
    );
  });

  it("keeps the mentions of paragraphs that stay, and reports those that go", async (t) => {
    const { open, take } = setUp(t);
    const { bookId } = await take({ "1.md": "Mara came.\n\nMara left.\n" });
    createFact(open, bookId, { name: "Mara" }, { source: "cli" });
    assert.equal(reanchorMentions(open, bookId, { source: "cli" }).anchored, 2);
    const dry = await take(
      { "1.md": "Mara came.\n\nNobody left at all, that night.\n" },
      { bookId, dryRun: true },
    );
    const { chapters } = await take({}, { bookId });
    for (const answer of [dry.chapters[0], chapters[0]]) {
      assert.deepEqual(
        answer?.mentionsDropped.map(({ text, reason }) => [text, reason]),
        [["Mara", answer?.mentionsDropped[0]?.reason]],
      );
    }
    assert.equal(dry.act, null);
  });

  it("the same files again change nothing, and fields change only where the file says them", async (t) => {
    const { open, take } = setUp(t);
    const files = { "1.md": "---\ntitle: One\n---\n\nText.\n", "2.md": "# Two\n\nText.\n" };
    const { bookId, chapters } = await take(files);
    const [one, two] = chapters.map(({ id }) => id) as [string, string];
    updateChapter(open, two, { title: "Renamed" }, { source: "cli" });
    setStatus(open, one, { status: "done" }, { source: "cli" });
    const again = await take(files, { bookId });
    assert.deepEqual(
      again.chapters.map(({ status, title }) => [status, title]),
      [
        ["same", "One"],
        ["left", "Renamed"],
      ],
    );
    assert.equal(theChapter(open, one).status, "done");
  });

  it("a file without front matter leaves that of the chapter", async (t) => {
    const { open, take } = setUp(t);
    const { bookId, chapters } = await take({ "1.md": "\ufeff---\ntitle: One\n---\n\nText.\n" });
    const again = await take({ "1.md": "\nText.\n" }, { bookId });
    assert.equal(again.chapters[0]?.status, "same");
    const { frontMatter, bom } = theChapter(open, chapters[0]?.id ?? "");
    assert.deepEqual([frontMatter, bom], ["---\ntitle: One\n---\n", 1]);
  });
});

describe("one file", () => {
  it("is a book of one chapter, named after it", async (t) => {
    const open = manuscript(t);
    const path = folder(t);
    const named = ["07 — the storm.md", "7) the storm.md", "07-the-storm.md"];
    for (const name of named) {
      write(path, { [name]: "Text.\n" });
      assert.equal((await importFiles(open, await readBookFiles(join(path, name)), {})).title, "the storm");
    }
    const file = join(path, "07-the-storm.md");
    assert.equal((await importFiles(open, await readBookFiles(file), { title: "Mine" })).title, "Mine");
    await assert.rejects(readBookFiles(join(path, "none.md")), /No such file or folder .*none\.md/);
  });
});
