import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { sameNode } from "../../src/prose/document/same-node.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { BadRequest, NotFound, PayloadTooLarge } from "../../src/refusals.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { type PatternRequest, readPattern } from "../../src/service/prose/find/find-pattern.ts";
import { replaceInBook } from "../../src/service/prose/replace-text.ts";
import { listChapterMentions } from "../../src/store/rows/mentions.ts";
import { randomly } from "../prose/rewrite.ts";
import { dump } from "../support/dump.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

/** A chapter of this Markdown, and what a replacement makes of it. */
function replaced(own: Manuscript, markdown: string, asked: PatternRequest): string {
  const { id: bookId } = createBook(own, { title: "Book" }, OWNER);
  const { id } = createChapter(own, bookId, { title: "Chapter", markdown }, OWNER);
  replaceInBook(own, bookId, asked, OWNER);
  return markdownOf(own, id);
}

function markdownOf(own: Manuscript, id: string): string {
  const answer = readChapterAnswer(own, id, { format: "markdown" });
  return "markdown" in answer ? answer.markdown : "";
}

const ferry = (text: string): PatternRequest => ({ find: "ferry", with: text });

describe("words", () => {
  const cases: [promise: string, asked: PatternRequest, before: string, after: string][] = [
    [
      "take the case of what they replace",
      ferry("gull"),
      "Ferry, FERRY, ferry, fErry",
      "Gull, GULL, gull, gull",
    ],
    [
      "leave a name as it is typed where it is asked for as it stands",
      { find: "Tobit", with: "de Witt" },
      "Tobit, tobit, TOBIT",
      "de Witt, de witt, DE WITT",
    ],
    ["are whole words", ferry("gull"), "ferryman, wherry, ferry-bell", "ferryman, wherry, gull-bell"],
    [
      "are whole with a possessive, not with n’t",
      { find: "can", with: "may" },
      "can can’t cans can’s",
      "may can’t cans may’s",
    ],
    [
      "know curly quotes by straight ones",
      { find: "don't", with: "won't" },
      "don’t “don't”",
      "won’t “won't”",
    ],
    ["know a letter with its accent apart", { find: "Zoë", with: "Ada" }, "Zoe\u0308 and Zoë", "Ada and Ada"],
    ["go over a line end", { find: "old Tobit", with: "Jan" }, "said old\nTobit", "said Jan"],
    ["taken out close up", { find: "very", with: "" }, "Very late, very, very late", "late,, late"],
    ["side by side go with all their blanks", { find: "very", with: "" }, "Late, very very very.", "Late,."],
    ["at the end leave no blank", { find: "very", with: "" }, "Late very very", "Late"],
    ["in Han need no blanks", { find: "東京", with: "京都" }, "私は東京に行く", "私は京都に行く"],
    [
      "match their case when asked",
      { find: "Rose", with: "Lily", matchCase: true },
      "Rose rose ROSE",
      "Lily rose ROSE",
    ],
    ["hold no expression", { find: "a.c", with: "$&" }, "abc a.c", "abc $&"],
  ];
  for (const [promise, asked, before, after] of cases) {
    it(promise, (t) => assert.equal(replaced(manuscript(t), before, asked), after));
  }
});

describe("a regular expression", () => {
  const cases: [promise: string, find: string, text: string, before: string, after: string][] = [
    ["puts groups in", "(\\w+) and (\\w+)", "$2, $1", "lamp and rope", "rope, lamp"],
    [
      "puts named groups, all of it and a dollar in",
      "(?<n>\\d+) crowns",
      "$$$<n> ($&)",
      "5 crowns",
      "$5 (5 crowns)",
    ],
    ["knows letters of every script", "\\p{Lu}\\p{Ll}+", "X", "Łódź and Ærø", "X and X"],
    ["keeps to its own case", "ferry", "gull", "Ferry ferry", "Ferry gull"],
    ["may end within a word", "our\\b", "or", "harbour, ours", "harbor, ours"],
  ];
  for (const [promise, find, text, before, after] of cases) {
    it(promise, (t) =>
      assert.equal(replaced(manuscript(t), before, { find, with: text, regex: true }), after),
    );
  }

  it("that would never end is stopped, and nothing is changed", (t) => {
    const own = manuscript(t);
    const { id: bookId } = createBook(own, { title: "Book" }, OWNER);
    createChapter(own, bookId, { title: "Chapter", markdown: `${"a".repeat(64)}!\n` }, OWNER);
    const before = dump(own.store);
    const asked = { find: "(a+)+$", with: "b", regex: true };
    assert.throws(
      () => replaceInBook(own, bookId, asked, { ...OWNER, expressionMs: 50 }),
      (error) => error instanceof BadRequest && /takes too long/.test(error.message),
    );
    assert.deepEqual(dump(own.store), before);
  });

  it("that was stopped is not begun again for another chapter", () => {
    const find = readPattern({ find: "(a+)+$", with: "b", regex: true }, 50);
    for (const text of [`${"a".repeat(64)}!`, "quick"])
      assert.throws(() => find([text], []), /takes too long/, text);
  });
});

describe("Markdown", () => {
  const cases: [promise: string, before: string, after: string][] = [
    ["keeps marks", "the *ferry* and **the ferry**", "the *gull* and **the gull**"],
    ["keeps a mark that only part of a word had off the new one", "the fer**ry** came", "the gull came"],
    ["keeps what it says in its own way", "&amp; __the__ ferry \\\n* * *", "&amp; __the__ gull \\\n* * *"],
    [
      "keeps destinations",
      '[the ferry](http://ferry.example/ferry "ferry")',
      '[the gull](http://ferry.example/ferry "ferry")',
    ],
    ["keeps addresses", "<http://ferry.example/a-ferry> ferry", "<http://ferry.example/a-ferry> gull"],
    [
      "keeps definitions and labels",
      "[ferry][ferry], ferry\n\n[ferry]: http://ferry.example",
      "[gull][ferry], gull\n\n[ferry]: http://ferry.example",
    ],
    [
      "keeps code, tables and HTML",
      "```ferry\nferry\n```\n\n`ferry`, ferry\n\n<p>ferry</p>\n",
      "```ferry\nferry\n```\n\n`ferry`, gull\n\n<p>ferry</p>\n",
    ],
    [
      "goes into quotes, lists and footnotes",
      "> a\n> ferry\n\n* one\n* ferry[^1]\n\n[^1]: A ferry.",
      "> a\n> gull\n\n* one\n* gull[^1]\n\n[^1]: A gull.",
    ],
    ["keeps line ends", "one\r\nferry\r\n\r\ntwo\r\n", "one\r\ngull\r\n\r\ntwo\r\n"],
  ];
  for (const [promise, before, after] of cases) {
    it(promise, (t) => assert.equal(replaced(manuscript(t), before, ferry("gull")), after));
  }

  it("says new text as text, whatever it looks like", (t) => {
    const own = manuscript(t);
    assert.equal(replaced(own, "ferry ferry", ferry("*a* [b](c)")), "\\*a\\* \\[b\\](c) \\*a\\* \\[b\\](c)");
    assert.match(replaced(own, "one\n\nferry two\n", ferry("#")), /^one\n\n\\?# two\n$/);
  });

  it("reads as before apart from the words, wherever they stand", (t) => {
    const own = manuscript(t);
    const pieces = [
      "ferry",
      " ferry ",
      "*ferry*",
      "**",
      "_",
      "[ferry](ferry)",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "`ferry`",
      "a",
      "&amp;",
      "<i>",
      "\\*",
    ];
    const text = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, (markdown) => {
        if (markdown.trim() === "") return;
        const after = replaced(own, markdown, ferry("gull"));
        const back = parseMarkdown(replaced(own, after, { find: "gull", with: "ferry" })).blocks;
        const first = parseMarkdown(markdown).blocks;
        assert.equal(back.length, first.length);
        // A word of two marks comes back as one of none, so only texts are compared there.
        if (!/\*\*|_/.test(markdown))
          assert.ok(back.every(({ node }, at) => sameNode(node, first[at]!.node))); // as many
      }),
      { ...randomly(40), seed: 11 },
    );
  });
});

describe("replaceInBook", () => {
  it("is one act over all chapters, and one undo takes it back", (t) => {
    const own = manuscript(t);
    const { bookId, chapterId, otherChapterId } = writeSample(own);
    const before = dump(own.store);
    const answer = replaceInBook(own, bookId, { find: "lamp", with: "torch" }, OWNER);
    assert.deepEqual(
      answer.chapters.map(({ id, paragraphs }) => [id, paragraphs.length]),
      [
        [chapterId, 1],
        [otherChapterId, 2],
      ],
    );
    assert.equal(answer.replaced, 3);
    assert.match(markdownOf(own, otherChapterId), /^# The Torch\n\nMara lit the torch\. Tobit\[\^1\]/);
    undoAct(own, String(answer.act), OWNER);
    assert.deepEqual(dump(own.store), before);
  });

  it("rewrites the rows it touches and no other; ids and marginalia stay", (t) => {
    const own = manuscript(t);
    const { bookId, chapterId, blockId, snippetId } = writeSample(own);
    const rows = () => new Map(dump(own.store).blocks!.map((row) => [row.id, JSON.stringify(row)]));
    const before = rows();
    const { chapters } = replaceInBook(own, bookId, { find: "bell", with: "gong" }, OWNER);
    const changed = [...rows()].filter(([id, row]) => before.get(id) !== row);
    assert.equal(changed.length, 1);
    assert.equal(chapters[0]?.paragraphs[0]?.blockId, blockId);
    const note = dump(own.store).snippets!.find(({ id }) => id === snippetId);
    assert.deepEqual([note?.chapter_id, note?.block_id], [chapterId, blockId]);
  });

  it("moves mentions with their words, and drops those whose own words went", (t) => {
    const own = manuscript(t);
    const { bookId, chapterId, otherChapterId } = writeSample(own);
    const before = listChapterMentions(own.store, otherChapterId);
    assert.deepEqual(before.map(({ text }) => text).sort(), ["Mara", "Tobit"]);
    const lamp = replaceInBook(own, bookId, { find: "lit the lamp", with: "slept" }, OWNER);
    assert.deepEqual(
      lamp.chapters.flatMap(({ mentionsDropped }) => mentionsDropped),
      [],
    );
    const moved = listChapterMentions(own.store, otherChapterId).find(({ text }) => text === "Tobit");
    assert.equal(moved?.id, before.find(({ text }) => text === "Tobit")?.id);
    assert.equal(markdownOf(own, otherChapterId).split("\n")[2]?.slice(moved?.from, moved?.to), "Tobit");
    const mara = replaceInBook(own, bookId, { find: "Mara", with: "Ada" }, OWNER);
    const dropped = mara.chapters.flatMap(({ mentionsDropped }) => mentionsDropped);
    assert.deepEqual(
      dropped.map(({ text, reason }) => [text, reason]),
      [
        ["Mara", "edited"],
        ["Mara", "edited"],
      ],
    );
    assert.deepEqual(
      listChapterMentions(own.store, chapterId).map(({ text }) => text),
      ["old Tobit"],
    );
  });

  it("counts what it leaves alone", (t) => {
    const own = manuscript(t);
    const { id: bookId } = createBook(own, { title: "Book" }, OWNER);
    createChapter(
      own,
      bookId,
      { title: "Chapter", markdown: "`ferry` ferry\n\n```\nferry ferry\n```\n" },
      OWNER,
    );
    const { replaced: count, skipped } = replaceInBook(own, bookId, ferry("gull"), {
      ...OWNER,
      dryRun: true,
    });
    assert.deepEqual([count, skipped], [1, 3]);
  });

  it("refuses what it cannot do, and changes nothing", (t) => {
    const own = manuscript(t);
    const { bookId } = writeSample(own);
    const before = dump(own.store);
    const refused: PatternRequest[] = [
      { find: "", with: "x" },
      { find: "  ", with: "x" },
      { find: "a\nb", with: "x" },
      { find: "a", with: "x\ny" },
      { find: "a", with: "\u0007" },
      { find: "a".repeat(2001), with: "x" },
      { find: "(", with: "x", regex: true },
      { find: "x*", with: "y", regex: true },
      { find: "\\b", with: "y", regex: true },
      { find: "(a)", with: "$2", regex: true },
      { find: "a", with: "$<n>", regex: true },
      { find: ".+", with: "", regex: true },
    ];
    for (const asked of refused) {
      const text = JSON.stringify(asked).slice(0, 60);
      assert.throws(() => replaceInBook(own, bookId, asked, OWNER), BadRequest, text);
    }
    assert.throws(() => replaceInBook(own, "bk_none" as typeof bookId, ferry("gull"), OWNER), NotFound);
    assert.deepEqual(dump(own.store), before);
  });

  it("refuses to make a chapter longer than one may be", (t) => {
    const own = manuscript(t);
    const { id } = createBook(own, { title: "Long" }, OWNER);
    createChapter(own, id, { title: "Chapter", markdown: "a".repeat(3000) }, OWNER);
    const asked = { find: ".", with: "x".repeat(2000), regex: true };
    assert.throws(() => replaceInBook(own, id, asked, OWNER), PayloadTooLarge);
  });
});
