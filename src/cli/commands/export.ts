import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { holdBeside, noteBesideFiles } from "../../files/beside.ts";
import { chapterFiles, type ExportedFile, exportFolder } from "../../files/export.ts";
import { nameFolder } from "../../files/file-names.ts";
import { BadRequest } from "../../refusals.ts";
import { noteExports } from "../../service/exchanges.ts";
import { type BookExport, readExport } from "../../service/export-book.ts";
import { type Call, reply, withManuscript } from "../call.ts";
import { counted } from "../layout.ts";
import { resolveBook } from "../resolve.ts";
import type { ExportAnswer } from "../schemas.ts";
import { print, type Terminal } from "../terminal.ts";

interface ExportOptions {
  format?: "markdown" | "json";
  output?: string;
  plain?: boolean;
  force?: boolean;
}

/** Writes a book as Markdown, into a folder or chapter after chapter to stdout; or the whole manuscript as a bundle. */
export async function exportBook(call: Call, [asked]: [string?], options: ExportOptions): Promise<void> {
  const { output, plain = false, force = false } = options;
  if (output === "-" && call.json)
    throw new BadRequest("-o - puts the book on stdout, so --json cannot; leave one out.");
  if (options.format === "json") {
    if (asked !== undefined || plain)
      throw new BadRequest(
        "-f json puts the whole manuscript into one bundle; leave out the book and --plain.",
      );
    const { exportBundle } = await import("./bundle.ts");
    return await exportBundle(call, options);
  }
  const { cwd } = call.terminal;
  const done = await withManuscript(call, async (manuscript) => {
    const book = readExport(manuscript, resolveBook(manuscript, asked).id);
    if (output === "-") return { book };
    const folder = output === undefined ? join(cwd, nameFolder(book.title)) : resolve(cwd, output);
    const held = plain || force ? undefined : await holdBeside(manuscript, folder, book.id);
    let beside: readonly ExportedFile[] = [];
    const files = await exportFolder(book, folder, {
      plain,
      force,
      ...(held === undefined ? {} : { held }),
      wrote: (written) => {
        beside = written;
      },
    });
    noteExports(
      manuscript,
      realpathSync(folder),
      book,
      files.map(({ hash }) => hash),
    );
    await noteBesideFiles(manuscript, { folder: realpathSync(folder), bookId: book.id }, beside);
    return { book, folder, files };
  });
  const { book, folder, files } = done;
  if (folder === undefined) return await writeOut(call.terminal, book, plain);
  const answer: ExportAnswer = {
    bookId: book.id,
    title: book.title,
    folder,
    // One file a chapter.
    chapters: book.chapters.map(({ id, title }, index) => {
      const { file, status } = files[index]!;
      return { id, title, file, status };
    }),
  };
  await reply(call, answer, ({ chapters }) => {
    const written = chapters.filter(({ status }) => status === "written").length;
    return `${folder}: ${counted(chapters.length, "chapter")}, ${counted(written, "file")} written`;
  });
}

/** The chapters one after another, a blank line between those that do not end in one. */
async function writeOut(terminal: Terminal, book: BookExport, plain: boolean): Promise<void> {
  const files = await chapterFiles(book, { plain });
  for (const [index, { bytes }] of files.entries()) {
    await print(terminal, bytes);
    if (index + 1 < files.length) await print(terminal, missingLineEnds(bytes));
  }
}

function missingLineEnds(bytes: Buffer): string {
  const end = bytes.toString("latin1", Math.max(0, bytes.length - 4)).replaceAll("\r", "");
  return end === "" || end.endsWith("\n\n") ? "" : end.endsWith("\n") ? "\n" : "\n\n";
}
