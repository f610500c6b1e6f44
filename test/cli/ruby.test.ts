import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { desk } from "../files/layouts/desk.ts";
import { docx } from "../files/layouts/word/docx.ts";

const text = (words: string) => `<w:r><w:t>${words}</w:t></w:r>`;
const ruby = (base: string, reading: string) =>
  `<w:r><w:ruby><w:rubyPr><w:hps w:val="12"/></w:rubyPr><w:rt>${text(reading)}</w:rt><w:rubyBase>${text(base)}</w:rubyBase></w:ruby></w:r>`;
const WORD = docx({ body: `<w:p>${text("彼は")}${ruby("漢字", "かんじ")}${text("を読む。")}</w:p>` });

describe("a word with its reading", () => {
  it("comes in from Word with the reading in brackets, and is found by the word", async (t) => {
    const { take, put, prose, sh } = await desk(t, { "a.docx": WORD });
    const { bookId } = await take([], `${put({})}/a.docx`);
    assert.deepEqual(await prose(bookId), ["彼は漢字(かんじ)を読む。\n"]);
    assert.match((await sh("search", "漢字")).stdout, /漢字/);
  });

  it("goes out as ruby, in Word, EPUB and HTML; other brackets stay as they are", async (t) => {
    const { take, put, sh } = await desk(t, {
      "a.md": "漢字（かんじ）と東京(とうきょう)、東京(首都)とかな(かな)。`漢字(かんじ)`\n",
    });
    await take([], `${put({})}/a.md`);
    for (const file of ["a.html", "a.docx", "a.epub"]) assert.equal((await sh("export", "-o", file)).exit, 0);
    const html = readFileSync(join(sh.cwd, "a.html"), "utf8");
    const shown = (base: string, reading: string) =>
      `<ruby>${base}<rp>(</rp><rt>${reading}</rt><rp>)</rp></ruby>`;
    const words = `${shown("漢字", "かんじ")}と${shown("東京", "とうきょう")}、東京(首都)とかな(かな)。<code>漢字(かんじ)</code>`;
    assert.ok(html.includes(words), html);
    const epub = unzipSync(readFileSync(join(sh.cwd, "a.epub")));
    assert.ok(Object.values(epub).some((part) => strFromU8(part).includes(words)));
    const document = strFromU8(unzipSync(readFileSync(join(sh.cwd, "a.docx")))["word/document.xml"]!);
    assert.equal(document.match(/<w:rt>/g)?.length, 2);
    const { exit, stdout } = await sh("import", "a.docx", "--exit-code");
    assert.equal(exit, 0, stdout); // nothing changed, whatever brackets there were
  });
});
