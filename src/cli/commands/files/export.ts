import { join } from "node:path";
import type { OutFile } from "../../../files/disk/write-folder.ts";
import { exportFolder } from "../../../files/export.ts";
import { nameFiles, nameFolder } from "../../../files/folder/file-names.ts";
import { renderChapters } from "../../../files/folder/render-folder.ts";
import { BadRequest } from "../../../refusals.ts";
import { readExport } from "../../../service/interchange/export-book.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { placeOf } from "../../input/arguments.ts";
import { withManuscript } from "../../input/manuscript.ts";
import { resolveBook } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { withProgress } from "../../io/progress.ts";
import { print, type Terminal } from "../../io/terminal.ts";
import { counted } from "../../output/columns.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

interface ExportOptions {
  format?: "markdown" | "json";
  output?: string;
  plain?: boolean;
  blockIds?: boolean;
  force?: boolean;
}

/** Writes a book as Markdown, into a folder or chapter after chapter to stdout; or the whole manuscript as a bundle. */
export async function exportBook(call: Call, [asked]: [string?], options: ExportOptions): Promise<void> {
  const { output, plain = false, blockIds = false, force = false } = options;
  if (output === "-" && call.json)
    throw new BadRequest("-o - puts the book on stdout, so --json cannot; leave one out.");
  if (options.format === "json") {
    if (asked !== undefined || plain || blockIds)
      throw new BadRequest(
        "-f json puts the whole manuscript into one bundle; leave out the book, --plain and --block-ids.",
      );
    const { exportBundle } = await import("./bundle.ts");
    return await exportBundle(call, options);
  }
  const { cwd } = call.terminal;
  const done = await withManuscript(call, async (manuscript) => {
    const { id, title } = resolveBook(manuscript, asked);
    if (output === "-") return { text: await renderWhole(manuscript, id, { plain, blockIds }) };
    const folder = output === undefined ? join(cwd, nameFolder(title)) : placeOf(call, output, "--output");
    const exported = await withProgress(call.terminal, "Exporting", (step) =>
      exportFolder(manuscript, id, folder, { plain, blockIds, force, step }),
    );
    return { ...exported, folder };
  });
  if ("text" in done) return await writeOut(call.terminal, done.text);
  const { book, folder, files } = done;
  const answer: CommandAnswer<"export"> = {
    bookId: book.id,
    title: book.title,
    folder,
    chapters: book.chapters.map(({ id, title }, index) => {
      const { file, status } = files[index]!; // one file a chapter
      return { id, title, file, status };
    }),
  };
  await reply(call, answer, ({ chapters }) => {
    const written = chapters.filter(({ status }) => status === "written").length;
    return `${folder}: ${counted(chapters.length, "chapter")}, ${counted(written, "file")} written`;
  });
}

/** The chapters of a book as they would be in files. */
async function renderWhole(
  manuscript: Manuscript,
  bookId: string,
  { plain, blockIds }: { plain: boolean; blockIds: boolean },
): Promise<OutFile[]> {
  const marks = blockIds ? await import("../../../service/interchange/export-block-ids.ts") : undefined;
  const book = readExport(manuscript, bookId, marks && { mark: marks.markBlocks });
  return await renderChapters(book, nameFiles(book.chapters, book.parts), { isPlain: () => plain });
}

/** The chapters one after another, a blank line between those that do not end in one. */
async function writeOut(terminal: Terminal, files: readonly OutFile[]): Promise<void> {
  for (const [index, { bytes }] of files.entries()) {
    await print(terminal, bytes);
    if (index + 1 < files.length) await print(terminal, missingLineEnds(bytes));
  }
}

function missingLineEnds(bytes: Buffer): string {
  const end = bytes.toString("latin1", Math.max(0, bytes.length - 4)).replaceAll("\r", "");
  return end === "" || end.endsWith("\n\n") ? "" : end.endsWith("\n") ? "\n" : "\n\n";
}
