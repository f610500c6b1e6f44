import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isNamedAs, PICTURE_TYPES, type PictureType, pictureTypeOf } from "../src/picture-type.ts";

const FIRST: Readonly<Record<PictureType, string>> = {
  png: "\x89PNG\r\n\x1a\n",
  jpeg: "\xff\xd8\xff\xe0",
  gif: "GIF89a",
  webp: "RIFF\x10\0\0\0WEBPVP8 ",
  avif: "\0\0\0\x20ftypavif",
  bmp: `BM${"\0".repeat(12)}`,
  tiff: "II*\0",
  svg: '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a map -->\n<svg/>',
};

describe("pictureTypeOf", () => {
  it("knows each type that a manuscript keeps by the first bytes, and nothing else", () => {
    for (const [type, first] of Object.entries(FIRST))
      assert.equal(pictureTypeOf(Buffer.from(first, "latin1")), type);
    for (const other of ["", "<p>no picture</p>", "<?xml?><svgs/>", "%PDF-1.4", " EMF", "\xd7\xcd\xc6\x9a"])
      assert.equal(pictureTypeOf(Buffer.from(other, "latin1")), undefined, other);
  });
});

describe("isNamedAs", () => {
  it("holds a name's ending to the type, in any case", () => {
    for (const [type, { endings }] of Object.entries(PICTURE_TYPES))
      for (const ending of endings)
        assert.ok(isNamedAs(type as PictureType, `images/Map.${ending.toUpperCase()}`));
    assert.ok(!isNamedAs("png", "map.jpg") && !isNamedAs("png", "png") && !isNamedAs("png", "map.png.svg"));
  });
});
