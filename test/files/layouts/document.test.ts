import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findOffice, type Office } from "../../../src/files/office.ts";
import { readPath } from "../../../src/files/read-path.ts";
import { office } from "../../support/office.ts";
import { desk } from "./desk.ts";
import { archive, docx, p } from "./word/docx.ts";

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

describe("a document without LibreOffice", () => {
  it("is named, with what to run; it is never prose, nor faulty text", async (t) => {
    const { put, sh } = await desk(t, FILES);
    const folder = put({});
    const cases = [
      [
        "Open.odt",
        /Open\.odt is an OpenDocument text, and LibreOffice, .* was not found; nothing was imported\. Install it .*, or save the document as \.docx/,
      ],
      ["Rich.rtf", /is RTF, and LibreOffice/],
      ["Page.html", /is HTML, and LibreOffice/],
      ["Open.md", /Open\.md is an OpenDocument text, and LibreOffice/],
      ["Old.doc", /is a document of old Word, and LibreOffice/],
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
      assert.match(
        (await sh.with({ stdin: FILES[file] })("import", "-")).stderr,
        /stdin is .*, and LibreOffice/,
      );
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
        "a document of old Word; import it by itself, or a folder that holds such alone",
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

describe("a document with LibreOffice", () => {
  const read = (path: string) => readPath(path, { office: () => office });

  it("is read as the Word document that it becomes", async (t) => {
    const { put } = await desk(t, { "a.rtf": "{\\rtf1 One.\\\n#\\\nTwo.}" });
    const { layout, why, chapters } = await read(`${put({})}/a.rtf`);
    assert.deepEqual([layout, why, chapters[0]?.text], ["document", "RTF", "One.\n\n* * *\n\nTwo.\n"]);
  });

  it("is a chapter each in a folder of such, a folder in it a part; all are converted in one run", async (t) => {
    const { put } = await desk(t, {
      "Act 1/10 b.docx": FILES["Word.docx"],
      "Act 1/2 a.rtf": "{\\rtf1 x}",
      "Act 1/3 empty.rtf": "{\\rtf1 }",
      "c.rtf": "{\\rtf1 y}",
      "n.pdf": "%PDF-",
    });
    const runs: string[][] = [];
    const { chapters, skipped } = await readPath(put({}), {
      office: () => (documents) => {
        runs.push(documents.map(({ name }) => name));
        return office(documents);
      },
    });
    assert.deepEqual(
      chapters.map(({ file, part, text }) => [file, part, text]),
      [
        ["Act 1/2 a.rtf", "Act 1", "x\n"],
        ["Act 1/3 empty.rtf", "Act 1", ""],
        ["Act 1/10 b.docx", "Act 1", "Salt.\n"],
        ["c.rtf", undefined, "y\n"],
      ],
    );
    assert.deepEqual(runs, [["Act 1/2 a.rtf", "Act 1/3 empty.rtf", "c.rtf"]]);
    assert.deepEqual(
      skipped.map(({ file }) => file),
      ["n.pdf"],
    );
  });

  it("is never looked for in the folder at hand", () => {
    const program = process.platform === "linux" ? findOffice({ PATH: ".:bin:" }) : undefined;
    assert.equal(program, undefined);
  });
});

describe("author, language and the like", () => {
  const GERMAN = "Die Fähre war zu spät, und sie stand mit dem Koffer auf dem Kai und wartete.";
  const fields = (...named: readonly string[]) =>
    named.map((one) => one.replace(/^(\S+) (.*)$/s, "<dc:$1>$2</dc:$1>")).join("");
  const word = (...named: readonly string[]) =>
    docx({
      body: p(GERMAN),
      parts: {
        "docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d">${fields(...named)}</cp:coreProperties>`,
      },
    });
  const NAMED = [
    "creator Ada &amp; Nell",
    "language de_de",
    "description One.&#10;Two.",
    "identifier 978-3-1",
  ];

  it("come from Word into a new book, which the dry run names, and never change one that is there", async (t) => {
    const { put, sh, take } = await desk(t, { "a.docx": word(...NAMED) });
    const path = `${put({})}/a.docx`;
    const line = "book: author Ada & Nell, language de-DE, identifier 978-3-1, description One. Two.";
    for (const options of [["--dry-run"], []]) {
      const { stdout } = await sh("import", path, ...options, "--title", "A");
      assert.ok(stdout.split("\n").includes(line), stdout);
    }
    const described = await sh("book", "edit", "A");
    assert.match(described.stdout, /^author +Ada & Nell\nlanguage +de-DE\nidentifier +978-3-1$/m);
    put({ "a.docx": word("creator Ed", "rights None") });
    assert.equal((await take(["--book", "A"], path)).metadata, undefined);
    assert.equal((await sh("book", "edit", "A")).stdout, described.stdout);
  });

  it("are cut or left out, by name, where they are no such", async (t) => {
    const { put, take } = await desk(t);
    const remarks = async (...named: readonly string[]) => {
      const { metadata, skipped } = await take(
        ["--title", "T"],
        `${put({ "a.docx": word(...named) })}/a.docx`,
      );
      return [metadata, ...skipped.map(({ reason }) => reason)];
    };
    assert.deepEqual(await remarks("language Elvish of old"), [
      undefined,
      "its language “Elvish of old” is not taken: BCP 47 has no such name",
    ]);
    assert.deepEqual(await remarks("language en-US", "rights &lt;b&gt;All&#x0a;mine&lt;/b&gt;"), [
      { rights: "All mine" },
      "its language (en-US) is not taken, for its words are German",
    ]);
    assert.deepEqual(await remarks(`creator ${"Ada ".repeat(200)}`), [
      { author: "Ada ".repeat(125).trim() },
      "its author is too long, and was cut",
    ]);
    const machine = ["creator python-docx", "description generated by python-docx", "language und"];
    assert.deepEqual(await remarks(...machine), [undefined]);
  });

  it("come from OpenDocument, HTML and EPUB, which LibreOffice does not pass on", async (t) => {
    const { put } = await desk(t, {
      "a.odt": archive({
        mimetype: "application/vnd.oasis.opendocument.text",
        "content.xml": "<x/>",
        "meta.xml": `<m>${fields("creator Last", "language de", "rights Ada")}</m>`,
      }),
      "b.html": '<!doctype html>\n<html class=x lang="de-AT"><p>Prosa.</p>',
      "c.epub": archive({
        mimetype: "application/epub+zip",
        "META-INF/container.xml": '<c><rootfile full-path="O/p.opf"/></c>',
        "O/p.opf": `<package xmlns:dc="d"><metadata>${fields("creator Ada", "creator Nell", "identifier urn:uuid:1", "identifier 9783161484100")}<dc:title>T</dc:title></metadata><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`,
        "O/a.xhtml": "<html><body><p>One.</p></body></html>",
      }),
    });
    const passing: Office = async () => [word("creator First", "language en-US")];
    const metadataOf = async (file: string) =>
      (await readPath(`${put({})}/${file}`, { office: () => passing, acceptsLoss: true })).metadata;
    assert.deepEqual(await metadataOf("a.odt"), { author: "First", language: "de", rights: "Ada" });
    assert.deepEqual(await metadataOf("b.html"), { author: "First", language: "de-AT" });
    assert.deepEqual(await metadataOf("c.epub"), { author: "Ada, Nell", identifier: "9783161484100" });
  });

  it("come from a folder of documents where all say the same", async (t) => {
    const { take } = await desk(t, {
      "a.docx": word("creator Ada", "language de", "description One."),
      "b.docx": word("creator Ada", "language de", "description Two."),
    });
    assert.deepEqual((await take()).metadata, { author: "Ada", language: "de" });
  });
});
