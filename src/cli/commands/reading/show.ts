import type { FORMATS } from "../../../contract/enums.ts";
import { type ChapterQuery, readChapter, readChapterAnswer } from "../../../service/books/read-chapter.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, replyReady } from "../../io/call.ts";
import { print } from "../../io/terminal.ts";

interface ShowOptions {
  book?: string;
  format: (typeof FORMATS)[number];
  revision?: number;
}

/** Prints a chapter: its text, the very bytes of its Markdown, or its native document. */
export async function show(
  call: Call,
  [chapter]: [string],
  { book, format, revision }: ShowOptions,
): Promise<void> {
  const manuscript = await call.open();
  const { id } = resolveChapter(manuscript, chapter, book);
  const query: ChapterQuery = { format, ...(revision === undefined ? {} : { revision }) };
  if (call.json) return await replyReady(call, readChapter(manuscript, id, query), String);
  if (format === "markdown") {
    await print(call.terminal, readChapter(manuscript, id, { ...query, bare: true }).body);
    return;
  }
  const answer = readChapterAnswer(manuscript, id, query);
  await print(
    call.terminal,
    `${"doc" in answer ? JSON.stringify(answer.doc) : "text" in answer ? answer.text : ""}\n`,
  );
}
