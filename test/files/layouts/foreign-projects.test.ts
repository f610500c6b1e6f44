import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { desk, type Files } from "./desk.ts";

const XML = '<?xml version="1.0" encoding="utf-8"?>\n';

describe("a project of another program", () => {
  for (const [name, files, path, message] of [
    ["Manuskript's file", { "Sea.msk": "1" }, "Sea.msk", /Sea\.msk is a project of Manuskript; .*Compile/],
    [
      "Manuskript's folder",
      { MANUSKRIPT: "1", "outline/0-a.md": "title: A\n\nText.\n" },
      "",
      /a project of Manuskript/,
    ],
    ["yWriter's", { "a.yw7": `${XML}<YWRITER7></YWRITER7>` }, "a.yw7", /a project of yWriter; .*as RTF/],
    [
      "yWriter's folder",
      { "a.yw5": XML, "RTF5/1.rtf": "{\\rtf1 x}", "b.txt": "b" },
      "",
      /a project of yWriter/,
    ],
    [
      "yWriter's as text",
      { "a.txt": "\ufeff<YWRITER7>\n<X>a</X></YWRITER7>" },
      "a.txt",
      /a project of yWriter/,
    ],
    [
      "bibisco's",
      { "a.bibisco2": Buffer.from("PK\u0003\u0004") },
      "a.bibisco2",
      /a project of bibisco; .*as \.docx/,
    ],
    [
      "mdBook's",
      { "book.toml": "", "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "A." },
      "",
      /a book of mdBook; .*SUMMARY\.md/,
    ],
    [
      "Quarto's",
      { "_quarto.yml": "project:\n  type: book\n", "a.qmd": "A." },
      "",
      /a book of Quarto; .*quarto render --to docx/,
    ],
    ["Ulysses'", { "a.ulyz": Buffer.from("PK\u0003\u0004") }, "a.ulyz", /of Ulysses; .*Markdown or \.docx/],
    ["Ulysses' group", { "A.ulgroup/Info.ulgroup": XML, "A.ulgroup/a.md": "A." }, "A.ulgroup", /of Ulysses/],
    [
      "Final Draft's",
      { "a.fdx": `${XML}<FinalDraft DocumentType="Script"/>` },
      "a.fdx",
      /a screenplay of Final Draft; .*\.txt/,
    ],
    [
      "Final Draft's as XML",
      { "a.xml": `${XML}<!-- x --><FinalDraft></FinalDraft>` },
      "a.xml",
      /a screenplay of Final Draft/,
    ],
    ["a screenplay", { "a.fountain": "INT. HOUSE - DAY\n" }, "a.fountain", /a screenplay; .*keeps prose/],
    ["Vellum's", { "A.vellum/x.md": "A." }, "A.vellum", /a book of Vellum; .*as \.docx/],
    ["Plottr's", { "a.pltr": "{}" }, "a.pltr", /an outline of Plottr/],
    ["Papyrus'", { "a.pap": Buffer.from([1, 0xff]) }, "a.pap", /a document of Papyrus/],
    ["Google's", { "a.gdoc": '{"doc_id": "x"}' }, "a.gdoc", /a link to a document of Google; .*Download/],
    [
      "FictionBook",
      { "a.txt": `${XML}<FictionBook xmlns="x"></FictionBook>` },
      "a.txt",
      /an e-book .*ebook-convert/,
    ],
    [
      "unknown XML",
      { "a.abc": "<project>\n<text>A</text>\n</project>\n" },
      "a.abc",
      /a\.abc is XML, not prose; .*Markdown/,
    ],
    ["XML by its declaration", { "a.md": `${XML}<p>Text.` }, "a.md", /a\.md is XML, not prose/],
    [
      "XML among chapters",
      { "a.md": "A.", "b/c.md": `${XML}<x>Text.</x>` },
      "",
      /b\/c\.md is XML, not prose/,
    ],
    [
      "a page of HTML",
      { "a.md": "<!DOCTYPE html>\n<html lang='en'><p>Text." },
      "a.md",
      /a page of HTML, .*\.html/,
    ],
    ["JSON", { "a.canvas": '{ "nodes": [] }\n' }, "a.canvas", /a\.canvas is JSON, not prose/],
    ["a list in JSON", { "a.txt": '[ {"scene": "Text."} ]' }, "a.txt", /a\.txt is JSON, not prose/],
  ] as const satisfies readonly (readonly [string, Files, string, RegExp])[]) {
    it(`is refused by name, with the way: ${name}`, async (t) => {
      const { put, refusal, sh } = await desk(t, files);
      const place = path === "" ? put({}) : `${put({})}/${path}`;
      assert.match(await refusal([], place), message);
      assert.equal((await sh("books", "--json")).json<{ total: number }>().total, 0);
    });
  }

  it("is refused on stdin", async (t) => {
    const { sh } = await desk(t);
    for (const [stdin, message] of [
      [`${XML}<YWRITER7></YWRITER7>`, /stdin is a project of yWriter/],
      ["<project>\n</project>\n", /stdin is XML, not prose/],
      ['{"nodes": []}', /stdin is JSON, not prose/],
    ] as const) {
      const { exit, stderr } = await sh.with({ stdin })("import", "-");
      assert.deepEqual([exit, message.test(stderr)], [2, true], stderr);
    }
  });

  it("is no Markdown that begins with a tag, a comment, a link or braces", async (t) => {
    const texts = [
      "<!-- a comment -->\n\nText.\n",
      '<p align="center">Text.</p>\n',
      "<div>\n\nText.\n\n</div>\n",
      "<Scene 1>\n\nText.\n",
      "< text >\n",
      "[A link](a.md)\n",
      "[1] Text.\n",
      "{.centre}\nText.\n",
      '{ "title": "A" }\n\nText.\n',
      "<https://example.org>\n",
    ];
    for (const text of texts) {
      const { take, put, prose } = await desk(t, { "a.md": text });
      assert.deepEqual(await prose((await take([], `${put({})}/a.md`)).bookId), [text]);
    }
  });

  it("comes in by name with --layout folder, and beside Markdown is left out with the way", async (t) => {
    const { take } = await desk(t, { "book.toml": "", "b.md": "B.", "src/a.md": "A.", "src/old.fdx": XML });
    const { chapters, skipped } = await take(["--layout", "folder"]);
    assert.deepEqual(
      chapters.map(({ file }) => file),
      ["b.md", "src/a.md"],
    );
    assert.deepEqual(
      skipped.map(({ file, reason }) => [file, reason.slice(0, 27)]),
      [
        ["book.toml", "a book of mdBook; import th"],
        ["src/old.fdx", "a screenplay of Final Draft"],
      ],
    );
  });

  it("is not synced: nothing is written into it", async (t) => {
    const { sh, put, take } = await desk(t, { "book.toml": "", "src/a.md": "A." });
    await take(["--layout", "folder"]);
    const { exit, stderr } = await sh("sync", put({}), "--book", "1");
    assert.deepEqual([exit, /a book of mdBook/.test(stderr)], [2, true], stderr);
  });
});
