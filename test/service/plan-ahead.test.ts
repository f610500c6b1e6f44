import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChapterId } from "../../src/ids.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapter } from "../../src/service/books/read-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript, seeded } from "../support/sandbox.ts";

const paragraphs = (mark: string) =>
  Array.from({ length: 250 }, (_, index) => `The ${mark} paragraph of number ${index}.`);

describe("a long write, planned before the file is its own", () => {
  it("is planned again if another program wrote the chapter meanwhile", (t) => {
    const bytes = seeded(3);
    let between: (() => void) | undefined;
    // New ids are made while the plan is, out of random bytes by the thousand: then the other program writes.
    const random = (length: number) => {
      const write = between;
      between = undefined;
      write?.();
      return bytes(length);
    };
    const own = manuscript(t, { random });
    const { id: bookId } = createBook(own, { title: "B" }, OWNER);
    const { id } = createChapter(
      own,
      bookId,
      { title: "C", markdown: paragraphs("old").join("\n\n") },
      OWNER,
    );
    const other = openManuscript(own.store.path, { random: seeded(9) });
    t.after(() => other.close());
    const blockId = idsOf(own, id)[5] ?? "";
    between = () => replaceParagraph(other, { chapterId: id, blockId }, { markdown: "Theirs." }, OWNER);
    const text = [...paragraphs("old").toSpliced(5, 1, "Theirs."), ...paragraphs("new")].join("\n\n");
    const answer = replaceProse(own, id, { markdown: text }, OWNER);
    assert.equal(between, undefined, "the other program wrote in between");
    assert.deepEqual([...new Set(answer.blocks.slice(0, 250).map(({ status }) => status))], ["kept"]);
    assert.deepEqual(answer.blocks[5]?.blockId, blockId);
    assert.equal(textOf(own, id), text);
    undoAct(own, answer.act ?? "", OWNER);
    assert.ok(textOf(own, id).includes("Theirs."), "what the other wrote is not undone with it");
  });
});

function read(own: Parameters<typeof readChapter>[0], id: ChapterId, format: "doc" | "markdown") {
  return JSON.parse(String(readChapter(own, id, { format }).body));
}

function textOf(own: Parameters<typeof readChapter>[0], id: ChapterId): string {
  return read(own, id, "markdown").markdown.trim();
}

function idsOf(own: Parameters<typeof readChapter>[0], id: ChapterId): string[] {
  return read(own, id, "doc").doc.content.map(({ attrs }: { attrs: { blockId: string } }) => attrs.blockId);
}
