import { resolve } from "node:path";
import { importFiles } from "../../files/import.ts";
import { type BookFiles, readBook } from "../../files/read-book.ts";
import { decode } from "../../files/text-file.ts";
import { BadRequest } from "../../refusals.ts";
import type { ImportAnswer } from "../../service/import-book.ts";
import { type Call, replyWrite, type WriteOptions, withManuscript } from "../call.ts";
import { columns, counted } from "../layout.ts";
import { resolveBook } from "../resolve.ts";
import { readInput, talk } from "../terminal.ts";

interface ImportOptions extends WriteOptions {
  book?: string;
  title?: string;
}

/** Takes Markdown in: a file, a folder or stdin; as a new book, or into one that is there. */
export async function importPath(call: Call, [path]: [string], options: ImportOptions): Promise<void> {
  const { book, title, dryRun = false } = options;
  if (book !== undefined && title !== undefined) {
    throw new BadRequest("--title names a new book and --book one that is there; give one of them.");
  }
  await withManuscript(call, async (manuscript) => {
    const bookId = book === undefined ? undefined : resolveBook(manuscript, book).id;
    const files =
      path === "-"
        ? await readStdin(call)
        : readBook(resolve(call.terminal.cwd, path), { mayLack: book !== undefined });
    for (const { file, reason } of files.skipped) await talk(call.terminal, `Left out ${file}: ${reason}.`);
    const answer = await importFiles(manuscript, files, {
      dryRun,
      ...(bookId === undefined ? {} : { bookId }),
      ...(title === undefined ? {} : { title }),
    });
    await replyWrite(call, answer, show);
  });
}

async function readStdin({ terminal }: Call): Promise<BookFiles> {
  const text = decode(await readInput(terminal), "stdin");
  return {
    book: undefined,
    chapters: [{ file: null, name: "stdin", text }],
    skipped: [],
    fallbackTitle: undefined,
  };
}

function show({ bookId, title, chapters }: ImportAnswer): string {
  const words = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
  const lines = chapters.map(({ id, title: name, status, wordCount, mentionsDropped, snippetsDetached }) => [
    status,
    id,
    name,
    counted(wordCount, "word"),
    mentionsDropped.length === 0 ? "" : `${counted(mentionsDropped.length, "mention")} dropped`,
    snippetsDetached.length === 0 ? "" : `${counted(snippetsDetached.length, "note")} detached`,
  ]);
  return [
    columns(lines, [3]),
    `${bookId}  ${title}: ${counted(chapters.length, "file")}, ${counted(words, "word")}`,
  ].join("\n");
}
