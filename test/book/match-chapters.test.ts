import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChapterFile, StoredChapter } from "../../src/book/book.ts";
import { type LastFile, matchChapters, placeChapters } from "../../src/book/merge/match-chapters.ts";
import type { ChapterId } from "../../src/ids.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { store } from "../prose/fidelity.ts";

/** "name hash id text": "-" for none. */
function file(said: string, part?: string): ChapterFile {
  const [name = "", hash = "", id = "-", ...words] = said.split(" ");
  const fields = { ...(id !== "-" && { id }), ...(part !== undefined && { part }) };
  const read = () => ({ fields, prose: parseMarkdown(words.join(" ")) });
  return {
    file: name === "-" ? null : name,
    hash,
    said: {},
    fields: () => fields,
    read,
  } as unknown as ChapterFile;
}

/** "id name": "-" for none. */
function chapter(said: string, part: string | null = null): StoredChapter {
  const [id, name] = said.split(" ");
  return { id, file: name === "-" ? null : name, part, rank: "a" } as unknown as StoredChapter;
}

/** "id name hash text", what the folder had when the two last met. */
function folderOf(said: readonly string[]) {
  const known = said.map((one) => one.split(" "));
  const last = known.map(([id, name, hash]): [ChapterId, LastFile] => {
    const chapterId = id as ChapterId;
    return [chapterId, { chapterId, file: name === "-" ? null : name!, hash: hash! }]; // both are said
  });
  const lastProse = (id: ChapterId) => {
    const text = known
      .find(([one]) => one === id)
      ?.slice(3)
      .join(" ");
    return text === undefined || text === "?" ? undefined : store(parseMarkdown(text));
  };
  return { last: new Map(last), lastProse };
}

const CASES: [
  promise: string,
  sides: { files: readonly string[]; chapters: readonly string[]; last?: readonly string[] },
  expected: string,
][] = [
  ["by name without a folder", { files: ["a.md h1", "c.md h3"], chapters: ["1 a.md", "2 b.md"] }, "1 new"],
  ["by id, whatever the name", { files: ["a.md h1 2", "b.md h2 1"], chapters: ["1 a.md", "2 b.md"] }, "2 1"],
  [
    "an id that is none is new, or by its name",
    { files: ["a.md h1 9", "x.md h2 9"], chapters: ["1 a.md"] },
    "1 new",
  ],
  ["nothing for what came by stdin without an id", { files: ["- h1", "- h2 1"], chapters: ["1 -"] }, "new 1"],
  [
    "the file that it was, unchanged, before one that copies its id",
    { files: ["a.md h1", "z.md h9 1"], chapters: ["1 a.md"], last: ["1 a.md h1 ?"] },
    "new 1",
  ],
  [
    "of two with its id the one that it had, unchanged",
    { files: ["z.md h9 1", "a.md h1 1"], chapters: ["1 a.md"], last: ["1 a.md h1 ?"] },
    "new 1",
  ],
  [
    "of two with its id the one with its name, changed",
    { files: ["z.md h9 1", "a.md h8 1"], chapters: ["1 a.md"], last: ["1 a.md h1 ?"] },
    "new 1",
  ],
  [
    "of two with its id, neither with its name, the first",
    { files: ["y.md h9 1", "z.md h8 1"], chapters: ["1 a.md"], last: ["1 a.md h1 ?"] },
    "1 new",
  ],
  [
    "the name that it had last, not the one that it was imported with",
    { files: ["b.md h5", "a.md h6"], chapters: ["1 a.md"], last: ["1 b.md h1 ?"] },
    "1 new",
  ],
  [
    "a name of another case",
    { files: ["A.md h5", "b.md h2"], chapters: ["1 a.md", "2 b.md"], last: ["1 a.md h1 ?", "2 b.md h2 ?"] },
    "1 2",
  ],
  [
    "a name of Unicode's other form",
    { files: ["e\u0301.md h5", "b.md h2"], chapters: ["1 \u00e9.md"], last: ["1 \u00e9.md h1 ?"] },
    "1 new",
  ],
  [
    "the same bytes under another name",
    { files: ["z.md h1", "b.md h2"], chapters: ["1 a.md", "2 b.md"], last: ["1 a.md h1 ?", "2 b.md h2 ?"] },
    "1 2",
  ],
  [
    "the same prose under another name, without an id",
    { files: ["z.md h7 - Same words", "b.md h2"], chapters: ["1 a.md"], last: ["1 a.md h1 Same words"] },
    "1 new",
  ],
  [
    "not the same prose with an id of nobody's",
    { files: ["z.md h7 9 Same words", "b.md h2"], chapters: ["1 a.md"], last: ["1 a.md h1 Same words"] },
    "new new",
  ],
  [
    "not the same prose of a chapter that had no file",
    { files: ["z.md h7 - Same words", "b.md h2"], chapters: ["1 a.md"], last: ["1 - h1 Same words"] },
    "new new",
  ],
  [
    "not by no words",
    { files: ["z.md h7", "b.md h2"], chapters: ["1 a.md"], last: ["1 a.md h1"] },
    "new new",
  ],
  [
    "not by words that are not known any more",
    { files: ["z.md h7", "b.md h2"], chapters: ["1 a.md"], last: ["1 a.md h1 ?"] },
    "new new",
  ],
  [
    "not by its bytes, a file alone, which may be a copy",
    { files: ["z.md h1"], chapters: ["1 a.md"], last: ["1 a.md h1 ?"] },
    "new",
  ],
  [
    "of two chapters with the same bytes the first",
    { files: ["y.md h1", "z.md h1"], chapters: ["1 a.md", "2 b.md"], last: ["1 a.md h1 ?", "2 b.md h1 ?"] },
    "1 new",
  ],
  [
    "each chapter once",
    { files: ["a.md h1", "A.md h1", "z.md h1"], chapters: ["1 a.md"], last: ["1 a.md h1 ?"] },
    "1 new new",
  ],
];

describe("matchChapters", () => {
  for (const [promise, { files, chapters, last }, expected] of CASES)
    it(promise, () => {
      const folder = last === undefined ? undefined : folderOf(last);
      const matched = matchChapters(
        files.map((said) => file(said)),
        chapters.map((said) => chapter(said)),
        folder,
      );
      assert.equal(matched.map(({ stored }) => stored?.id ?? "new").join(" "), expected);
    });
});

describe("placeChapters", () => {
  const stored = [chapter("1 a.md", "I"), chapter("2 b.md", "I"), chapter("3 c.md", "II"), chapter("4 d.md")];
  const placed = (files: readonly string[], order?: readonly string[]) => {
    const matched = files.map((said) => {
      const [id, name, part] = said.split(" ");
      return { incoming: file(`${name} h`, part), stored: stored.find((one) => one.id === id) };
    });
    return placeChapters(stored, matched, order)
      .map((entry) => ("rank" in entry ? entry.id : entry.incoming.file))
      .join(" ");
  };

  it("keeps the order, and puts a new one behind the file before it", () => {
    assert.equal(placed([]), "1 2 3 4");
    assert.equal(placed(["1 a.md", "+ x.md", "+ y.md", "2 b.md"]), "1 x.md y.md 2 3 4");
    assert.equal(placed(["3 c.md", "+ x.md"]), "1 2 3 x.md 4");
  });

  it("puts a new one with none before it at the end of its part, else of the book", () => {
    assert.equal(placed(["+ x.md I", "1 a.md"]), "1 2 x.md 3 4");
    assert.equal(placed(["+ x.md II"]), "1 2 3 x.md 4");
    assert.equal(placed(["+ x.md"]), "1 2 3 4 x.md");
    assert.equal(placed(["+ x.md III", "+ y.md I"]), "1 2 3 4 x.md y.md");
  });

  it("puts those that a folder's list names in its order, the others where they are", () => {
    assert.equal(placed(["1 a.md", "2 b.md", "3 c.md"], ["c.md", "a.md"]), "3 2 1 4");
    assert.equal(placed(["1 a.md", "2 b.md"], ["b.md", "none.md", "a.md"]), "2 1 3 4");
    assert.equal(placed(["1 a.md", "2 b.md", "+ x.md"], ["b.md", "a.md"]), "2 x.md 1 3 4");
  });
});
