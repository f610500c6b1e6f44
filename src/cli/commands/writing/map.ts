import { NotFound } from "../../../refusals.ts";
import { readOutline } from "../../../service/books/outline.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { parseReady } from "../../../service/present.ts";
import {
  type ChapterPassages,
  listPassages,
  type MapAnswer,
  writePassages,
} from "../../../service/prose/map-paragraphs.ts";
import { type FilterInput, runFilter } from "../../input/filter.ts";
import { resolveBook, resolveChapter } from "../../input/resolve.ts";
import { type Call, replyWrite, takeBack, type WriteOptions } from "../../io/call.ts";
import { withProgress } from "../../io/progress.ts";
import type { Terminal } from "../../io/terminal.ts";
import { counted } from "../../output/columns.ts";
import { showDiff } from "../../output/word-diff.ts";

interface MapOptions extends WriteOptions {
  book?: string;
  by: "paragraph" | "chapter";
}

/** Runs a program over each paragraph, or each chapter, and writes what it made of them as one act. */
export async function map(
  call: Call,
  [target, command]: [string, string[]],
  { book, by, dryRun = false }: MapOptions,
): Promise<void> {
  const manuscript = await call.open();
  const chapters = chaptersOf(manuscript, target, book).map((id) => listPassages(manuscript, id, by));
  const mapped = await runOver(call.terminal, command, chapters);
  const answer = writePassages(manuscript, mapped, { source: "cli", dryRun });
  const remedy = takeBack(answer.act, { isDry: dryRun });
  await replyWrite(call, answer, (done) => show(call.terminal, done, dryRun), [remedy]);
}

/** One chapter if `--book` is given or the target is a chapter; else every chapter of a book. */
function chaptersOf(manuscript: Manuscript, target: string, book: string | undefined): string[] {
  if (book !== undefined || /^ch_/.test(target)) return [resolveChapter(manuscript, target, book).id];
  try {
    const { id } = resolveBook(manuscript, target);
    const outline = parseReady(readOutline(manuscript, id));
    return outline.chapters.map((chapter) => chapter.id);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    return [resolveChapter(manuscript, target, book).id];
  }
}

/** The chapters with the passages that the filter changed. */
async function runOver(
  terminal: Terminal,
  command: readonly string[],
  chapters: readonly ChapterPassages[],
): Promise<ChapterPassages[]> {
  const passages = chapters.flatMap((chapter) => chapter.passages);
  const inputs = passages.map(({ chapterId, title, blockId, markdown }): FilterInput => {
    const name = blockId === null ? title : `paragraph ${blockId} of ${title}`;
    const text = blockId === null ? markdown : `${markdown}\n`;
    return { name, text, env: { MANUSCRIPT_CHAPTER: chapterId, MANUSCRIPT_BLOCK: blockId ?? "" } };
  });
  const { cwd, env } = terminal;
  const outputs = await withProgress(terminal, "Mapping", (step) =>
    runFilter({ command, cwd, env }, inputs, step),
  );
  const texts = new Map(
    passages.map((passage, at) => [passage, [inputs[at]!.text, outputs[at]!] as const]), // one each a passage
  );
  return chapters.flatMap(({ passages: own, ...chapter }) => {
    const changed = own.flatMap((passage) => {
      const [before, after] = texts.get(passage)!; // made from the same passages
      return before === after ? [] : [{ ...passage, markdown: after }];
    });
    return changed.length === 0 ? [] : [{ ...chapter, passages: changed }];
  });
}

function show(terminal: Terminal, { chapters }: MapAnswer, isDry: boolean): string {
  if (chapters.length === 0) return "The filter changed nothing.";
  return chapters
    .map(({ chapterId, title, words, paragraphs, mentionsDropped, snippetsDetached }) => {
      const lost = [
        mentionsDropped.length === 0 ? "" : `, ${counted(mentionsDropped.length, "mention")} dropped`,
        snippetsDetached.length === 0 ? "" : `, ${counted(snippetsDetached.length, "note")} detached`,
      ].join("");
      const head = `${chapterId}  ${title}: ${counted(paragraphs.length, "paragraph")} changed, ${counted(words.added, "word")} added, ${counted(words.removed, "word")} removed${lost}`;
      if (!isDry) return head;
      return [
        head,
        ...paragraphs.map(({ blockId, changes }) => `\n${blockId}\n${showDiff(terminal, changes)}`),
        "",
      ].join("\n");
    })
    .join("\n");
}
