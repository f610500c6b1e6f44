import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EpubCheck } from "@likecoin/epubcheck-ts";
import { strFromU8, unzipSync } from "fflate";
import type { CompiledBlock } from "../../src/publish/compiled.ts";
import { writeEpub } from "../../src/publish/epub.ts";
import { readPicture } from "../../src/publish/picture.ts";
import { compiled, PIXEL } from "./book.ts";

const WHOLE = [
  {
    title: 'The "Low" <Light> & more',
    part: "Part & One",
    markdown:
      'He said *no* < "yes"[^1] & again[^1], [left](https://example.org/?a=1&b=2).\n\n***\n\n- one\n- two\n  1. deep\n\n9. nine\n\n> quoted\n>\n> - in it\n\n| a | b |\n| - | - |\n| c | d |\n\n![q & "a"](q.png)\n\n![gone](missing.png)\n\n`x`  \nbroken\n\n    a <code>\n\n#### Deep\n\n[^1]: A *note*.\n\n    With two paragraphs.',
  },
  { title: "Dawn", part: "Part & One", markdown: "# Dawn[^x]\n\nMorning.\n\n[^x]: Of a heading." },
  { title: "Noon", part: "Two", markdown: "" },
];

async function faults(bytes: Uint8Array): Promise<string[]> {
  const { messages } = await EpubCheck.validate(bytes);
  return messages
    .filter(({ severity }) => severity !== "usage" && severity !== "info")
    .map(({ id, message, location }) => `${id} ${message} ${JSON.stringify(location)}`);
}

describe("writeEpub", () => {
  it("is valid with everything that a book may hold", async () => {
    assert.deepEqual(await faults(writeEpub(compiled(WHOLE))), []);
  });

  it("is valid without any of it, with a cover, an ISBN and no author", async () => {
    const cover = readPicture("c", PIXEL);
    const metadata = {
      author: "",
      language: "",
      identifier: "978-3-16-148410-0",
      cover,
      rights: "© <A>",
      description: "A & B",
    };
    const bytes = writeEpub(compiled([{ markdown: "Text." }], { metadata }));
    assert.deepEqual(await faults(bytes), []);
    const files = unzipSync(bytes);
    assert.match(strFromU8(files["EPUB/package.opf"]!), /urn:isbn:9783161484100</); // written above
    assert.deepEqual(Buffer.from(files["EPUB/cover.png"]!), PIXEL); // written above
  });

  it("is found faulty where it is", async () => {
    const book = compiled([{ markdown: "Text.\n\nMore." }]);
    const chapters = book.chapters.map((chapter) => ({
      ...chapter,
      blocks: chapter.blocks.map((block) => ({ ...block, id: "b_1" }) as CompiledBlock),
    }));
    assert.notDeepEqual(await faults(writeEpub({ ...book, chapters })), []);
  });

  it("begins with its type, names parts and chapters in order, and gives the same bytes for the same book", () => {
    const bytes = writeEpub(compiled(WHOLE));
    assert.equal(strFromU8(bytes.subarray(30, 58)), "mimetypeapplication/epub+zip");
    const nav = strFromU8(unzipSync(bytes)["EPUB/nav.xhtml"]!); // written above
    assert.match(nav, /Part &amp; One<\/a><ol>.*Low.*Dawn.*<\/ol>.*Two<\/a><ol>.*Noon/);
    assert.deepEqual(writeEpub(compiled(WHOLE)), bytes);
  });
});
