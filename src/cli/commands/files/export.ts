import { join } from "node:path";
import type { OutFile } from "../../../files/disk/write-folder.ts";
import { exportFolder, renderBook } from "../../../files/export.ts";
import { nameFolder } from "../../../files/folder/file-names.ts";
import { BadRequest } from "../../../refusals.ts";
import { placeOf } from "../../input/arguments.ts";
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
export async function exportBook(call: Call, [wanted]: [string?], options: ExportOptions): Promise<void> {
  const { output, plain = false, blockIds = false, force = false } = options;
  if (output === "-" && call.json)
    throw new BadRequest("-o - puts the book on stdout, so --json cannot; leave one out.");
  if (options.format === "json") {
    if (wanted !== undefined || plain || blockIds)
      throw new BadRequest(
        "-f json puts the whole manuscript into one bundle; leave out the book, --plain and --block-ids.",
      );
    const { exportBundle } = await import("./bundle.ts");
    return await exportBundle(call, options);
  }
  const manuscript = await call.open();
  const { id: bookId, title } = resolveBook(manuscript, wanted);
  if (output === "-") {
    return await writeOut(call.terminal, await renderBook(manuscript, bookId, { plain, blockIds }));
  }
  const folder =
    output === undefined ? join(call.terminal.cwd, nameFolder(title)) : placeOf(call, output, "--output");
  const { book, files } = await withProgress(call.terminal, "Exporting", (step) =>
    exportFolder(manuscript, bookId, folder, { plain, blockIds, force, step }),
  );
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
