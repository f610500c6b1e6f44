import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { convert } from "../../../src/files/documents/convert.ts";
import { plainRtf } from "../../../src/files/documents/rtf.ts";
import { readTree } from "../../../src/files/documents/tree.ts";
import { findPandoc, kindOf, type Pandoc } from "../../../src/files/pandoc.ts";
import { readPath } from "../../../src/files/read-path.ts";
import { BadRequest } from "../../../src/refusals.ts";
import { desk } from "./desk.ts";
import { docx, p } from "./word/docx.ts";

const zip = (inside: string) => Buffer.from(`PK\u0003\u0004${inside}`, "latin1");
const FILES = {
  "Word.docx": docx({ body: p("Salt.") }),
  "Open.odt": zip("mimetypeapplication/vnd.oasis.opendocument.text"),
  "Rich.rtf": "{\\rtf1 Prose.}",
  "Page.html": "<!doctype html><p>Prose.</p>\n",
  "Open.md": zip("mimetypeapplication/vnd.oasis.opendocument.text"),
  "Old.doc": Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 1]),
  "Pages.pdf": "%PDF-1.7\n",
};

describe("a document without pandoc", () => {
  it("is named, with what to run; it is never prose, nor faulty text", async (t) => {
    const { put, sh } = await desk(t, FILES);
    const folder = put({});
    const cases = [
      [
        "Open.odt",
        /Open\.odt is an OpenDocument text, and pandoc, .*Install it.*: pandoc -f odt "Open\.odt" .* -o "Open\.md"$/m,
      ],
      ["Rich.rtf", /is RTF, and pandoc.*pandoc -f rtf/],
      ["Page.html", /is HTML, and pandoc.*pandoc -f html/],
      ["Open.md", /Open\.md is an OpenDocument text, .* -o "Open-text\.md"$/m],
      ["Old.doc", /document of old Word.*save it as \.docx/],
      ["Pages.pdf", /is a PDF.*import what it was made from/],
    ] as const;
    for (const [file, message] of cases) {
      const { exit, stderr } = await sh("import", `${folder}/${file}`);
      assert.deepEqual([exit, message.test(stderr)], [2, true], stderr);
    }
    for (const [file, message] of [
      ["Rich.rtf", /is RTF/],
      ["Word.docx", /is a Word document.*--layout document/],
    ] as const)
      assert.match((await sh("import", `${folder}/${file}`, "--layout", "file")).stderr, message);
    for (const file of ["Open.odt", "Rich.rtf", "Page.html"] as const)
      assert.match((await sh.with({ stdin: FILES[file] })("import", "-")).stderr, /stdin is .*, and pandoc/);
    assert.deepEqual((await sh("books", "--json")).json<{ books: unknown[] }>().books, []);
  });

  it("beside Markdown is left out by its name", async (t) => {
    const { take } = await desk(t, {
      "a.md": "Text.\n",
      "b.docx": FILES["Word.docx"],
      "c.doc": FILES["Old.doc"],
    });
    assert.deepEqual(
      (await take()).skipped.map(({ reason }) => reason),
      [
        "a Word document; import it by itself, or a folder that holds such alone",
        "a document of old Word; open it in Word or LibreOffice and save it as .docx",
      ],
    );
  });
});

describe("a file without a word", () => {
  it("makes no book", async (t) => {
    const { put, refusal, sh } = await desk(t, { "a.md": "", "b.md": " \n\ufeff" });
    assert.match(await refusal([], `${put({})}/a.md`), /a\.md is empty; nothing was imported/);
    assert.match(await refusal(), /All 2 files are empty; nothing was imported/);
    put({ "c.md": ["---", "title: X", "---", "", "<!-- soon -->"] });
    const { exit, stderr } = await sh("import", `${put({})}/c.md`);
    assert.equal(exit, 0);
    assert.match(stderr, /^The book has no words/m);
  });
});

const words = (text: string) =>
  text.split(" ").flatMap((word, place) => [...(place === 0 ? [] : [{ t: "Space" }]), { t: "Str", c: word }]);
const para = (...inlines: unknown[]) => ({ t: "Para", c: inlines.flat() });
const tree = (blocks: unknown[], meta: object = {}) =>
  JSON.stringify({ "pandoc-api-version": [1, 22], meta, blocks });
const blocksOf = (text: string) => JSON.parse(readTree(text, "x.docx").json).blocks;

describe("pandoc's tree", () => {
  it("loses styles, anchors and pictures, and gains scene breaks", () => {
    const attributes = ["id", ["class"], []];
    const { json, metadata, pictures } = readTree(
      tree(
        [
          {
            t: "Div",
            c: [
              attributes,
              [{ t: "Header", c: [1, attributes, [{ t: "Span", c: [attributes, []] }, ...words("One")]] }],
            ],
          },
          para(
            words("She"),
            { t: "Space" },
            { t: "Underline", c: words("went") },
            { t: "Image", c: [attributes, [], ["a.png", ""]] },
          ),
          ...["* * *", "#", "***", "⁂", "– – –"].map((text) => para(words(text))),
          para(),
          para(
            { t: "Link", c: [attributes, words("here"), ["#there", ""]] },
            { t: "RawInline", c: ["html", "<x>"] },
          ),
          para({ t: "Link", c: [attributes, words("there"), ["https://a.b", ""]] }),
        ],
        {
          title: { t: "MetaInlines", c: words("The Book") },
          author: { t: "MetaList", c: [{ t: "MetaInlines", c: words("A B") }] },
        },
      ),
      "x.docx",
    );
    assert.deepEqual(JSON.parse(json).blocks, [
      { t: "Header", c: [1, ["", [], []], words("One")] },
      para(words("She"), { t: "Space" }, { t: "Emph", c: words("went") }),
      ...Array.from({ length: 5 }, () => ({ t: "HorizontalRule" })),
      para(words("here")),
      para({ t: "Link", c: [["", [], []], words("there"), ["https://a.b", ""]] }),
    ]);
    assert.deepEqual(
      [[...metadata], pictures],
      [
        [
          ["title", "The Book"],
          ["author", "A B"],
        ],
        1,
      ],
    );
  });

  it("is refused where it is none, or nested without end", () => {
    for (const text of ["", "[]", "null", "pandoc 3"])
      assert.throws(() => blocksOf(text), /pandoc returned no document/);
    const deep = `${'{"t":"BlockQuote","c":['.repeat(2000)}${"]}".repeat(2000)}`;
    assert.throws(() => blocksOf(`{"blocks":[${deep}]}`), /nested too deep/);
  });
});

describe("RTF on its way to pandoc", () => {
  const plain = (rtf: string) => plainRtf(Buffer.from(rtf, "latin1")).rtf.toString("latin1");

  it("has each character by number with one substitute, and Cocoa's line ends as paragraphs", () => {
    for (const [rtf, expected] of [
      ['{\\uc1 \\u8220"Quoted\\u8221" it\\u8217?s}', "{\\u8220\\'3fQuoted\\u8221\\'3f it\\u8217\\'3fs}"],
      ["{\\uc0\\u8220 Quoted\\u8221 }", "{\\u8220\\'3fQuoted\\u8221\\'3f}"],
      ["{\\u8220\\'93A{\\uc2\\u-3913 abc}\\u32 de}", "{\\u8220\\'3fA{\\u61623\\'3fc}\\u32\\'3fe}"],
      ["\\u-10179 ?\\u-8704 ?.", "\\u57344\\'3f."],
      ["One.\\\nTwo.\\\r\nThree", "One.\\par\nTwo.\\par\nThree"],
      ["a\\{b\\}\\\\c\\'e9", "a\\{b\\}\\\\c\\'e9"],
      ["\\u8220", "\\u8220\\'3f"],
    ] as const)
      assert.equal(plain(rtf), expected);
  });

  it("has Scrivener's notes in the line as footnotes, without its styles; annotations are set apart", () => {
    const { rtf, annotations } = plainRtf(
      Buffer.from(
        "<$Scr_Ps::0>He\\{\\\\Scrv_annot \\\\color=\\{\\\\R=1.0\\} \\\\text=Who\\u8217?s he?\\\\end_Scrv_annot\\} ran.\\{\\\\Scrv_fn \\\\text=Far.\\\\end_Scrv_fn\\}<!$Scr_Ps::0>",
      ),
    );
    assert.equal(rtf.toString(), "He ran.{\\footnote \\pard Far.}");
    assert.deepEqual(annotations, ["Who’s he?"]);
  });
});

describe("a document with pandoc", () => {
  /** Answers what each document is, in the order of the calls: a tree, then its Markdown. */
  const answering = (document: string, markdown: string): Pandoc => {
    return (options) => Promise.resolve(Buffer.from(options.includes("--to=json") ? document : markdown));
  };

  it("is cut at its headings, and has its title from its metadata", async (t) => {
    const { put } = await desk(t, FILES);
    const pandoc = answering(
      tree([para(words("x"))], {
        title: { t: "MetaInlines", c: words("The Ferry") },
        author: { t: "MetaString", c: "A. W." },
      }),
      `# One\n\nx\n\n${"-".repeat(72)}\n\n# Two\n\ny\n`,
    );
    const { layout, why, fallbackTitle, chapters, skipped } = await readPath(`${put({})}/Open.odt`, {
      pandoc: () => pandoc,
    });
    assert.deepEqual([layout, fallbackTitle], ["document", "The Ferry"]);
    assert.equal(why, "an OpenDocument text; 2 # headings: a chapter each");
    assert.deepEqual(
      chapters.map(({ text }) => text),
      ["# One\n\nx\n\n* * *\n\n", "# Two\n\ny\n"],
    );
    assert.deepEqual(skipped, [
      {
        file: "Open.odt",
        reason: "taken without what is no prose: author: A. W.",
        isKnown: true,
        isPartly: true,
      },
    ]);
  });

  it("is a chapter each in a folder of such, a folder in it a part", async (t) => {
    const { put } = await desk(t, {
      "Act 1/10 b.docx": FILES["Word.docx"],
      "Act 1/2 a.rtf": "{\\rtf1 x}",
      "n.pdf": "%PDF-",
    });
    const pandoc = answering(tree([]), "x\n");
    const { chapters, skipped } = await readPath(put({}), { pandoc: () => pandoc });
    assert.deepEqual(
      chapters.map(({ file, part }) => [file, part]),
      [
        ["Act 1/2 a.rtf", "Act 1"],
        ["Act 1/10 b.docx", "Act 1"],
      ],
    );
    assert.deepEqual(
      skipped.map(({ file }) => file),
      ["n.pdf"],
    );
  });

  it("without a text is refused, and so is what pandoc says that is none", async () => {
    const kind = kindOf(Buffer.from("{\\rtf1}"), "a.rtf")!; // it is RTF
    const bad = answering(tree([]), "x");
    const garbled: Pandoc = (options) =>
      options.includes("--to=json")
        ? bad(options, Buffer.from(""), "")
        : Promise.resolve(Buffer.from([0xff]));
    await assert.rejects(
      () => convert(Buffer.from("{\\rtf1}"), kind, { name: "a.rtf", pandoc: garbled }),
      (error) => error instanceof BadRequest && /returned something other than text/.test(error.message),
    );
  });

  it("is never looked for in the folder at hand", () => {
    assert.equal(findPandoc({ PATH: ".:bin:" }), undefined);
    assert.equal(findPandoc({}), undefined);
  });
});
