import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faultOnWindows, nameFiles, nameFolder, slug } from "../../src/files/file-names.ts";

const named = (...titles: string[]) => nameFiles(titles.map((title) => ({ title, part: null, file: null })));
const remembered = (...files: string[]) => nameFiles(files.map((file) => ({ title: "T", part: null, file })));

describe("slug", () => {
  it("is ASCII words joined by dashes", () => {
    assert.equal(slug("Alice’s Evidence: “Stop!”"), "alices-evidence-stop");
    assert.equal(slug("Łukasz & Zoë Ærøskøbing"), "lukasz-zoe-aeroskobing");
    assert.equal(slug("第一章"), "");
    assert.equal(slug("../../etc/passwd"), "etc-passwd");
    assert.ok(slug("word ".repeat(50)).length <= 80);
  });
});

describe("nameFiles", () => {
  it("numbers the chapters with as many digits as they need", () => {
    assert.deepEqual(named("The Storm", "第一章"), ["01-the-storm.md", "02.md"]);
    assert.equal(
      nameFiles(Array.from({ length: 100 }, () => ({ title: "X", part: null, file: null })))[6],
      "007-x.md",
    );
  });

  it("keeps the name that a chapter was imported from, also in a folder", () => {
    assert.deepEqual(remembered("Prologue.md", "part-1/01.md"), ["Prologue.md", "part-1/01.md"]);
  });

  it("never leaves the folder, and makes no hidden, unwritable or second file", () => {
    for (const file of [
      "../x.md",
      "/etc/x.md",
      "a/../../x.md",
      ".hidden.md",
      "a/.b/x.md",
      "C:x.md",
      "con.md",
      "aux/x.md",
      "a\\b.md",
      "x.",
      "a\u0000.md",
      "",
    ]) {
      assert.deepEqual(remembered(file), ["01-t.md"], file);
    }
    assert.deepEqual(remembered("x.md", "X.MD"), ["x.md", "02-t.md"]);
    assert.deepEqual(
      nameFiles([
        { title: "T", part: null, file: "02-b.md" },
        { title: "B", part: null, file: null },
      ]),
      ["02-b.md", "02-b-2.md"],
    );
  });
});

describe("nameFiles of a book in parts", () => {
  const chapter = (title: string, part: string | null, file: string | null = null, here?: string) => ({
    title,
    part,
    file,
    here,
  });

  it("puts new files into a folder for each part, numbered through the book", () => {
    const chapters = [
      chapter("Prologue", null),
      chapter("A", "One"),
      chapter("B", "One"),
      chapter("C", "Two"),
    ];
    assert.deepEqual(nameFiles(chapters, ["One", "Two"]), [
      "01-prologue.md",
      "01-one/02-a.md",
      "01-one/03-b.md",
      "02-two/04-c.md",
    ]);
  });

  it("puts a new chapter where the others of its part are, and keeps every name that is there", () => {
    const chapters = [
      chapter("A", "One", "flat-a.md"),
      chapter("B", "One"),
      chapter("C", "Two", "old.md", "sea/c.md"),
      chapter("D", "Two"),
    ];
    assert.deepEqual(nameFiles(chapters, ["One", "Two"], ["sea/04-d.md"]), [
      "flat-a.md",
      "02-b.md",
      "sea/c.md",
      "sea/04-d-2.md",
    ]);
  });

  it("gives parts of one slug folders of their own", () => {
    const chapters = [chapter("A", "One"), chapter("B", "One!")];
    assert.deepEqual(nameFiles(chapters, ["One", "One!"]), ["01-one/01-a.md", "02-one/02-b.md"]);
  });
});

describe("nameFolder", () => {
  it("is the title's slug, and never a device of Windows or nothing", () => {
    assert.deepEqual(["Moby Dick", "第一章", "Con", "nul"].map(nameFolder), [
      "moby-dick",
      "book",
      "book",
      "book",
    ]);
  });
});

describe("faultOnWindows", () => {
  it("is none for drives, shares, long and relative paths, and what only looks like a device", () => {
    for (const path of [
      "C:\\w\\Büro & Söhne 100% ☂\\novel.manuscript",
      "c:/w/out",
      "C:out",
      "D:\\",
      "\\\\server\\share\\out",
      "\\\\?\\C:\\w\\out",
      "..\\out",
      ".",
      "console.docx",
      "icon",
      "com10.md",
    ])
      assert.equal(faultOnWindows(path), undefined, path);
  });

  it("names what no name may hold: a colon would hide the file in another one", () => {
    for (const path of [
      "C:\\w\\out:bad",
      "novel.docx:x",
      "what?.docx",
      'a"b',
      "a|b\\c",
      "a\tb",
      "C:\\w\\*.md",
    ])
      assert.equal(faultOnWindows(path), 'no name may hold any of <>:"|?*', path);
  });

  it("names a device, in any step and with any ending", () => {
    for (const [path, device] of [
      ["CON", "CON"],
      ["C:\\w\\nul.manuscript", "nul.manuscript"],
      ["C:/aux/out", "aux"],
      ["lpt1.docx", "lpt1.docx"],
    ] as const)
      assert.equal(faultOnWindows(path), `${device} is a device`, path);
  });
});
