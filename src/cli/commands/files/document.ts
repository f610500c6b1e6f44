import { statSync } from "node:fs";
import { join } from "node:path";
import { PUBLISHED } from "../../../contract/enums.ts";
import { nameFolder } from "../../../files/file-names.ts";
import { pathsOf } from "../../../files/pictures.ts";
import { writeSingle } from "../../../files/write-folder.ts";
import type { BookId } from "../../../ids.ts";
import { BadRequest } from "../../../refusals.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { type PublishFormat, publishBook } from "../../../service/publish/publish-book.ts";
import { counted } from "../../../text/columns.ts";
import { placeOf } from "../../input/arguments.ts";
import { resolveBook } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { print, talk } from "../../io/terminal.ts";
import { tellLeftPictures } from "../../output/pictures.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ExportOptions } from "./export.ts";

/** A format of one document: one text, one that the program writes itself, or what a browser makes of the HTML. */
type DocumentFormat = keyof typeof TEXTS | PublishFormat | "pdf";

/** How the names of texts end. */
const TEXTS = { markdown: "md", txt: "txt" } as const;
const isText = (format: DocumentFormat): format is keyof typeof TEXTS => format in TEXTS;

/** Writes a book, or some of its chapters, as one document; a text goes to stdout unless `output` names a file. */
export async function exportDocument(
  call: Call,
  wanted: string | undefined,
  options: ExportOptions & { format: DocumentFormat },
): Promise<void> {
  const { format, force = false } = options;
  const output = options.output ?? (isText(format) ? "-" : undefined);
  assertTogether(call, { ...options, output });
  const manuscript = await call.open();
  const { id: bookId, title } = resolveBook(manuscript, wanted);
  const { bytes, chapters, omitted } = await render(call, manuscript, bookId, options);
  for (const sentence of omitted) await talk(call.terminal, sentence);
  if (output === "-") {
    await print(call.terminal, bytes);
    return;
  }
  const ending = isText(format) ? TEXTS[format] : format === "pdf" ? format : PUBLISHED[format][1];
  const file = placeIn(call, output, `${nameFolder(title)}.${ending}`);
  await writeSingle(file, bytes, { force });
  const answer: CommandAnswer<"export -f docx"> = {
    ...{ bookId, title, file, format },
    ...{ chapters, bytes: bytes.length, omitted: [...omitted] },
  };
  await reply(call, answer, () => `${file}: ${counted(chapters, "chapter")}`);
}

async function render(
  call: Call,
  manuscript: Manuscript,
  bookId: BookId,
  { format, chapters, notes, style, at }: ExportOptions & { format: DocumentFormat },
): Promise<{ bytes: Buffer; chapters: number; omitted: readonly string[] }> {
  if (isText(format)) {
    const { resolvePoint } = await import("../../input/resolve-milestone.ts");
    const { renderText } = await import("../../../files/export.ts");
    const moment = at === undefined ? undefined : resolvePoint(manuscript, bookId, at);
    const how = { isPlain: format === "txt", numbers: chapters, moment };
    const { pictures, ...text } = await renderText(manuscript, bookId, how);
    if (format === "markdown") await tellLeftPictures(call.terminal, pathsOf(pictures));
    return { ...text, omitted: [] };
  }
  const written = format === "pdf" ? "html" : format;
  const done = await publishBook(manuscript, bookId, { format: written, chapters, notes, style });
  const bytes = format === "pdf" ? await typeset(call, done.bytes) : Buffer.from(done.bytes);
  return { ...done, bytes };
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
    throw new BadRequest("The document goes to stdout, so --json cannot; name a file with -o.");
  if (blockIds || asImported || critic || (!isText(format) && (plain || at !== undefined)))
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
