import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gunzipSync } from "node:zlib";
import { readBlocksAnswer } from "../../src/service/books/read-blocks.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { restoreRevision } from "../../src/service/prose/restore-revision.ts";
import { acceptProposal } from "../../src/service/review/accept-proposal.ts";
import { listProposals } from "../../src/service/review/read-proposal.ts";
import { listBooks } from "../../src/store/rows/books.ts";
import { listChapters } from "../../src/store/rows/chapters.ts";
import { OWNER } from "../support/sample.ts";
import { folder, ticking } from "../support/sandbox.ts";

const FIXTURE = join(import.meta.dirname, "../../fixtures/manuscripts/0.3.0-years.gz");
const WRITTEN = `# Years

1984. It was *cold*.

Between.

1914. The _war_ began.

1918. It ended,
and everyone knew.

Then quiet.

> 1920. Quoted.
>
> 1925. Again.

After.

2001. One
2005. Five

End.
`;

/** The old file, each call of `use` a program that opens it; sound before and after. */
function oldFile(t: TestContext) {
  const path = join(folder(t), "old.manuscript");
  writeFileSync(path, gunzipSync(readFileSync(FIXTURE)), { mode: 0o600 });
  const assertSound = () =>
    assert.deepEqual(
      diagnose(path).checks.filter(({ status }) => status === "fail"),
      [],
    );
  assertSound();
  return <Result>(run: (file: Manuscript, id: string) => Result): Result => {
    const file = openManuscript(path, { clock: ticking(Date.UTC(2027, 0, 1)) });
    const { id } = listBooks(file.store).flatMap((book) => listChapters(file.store, book.id))[0]!;
    const result = run(file, id);
    file.close();
    assertSound();
    return result;
  };
}

const markdownOf = (file: Manuscript, id: string) => {
  const answer = readChapterAnswer(file, id, { format: "markdown" });
  return "markdown" in answer ? answer.markdown : undefined;
};
const docOf = (file: Manuscript, id: string) => {
  const answer = readChapterAnswer(file, id, { format: "doc" });
  return "doc" in answer ? answer.doc : assert.fail();
};
const idsOf = (file: Manuscript, id: string) =>
  readBlocksAnswer(file, id).blocks.map(({ blockId }) => blockId);

describe("paragraphs in a row that begin with years, of a file that kept the first year only", () => {
  it("are shown with their years, and the same text or document is no change", (t) => {
    const use = oldFile(t);
    use((file, id) => {
      const shown = readBlocksAnswer(file, id).blocks.map(({ markdown }) => markdown);
      assert.equal(shown.filter((markdown) => /^\d{4}\. /.test(markdown)).length, 7);
      const put = replaceProse(file, id, { markdown: WRITTEN }, OWNER);
      const { revision } = replaceProse(file, id, { doc: docOf(file, id) }, OWNER);
      assert.deepEqual([put.revision, revision, markdownOf(file, id)], [2, 2, WRITTEN]);
    });
  });

  it("keep them where a word beside them is changed, by text, by document and by paragraph, and when that is undone", (t) => {
    const use = oldFile(t);
    const words: [was: string, now: string][] = [
      ["Between", "Then"],
      ["Then quiet", "Quiet"],
      ["ended", "was over"],
      ["Again", "Once more"],
      ["Five", "Six"],
      ["cold", "warm"],
    ];
    for (const [was, now] of words) {
      const changed = WRITTEN.replace(was, now);
      const undo = (act: string | number | null) =>
        use((file, id) => {
          assert.equal(markdownOf(file, id), changed, was);
          undoAct(file, act as never, OWNER);
          assert.equal(markdownOf(file, id), WRITTEN);
        });
      undo(use((file, id) => replaceProse(file, id, { markdown: changed }, OWNER).act));
      undo(
        use((file, id) => {
          const doc = JSON.parse(JSON.stringify(docOf(file, id)).replace(was, now));
          return replaceProse(file, id, { doc }, OWNER).act;
        }),
      );
      undo(
        use((file, id) => {
          const { blockId, markdown } = readBlocksAnswer(file, id).blocks.find((block) =>
            block.markdown.includes(was),
          )!;
          const body = { markdown: markdown.replace(was, now) };
          return replaceParagraph(file, { chapterId: id, blockId }, body, OWNER).act;
        }),
      );
    }
  });

  it("keep them where an earlier revision comes back", (t) => {
    const use = oldFile(t);
    use((file, id) => {
      replaceProse(file, id, { markdown: "All gone.\n" }, OWNER);
      restoreRevision(file, id, { revision: 2 }, OWNER);
      assert.equal(markdownOf(file, id), WRITTEN);
    });
  });

  it("take the proposals that were made before", (t) => {
    const use = oldFile(t);
    use((file, id) => {
      const [book] = listBooks(file.store);
      for (const { id: proposal } of listProposals(file, book!.id, {}).proposals)
        acceptProposal(file, proposal, {}, OWNER);
      assert.equal(
        markdownOf(file, id)?.replace(/\n {6}/, "\n"),
        WRITTEN.replace("1914. The _war_ began.\n\n", "").replace("It ended", "It ended at last"),
      );
      assert.equal(idsOf(file, id).length, 11);
    });
  });
});
