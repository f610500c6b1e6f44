import { statSync } from "node:fs";
import { join } from "node:path";
import { PUBLISHED } from "../../../contract/enums.ts";
import { nameFolder } from "../../../files/file-names.ts";
import { writeSingle } from "../../../files/write-folder.ts";
import { BadRequest } from "../../../refusals.ts";
import { chaptersNumbered, type PublishFormat, publishBook } from "../../../service/publish/publish-book.ts";
import { counted } from "../../../text/columns.ts";
import { placeOf } from "../../input/arguments.ts";
import { resolveBook } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { print, talk } from "../../io/terminal.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ExportOptions } from "./export.ts";

/** A format of one document: one that the program writes itself, or what a browser makes of the HTML. */
type DocumentFormat = PublishFormat | "pdf";

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
  const chapters = ranges === undefined ? undefined : chaptersNumbered(manuscript, bookId, ranges);
  const written = format === "pdf" ? "html" : format;
  const done = await publishBook(manuscript, bookId, { format: written, chapters, notes, style });
  const bytes = format === "pdf" ? await typeset(call, done.bytes) : Buffer.from(done.bytes);
  for (const sentence of done.omitted) await talk(call.terminal, sentence);
  if (output === "-") {
    await print(call.terminal, bytes);
    return;
  }
  const file = placeIn(
    call,
    output,
    `${nameFolder(title)}.${format === "pdf" ? format : PUBLISHED[format][1]}`,
  );
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
  {
    output,
    format,
    notes,
    plain,
    blockIds,
    asImported,
    at,
    critic,
  }: ExportOptions & { format: DocumentFormat },
): void {
  if (notes !== undefined && format !== "docx")
    throw new BadRequest(`--notes are comments of a Word document; leave them out of -f ${format}.`);
  if (output === "-" && call.json)
    throw new BadRequest("-o - puts the book on stdout, so --json cannot; leave one out.");
  if (plain || blockIds || asImported || critic || at !== undefined)
    throw new BadRequest(
      `-f ${format} makes one document for readers; leave out --plain, --block-ids, --as-imported, --critic and --at.`,
    );
}

/** The document's place: under its own name in a folder that is there. */
function placeIn(call: Call, output: string | undefined, name: string): string {
  if (output === undefined) return join(call.terminal.cwd, name);
  const path = placeOf(call, output, "--output");
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, name) : path;
}
