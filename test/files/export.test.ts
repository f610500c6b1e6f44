import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import * as yaml from "yaml";
import { exportFolder } from "../../src/files/export.ts";
import { readBookYaml } from "../../src/files/folder/manifest.ts";
import { importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { WouldLose } from "../../src/refusals.ts";
import { createBook } from "../../src/service/books/books.ts";
import { saveSynopsis, setStatus } from "../../src/service/books/chapter-fields.ts";
import { createChapter, deleteChapter, updateChapter } from "../../src/service/books/chapters.ts";
import { type Book, readProseAhead, readWholeBook } from "../../src/service/interchange/read-book.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { listChapters } from "../../src/store/rows/chapters.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";

const FILES = {
  "01-plain.md": "# Plain\n\nText.\n\n\n\nMore text, and no line end",
  "02-block.md": "---\n# mine\ntitle: Block\nmood: dark # very\n---\n\n\nText.\n",
  "03-windows.md": "\ufeff---\r\ntitle: Windows\r\nstatus: revising\r\n---\r\n\r\n\tText.\r\n",
  "04-blank.md": "\n\n\nText after blank lines.\n",
  "05-bom.md": "\ufeffMarked.\r\n",
  "06-empty.md": "",
};

const BOOK_JSON = {
  title: "Round",
  author: "A",
  parts: ["One"],
  chapters: [{ file: "01-plain.md", part: "One", pov: "Mara" }],
};

/** A book imported from these files, and exports of it. */
async function setUp(t: TestContext, files: Readonly<Record<string, string>> = FILES) {
  const open = manuscript(t);
  const source = folder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(source, name), text);
  writeFileSync(join(source, "book.json"), JSON.stringify(BOOK_JSON));
  const { bookId, chapters } = await importFiles(open, await readBookFiles(source), {});
  return {
    open,
    bookId,
    source,
    idOf: (file: string) => chapters.find((chapter) => chapter.file === file)?.id ?? "",
    put: async (path: string, { plain = false, force = false } = {}) =>
      (await exportFolder(open, bookId, path, { plain, force })).files,
    take: async (path: string) => importFiles(open, await readBookFiles(path), { bookId }),
  };
}

const read = (path: string, file: string) => readFileSync(join(path, file), "utf8");

/** A book and the very bytes of its prose. */
const everything = ({ chapters, ...book }: ReturnType<typeof readWholeBook>) =>
  JSON.stringify({ ...book, chapters: chapters.map((chapter) => [chapter, chapter.markdown().toString()]) });

describe("export --plain", () => {
  it("writes the very bytes, without front matter, under the names they came from", async (t) => {
    const { put } = await setUp(t);
    const path = folder(t);
    await put(path, { plain: true });
    for (const [file, text] of Object.entries(FILES)) {
      assert.equal(read(path, file), text.replace(/^\ufeff?---[\s\S]*?---\r?\n/, ""), file);
    }
  });
});

describe("export, taken into another manuscript", () => {
  it("gives the same prose there to the byte, blank lines before it and behind its front matter too", async (t) => {
    const { put, open, bookId, idOf } = await setUp(t, {
      ...FILES,
      "07-untitled.md": "---\ntitle: ''\nmood: dark\n---\n\n# Heading\n",
      "08-bare.md": "---\nmood: dark\n---\nText.\n",
    });
    const [path, plain, again] = [folder(t), folder(t), folder(t)];
    await put(path);
    assert.match(read(path, "07-untitled.md"), /^---\ntitle: ''\nmood: dark\n---\n\n# Heading\n$/);
    await put(plain, { plain: true });
    const other = manuscript(t);
    const taken = await importFiles(other, await readBookFiles(path), {});
    await exportFolder(other, taken.bookId, again, { plain: true });
    for (const { file } of readWholeBook(open, bookId).chapters)
      assert.equal(read(again, file ?? ""), read(plain, file ?? ""), file ?? "");
    assert.deepEqual(
      taken.chapters.slice(6).map(({ title }) => title),
      ["Heading", "bare"],
    );
    updateChapter(open, idOf("08-bare.md"), { title: "Zed" }, { source: "cli" });
    const renamed = folder(t);
    await put(renamed);
    assert.equal(read(renamed, "08-bare.md"), "---\nmood: dark\ntitle: Zed\n---\nText.\n");
  });
});

describe("export", () => {
  it("of a file with front matter that is still true gives that file", async (t) => {
    const { put } = await setUp(t);
    const path = folder(t);
    await put(path);
    for (const file of ["02-block.md", "03-windows.md"] as const)
      assert.equal(read(path, file), FILES[file], file);
    assert.match(
      read(path, "01-plain.md"),
      /^---\ntitle: Plain\nstatus: draft\nid: ch_\w+\nrevision: 1\n---\n\n# Plain\n/,
    );
    assert.match(read(path, "05-bom.md"), /^\ufeff---\r\ntitle: bom\r\n/);
  });

  it("writes what has changed, and a new chapter as NN-slug.md", async (t) => {
    const { open, bookId, idOf, put } = await setUp(t);
    const owner = { source: "cli" } as const;
    setStatus(open, idOf("02-block.md"), { status: "done" }, owner);
    saveSynopsis(open, idOf("03-windows.md"), { synopsis: "It: rains." }, owner);
    updateChapter(open, idOf("03-windows.md"), { title: "Doors" }, owner);
    createChapter(open, bookId, { title: "Zoë’s End", markdown: "End.\n" }, owner);
    const path = folder(t);
    await put(path);
    assert.match(
      read(path, "02-block.md"),
      /^---\n# mine\ntitle: Block\nmood: dark # very\nstatus: done\n---\n\n\nText/,
    );
    assert.match(
      read(path, "03-windows.md"),
      /^\ufeff---\r\ntitle: Doors\r\nstatus: revising\r\nsynopsis: "It: rains\."\r\n---\r\n\r\n\tText/,
    );
    assert.match(read(path, "07-zoes-end.md"), /^---\ntitle: Zoë’s End\n[\s\S]*---\n\nEnd\.\n$/);
    const book = readBookYaml(yaml, read(path, "book.yaml"));
    assert.deepEqual(
      [book.title, book.manifest, book.parts, book.chapters[0], book.chapters.at(-1)],
      [
        "Round",
        { author: "A", chapters: { "01-plain.md": { pov: "Mara" } } },
        ["One"],
        { file: "01-plain.md", part: "One" },
        { file: "07-zoes-end.md" },
      ],
    );
  });

  it("imported again changes nothing, in either form", async (t) => {
    const { open, bookId, put, take } = await setUp(t);
    const before = everything(readWholeBook(open, bookId));
    for (const plain of [true, false]) {
      const path = folder(t);
      await put(path, { plain });
      const { chapters } = await take(path);
      assert.deepEqual(
        chapters.filter(({ status }) => status !== "same"),
        [],
        `plain: ${plain}`,
      );
      assert.equal(everything(readWholeBook(open, bookId)), before);
    }
  });

  it("imported as a new book gives the same book", async (t) => {
    const { open, bookId, put } = await setUp(t);
    const path = folder(t);
    await put(path);
    const { bookId: copyId } = await importFiles(open, await readBookFiles(path), {});
    const fields = (id: string) => {
      const { title, manifest, goal, parts, chapters } = readWholeBook(open, id);
      return {
        title,
        manifest,
        goal,
        parts,
        chapters: chapters.map(({ title, part, status, synopsis }) => ({ title, part, status, synopsis })),
      };
    };
    assert.deepEqual(fields(copyId), fields(bookId));
    const [again, first] = [folder(t), folder(t)];
    await put(first, { plain: true });
    await exportFolder(open, copyId, again, { plain: true, force: false });
    for (const file of Object.keys(FILES).filter((name) => !/04|05/.test(name))) {
      assert.equal(read(again, file), read(first, file), file);
    }
  });

  it("twice writes nothing the second time", async (t) => {
    const { put } = await setUp(t);
    const path = folder(t);
    assert.ok((await put(path)).every(({ status }) => status === "written"));
    assert.ok((await put(path)).every(({ status }) => status === "same"));
    assert.deepEqual(
      readdirSync(path).sort(),
      [".schemas", ...Object.keys(FILES), "book.yaml"].sort(),
      "and leaves no other file",
    );
  });
});

describe("what an export overwrites", () => {
  const refused = (run: Promise<unknown>) => assert.rejects(run, WouldLose);

  it("is what an earlier export of the book wrote, as long as nobody has edited it", async (t) => {
    const { open, idOf, put } = await setUp(t);
    const path = folder(t);
    await put(path);
    setStatus(open, idOf("01-plain.md"), { status: "done" }, { source: "cli" });
    await put(path);
    assert.match(read(path, "01-plain.md"), /status: done/);
    writeFileSync(join(path, "01-plain.md"), "Edited by hand.\n");
    await refused(put(path));
    assert.equal(read(path, "01-plain.md"), "Edited by hand.\n");
    await put(path, { force: true });
    assert.match(read(path, "01-plain.md"), /status: done/);
  });

  it("is never a folder of somebody else's: nothing at all is written there", async (t) => {
    const { source, put } = await setUp(t);
    const before = read(source, "book.json");
    await refused(put(source));
    assert.equal(read(source, "book.json"), before);
    assert.equal(read(source, "01-plain.md"), FILES["01-plain.md"]);
    const path = folder(t);
    writeFileSync(join(path, "02-block.md"), "Another.\n");
    await refused(put(path));
    assert.deepEqual(readdirSync(path), ["02-block.md"]);
  });

  it("is never a link, nor a file behind one", async (t) => {
    const { put } = await setUp(t);
    const [path, outside] = [folder(t), folder(t)];
    writeFileSync(join(outside, "mine.md"), "Mine.\n");
    symlinkSync(join(outside, "mine.md"), join(path, "01-plain.md"));
    await refused(put(path, { force: true }));
    assert.equal(read(outside, "mine.md"), "Mine.\n");
    assert.ok(lstatSync(join(path, "01-plain.md")).isSymbolicLink());
  });

  it("lies in the folder also where a chapter came from one below it", async (t) => {
    const open: Manuscript = manuscript(t);
    const source = folder(t);
    mkdirSync(join(source, "one"));
    writeFileSync(join(source, "one", "a.md"), "Text.\n");
    writeFileSync(join(source, "book.json"), JSON.stringify({ chapters: ["one/a.md"] }));
    const { bookId } = await importFiles(open, await readBookFiles(source), {});
    const [path, outside] = [folder(t), folder(t)];
    symlinkSync(outside, join(path, "one"));
    await refused(exportFolder(open, bookId, path, { plain: true, force: true }));
    assert.ok(!existsSync(join(outside, "a.md")));
    const fresh = folder(t);
    await exportFolder(open, bookId, fresh, { plain: true, force: false });
    assert.equal(read(fresh, "one/a.md"), "Text.\n");
  });
});

describe("a book that was read ahead", () => {
  it("is of one moment all the same: what was written since is read again", (t) => {
    const open = manuscript(t);
    const bookId = createBook(open, { title: "Ahead" }, OWNER).id;
    for (const markdown of Object.values(FILES).slice(0, 6))
      createChapter(open, bookId, { title: markdown.slice(0, 3), markdown }, OWNER);
    const chapters = listChapters(open.store, bookId);
    let turn = 0;
    const ahead = readProseAhead(open, bookId, {
      wait: () => {
        turn++;
        // The first when it was read, the last before it is.
        if (turn === 3) replaceProse(open, chapters[0]!.id, { markdown: "Anew.\n" }, OWNER); // there are six
        if (turn === 4) replaceProse(open, chapters[5]!.id, { markdown: "No more empty.\n" }, OWNER);
        if (turn === 5) createChapter(open, bookId, { title: "Late", markdown: "Late.\n" }, OWNER);
        if (turn === 6) deleteChapter(open, chapters[1]!.id, OWNER);
      },
    });
    const texts = (book: Book) => book.chapters.map(({ id, markdown }) => [id, markdown().toString()]);
    assert.deepEqual(texts(readWholeBook(open, bookId, { ahead })), texts(readWholeBook(open, bookId)));
    assert.equal(turn, 6);
  });
});
