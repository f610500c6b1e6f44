import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { leafText, leavesOf, mapLeaves } from "../../src/prose/document/leaves.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { listActs } from "../../src/service/history/acts.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { listPassages, writePassages } from "../../src/service/prose/map-paragraphs.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { replaceInBook } from "../../src/service/prose/replace-text.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

function chapterOf(own: Manuscript, markdown: string) {
  const { id: bookId } = createBook(own, { title: "Book" }, OWNER);
  const { id } = createChapter(own, bookId, { title: "Chapter", markdown }, OWNER);
  return { bookId, id };
}

function markdownOf(own: Manuscript, id: string): string {
  return (readChapterAnswer(own, id, { format: "markdown" }) as { markdown: string }).markdown;
}

function docOf(own: Manuscript, id: string): DocNode[] {
  return (readChapterAnswer(own, id, { format: "doc" }) as { doc: { content: DocNode[] } }).doc.content;
}

/** What a client leaves of the Markdown that puts a document with one text edited. */
function byDocument(own: Manuscript, markdown: string, [find, text]: readonly [string, string]): string {
  const { id } = chapterOf(own, markdown);
  const edit = (child: DocNode): DocNode =>
    child.text?.includes(find) ? { ...child, text: child.text.replace(find, text) } : child;
  const content = docOf(own, id).map((block) =>
    mapLeaves(block, (leaf) => ({
      ...leaf,
      content: (leaf.content ?? []).map(edit).filter((child) => child.text !== ""),
    })),
  );
  replaceProse(own, id, { doc: { type: "doc", content } } as never, OWNER);
  return markdownOf(own, id);
}

describe("PUT of a document with one leaf edited", () => {
  const cases: [promise: string, before: string, edit: [string, string], after: string][] = [
    [
      "leaves a task box beside a link",
      "- [ ] read [x](y)\n- [x] done\n- other\n",
      ["other", "another"],
      "- [ ] read [x](y)\n- [x] done\n- another\n",
    ],
    [
      "leaves a callout",
      "> [!note] Title\n> See [x](y).\n>\n> Second para.\n",
      ["Second", "Next"],
      "> [!note] Title\n> See [x](y).\n>\n> Next para.\n",
    ],
    [
      "leaves wikilinks",
      "- See [[Ahab]] and [map](m.md)\n- other item\n",
      ["other", "another"],
      "- See [[Ahab]] and [map](m.md)\n- another item\n",
    ],
    [
      "leaves the author's backslashes",
      "- costs \\$5 or \\$6\n- other\n",
      ["other", "another"],
      "- costs \\$5 or \\$6\n- another\n",
    ],
    [
      "leaves brackets and backslashes of the very leaf",
      "Take $x[i]$ and $\\{a_1\\}$ and [x](y).\n",
      ["Take", "Let"],
      "Let $x[i]$ and $\\{a_1\\}$ and [x](y).\n",
    ],
    [
      "leaves citations and spans",
      "As [@knuth, p. 3] says in [x](y), a [Name]{.smallcaps}, Figure \\@ref(fig:a)^[note with [x](y)]\n",
      ["says", "said"],
      "As [@knuth, p. 3] said in [x](y), a [Name]{.smallcaps}, Figure \\@ref(fig:a)^[note with [x](y)]\n",
    ],
    [
      "leaves stars that mean nothing",
      "他说**粗体。**比如这个\n",
      ["这个", "那个"],
      "他说**粗体。**比如那个\n",
    ],
    [
      "leaves numbers, marks and indents of a list",
      "1. _em_ of it\n1.   wide\n\n     more of it\n1. other\n",
      ["other", "another"],
      "1. _em_ of it\n1.   wide\n\n     more of it\n1. another\n",
    ],
    ["leaves the underline of a heading", "A title\n=====\n", ["title", "name"], "A name\n=====\n"],
    [
      "leaves entities, autolinks and code over a line end",
      "&nbsp;x &amp; y at <http://a.example> in `code\nspan` here\n",
      ["here", "there"],
      "&nbsp;x &amp; y at <http://a.example> in `code\nspan` there\n",
    ],
    [
      "writes a word that looks like a mark as a word",
      "Some _em_ and [[w]] here\n",
      ["here", "*there*"],
      "Some _em_ and [[w]] \\*there\\*\n",
    ],
    [
      "takes the marks of what goes along",
      "Some _em_ and **more** here\n",
      ["more", ""],
      "Some _em_ and  here\n",
    ],
  ];
  for (const [promise, before, edit, after] of cases) {
    it(promise, (t) => assert.equal(byDocument(manuscript(t), before, edit), after));
  }

  it("writes new brackets as they are where they mean nothing", (t) => {
    const own = manuscript(t);
    const { id } = chapterOf(own, "Old.\n");
    const content = [
      {
        type: "paragraph",
        content: [
          { type: "text", text: "[[Ahab]] and " },
          { type: "text", text: "map", marks: [{ type: "link", attrs: { href: "m.md", title: null } }] },
        ],
      },
    ];
    replaceProse(own, id, { doc: { type: "doc", content } } as never, OWNER);
    assert.equal(markdownOf(own, id), "[[Ahab]] and [map](m.md)\n");
  });
});

describe("PATCH of a paragraph", () => {
  const cases: [promise: string, before: string, leaf: string, body: string, after: string][] = [
    [
      "leaves the other entries of a list with an empty one",
      "- one\n- two [[w]] and [l](m)\n- \n",
      "one",
      "first",
      "- first\n- two [[w]] and [l](m)\n- \n",
    ],
    ["fills an empty entry", "- one\n-\n* two\n", "", "filled", "- one\n- filled\n* two\n"],
    ["keeps the blanks around it", "\tthe code  \n\nnext\n", "the code", "a code", "\ta code  \n\nnext\n"],
    ["keeps a heading underlined", "A title\n---\n", "A title", "A name", "A name\n---\n"],
    ["keeps a closed heading closed", "## A title ##\n", "A title", "A name", "## A name ##\n"],
  ];
  for (const [promise, before, leaf, body, after] of cases) {
    it(promise, (t) => {
      const own = manuscript(t);
      const { id } = chapterOf(own, before);
      const found = docOf(own, id)
        .flatMap(leavesOf)
        .find((node) => leafText(node) === leaf);
      const blockId = String(found?.attrs?.blockId) as never;
      replaceParagraph(own, { chapterId: id, blockId }, { markdown: body }, OWNER);
      assert.equal(markdownOf(own, id), after);
    });
  }
});

describe("replace", () => {
  const cases: [promise: string, before: string, after: string][] = [
    ["leaves entities", "the &amp; the &nbsp;x\n", "ZQ &amp; ZQ &nbsp;x\n"],
    [
      "leaves citations beside an autolink",
      "See the [@knuth] at <http://x.y> and the end.\n",
      "See ZQ [@knuth] at <http://x.y> and ZQ end.\n",
    ],
    ["leaves code over a line end", "the `code\nspan` of the\n", "ZQ `code\nspan` of ZQ\n"],
    ["leaves the other entries", "1. _em_ \\$5\n1. the one\n", "1. _em_ \\$5\n1. ZQ one\n"],
  ];
  for (const [promise, before, after] of cases) {
    it(promise, (t) => {
      const own = manuscript(t);
      const { id, bookId } = chapterOf(own, before);
      replaceInBook(own, bookId, { find: "the", with: "ZQ", matchCase: true }, OWNER);
      assert.equal(markdownOf(own, id), after);
      replaceInBook(own, bookId, { find: "ZQ", with: "the", matchCase: true }, OWNER);
      assert.equal(markdownOf(own, id), before);
    });
  }

  it("makes no act of nothing", (t) => {
    const own = manuscript(t);
    const { bookId } = chapterOf(own, "the end\n");
    const before = listActs(own, {}).total;
    assert.equal(replaceInBook(own, bookId, { find: "gull", with: "tern" }, OWNER).act, null);
    const same = replaceInBook(own, bookId, { find: "end", with: "end" }, OWNER);
    assert.deepEqual([same.act, same.replaced], [null, 0]);
    assert.equal(listActs(own, {}).total, before);
  });
});

/** What `map` leaves of the Markdown whose filter puts one text for another. */
function byMap(own: Manuscript, id: string, find: RegExp, text: string) {
  const listed = listPassages(own, id as never, "paragraph");
  const passages = listed.passages.map((passage) => ({
    ...passage,
    markdown: `${passage.markdown}\n`.replace(find, text),
  }));
  return writePassages(own, [{ ...listed, passages }], OWNER);
}

describe("map", () => {
  const cases: [promise: string, before: string, after: string][] = [
    ["leaves tabs and blanks", "\tthe code  \n\n- the entry  \n", "\tZQ code  \n\n- ZQ entry  \n"],
    [
      "leaves a callout",
      "> [!note] the title\n> See the [x](y).\n",
      "> [!note] ZQ title\n> See ZQ [x](y).\n",
    ],
    ["hands out the author's Markdown", "- _the_ \\$5\n- the &amp;\n", "- _ZQ_ \\$5\n- ZQ &amp;\n"],
    ["keeps the line ends", "the one\r\nthe two\n\n> the\r\n> end\n", "ZQ one\r\nZQ two\n\n> ZQ\r\n> end\n"],
  ];
  for (const [promise, before, after] of cases) {
    it(promise, (t) => {
      const own = manuscript(t);
      const { id } = chapterOf(own, before);
      byMap(own, id, /the/g, "ZQ");
      assert.equal(markdownOf(own, id), after);
      byMap(own, id, /ZQ/g, "the");
      assert.equal(markdownOf(own, id), before);
    });
  }

  it("does what the filter does to blanks", (t) => {
    const own = manuscript(t);
    const { id } = chapterOf(own, "\tthe code\n\nlast\n");
    byMap(own, id, /^\t/gm, "");
    assert.equal(markdownOf(own, id), "the code\n\nlast\n");
  });

  it("makes no act of nothing", (t) => {
    const own = manuscript(t);
    const { id } = chapterOf(own, "\tthe _end_\n\n- a\n");
    assert.equal(byMap(own, id, /gull/g, "tern").act, null);
  });
});
