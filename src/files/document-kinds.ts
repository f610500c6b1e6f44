import { closeSync, openSync, readSync } from "node:fs";
import { BadRequest, PayloadTooLarge } from "../refusals.ts";
import { readRegular, statOf } from "./disk/text-file.ts";

/** A kind of document that is not Markdown. */
export interface DocumentKind {
  /** Name in sentences: "a Word document". */
  called: string;
  /** Who reads it: this program, LibreOffice, or nobody. */
  reader?: "word" | "office" | "epub";
  /** Ending of its files, for LibreOffice. */
  ending?: string;
  /** What to do with a document that nobody reads. */
  remedy?: string;
}

const DOCX: DocumentKind = { called: "a Word document", reader: "word" };
const ODT: DocumentKind = { called: "an OpenDocument text", reader: "office", ending: "odt" };
/** RTF, also the texts of a Scrivener project. */
export const RICH_TEXT: DocumentKind = { called: "RTF", reader: "office", ending: "rtf" };
const HTML: DocumentKind = { called: "HTML", reader: "office", ending: "html" };
const DOC: DocumentKind = { called: "a document of old Word", reader: "office", ending: "doc" };
const WPD: DocumentKind = { called: "a WordPerfect document", reader: "office", ending: "wpd" };
const EPUB: DocumentKind = { called: "an EPUB", reader: "epub" };
/** A document of Word within the container of old Word, as Word encrypts it. */
const LOCKED: DocumentKind = {
  called: "a Word document with a password",
  remedy: "open it in Word or LibreOffice and save it without one",
};
const PAGES: DocumentKind = { called: "a document of Pages", remedy: "export it from Pages as Word" };
const PDF: DocumentKind = {
  called: "a PDF",
  remedy: "it holds pages and no prose; import what it was made from",
};
const PICTURE: DocumentKind = {
  called: "a picture",
  remedy: "keep it beside the chapters and show it in one of them, as in ![a map](map.png)",
};
const DATABASE: DocumentKind = {
  called: "a manuscript or another database",
  remedy: "export the book from it (manuscript export BOOK --file NAME -o FOLDER) and import that folder",
};
const ZIP: DocumentKind = { called: "an archive", remedy: "unpack it and import what is in it" };

const BY_ENDING: ReadonlyMap<string, DocumentKind> = new Map([
  ["docx", DOCX],
  ["docm", DOCX],
  ["odt", ODT],
  ["rtf", RICH_TEXT],
  ["html", HTML],
  ["htm", HTML],
  ["xhtml", HTML],
  ["epub", EPUB],
  ["doc", DOC],
  ["wpd", WPD],
  ["pages", PAGES],
  ["pdf", PDF],
]);

/** Number of bytes by which `kindOf` recognizes a file. */
const HEAD_BYTES = 4096;

/** Returns the kind of a document by its file name; undefined for text and unknown names. */
export function kindOfName(file: string): DocumentKind | undefined {
  return BY_ENDING.get(/\.([^./\\]*)$/.exec(file)?.[1]?.toLowerCase() ?? "");
}

/** Returns the kind of a document by its first bytes, else by its file name; undefined for text. */
export function kindOf(head: Buffer, file: string | undefined): DocumentKind | undefined {
  const start = head.toString("latin1", 0, HEAD_BYTES);
  const named = file === undefined ? undefined : kindOfName(file);
  if (start.startsWith("PK\u0003\u0004")) return kindOfZip(start) ?? named ?? ZIP;
  if (start.startsWith("{\\rtf")) return RICH_TEXT;
  if (start.startsWith("\u00ffWPC")) return WPD;
  if (start.startsWith("\u00d0\u00cf\u0011\u00e0")) return named === DOCX ? LOCKED : DOC;
  if (start.startsWith("%PDF-")) return PDF;
  if (start.startsWith("SQLite format 3\u0000")) return DATABASE;
  if (start.startsWith("\u001f\u008b")) return ZIP;
  if (/^(?:\u0089PNG\r\n|\u00ff\u00d8\u00ff|GIF8[79]a|RIFF.{4}WEBP)/s.test(start)) return PICTURE;
  // A text may begin with a tag.
  if (file === undefined && /^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype html|html)\b/i.test(start)) return HTML;
  return named;
}

/** Recognizes OpenDocument and EPUB by the type at their start, and Word by the name of its folder. */
function kindOfZip(start: string): DocumentKind | undefined {
  if (start.includes("mimetypeapplication/vnd.oasis.opendocument.text")) return ODT;
  if (start.includes("mimetypeapplication/epub+zip")) return EPUB;
  return start.includes("word/") ? DOCX : undefined;
}

/** Returns the kind of the document in a file by its first bytes, else by its name; undefined for text. */
export function kindOfFile(path: string, name: string): DocumentKind | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  let opened: number | undefined;
  try {
    opened = openSync(path, "r");
    return kindOf(head.subarray(0, readSync(opened, head, 0, HEAD_BYTES, 0)), name);
  } catch {
    return kindOfName(name); // reading it will say why it cannot be read
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads a document; `name` is for messages. Throws `PayloadTooLarge` beyond 64 MiB. */
export function readDocumentFile(path: string, name: string): Buffer {
  const { size } = statOf(path, name);
  if (size > MOST_BYTES)
    throw new PayloadTooLarge(`${name} has ${size} bytes; at most ${MOST_BYTES} are read.`);
  return readRegular(path, name);
}

/** Returns the refusal of a document that this program cannot read here. */
export function unreadable(name: string, { called, reader, remedy }: DocumentKind): BadRequest {
  if (reader === "word")
    return new BadRequest(`${name} is ${called}, and no text; read it with --layout document.`);
  if (reader === undefined) {
    return new BadRequest(
      `${name} is ${called}, which is not read here; nothing was imported. What to do: ${remedy}.`,
    );
  }
  return new BadRequest(
    `${name} is ${called}, and LibreOffice, which reads those, was not found; nothing was imported. Install it from https://www.libreoffice.org and import again, or save the document as .docx in the program that wrote it.`,
  );
}
