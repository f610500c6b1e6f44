import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { desk, titled } from "./desk.ts";

describe("a folder of Markdown files", () => {
  const FILES = {
    "10-after.md": "After.\n",
    "00-before.md": "Before.\n",
    "01-the-hill/2.markdown": "Two.\n",
    "01-the-hill/10-top.md": "Top.\n",
    "01-the-hill/steps/1.md": "Steps.\n",
    "2 Valley/1.md": "Low.\n",
    "03-the-hill/1.md": "Again.\n",
  };

  it("has a part for each folder in it, all in natural order", async (t) => {
    const { take, outline } = await desk(t, FILES);
    const { layout, why, bookId, title, skipped } = await take();
    const told = "a folder in it is a part, but none within a part, as 01-the-hill/steps is";
    assert.deepEqual([layout, why, title, skipped], ["folder", told, "Source", []]);
    assert.deepEqual(titled(await outline(bookId)), [
      "before",
      "the hill / 2",
      "the hill / top",
      "the hill / 1",
      "Valley / 1",
      "the hill (2) / 1",
      "after",
    ]);
  });

  it("has one part for a folder whose accents two systems have formed, and titles as people type them", async (t) => {
    const [typed, apart] = (["NFC", "NFD"] as const).map((form) => "Première".normalize(form));
    const files = { [`${apart}/1 été.md`.normalize("NFD")]: "One.\n", [`${typed}/2.md`]: "Two.\n" };
    const { take, outline, sh } = await desk(t, files);
    const { bookId, why } = await take();
    assert.equal(why, "a folder");
    assert.deepEqual(titled(await outline(bookId)).sort(), [`${typed} / 2`, `${typed} / été`]);
    await sh("export", bookId, "-o", "out", "--as-imported");
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(`${sh.cwd}/out/${name}`, "utf8"), text);
  });

  it("goes out and comes back without a change, and is kept in step by a sync", async (t) => {
    const { take, put, sh } = await desk(t, FILES);
    const { bookId } = await take();
    await sh("export", bookId, "-o", "out", "--plain");
    for (const [name, text] of Object.entries(FILES)) {
      assert.equal(readFileSync(`${sh.cwd}/out/${name}`, "utf8"), text, name);
    }
    assert.equal((await sh("import", put({}), "--book", bookId, "--exit-code")).exit, 0);
    put({ "2 Valley/1.md": "Lower.\n" });
    const { chapters, files } = (await sh("sync", put({}), "--book", bookId, "--json")).json<{
      chapters: { status: string }[];
      files: { status: string }[];
    }>();
    assert.deepEqual(
      [...chapters.map(({ status }) => status), ...new Set(files.map(({ status }) => status))],
      ["same", "same", "same", "same", "updated", "same", "same", "same", "written"], // and book.yaml is new
    );
  });

  it("lists all that it does not read but what is hidden, ten lines of it on stderr", async (t) => {
    const { take, put, sh } = await desk(t, {
      "a.md": "A.\n",
      "README.md": "About.\n",
      "x/Readme.txt": "About.\n",
      "x/a.conflict.md": "Both.\n",
      "notes.txt": "Words.\n",
      "plan.docx": "PK",
      ".hidden.md": "No.\n",
      ".git/a.md": "No.\n",
      "node_modules/a/readme.md": "No.\n",
    });
    assert.deepEqual((await take()).skipped, [
      {
        file: "x/a.conflict.md",
        reason: "an import left it for you to look at; remove it when that is done",
      },
      { file: "notes.txt", reason: "not Markdown by its name; --adopt takes it in" },
      {
        file: "plan.docx",
        reason: "a Word document; import it by itself, or a folder that holds such alone",
      },
      { file: "README.md", reason: "a README is no chapter" },
      { file: "x/Readme.txt", reason: "a README is no chapter" },
    ]);
    const adopted = await take(["--adopt"]);
    assert.deepEqual(
      adopted.chapters.map(({ file }) => file),
      ["a.md", "notes.txt"],
    );
    put(Object.fromEntries(Array.from({ length: 12 }, (_, place) => [`${place}.png`, ""])));
    const { stderr } = await sh("import", put({}), "--dry-run");
    const told = stderr.split("\n").filter((line) => line.startsWith("Left out"));
    assert.deepEqual([told.length, told.at(-1)], [11, "Left out 7 more files; --json lists them all."]);
  });

  for (const { name, files, links, taken, adopted } of [
    {
      name: "a file that is no chapter itself",
      files: { "book.yaml": "chapters: [a.md]", "a.md": "A.\n", "drafts/b.md": "B.\n", "c.md": "C.\n" },
      links: { "1.md": "drafts/b.md", "2.md": "c.md" },
      taken: ["1.md", "2.md", "a.md"],
      adopted: [],
    },
    {
      name: "what is hidden",
      files: { "a.md": "A.\n", "node_modules/b.md": "B.\n" },
      links: { "1.md": "node_modules/b.md" },
      taken: ["1.md", "a.md"],
      adopted: [],
    },
    {
      name: "a chapter, by a name that is listed",
      files: { "book.yaml": "chapters: [a.md]", "1.md": "One.\n" },
      links: { "a.md": "1.md" },
      taken: ["a.md"],
      adopted: [],
    },
    {
      name: "a chapter, or what is adopted",
      files: { "a.md": "A.\n", "b.txt": "B.\n" },
      links: { "1.md": "a.md", "2.txt": "b.txt" },
      taken: ["a.md"],
      adopted: ["b.txt"],
    },
  ])
    it(`reads each text once where a link leads to ${name}`, async (t) => {
      const { take, put } = await desk(t, files);
      for (const [link, file] of Object.entries(links)) symlinkSync(file, `${put({})}/${link}`);
      for (const [args, expected] of [
        [["--dry-run"], taken] as const,
        [["--adopt"], [...taken, ...adopted]] as const,
      ])
        assert.deepEqual(
          (await take([...args])).chapters.map(({ file }) => file),
          expected,
        );
    });

  it("follows no link out, into no folder, and reads no pipe", async (t) => {
    const { take, put, sh } = await desk(t, { "a.md": "A.\n" });
    mkdirSync(`${sh.cwd}/other`);
    const outside = `${sh.cwd}/other/secret.md`;
    writeFileSync(outside, "Secret.\n");
    symlinkSync(outside, `${put({})}/b.md`);
    symlinkSync(`${sh.cwd}/other`, `${put({})}/c`);
    symlinkSync(put({}), `${put({})}/loop`);
    execFileSync("sh", ["-c", `mkfifo '${put({})}/d.md'`]);
    const { chapters, skipped } = await take(["--adopt"]);
    assert.deepEqual(
      chapters.map(({ file }) => file),
      ["a.md"],
    );
    assert.deepEqual(skipped, [
      { file: "b.md", reason: "not a file of this folder" },
      { file: "d.md", reason: "not a file of this folder" },
      { file: "c", reason: "not Markdown" },
      { file: "loop", reason: "not Markdown" },
    ]);
  });

  it("refuses a folder without a chapter, and one that is too deep for a book", async (t) => {
    const { put, refusal } = await desk(t, { "a.png": "" });
    assert.match(await refusal(), /holds no chapter/);
    put({ "a.md": "A.\n", [`${"d/".repeat(20)}b.md`]: "B.\n" });
    assert.match(await refusal(), /deeper folders, than a book/);
  });
});

describe("front matter that somebody else wrote", () => {
  const FILES = {
    "1.md": ["---", "status: Weird", "---", "", "# A", "", "Wind."],
    "2.md": ["---", "title: [x, y]", "goal: 50k", "status: First Draft", "---", "", "# B", "", "Rain."],
    "3.md": ["---", "title: a: b", "---", "", "# C", "", "Snow."],
  };

  it("stops no import: the plan says what is not taken, and all of it stays as it is", async (t) => {
    const { sh, put, take, outline } = await desk(t, FILES);
    const { bookId, chapters } = await take();
    assert.deepEqual(
      (await outline(bookId)).map(({ title, status }) => [title, status]),
      [
        ["A", "draft"],
        ["B", "draft"],
        ["C", "draft"],
      ],
    );
    assert.deepEqual(
      chapters.map(({ warnings = [] }) => warnings.length),
      [1, 2, 1],
    );
    const again = await sh("import", put({}), "--title", "Again", "--dry-run");
    assert.match(
      again.stdout,
      /^1\.md: its status “Weird” is none of draft, revising, done; draft is taken/m,
    );
    assert.equal((await sh("export", bookId, "-o", "out")).exit, 0);
    for (const [name, lines] of Object.entries(FILES))
      assert.equal(readFileSync(join(sh.cwd, "out", name), "utf8"), `${lines.join("\n")}\n`);
    assert.equal((await sh("sync", "out", "--exit-code")).exit, 0);
  });

  it("cuts what an index says that is too long for a field", async (t) => {
    const long = "Long ".repeat(200);
    const notes = await desk(t, {
      "Index.md": `# ${long}\n- [[a]]\n# B\n- [[b]]\n`,
      "a.md": "A.\n",
      "b.md": "B.\n",
    });
    const [chapter] = await notes.outline((await notes.take()).bookId);
    assert.equal(chapter?.part?.length, 499);
    const scenes = await desk(t, {
      "Index.md": `---\nlongform: {format: scenes, title: ${long}, scenes: [a]}\n---\n`,
      "a.md": "A.\n",
    });
    assert.equal((await scenes.take()).title.length, 499);
  });
});
