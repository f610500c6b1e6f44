import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { SaxesParser } from "saxes";
import { readBookmark } from "../../src/publish/bookmarks.ts";
import type { CompiledNote } from "../../src/publish/compiled.ts";
import { writeDocx } from "../../src/publish/docx.ts";
import { compiled } from "./book.ts";

const NOTE: CompiledNote = {
  kind: "note",
  author: "",
  blockId: "b_2",
  lines: ["Too long?", "Cut."],
  at: "2026-05-03T10:00:00.000Z",
  isDone: true,
  replies: [],
};
const WHOLE = [
  {
    title: "Dusk",
    part: "Part & One",
    markdown:
      '# Dusk\n\nHe said *no* < "yes"[^1], & [left](https://example.org/?a=1&b=2).\n\n***\n\n- one\n- two\n  1. deep\n\n> quoted\n\n| a | b |\n| - | - |\n| c | d |\n\n![q](q.png)\n\n`x`\n\n    code\n\n[^1]: A note.',
  },
  { title: "Dawn", part: "Part & One", markdown: "Morning." },
];

/** Every part of a document as text. Each must be XML that is well formed. */
function partsOf(bytes: Uint8Array): Record<string, string> {
  const files = unzipSync(bytes);
  const parts = Object.entries(files).filter(([name]) => /\.(?:xml|rels)$/.test(name));
  for (const [name, content] of parts) {
    const parser = new SaxesParser({ xmlns: true, fileName: name });
    parser.on("error", (error) => assert.fail(error));
    parser.write(strFromU8(content)).close();
  }
  return Object.fromEntries(parts.map(([name, content]) => [name, strFromU8(content)]));
}

describe("writeDocx", () => {
  const bytes = writeDocx(compiled(WHOLE, { notes: [NOTE] }));
  const parts = partsOf(bytes);
  const body = parts["word/document.xml"] ?? "";

  it("names the book, each chapter with its revision, and each paragraph once", () => {
    assert.match(parts["docProps/custom.xml"] ?? "", /name="manuscript.book"><vt:lpwstr>bk_1</);
    const all = `${body}${parts["word/footnotes.xml"]}`;
    const names = [...all.matchAll(/<w:bookmarkStart w:id="(\d+)" w:name="([^"]+)"/g)];
    assert.deepEqual(
      names
        .map(([, , name = ""]) => readBookmark(name))
        .flatMap((one) => (one && "chapterId" in one ? [one] : [])),
      [
        { chapterId: "ch_1", revision: 3 },
        { chapterId: "ch_2", revision: 3 },
      ],
    );
    assert.equal(new Set(names.map(([, , name]) => name)).size, names.length);
    assert.equal(new Set(names.map(([, id]) => id)).size, names.length);
    assert.equal(names.length, 2 + 13);
    assert.match(body, /w:name="_b_2"\/>.*?He said .*?<w:bookmarkEnd/);
  });

  it("has a title page, running heads and an end, as editors expect", () => {
    assert.match(body, /Ada Rook<\/w:t><w:tab\/><w:t xml:space="preserve">about 1,400 words/);
    assert.match(
      body,
      /Hull.*"Title".*The Ferry &amp; the Fog.*by Ada Rook.*"PartTitle".*Part &amp; One.*"Heading1"/,
    );
    assert.match(body, /"TheEnd"\/><\/w:pPr><w:r><w:t xml:space="preserve">END/);
    assert.match(parts["word/header1.xml"] ?? "", /Rook \/ THE FERRY &amp; THE FOG \/ .* PAGE .*<w:t>1</);
  });

  it("says marks, links, scene breaks, lists, quotes, tables and pictures in Word's words", () => {
    assert.match(body, /<w:rPr><w:i\/><\/w:rPr><w:t xml:space="preserve">no</);
    assert.match(body, /&lt; &quot;yes&quot;/);
    assert.match(
      parts["word/_rels/document.xml.rels"] ?? "",
      /example\.org\/\?a=1&amp;b=2" TargetMode="External"/,
    );
    assert.match(body, /"SceneBreak"\/>.*?>#</);
    assert.match(body, /<w:ilvl w:val="1"\/><w:numId w:val="2"\/>.*?deep/);
    assert.match(body, /"Quote"\/>.*?quoted/);
    assert.match(body, /<w:tbl>.*<w:gridCol.*"TableText"/);
    assert.match(body, /descr="q".*r:embed="rId\d+"/);
    assert.ok(Object.keys(unzipSync(bytes)).includes("word/media/pixel.png"));
  });

  it("writes footnotes, and notes only as comments, done or not", () => {
    assert.match(parts["word/footnotes.xml"] ?? "", /w:id="1">.*"FootnoteText".*A note\./);
    assert.match(
      body,
      /<w:commentRangeStart w:id="0"\/>.*<w:commentReference w:id="0"\/>.*<w:footnoteReference/,
    );
    assert.match(
      parts["word/comments.xml"] ?? "",
      /w:author="Ada Rook" w:date="2026-05-03T10:00:00Z" w:initials="AR".*Too long\?.*Cut\./,
    );
    assert.match(parts["word/commentsExtended.xml"] ?? "", /w15:done="1"/);
  });

  it("writes no part that would be empty, and names every part that is there", () => {
    const bare = partsOf(writeDocx(compiled([{ markdown: "Text." }])));
    assert.deepEqual(
      Object.keys(bare).filter((name) => /comments|footnotes|numbering/.test(name)),
      [],
    );
    for (const one of [bare, parts])
      for (const name of Object.keys(one).filter((file) => /^word\/[^_]/.test(file)))
        assert.ok(one["[Content_Types].xml"]?.includes(`PartName="/${name}"`), name);
  });

  it("gives the same bytes for the same book", () => {
    assert.deepEqual(writeDocx(compiled(WHOLE, { notes: [NOTE] })), bytes);
  });

  it("writes a footnote again that is referred to again, and its bookmarks once", () => {
    const twice = partsOf(writeDocx(compiled([{ markdown: "a[^1] b[^1]\n\n[^1]: N." }])));
    assert.equal(
      twice["word/footnotes.xml"]?.match(/ N\./g)?.length ??
        twice["word/footnotes.xml"]?.match(/>N\.</g)?.length,
      2,
    );
    assert.equal(twice["word/footnotes.xml"]?.match(/bookmarkStart/g)?.length, 1);
  });
});
