import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkChapter, dismissFindings } from "../../src/service/ai/check.ts";
import { deleteBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { serve } from "../support/client.ts";
import { OWNER, type Sample, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

// The sample's Mara has grey eyes.
const SLIP = "Mara looked up, and her brown eyes were wet.\n\nIt was Monday, 1 February 1953.\n";

function withSlips(own: Manuscript): Sample & { id: string } {
  const sample = writeSample(own);
  const { id } = createChapter(own, sample.bookId, { title: "Slips", markdown: SLIP }, OWNER);
  return { ...sample, id };
}

const idsOf = async (own: Manuscript, id: string) =>
  (await checkChapter(own, id)).answer.findings.map((finding) => finding.id);

describe("dismissFindings", () => {
  it("silences a finding, and no other, until it is undone", async (t) => {
    const own = manuscript(t);
    const { bookId, id } = withSlips(own);
    const before = await idsOf(own, id);
    assert.equal(before.length, 2);
    const { act } = dismissFindings(own, bookId, before.slice(0, 1), OWNER);
    assert.deepEqual(await idsOf(own, id), before.slice(1));
    assert.deepEqual(listActs(own, { limit: 1 }).acts[0]?.touched.books, [bookId]);
    undoAct(own, act!, OWNER); // it was no dry run
    assert.deepEqual(await idsOf(own, id), before);
  });

  it("stays while paragraphs around it, its own too, are edited elsewhere", async (t) => {
    const own = manuscript(t);
    const { bookId, id } = withSlips(own);
    const [slip = ""] = await idsOf(own, id);
    dismissFindings(own, bookId, [slip], OWNER);
    const markdown = SLIP.replace("Mara looked", "Rain.\n\nAt ten o’clock Mara looked").replace(
      "were wet",
      "were shut",
    );
    replaceProse(own, id, { markdown }, OWNER);
    const left = await idsOf(own, id);
    assert.ok(left.length === 1 && !left.includes(slip));
    const doc = readChapterAnswer(own, id, { format: "doc" });
    const content = ("doc" in doc ? doc.doc.content : []) as unknown as { attrs: { blockId: string } }[];
    const blockId = content[1]!.attrs.blockId; // the slip's
    replaceParagraph(
      own,
      { chapterId: id, blockId },
      { markdown: "Her hands shook. Mara’s green eyes did not." },
      OWNER,
    );
    assert.equal((await idsOf(own, id)).length, 2, "another contradiction is told");
  });

  it("may be done twice, rehearsed, and goes with its book", async (t) => {
    const own = manuscript(t);
    const { bookId, id } = withSlips(own);
    const [slip = ""] = await idsOf(own, id);
    assert.equal(dismissFindings(own, bookId, [slip], { ...OWNER, dryRun: true }).act, null);
    assert.equal((await idsOf(own, id)).length, 2);
    dismissFindings(own, bookId, [slip], OWNER);
    dismissFindings(own, bookId, [slip], OWNER);
    assert.equal((await idsOf(own, id)).length, 1);
    deleteBook(own, bookId, OWNER);
    assert.throws(() => dismissFindings(own, bookId, [slip], OWNER), /book/);
  });

  it("is heeded by the API", async (t) => {
    const lab = await serve(t);
    const { id } = createChapter(
      lab.manuscript,
      lab.sample.bookId,
      { title: "Slips", markdown: SLIP },
      OWNER,
    );
    const { body } = await lab.ask("POST", `/chapters/${id}/check`);
    assert.deepEqual(
      body.findings.map(({ type }: { type: string }) => type),
      ["contradiction", "contradiction"],
    );
    dismissFindings(lab.manuscript, lab.sample.bookId, [body.findings[1].id], OWNER);
    assert.deepEqual((await lab.ask("POST", `/chapters/${id}/check`)).body.findings, [body.findings[0]]);
    const synopsis = (await lab.ask("POST", `/chapters/${id}/synopsis`)).body;
    assert.equal(
      synopsis.synopsis,
      "Mara looked up, and her brown eyes were wet. It was Monday, 1 February 1953.\nWith: Mara.",
    );
  });
});
