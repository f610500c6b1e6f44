import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kindOf } from "../../src/files/document-kinds.ts";
import { assertWhole } from "../../src/files/documents/compare-text.ts";
import { sourceTextOf } from "../../src/files/documents/source-text.ts";
import { bookOfWord } from "../../src/files/layouts/word/word.ts";
import { desk } from "./layouts/desk.ts";
import { archive, docx } from "./layouts/word/docx.ts";

const SENTENCES = [
  "The ferry left the quay before anybody had come aboard.",
  "Mara counted her coins twice and put them away again.",
  "Somewhere behind the dunes a dog began to bark.",
  "It had rained since Tuesday, and the roof leaked.",
  "Old Hendrik kept his lamps in a box of pine.",
  "Nobody asked why the letter had no stamp.",
  "Fog swallowed the bell, the buoy and the pier.",
  "They ate cold mutton and spoke of the election.",
  "Upstairs a window banged until morning.",
  "A gull walked along the railing like an inspector.",
  "She wrote the address in pencil, for she was unsure.",
  "When the tide turned, so did the talk.",
];
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (text: string) => `<w:p>${run(text)}</w:p>`;

/** A document with each kind of place that a reader could lose. */
const WORD = docx({
  body: [
    ...SENTENCES.map(paragraph),
    `<w:p>${run("A note")}<w:r><w:footnoteReference w:id="2"/></w:r>${run(" stands here.")}</w:p>`,
    `<w:p><w:commentRangeStart w:id="1"/>${run("Somebody")}<w:commentRangeEnd w:id="1"/>${run(" asked.")}</w:p>`,
    `<w:tbl><w:tr><w:tc>${paragraph("Left cell")}</w:tc><w:tc>${paragraph("Right cell")}</w:tc></w:tr></w:tbl>`,
    `<w:p>${run("Kept")}<w:del w:id="7" w:author="A">${run("deleted").replaceAll("w:t", "w:delText")}</w:del></w:p>`,
  ].join(""),
  footnotes: `<w:footnote w:id="2">${paragraph("The text of the footnote.")}</w:footnote>`,
  comments: `<w:comment w:id="1" w:author="Ed">${paragraph("Who was it that asked?")}</w:comment>`,
});

const read = () => {
  const book = bookOfWord(WORD, { file: "a.docx", name: "a.docx" }, { split: "none" });
  const text = sourceTextOf(WORD, kindOf(WORD, "a.docx")!)!; // it is a Word document
  return { ...book, sources: [{ name: "a.docx", text: () => text }] };
};

describe("what came in", () => {
  it("is compared with its source, and nothing is missing", () => {
    assert.deepEqual(assertWhole(read(), {}), []);
  });

  const lose = (words: string) => (text: string) => text.replace(words, "");
  const PLACES = [
    ...[0, 4, 9, 11].map((at) => lose(SENTENCES[at]!)), // there are twelve
    lose("the buoy and"),
    lose("Mara counted"),
    lose("Somebody"),
    lose("The text of the footnote."),
    lose("Right cell"),
    (text: string) => text.slice(0, text.length / 2),
  ];
  for (const [at, broken] of PLACES.entries())
    it(`stops the import if a reader loses text, place ${at + 1}`, () => {
      const book = read();
      const chapters = book.chapters.map((chapter) => ({ ...chapter, text: broken(chapter.text) }));
      assert.notEqual(chapters[0]?.text, book.chapters[0]?.text);
      assert.throws(
        () => assertWhole({ ...book, chapters }, {}),
        /a\.docx: \d+ or more letters of its text would be lost, first in “.*”\. Nothing was imported; --accept-loss/,
      );
      const [left] = assertWhole({ ...book, chapters }, { acceptsLoss: true });
      assert.match(left?.reason ?? "", /letters of its text are not in the book/);
    });

  it("stops the import if a comment is lost, or one of two equal paragraphs", () => {
    assert.throws(() => assertWhole({ ...read(), notes: [] }, {}), /Who was it/);
    const twice = docx({ body: paragraph(SENTENCES[0]!) + paragraph(SENTENCES[0]!) });
    const book = bookOfWord(twice, { file: "b.docx", name: "b.docx" }, { split: "none" });
    const [chapter] = book.chapters;
    const text = sourceTextOf(twice, kindOf(twice, "b.docx")!)!; // it is a Word document
    const sources = [{ name: "b.docx", text: () => text }];
    assert.deepEqual(assertWhole({ ...book, sources }, {}), []);
    const chapters = [{ ...chapter!, text: `${SENTENCES[0]}\n` }]; // it has one
    assert.throws(() => assertWhole({ ...book, chapters, sources }, {}), /would be lost/);
  });

  it("says what small part of a long text is missing, and imports it", () => {
    const word = (number: number) =>
      (number * 7919).toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)]!); // ten
    const long = Array.from(
      { length: 400 },
      (_, at) => `The ${word(at)} of ${word(at + 977)} is ${word(at + 5003)}.`,
    );
    long[17] = "The quays of Harwich are wet.";
    const text = long.join("\n");
    const chapters = [{ file: "a", name: "a", text: text.replace("quays", "") }];
    const book = {
      folder: undefined,
      book: undefined,
      chapters,
      skipped: [],
      used: [],
      fallbackTitle: undefined,
    };
    const [left] = assertWhole({ ...book, sources: [{ name: "a", text: () => text }] }, {});
    assert.match(
      left?.reason ?? "",
      /^\d letters of its text are not in the book, first in “The quays of Harwich are wet.”/,
    );
  });
});

describe("the text of a source", () => {
  const CASES: readonly (readonly [string, Buffer | string, string, string])[] = [
    [
      "RTF in the font's character set",
      "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset204 A;}{\\f1\\fcharset128 B;}}\\f0\\'cf\\'e0{\\f1 \\'8f\\'4d}\\par x}",
      "a.rtf",
      "Па舟\nx",
    ],
    [
      "RTF in its code page, with characters by number",
      "{\\rtf1\\ansi\\ansicpg1251\\uc1 \\'e0\\u8220?b\\u8221?{\\*\\unknown no}{\\header no}{\\v no}}",
      "a.rtf",
      "а“b”",
    ],
    [
      "RTF with notes and comments",
      "{\\rtf1 a{\\footnote b}{\\*\\atnid no}{\\*\\annotation c}\\\nd}",
      "a.rtf",
      "a\nb\nc\nd",
    ],
    [
      "HTML",
      "<html><head><title>no</title></head><body><p>a&eacute; <b>b</b></p><script>no</script><p>c&#100;</p>",
      "a.html",
      "ae b\ncd",
    ],
    [
      "OpenDocument",
      archive({
        mimetype: "application/vnd.oasis.opendocument.text",
        "content.xml":
          "<o:d xmlns:text='t'><text:tracked-changes><text:p>no</text:p></text:tracked-changes><text:h>a</text:h><text:p>b<text:note><text:note-citation>1</text:note-citation><text:p>c</text:p></text:note></text:p></o:d>",
      }),
      "a.odt",
      "a\nb\nc",
    ],
  ];
  for (const [what, file, name, expected] of CASES)
    it(`is found in ${what}`, () => {
      const bytes = Buffer.from(file as Buffer);
      const text = sourceTextOf(bytes, kindOf(bytes, name)!) ?? ""; // its name has an ending
      assert.equal(text.replace(/\s*\n\s*/g, "\n").trim(), expected);
    });

  it("is compared at the command line, too", async (t) => {
    const { sh, put } = await desk(t, { "a.docx": WORD });
    const { exit, stderr } = await sh("import", `${put({})}/a.docx`);
    assert.equal(exit, 0);
    assert.doesNotMatch(stderr, /letters/);
  });
});
