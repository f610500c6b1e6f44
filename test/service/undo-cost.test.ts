import assert from "node:assert/strict";
import { it } from "node:test";
import { startCounting } from "../support/steps.ts";

const countSteps = await startCounting();
const { manuscript } = await import("../support/sandbox.ts"); // loaded before, it would not be counted
const { createBook } = await import("../../src/service/books/books.ts");
const { createChapter } = await import("../../src/service/books/chapters.ts");
const { undoActs } = await import("../../src/service/history/undo.ts");
const { replaceParagraph } = await import("../../src/service/prose/replace-paragraph.ts");
const { firstParagraph, OWNER } = await import("../support/sample.ts");

it("a chapter is proved and read again once for all saves of it that are undone together", async (t) => {
  const own = manuscript(t);
  const { id: bookId } = createBook(own, { title: "Book" }, OWNER);
  const chapterOf = (paragraphs: number) => {
    const markdown = Array.from({ length: paragraphs }, (_, at) => `Paragraph ${at}.`).join("\n\n");
    return createChapter(own, bookId, { title: "Chapter", markdown }, OWNER).id;
  };
  const [short, long] = [chapterOf(10), chapterOf(500)];
  const stepsOf = async (chapterId: typeof short, saves: number) => {
    const blockId = firstParagraph(own, chapterId);
    const acts = Array.from({ length: saves }, (_, at) =>
      String(replaceParagraph(own, { chapterId, blockId }, { markdown: `Saved ${at}.` }, OWNER).act),
    );
    await countSteps();
    undoActs(own, { acts }, OWNER);
    return await countSteps();
  };
  await stepsOf(short, 2); // what one call remembers for the next
  const once = (await stepsOf(long, 1)) - (await stepsOf(short, 1));
  const forty = (await stepsOf(long, 40)) - (await stepsOf(short, 40));
  assert.ok(forty < 2 * once, `${forty} steps more in a long chapter, of one save ${once}`);
});
