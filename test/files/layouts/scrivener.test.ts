import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { desk, titled } from "./desk.ts";

const COMPILED = [
  "Title:  The Long Field  ",
  "Author: A. Writer",
  "Language: english",
  "Copyright: 2026 A. Writer",
  "Keywords: grass,",
  "    wind",
  "Base Header Level: 2",
  "",
  "",
  "# Spring",
  "",
  "Author: nobody, she wrote.",
  "",
  "# Summer",
  "",
  "Hay.",
];

describe("a text that Scrivener compiled to MultiMarkdown", () => {
  it("has title, author, language and rights from the metadata, which is no prose, and a chapter for each heading", async (t) => {
    const { take, put, prose } = await desk(t, { "field.md": COMPILED });
    const { layout, why, title, bookId, skipped, metadata } = await take([], `${put({})}/field.md`);
    assert.deepEqual([layout, title], ["scrivener", "The Long Field"]);
    assert.equal(why, "its first lines are MultiMarkdown's metadata; 2 # headings: a chapter each");
    assert.deepEqual(await prose(bookId), [
      "# Spring\n\nAuthor: nobody, she wrote.\n\n",
      "# Summer\n\nHay.\n",
    ]);
    assert.deepEqual(metadata, { author: "A. Writer", language: "en", rights: "2026 A. Writer" });
    assert.deepEqual(skipped, [
      { file: "field.md", reason: "its metadata is no prose: keywords: grass, wind; baseheaderlevel: 2" },
    ]);
  });

  it("is one chapter with --split none, and all prose with --layout file", async (t) => {
    const { take, put, prose } = await desk(t, { "field.md": COMPILED });
    const path = `${put({})}/field.md`;
    assert.equal((await take(["--split", "none"], path)).chapters.length, 1);
    const { bookId } = await take(["--layout", "file", "--split", "none"], path);
    assert.deepEqual(await prose(bookId), [`${COMPILED.join("\n")}\n`]);
  });

  it("is not seen in a text that begins with a word and a colon", async (t) => {
    for (const text of [
      "Note: he lied.\n\nSo.\n",
      "Title: She\nran.\n",
      "Author: me\n\nText.\n",
      "\nTitle: x\n\ny\n",
    ]) {
      const { take, put, prose } = await desk(t, { "a.txt": text });
      const { layout, bookId } = await take([], `${put({})}/a.txt`);
      assert.deepEqual([layout, await prose(bookId)], ["file", [text]]);
    }
  });
});

describe("a folder of Scrivener's files", () => {
  const FILES = {
    "Draft/1 Seed/02 Rain.txt": "It fell.\n",
    "Draft/1 Seed/02 Rain Synopsis.txt": "\ufeffRain comes.\n",
    "Draft/1 Seed/10 Frost [14].md": "Title: Hard Frost\n\nWhite.\n",
    "Draft/1 Seed/10 Frost [14] [Notes].md": "Ask Ede.\n",
    "Draft/1 Seed/02 Rain MetaData.txt": "Status: Done\n",
    "cover.jpg": Buffer.from([0xff, 0xd8]),
  };

  it("takes synopses, notes and status to their chapters, and tells of the rest", async (t) => {
    const { sh, take, outline, prose } = await desk(t, FILES);
    const { layout, why, bookId, skipped, chapters: taken } = await take(["--adopt"]);
    assert.deepEqual(
      [layout, why],
      [
        "scrivener",
        "Draft/1 Seed/02 Rain MetaData.txt; in the order of their names, for such an export keeps no other",
      ],
    );
    const chapters = await outline(bookId);
    assert.deepEqual(titled(chapters), ["Seed / Rain", "Seed / Hard Frost"]);
    assert.deepEqual(
      chapters.map(({ synopsis, status }) => [synopsis, status]),
      [
        ["Rain comes.", "done"],
        ["", "draft"],
      ],
    );
    assert.deepEqual(await prose(bookId), ["It fell.\n", "White.\n"]);
    type Noted = { snippets: { text: string; chapterId: string }[] };
    const { snippets } = (await sh("notes", "list", bookId, "--json")).json<Noted>();
    assert.deepEqual(
      snippets.map(({ text, chapterId }) => [text, chapterId]),
      [["Ask Ede.", taken[1]?.id]],
    );
    assert.deepEqual(skipped, [
      { file: "Draft/1 Seed/02 Rain MetaData.txt", reason: "metadata of Draft/1 Seed/02 Rain.txt, no prose" },
      { file: "cover.jpg", reason: "not Markdown" },
    ]);
  });

  it("has a part for each act, and a paragraph for each line", async (t) => {
    const { take, outline, prose } = await desk(t, {
      "Act One/01 A.txt": "\ufeffFirst line, said.\r\n\tSecond “line.”\r\n\r\n#\r\nThird\u2028broken\r\n",
      "Act One/Ch 2/02 B.txt": "Alone.\n",
      "Act Two/01 C.txt": "Apart.\n\nAs Markdown\n",
      "Act Two/02 D.txt":
        "The rain came down upon the long field and the men who stood in it\nwith their hands in their pockets, and nobody said a word about the\nmill or about the girl who had\n\ngone.\n",
      "Epilogue.txt": "Rhyme\nTime\n",
    });
    const { bookId } = await take();
    assert.deepEqual(titled(await outline(bookId)), [
      "Act One / A",
      "Act One / B",
      "Act Two / C",
      "Act Two / D",
      "Epilogue",
    ]);
    const [a, b, c, d, e] = await prose(bookId);
    assert.equal(a, "First line, said.\n\nSecond “line.”\n\n* * *\n\nThird\\\nbroken\n");
    assert.deepEqual([b, c], ["Alone.\n", "Apart.\n\nAs Markdown\n"]);
    assert.match(d ?? "", /stood in it\nwith their hands/);
    assert.equal(e, "Rhyme\n\nTime\n");
  });

  it("is a folder of plain text without Markdown, too, or what is asked to be one", async (t) => {
    const { take, put, outline } = await desk(t, {
      "2 Two.txt": "Two.\n",
      "10 Ten.txt": "Ten.\n",
      "Readme.txt": "No.\n",
    });
    const { layout, why, bookId } = await take();
    assert.deepEqual(
      [layout, why.split(";")[0], titled(await outline(bookId))],
      ["scrivener", "2 Two.txt", ["Two", "Ten"]],
    );
    put({ "11 Eleven.md": "Eleven.\n" });
    assert.equal((await take()).chapters.length, 1);
    assert.equal((await take(["--layout", "scrivener"])).chapters.length, 3);
  });

  it("is refused where nothing shows it", async (t) => {
    const { refusal } = await desk(t, { "a.docx": "" });
    assert.match(
      await refusal(["--layout", "scrivener"]),
      /neither a project with its \.scrivx, nor a text that begins with MultiMarkdown/,
    );
    const { take } = await desk(t, {
      "a Notes.md": "No file of that name.\n",
      "b-notes.md": "x\n",
      "b.md": "y\n",
    });
    assert.equal((await take()).layout, "folder");
  });
});
