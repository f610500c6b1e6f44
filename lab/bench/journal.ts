import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapter, readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { type Caller, openManuscript } from "../../src/service/manuscript.ts";
import { compareRevisions } from "../../src/service/prose/compare-revisions.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { chapterOf, cpuSince, median, report } from "./report.ts";

// A chapter of 5,000 words, written over one paragraph at a time; each new text differs from the last in a few words.
const WORDS = 5000;
const EDITS = 1000;
const BACK = 200;
const ROUNDS = 21;
const caller: Caller = { source: "cli" };

const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const manuscript = openManuscript(join(folder, "bench.manuscript"), { create: true });
const { store } = manuscript;
const { id: bookId } = createBook(manuscript, { title: "Bench" }, caller);
const { id } = createChapter(manuscript, bookId, { title: "One", markdown: chapterOf(WORDS) }, caller);
const answer = readChapterAnswer(manuscript, id, { format: "doc" });
const blocks = ("doc" in answer ? answer.doc.content : []) as unknown as {
  attrs: { blockId: string };
  content: { text: string }[];
}[];

// Everything that grows with a write: the journal, the acts, the revisions and the days' counts, with their indexes.
const GROWING = ["journal", "acts", "revisions", "progress"];
const sizeOf = () => {
  store.checkpoint();
  const names = GROWING.map((name) => `'${name}'`).join(", ");
  const row = store.get<{ bytes: number }>(
    `SELECT sum(s.pgsize) AS bytes FROM dbstat s JOIN sqlite_schema m ON m.name = s.name WHERE m.tbl_name IN (${names})`,
  );
  return row?.bytes ?? 0;
};

const before = sizeOf();
for (let round = 0; round < EDITS; round++) {
  const { attrs, content } = blocks[(round * 37) % blocks.length]!; // within the list
  const markdown = content[0]!.text.replace("the", `the ${round}th`); // a paragraph of plain text
  replaceParagraph(manuscript, { chapterId: id, blockId: attrs.blockId }, { markdown }, caller);
}
const grown = (sizeOf() - before) / 1e6;

const { revision } = readChapterAnswer(manuscript, id, { format: "text" });
const timed = (run: () => unknown) => {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    run();
    return cpuSince(start) / 1000;
  });
  return median(times);
};
const read = timed(() => readChapter(manuscript, id, { revision: revision - BACK, format: "text" }));
const compared = timed(() => compareRevisions(manuscript, id, { from: revision - BACK }));
manuscript.close();
rmSync(folder, { recursive: true });

report(`journal: ${EDITS} edits of one paragraph in a chapter of ${WORDS} words`, [
  {
    what: "journal, acts and revisions, with indexes",
    value: grown,
    unit: "MB",
    bar: "≤ 2",
    met: grown <= 2,
  },
  { what: `read revision N−${BACK}, CPU`, value: read, unit: "ms", bar: "≤ 20", met: read <= 20 },
  { what: `diff with revision N−${BACK}, CPU`, value: compared, unit: "ms" },
]);
