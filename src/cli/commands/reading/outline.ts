import type { AnswerOf } from "../../../contract/index.ts";
import { readOutline } from "../../../service/books/outline.ts";
import { listBooks } from "../../../service/list-books.ts";
import { alignedLines, counted, grouped } from "../../../text/columns.ts";
import { resolveBook } from "../../input/resolve.ts";
import { reply, replyReady } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import { inColumns } from "../../output/wrapped.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Outline = AnswerOf<"readOutline">;

function show(terminal: Terminal, answer: Outline): string {
  const { title, wordCount, chapters, goal } = answer;
  const head = `${styled(terminal, "bold", title)}  ${counted(chapters.length, "chapter")}, ${counted(wordCount, "word")}`;
  const target = goal === null ? [] : [goalLine(goal)];
  const by = [answer.author, answer.language].filter((text) => text !== undefined).join("  ");
  return [head, ...(by === "" ? [] : [by]), ...target, ...chapterLines(terminal, answer)].join("\n");
}

function goalLine({
  targetWords,
  remainingWords,
  deadline,
  wordsPerDay,
}: NonNullable<Outline["goal"]>): string {
  const day = deadline === null ? "" : ` by ${deadline}: ${grouped(wordsPerDay ?? 0)} a day`;
  return `Goal ${counted(targetWords, "word")}, ${grouped(remainingWords)} to go${day}`;
}

/** A line a chapter, with a heading wherever another part begins. */
function chapterLines(terminal: Terminal, { parts, chapters }: Outline): string[] {
  const lines = alignedLines(
    chapters.map(({ position, id, title, status, wordCount }) => [
      String(position),
      id,
      title,
      status,
      grouped(wordCount),
    ]),
    [0, 4],
  );
  const titles = new Map<string | null, string>(parts.map(({ id, title }) => [id, title]));
  return chapters.flatMap(({ partId }, index) => {
    const line = lines[index] ?? "";
    const before = index === 0 ? null : chapters[index - 1]?.partId;
    if (partId === before) return [line];
    return [`\n${styled(terminal, "bold", titles.get(partId) ?? "Without a part")}`, line];
  });
}

/** Lists the books, and shows one's parts, chapters and goal. */
export const COMMANDS: CommandsOf<typeof ROWS, "books" | "outline"> = {
  books: async (call) => {
    await reply(call, listBooks(await call.open()), ({ books }) => {
      const rows = books.map(({ id, title, chapterCount, wordCount }, index) => [
        ...[String(index + 1), id, title],
        ...[counted(chapterCount, "chapter"), counted(wordCount, "word")],
      ]);
      return inColumns("No book yet.", rows, [0, 3, 4]);
    });
  },

  outline: async (call, { book }) => {
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book);
    await replyReady<Outline>(call, readOutline(manuscript, id), (answer) => show(call.terminal, answer));
  },
};
