import { headerOf } from "../../../files/front-matter.ts";
import { BadRequest } from "../../../refusals.ts";
import { type ChapterQuery, readChapter, readChapterAnswer } from "../../../service/books/read-chapter.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { reply, replyReady } from "../../io/call.ts";
import { print } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Prints a chapter: its text, the very bytes of its Markdown, its native document, or a line of JSON a paragraph. */
export const COMMANDS: CommandsOf<typeof ROWS, "show"> = {
  show: async (call, { chapter, book, format, revision, header }) => {
    if (header && (format !== "markdown" || call.json))
      throw new BadRequest("--header goes with --format markdown, and without --json.");
    const manuscript = await call.open();
    const { id } = resolveChapter(manuscript, chapter, book);
    if (format === "blocks") {
      const { readBlocksAnswer } = await import("../../../service/books/read-blocks.ts"); // it loads a parser
      return await reply(call, readBlocksAnswer(manuscript, id, revision), ({ blocks }) =>
        blocks.map((block) => JSON.stringify(block)).join("\n"),
      );
    }
    const query = { format, ...(revision === undefined ? {} : { revision }) } satisfies ChapterQuery;
    if (call.json) return await replyReady(call, readChapter(manuscript, id, query), String);
    if (format === "markdown") {
      const { body, seen } = readChapter(manuscript, id, { ...query, bare: true });
      const head = header ? headerOf(id, revision ?? seen.revision) : "";
      await print(call.terminal, header ? `${head}${body.toString().replace(/^\ufeff/, "")}` : body);
      return;
    }
    const answer = readChapterAnswer(manuscript, id, query);
    await print(
      call.terminal,
      `${"doc" in answer ? JSON.stringify(answer.doc) : "text" in answer ? answer.text : ""}\n`,
    );
  },
};
