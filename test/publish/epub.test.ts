import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { writeEpub } from "../../src/publish/epub.ts";
import { readPicture } from "../../src/publish/picture.ts";
import { compiled, PIXEL, WHOLE } from "./book.ts";

describe("writeEpub", () => {
  it("holds a cover and an ISBN", () => {
    const cover = readPicture("c", PIXEL);
    const files = unzipSync(
      writeEpub(compiled([{ markdown: "Text." }], { metadata: { identifier: "978-3-16-148410-0", cover } })),
    );
    assert.match(strFromU8(files["EPUB/package.opf"]!), /urn:isbn:9783161484100</); // written above
    assert.deepEqual(Buffer.from(files["EPUB/cover.png"]!), PIXEL); // written above
  });

  it("begins with its type, names parts and chapters in order, and gives the same bytes for the same book", () => {
    const bytes = writeEpub(compiled(WHOLE));
    assert.equal(strFromU8(bytes.subarray(30, 58)), "mimetypeapplication/epub+zip");
    const nav = strFromU8(unzipSync(bytes)["EPUB/nav.xhtml"]!); // written above
    assert.match(nav, /Part &amp; One<\/a><ol>.*Low.*Dawn.*<\/ol>.*Two<\/a><ol>.*Noon/);
    assert.deepEqual(writeEpub(compiled(WHOLE)), bytes);
  });
});
