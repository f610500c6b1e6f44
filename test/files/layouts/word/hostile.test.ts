import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { strToU8 } from "fflate";
import { readWord } from "../../../../src/files/layouts/word/read-word.ts";
import { desk } from "../desk.ts";
import { archive, docx, marked, p, r } from "./docx.ts";

const salt = () => docx({ body: p("Salt.") });
/** A file with the bytes of a number changed in its only entry's directory, from the entry's beginning. */
function lying(place: number, value: number, text = "x".repeat(5000)): Buffer {
  const file = archive({ "word/document.xml": text });
  const at = file.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  file.writeUInt32LE(value, at + place);
  return file;
}

describe("a Word document that is none, or means harm", () => {
  const entity = '<!DOCTYPE w [<!ENTITY a "b">]>';
  const cases: readonly (readonly [string, () => Buffer, RegExp])[] = [
    ["is cut off", () => salt().subarray(0, 900), /damaged or was not saved/],
    ["has no directory", () => Buffer.from("PK\u0003\u0004word/"), /damaged/],
    ["has text that ends early", () => lying(20, 30), /damaged/],
    ["unpacks to more than it says", () => lying(24, 100), /damaged/],
    ["says that it unpacks to 4 GB", () => lying(24, 0xfffffff0), /unpacks to more than 128 MiB/],
    [
      "is encrypted",
      () => {
        const file = salt();
        file.writeUInt16LE(1, 6); // of its first part
        return file;
      },
      /encrypted; .*without a password/,
    ],
    ["has a part above it", () => docx({ body: p("a"), parts: { "../evil.xml": "x" } }), /leads out of it/],
    ["has a part at the root", () => docx({ body: p("a"), parts: { "/etc/x": "x" } }), /leads out of it/],
    [
      "has a document type",
      () => docx({ body: "", parts: { "word/document.xml": `${entity}<w:document/>` } }),
      /holds a document type/,
    ],
    ["has an unknown entity", () => docx({ body: p("&a;") }), /damaged/],
    ["is no XML", () => docx({ body: "<w:p>" }), /damaged/],
    [
      "is no UTF-8",
      () => docx({ body: "", parts: { "word/document.xml": new Uint8Array([0x3c, 0xff]) } }),
      /damaged/,
    ],
    ["is nested without end", () => docx({ body: "<w:p>".repeat(5000) + "</w:p>".repeat(5000) }), /too deep/],
    ["has no text part", () => archive({ "word/styles.xml": "<w:styles/>" }), /holds no text of Word/],
  ];
  for (const [what, file, message] of cases)
    it(`is refused in a sentence if it ${what}`, () => {
      assert.throws(() => readWord(file(), "Salt.docx"), message);
      assert.throws(() => readWord(file(), "Salt.docx"), /^\w+: Salt\.docx .*nothing was imported/);
    });

  it("leaves the manuscript as it was", async (t) => {
    const { put, refusal, sh } = await desk(t, {
      "Bad.docx": salt().subarray(0, 900),
      "Empty.docx": docx({ body: p() }),
    });
    assert.match(await refusal([], `${put({})}/Bad.docx`), /Bad\.docx is damaged/);
    assert.match(await refusal([], `${put({})}/Empty.docx`), /Empty\.docx holds no text/);
    put({ "Secret.docx": Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]) });
    assert.match(await refusal([], `${put({})}/Secret.docx`), /password|encrypted/);
    assert.deepEqual((await sh("books", "--json")).json<{ books: unknown[] }>().books, []);
  });
});

describe("a Word document of another program", () => {
  it("keeps its bookmarks, each from the paragraph where it begins to the one where it ends", () => {
    const body = `${p(marked("_b_one", r("a")))}<w:bookmarkStart w:id="x" w:name="long"/>${p("b")}${p("c")}<w:bookmarkEnd w:id="x"/>`;
    const { bookmarks, paragraphs } = readWord(docx({ body }), "Salt.docx");
    assert.deepEqual(
      bookmarks.map(({ name, from, to }) => [name, paragraphs.indexOf(from), paragraphs.indexOf(to)]),
      [
        ["_b_one", 0, 0],
        ["long", 1, 2],
      ],
    );
  });

  it("is read with other prefixes, another name of its text, and the strict format's names", () => {
    const strict = "http://purl.oclc.org/ooxml/wordprocessingml/main";
    const text = `<ns0:document xmlns:ns0="${strict}"><ns0:body><ns0:p><ns0:pPr><ns0:jc ns0:val="center"/></ns0:pPr><ns0:r><ns0:t>Salt.</ns0:t></ns0:r></ns0:p></ns0:body></ns0:document>`;
    const rels =
      '<Relationships><Relationship Type="x/officeDocument" Target="/word/document2.xml"/></Relationships>';
    const { paragraphs } = readWord(
      archive({ "_rels/.rels": rels, "word/document2.xml": strToU8(text) }),
      "Salt.docx",
    );
    assert.deepEqual(
      paragraphs.map(({ runs, isCentred }) => [runs[0]?.type === "text" && runs[0].text, isCentred]),
      [["Salt.", true]],
    );
  });
});
