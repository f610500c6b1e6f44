import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as yaml from "yaml";
import { readBookYaml } from "../../src/files/folder/manifest.ts";
import { updateBookYaml, writeBookYaml } from "../../src/files/folder/write-book-yaml.ts";

const read = (text: string) => readBookYaml(yaml, text);

function chapter(id: string, file: string | null, part: string | null) {
  return { id, title: `T: ${id}`, file, part, revision: 4 };
}

const BOOK = {
  id: "bk_1",
  title: "007",
  manifest: { author: "A", parts: { One: { epigraph: "E" } }, chapters: { "1.md": { pov: "Mara" } } },
  goal: { targetWords: 1000, deadline: "2027-01-31", dailyWords: null },
  parts: ["One", "constructor"],
  chapters: [chapter("ch_1", "1.md", "One"), chapter("ch_2", null, null), chapter("ch_3", null, "One")],
};
const FILES = ["1.md", "02-x.md", "01-one/03-y.md"].map((file, index) => ({
  chapter: BOOK.chapters[index]!, // one file a chapter
  file,
  isPlain: file === "02-x.md",
}));
const FOLDERS = new Map([["One", "01-one"]]);

describe("book.yaml", () => {
  it("says title, goal, parts and order, and of a chapter only what its file and folder do not", () => {
    assert.equal(
      writeBookYaml(BOOK, FILES, FOLDERS),
      `title: "007"
manuscript: bk_1
author: A
goal:
  targetWords: 1000
  deadline: "2027-01-31"
  dailyWords: null
parts:
  - title: One
    folder: 01-one
    epigraph: E
  - constructor
chapters:
  - file: 1.md
    part: One
    pov: Mara
  - file: 02-x.md
    title: "T: ch_2"
    id: ch_2
    revision: 4
  - 01-one/03-y.md
`,
    );
  });

  it("is read back as it was written", () => {
    const { title, exportedFrom, goal, parts, manifest, chapters, folders } = read(
      writeBookYaml(BOOK, FILES, FOLDERS),
    );
    assert.deepEqual(
      { title, exportedFrom, goal, parts, manifest },
      {
        title: "007",
        exportedFrom: "bk_1",
        goal: BOOK.goal,
        parts: BOOK.parts,
        manifest: BOOK.manifest,
      },
    );
    assert.deepEqual(chapters, [
      { file: "1.md", part: "One" },
      { file: "02-x.md", title: "T: ch_2", id: "ch_2", revision: 4 },
      { file: "01-one/03-y.md" },
    ]);
    assert.deepEqual([...folders], [["01-one", "One"]]);
  });

  it("takes a title that looks like a number as it is written", () => {
    assert.equal(read("title: 007").title, "007");
    assert.equal(read("title: 1.10").title, "1.10");
    assert.equal(read("parts: [{title: 0x10}]").parts[0], "0x10");
  });

  it("refuses what does not describe a book, naming line or key", () => {
    assert.throws(() => read("title: a: b"), /book\.yaml is not valid YAML: .* in line 1\./);
    assert.throws(() => read("- a"), /must hold keys and values/);
    assert.throws(() => read(`x: ${"[".repeat(20_000)}`), /book\.yaml is nested too deep to be read/);
    assert.throws(() => read("title: *t"), /book\.yaml is not valid YAML: .*alias/);
    assert.throws(() => read("chapters: x"), /book\.yaml: chapters must be a list/);
    assert.throws(() => read("parts:\n  - title: [a]"), /book\.yaml: parts\[0\]\.title must be text/);
    assert.deepEqual(read("").chapters, []);
  });

  it("brought up to date keeps comments and the form of what says the same", () => {
    const before = `# mine
title:  The   Ferry # working title
manuscript: bk_1
parts:
  - One   # the first
  - Two
chapters:
  - 01-a.md # good
  - {file: 02-b.md, pov: Mara}
`;
    const fresh = before
      .replace("- 01-a.md # good\n  - {file: 02-b.md, pov: Mara}", "- 02-b.md\n  - 03-c.md\n  - 01-a.md")
      .replace("02-b.md", "{file: 02-b.md, pov: Mara}")
      .replace("manuscript: bk_1", "manuscript: bk_1\ngoal: {targetWords: 5}");
    const updated = updateBookYaml(yaml, before, fresh);
    assert.deepEqual(yaml.parse(updated), yaml.parse(fresh));
    for (const kept of ["# mine", "# working title", "One # the first", "01-a.md # good"]) {
      assert.ok(updated.includes(kept), `${kept} in ${updated}`);
    }
    assert.equal(updateBookYaml(yaml, before, before.replace("One   #", "One #")), before);
    assert.match(
      updateBookYaml(yaml, before, before.replace(/title:.*/, "title: Ice")),
      /^# mine\ntitle: Ice # working title\n/,
    );
  });
});
