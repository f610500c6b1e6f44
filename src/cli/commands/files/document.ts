import { statSync } from "node:fs";
import { join } from "node:path";
import { nameFolder } from "../../../files/file-names.ts";
import { writeSingle } from "../../../files/write-folder.ts";
import type { ChapterId } from "../../../ids.ts";
import { BadRequest } from "../../../refusals.ts";
import { type PublishFormat, publishBook } from "../../../service/publish/publish-book.ts";
import { counted } from "../../../text/columns.ts";
import { largest } from "../../../text/extremes.ts";
import { placeOf } from "../../input/arguments.ts";
import { outlineOf, resolveBook } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { print, talk } from "../../io/terminal.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ExportOptions } from "./export.ts";

/** A format of one document: one that the program writes itself, or what a browser makes of the HTML. */
type DocumentFormat = PublishFormat | "pdf";

/** How the names of documents end. */
const ENDINGS: Readonly<Record<DocumentFormat, string>> = {
  docx: "docx",
  epub: "epub",
  html: "html",
  pdf: "pdf",
  review: "review.html",
};

/** Writes a book, or some of its chapters, as one document. */
export async function exportDocument(
  call: Call,
  wanted: string | undefined,
  options: ExportOptions & { format: DocumentFormat },
): Promise<void> {
  const { output, format, chapters: ranges, notes, style, force = false } = options;
  assertTogether(call, options);
  const manuscript = await call.open();
  const { id: bookId, title } = resolveBook(manuscript, wanted);
  const all = outlineOf(manuscript, bookId).chapters.map(({ id }) => id);
  const chapters = ranges === undefined ? undefined : chosen(all, ranges);
  const written = format === "pdf" ? "html" : format;
  const done = await publishBook(manuscript, bookId, { format: written, chapters, notes, style });
  const bytes = format === "pdf" ? await typeset(call, done.bytes) : Buffer.from(done.bytes);
  for (const sentence of done.omitted) await talk(call.terminal, sentence);
  if (output === "-") {
    await print(call.terminal, bytes);
    return;
  }
  const file = placeIn(call, output, `${nameFolder(title)}.${ENDINGS[format]}`);
  await writeSingle(file, bytes, { force });
  const { omitted } = done;
  const answer: CommandAnswer<"export -f docx"> = {
    ...{ bookId, title, file, format },
    ...{ chapters: done.chapters, bytes: bytes.length, omitted: [...omitted] },
  };
  await reply(call, answer, () => `${file}: ${counted(done.chapters, "chapter")}`);
}

async function typeset(call: Call, html: Uint8Array): Promise<Buffer> {
  const { printPdf } = await import("./print.ts");
  return await printPdf(call.terminal, html);
}

/** Throws `BadRequest` for options that a document does not have. */
function assertTogether(
  call: Call,
  { output, format, notes, plain, blockIds, asImported, at }: ExportOptions & { format: DocumentFormat },
): void {
  if (notes !== undefined && format !== "docx")
    throw new BadRequest(`--notes are comments of a Word document; leave them out of -f ${format}.`);
  if (output === "-" && call.json)
    throw new BadRequest("-o - puts the book on stdout, so --json cannot; leave one out.");
  if (plain || blockIds || asImported || at !== undefined)
    throw new BadRequest(
      `-f ${format} makes one document for readers; leave out --plain, --block-ids, --as-imported and --at.`,
    );
}

/** The document's place: under its own name in a folder that is there. */
function placeIn(call: Call, output: string | undefined, name: string): string {
  if (output === undefined) return join(call.terminal.cwd, name);
  const path = placeOf(call, output, "--output");
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, name) : path;
}

function chosen(
  all: readonly ChapterId[],
  ranges: NonNullable<ExportOptions["chapters"]>,
): readonly ChapterId[] {
  const most = largest(ranges.map(([, to]) => to));
  if (most > all.length)
    throw new BadRequest(`There is no chapter ${most}; the book has ${counted(all.length, "chapter")}.`);
  return all.filter((_, at) => ranges.some(([from, to]) => at + 1 >= from && at + 1 <= to));
}
