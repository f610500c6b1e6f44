import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { ChapterSource } from "../../src/files/book-files.ts";
import { ChapterTexts, glanceAt } from "../../src/files/folder/chapter-texts.ts";
import { Unavailable } from "../../src/refusals.ts";
import { folder } from "../support/sandbox.ts";

describe("the texts of a folder's chapters", () => {
  it("are those that were read, or refused, where too many bytes to keep are read again", (t) => {
    const path = folder(t);
    const texts = new ChapterTexts(path, 10);
    const read = (file: string, text: string) => {
      writeFileSync(join(path, file), text);
      return texts.read(file, { file, name: file });
    };
    const [kept, again] = [read("1.md", "“Kept”"), read("2.md", "Read again.")];
    assert.equal(again.text, "Read again.");
    for (const file of ["1.md", "2.md"]) writeFileSync(join(path, file), "Another.");
    assert.equal(kept.text, "“Kept”");
    assert.throws(() => again.text, Unavailable);
  });

  it("are known at a glance as by their characters", () => {
    const glance = (text: string) => {
      const source: ChapterSource = { file: null, name: "it", text };
      const { hasControl, mayOpenBlock, mayNamePictures } = glanceAt(source);
      return [hasControl, mayOpenBlock, mayNamePictures];
    };
    assert.deepEqual(glance("“ž\u0085\u009f\u0400”\t\r\n"), [false, false, false]);
    assert.deepEqual(glance("a\u0008"), [true, false, false]);
    assert.deepEqual(glance("\ufeff---\na: b\n---\n"), [false, true, false]);
    assert.deepEqual(glance("---"), [false, true, false]);
    assert.deepEqual(glance("\n---\n![[a.png]]"), [false, false, true]);
    assert.deepEqual(glance("<IMG src=a.png>"), [false, false, true]);
  });

  it("are looked at anew in a copy with another text", () => {
    const source: ChapterSource = { file: null, name: "it", text: "a\u0008" };
    assert.equal(glanceAt(source).hasControl, true);
    assert.equal(glanceAt({ ...source, text: "a" }).hasControl, false);
  });
});
