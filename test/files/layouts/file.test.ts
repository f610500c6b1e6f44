import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LAYOUT_NAMES } from "../../../src/files/layout-names.ts";
import { desk, titled } from "./desk.ts";

const one = async (t: Parameters<typeof desk>[0], text: string) => {
  const { put, ...rest } = await desk(t, { "whole.md": text });
  return { ...rest, path: `${put({})}/whole.md` };
};

describe("one file", () => {
  for (const [name, text, title, chapters, why] of [
    ["without headings is one chapter", "Text.\n", "whole", ["whole"], "a file"],
    ["with one # heading is one chapter", "# Storm\n\nText.\n", "Storm", ["Storm"], "a file"],
    ["with one # and one ## is one chapter", "# Storm\n\n## A\n", "Storm", ["Storm"], "a file"],
    ["with ## headings alone is one chapter", "## A\n\nx\n\n## B\n", "A", ["A"], "a file"],
    ["with # headings in code is one chapter", "```\n# A\n# B\n```\n", "whole", ["whole"], "a file"],
    [
      "as long as a book, but without headings, is one chapter, and says what to do",
      `Chapter I\n\n${"word ".repeat(25_000)}\n`,
      "whole",
      ["whole"],
      "one chapter, for no headings cut it; give each chapter's title one, as in # Title",
    ],
    [
      "is cut at several # headings",
      "# A\n\nx\n\n# B\n",
      "whole",
      ["A", "B"],
      "2 # headings: a chapter each",
    ],
    [
      "keeps what stands before them",
      "By me.\n\nA\n===\n\nB\n===\n",
      "whole",
      ["Untitled", "A", "B"],
      "2 # headings: a chapter each",
    ],
    [
      "has its title from one # heading above several ##",
      "# The *Sea*\n\n## A\n\nx\n\n## B\n",
      "The Sea",
      ["A", "B"],
      "one # heading, the book's title, and 2 ## headings: a chapter each",
    ],
    [
      "keeps a page between title and chapters",
      "# Sea\n\nFor Ane.\n\n## A\n\n## B\n",
      "Sea",
      ["Sea", "A", "B"],
      "one # heading, the book's title, and 2 ## headings: a chapter each",
    ],
  ] as const) {
    it(name, async (t) => {
      const { take, path, outline } = await one(t, text);
      const answer = await take([], path);
      assert.deepEqual([answer.title, answer.layout, answer.why], [title, "file", why]);
      assert.deepEqual(titled(await outline(answer.bookId)), chapters);
    });
  }

  it("loses not a byte of prose by a guess, says it, and --split overrules it", async (t) => {
    const text = "# Sea\r\n\r\n\r\n## A\r\n\r\nx  y\r\n\r\n## B\r\n";
    const { take, path, sh, prose } = await one(t, text);
    const { bookId } = await take([], path);
    assert.deepEqual(await prose(bookId), ["## A\r\n\r\nx  y\r\n\r\n", "## B\r\n"]);
    const { stdout } = await sh("import", path, "--dry-run");
    assert.match(stdout, /^Read as one file \(one # heading, .*\); another: --split none, or a level\.\n/);
    assert.deepEqual(await prose((await take(["--split", "none"], path)).bookId), [text]);
    assert.deepEqual(await prose((await take(["--split", "1"], path)).bookId), [text]);
    assert.equal((await sh("import", path, "--split", "7")).exit, 2);
  });

  it("takes the book's title from front matter above several chapters, and tells of the rest", async (t) => {
    const { take, path, outline } = await one(t, "---\ntitle: Sea\nauthor: A\n---\n\n# A\n\n# B\n");
    const { title, bookId, skipped } = await take([], path);
    assert.equal(title, "Sea");
    assert.deepEqual(titled(await outline(bookId)), ["A", "B"]);
    assert.deepEqual(skipped, [
      {
        file: "whole.md",
        reason: "front matter of the whole book: its title is taken, its other keys are not",
      },
    ]);
  });

  it("keeps the words of its only # heading where the book is given another title", async (t) => {
    const text = "# The Old  Mill\n\n## A\n\nx\n\n## B\n";
    const { take, path, prose, sh } = await one(t, text);
    const kept = ["# The Old  Mill\n\n", "## A\n\nx\n\n", "## B\n"];
    assert.deepEqual(await prose((await take(["--title", "Sea"], path)).bookId), kept);
    assert.deepEqual(await prose((await take(["--title", "The Old Mill"], path)).bookId), kept.slice(1));
    await sh.with({ stdin: text })("import", "-", "--title", "Piped");
    assert.match((await sh("outline", "Piped")).stdout, /The Old Mill/);
    const named = await one(t, `---\ntitle: Sea\n---\n\n${text}`);
    assert.deepEqual((await named.prose((await named.take([], named.path)).bookId)).length, 3);
  });

  it("that an export made, or that goes into a book, is one chapter", async (t) => {
    const { take, path, sh } = await one(t, "# A\n\n# B\n");
    const { bookId, chapters } = await take(["--split", "none"], path);
    assert.equal((await take(["--book", bookId], path)).chapters[0]?.status, "same");
    const known = await take([], path);
    assert.deepEqual([known.bookId, known.chapters.length], [bookId, 1]);
    await sh("export", bookId, "-o", "out");
    const exported = `${sh.cwd}/out/${chapters[0]?.file}`;
    assert.equal((await take([], exported)).chapters.length, 1);
    const [again] = (await take(["--book", bookId], exported)).chapters;
    assert.deepEqual([again?.id, again?.status], [chapters[0]?.id, "same"]);
  });

  it("from stdin is guessed as well, and has no other layout", async (t) => {
    const { sh } = await desk(t);
    const stdin = sh.with({ stdin: "# A\n\n# B\n" });
    const { title, chapters, why } = (await stdin("import", "-", "--json")).json<{
      title: string;
      chapters: unknown[];
      why: string;
    }>();
    assert.deepEqual([title, chapters.length, why], ["A", 2, "2 # headings: a chapter each"]);
    assert.equal((await stdin("import", "-", "--layout", "longform")).exit, 2);
    assert.equal((await stdin("import", "-", "--adopt")).exit, 2);
  });

  it("has no layout of a folder, nor a folder that of a file", async (t) => {
    const { path, refusal } = await one(t, "Text.\n");
    for (const layout of LAYOUT_NAMES.filter((name) => name !== "file")) {
      assert.match(await refusal(["--layout", layout], path), /cannot be read as .+: .+/, layout);
    }
    assert.match(await refusal(["--layout", "file"]), /cannot be read as one file .*: it is a folder/);
    assert.match(await refusal(["--layout", "word"]), /choices/i);
  });
});
