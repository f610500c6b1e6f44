import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EpubCheck } from "@likecoin/epubcheck-ts";
import type { CompiledBlock } from "../../src/publish/compiled.ts";
import { writeEpub } from "../../src/publish/epub.ts";
import { readPicture } from "../../src/publish/picture.ts";
import { compiled, PIXEL, WHOLE } from "../../test/publish/book.ts";

async function faults(bytes: Uint8Array): Promise<string[]> {
  const { messages } = await EpubCheck.validate(bytes);
  return messages
    .filter(({ severity }) => severity !== "usage" && severity !== "info")
    .map(({ id, message, location }) => `${id} ${message} ${JSON.stringify(location)}`);
}

describe("EPUBCheck", () => {
  it("finds nothing wrong in a book with everything that it may hold", async () => {
    assert.deepEqual(await faults(writeEpub(compiled(WHOLE))), []);
  });

  it("finds nothing wrong in one without any of it, with a cover, an ISBN and no author", async () => {
    const cover = readPicture("c", PIXEL);
    const metadata = {
      author: "",
      language: "",
      identifier: "978-3-16-148410-0",
      cover,
      rights: "© <A>",
      description: "A & B",
    };
    assert.deepEqual(await faults(writeEpub(compiled([{ markdown: "Text." }], { metadata }))), []);
  });

  it("finds what is wrong", async () => {
    const book = compiled([{ markdown: "Text.\n\nMore." }]);
    const chapters = book.chapters.map((chapter) => ({
      ...chapter,
      blocks: chapter.blocks.map((block) => ({ ...block, id: "b_1" }) as CompiledBlock),
    }));
    assert.notDeepEqual(await faults(writeEpub({ ...book, chapters })), []);
  });
});
