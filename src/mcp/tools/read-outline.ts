import { listBooks } from "../../service/list-books.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { outlineOf } from "../../service/naming/named.ts";
import { counted, oneLine } from "../../text/columns.ts";
import { fenced, moreOf, type Part, pageOf } from "../answers/answer.ts";
import { findBookNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

const SYNOPSIS_CHARACTERS = 160;

/** The books, or a book's parts and chapters. */
export function answerOutline(
  { manuscript }: ToolAsking,
  { book, ...part }: ToolInput<"read_outline">,
): string {
  const { books } = listBooks(manuscript);
  if (book !== undefined || books.length <= 1) return showBook(manuscript, book, part);
  const page = pageOf(
    books.map((one, at) => ({ ...one, at })),
    part,
    ({ at, id, title, chapterCount, wordCount }) =>
      `${at + 1}. ${title} (${id}) ${counted(chapterCount, "chapter")}, ${counted(wordCount, "word")}`,
  );
  return `${counted(books.length, "book")}; give book for its chapters.${moreOf(page)}\n${fenced(page.lines)}`;
}

function showBook(manuscript: Manuscript, book: string | undefined, part: Part): string {
  const outline = outlineOf(manuscript, findBookNamed(manuscript, book).id);
  const { id, title, wordCount, parts, chapters, goal } = outline;
  const page = pageOf(chapters, part, (chapter) => {
    const { position, partId, status, synopsis } = chapter;
    const held = parts.find((one) => one.chapterIds[0] === chapter.id && one.id === partId);
    const lead = held === undefined ? "" : `Part: ${held.title} (${held.id})\n`;
    const about = synopsis === "" ? "" : `: ${oneLine(synopsis, SYNOPSIS_CHARACTERS)}`;
    return `${lead}${position}. ${chapter.title} (${chapter.id}) ${status}, ${counted(chapter.wordCount, "word")}${about}`;
  });
  const aim = goal === null ? "" : `, goal ${counted(goal.targetWords, "word")}`;
  const head = `${id}: ${counted(chapters.length, "chapter")}, ${counted(wordCount, "word")}${aim}.${moreOf(page)}`;
  return `${head}\n${fenced([title, ...page.lines])}`;
}
