import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { findOffice } from "../../src/files/office.ts";
import { desk } from "../files/layouts/desk.ts";
import { SCRIV } from "../files/layouts/scriv.ts";
import { archive } from "../files/layouts/word/docx.ts";

const env = { PATH: process.env.PATH ?? "" };
const isThere = findOffice(env) !== undefined;
const skip = isThere ? false : "no LibreOffice here";

const OFFICE =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0"';
const odt = (body: string) =>
  archive({
    mimetype: "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml":
      '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="/" m:media-type="application/vnd.oasis.opendocument.text"/><m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>',
    "content.xml": `<office:document-content ${OFFICE} office:version="1.2"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  });

describe("LibreOffice, where it is installed", () => {
  it("reads RTF, OpenDocument and HTML as prose, with comments, sections and code pages", {
    skip,
  }, async (t) => {
    const { put, sh } = await desk(t, {
      "courier.rtf":
        "{\\rtf1\\ansi{\\fonttbl\\f0\\fmodern Courier;}\\f0 \\u8220?Late,\\u8221? she {\\i said}.\\\n#\\\nTwo.}",
      "ru.rtf": "{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'e0\\'f0\\'ee\\'ec.}",
      "letter.odt": odt(
        '<text:section text:name="S"><text:p>Dear <office:annotation><dc:creator>Ed</dc:creator><text:p>Which Nell?</text:p></office:annotation>Nell.</text:p></text:section>',
      ),
      "page.html":
        "<!doctype html><html><head><title>T</title></head><body><h1>One</h1><p>Two &amp; <em>three</em>.</p></body></html>",
    });
    const real = sh.with({ env });
    const prose = async (file: string, title: string) => {
      const { exit, stderr } = await real("import", `${put({})}/${file}`, "--title", title);
      assert.equal(exit, 0, stderr);
      return (await real("export", title, "--plain", "-o", "-")).stdout;
    };
    assert.equal(await prose("courier.rtf", "A"), "“Late,” she *said*.\n\n* * *\n\nTwo.\n");
    assert.equal(await prose("ru.rtf", "B"), "Паром.\n");
    assert.equal(await prose("letter.odt", "C"), "Dear Nell.\n");
    assert.match((await real("notes", "list", "C")).stdout, /Ed: Which Nell\?/);
    assert.equal(await prose("page.html", "D"), "# One\n\nTwo & *three*.\n");
  });

  it("reads a project of Scrivener in one run", { skip }, async (t) => {
    const { sh, put } = await desk(t, SCRIV);
    const real = sh.with({ env });
    assert.equal((await real("import", put({}), "--title", "A")).exit, 0);
    assert.equal(
      (await real("export", "A", "--plain", "-o", "-")).stdout,
      "“Once.”\n\nThe ferry came.[^1]\n\nShe went *home*.\n\n* * *\n\nLater.\n\n[^1]: The old one.\n\n* * *\n\nHeat.\n\nNobody.\n\nSand.\n",
    );
    assert.equal((await real("import", put({}), "--exit-code")).exit, 0);
  });

  it("reads an EPUB: pages by its spine, notes of other pages, readings behind their words", {
    skip,
  }, async (t) => {
    const page = (body: string) =>
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>t</title><script>no()</script></head><body>${body}</body></html>`;
    const { sh, put } = await desk(t, {
      "a.epub": archive({
        mimetype: "application/epub+zip",
        "META-INF/container.xml":
          '<container><rootfiles><rootfile full-path="O/p.opf"/></rootfiles></container>',
        "O/p.opf":
          '<package xmlns:dc="d"><metadata><dc:title>Ferry</dc:title></metadata><manifest><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="n" href="n.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="n"/></spine></package>',
        "O/a.xhtml": page(
          '<h1>One</h1><p>She <span class="i">came</span><a epub:type="noteref" href="n.xhtml#f">1</a>,&#160;late.</p><p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>。</p>',
        ),
        "O/b.xhtml": page("<h1>Two</h1><p>Went.</p><hr/><p>Far.</p>"),
        "O/n.xhtml": page(
          '<section epub:type="endnotes"><h1>Notes</h1><ol><li epub:type="endnote" id="f"><p>A <em>note</em>.</p></li></ol></section>',
        ),
      }),
    });
    const real = sh.with({ env });
    const { exit, stderr } = await real("import", `${put({})}/a.epub`);
    assert.equal(exit, 0, stderr);
    assert.equal(
      (await real("export", "Ferry", "--plain", "-o", "-")).stdout.replaceAll("\u00a0", " "),
      "# One\n\nShe came[^1], late.\n\n漢字(かんじ)。\n\n[^1]: A *note*.\n\n# Two\n\nWent.\n\n* * *\n\nFar.\n",
    );
  });

  it("fetches nothing that a document links to, and reads no other file", { skip }, async (t) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end();
    }).listen(0, "127.0.0.1");
    t.after(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { put, sh } = await desk(t, {
      "secret.txt": "SECRET",
      "a.html": `<html><head><link rel=stylesheet href="${at}/css"><meta http-equiv=refresh content="0;url=${at}/r"></head><body background="${at}/bg"><p>x<img src="${at}/img"><iframe src="${at}/frame"></iframe><object data="${at}/object"></object></body></html>`,
      "b.rtf": `{\\rtf1\\ansi x {\\field{\\*\\fldinst INCLUDEPICTURE "${at}/rtf"}{\\fldrslt y}} {\\*\\template ${at}/dot}}`,
    });
    const folder = put({
      "c.odt": odt(
        `<text:p>x<draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="${at}/odt"/></draw:frame></text:p><text:section text:name="S"><text:section-source xlink:href="${at}/section"/><text:p>y</text:p></text:section>`,
      ),
      "d.odt": "",
    });
    put({
      "d.odt": odt(
        `<text:section text:name="S"><text:section-source xlink:href="file://${folder}/secret.txt"/><text:p>z</text:p></text:section>`,
      ),
    });
    const real = sh.with({ env });
    for (const file of ["a.html", "b.rtf", "c.odt", "d.odt"]) {
      const { exit, stderr } = await real("import", `${folder}/${file}`, "--title", file);
      assert.equal(exit, 0, stderr);
      assert.doesNotMatch((await real("export", file, "--plain", "-o", "-")).stdout, /SECRET/);
    }
    assert.deepEqual(asked, []);
  });
});

describe("a LibreOffice that fails", () => {
  it("is named, and nothing is written", { skip: process.platform === "win32" }, async (t) => {
    const { sh, put } = await desk(t, { "a.rtf": "{\\rtf1 Prose.}" });
    const bin = join(sh.cwd, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "soffice"), "#!/bin/sh\nexit 77\n");
    chmodSync(join(bin, "soffice"), 0o755);
    const failing = sh.with({ env: { PATH: `${bin}:${env.PATH}` } });
    const { exit, stderr } = await failing("import", `${put({})}/a.rtf`);
    assert.equal(exit, 2);
    assert.match(stderr, /a\.rtf: LibreOffice cannot read it; nothing was imported.*save it as \.docx/);
    assert.deepEqual((await sh("books", "--json")).json<{ books: unknown[] }>().books, []);
  });
});
