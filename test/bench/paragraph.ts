import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { type Caller, openManuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { chapterOf, cpuSince, median, report } from "./report.ts";

// One paragraph of a short and of a long chapter, turn by turn in one process.
const SIZES = [5000, 50_000] as const;
const ROUNDS = 600;
const WARM_UP = 200;
const caller: Caller = { source: "cli" };

const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const manuscript = openManuscript(join(folder, "bench.manuscript"), { create: true });
const { id: bookId } = createBook(manuscript, { title: "Bench" }, caller);
const chapters = SIZES.map((words) => {
  const { id } = createChapter(
    manuscript,
    bookId,
    { title: String(words), markdown: chapterOf(words) },
    caller,
  );
  const answer = readChapterAnswer(manuscript, id, { format: "doc" });
  const content = ("doc" in answer ? answer.doc.content : []) as unknown as { attrs: { blockId: string } }[];
  return {
    id,
    blockIds: content.map(({ attrs }) => attrs.blockId),
    cpu: [] as number[],
    wall: [] as number[],
  };
});

for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  for (const { id, blockIds, cpu, wall } of chapters) {
    const blockId = blockIds[(round * 37) % blockIds.length] ?? "";
    const markdown = `A new text, number ${round}, of a paragraph that holds as many words as most of the others here do, she said.`;
    const [startCpu, startWall] = [process.cpuUsage(), performance.now()];
    replaceParagraph(manuscript, { chapterId: id, blockId }, { markdown }, caller);
    if (round < WARM_UP) continue;
    cpu.push(cpuSince(startCpu));
    wall.push(1000 * (performance.now() - startWall));
  }
}
manuscript.close();
rmSync(folder, { recursive: true });

const [short, long] = chapters.map(({ cpu }) => mean(cpu));
const ratio = (long ?? 0) / (short ?? 1);
report("paragraph: PATCH of one paragraph, in process, synchronous=FULL", [
  ...chapters.flatMap(({ cpu, wall }, index) => [
    { what: `${SIZES[index]} words, CPU`, value: mean(cpu), unit: "µs" },
    { what: `${SIZES[index]} words, wall`, value: median(wall), unit: "µs" },
  ]),
  { what: "50,000 ÷ 5,000 words, CPU", value: ratio, unit: "×", bar: "≤ 1.2", met: ratio <= 1.2 },
]);

// The mean of the middle four fifths: CPU clocks tick too coarsely for a median of single writes.
function mean(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice(Math.floor(sorted.length / 10), Math.ceil((sorted.length * 9) / 10));
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
