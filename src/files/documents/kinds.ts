/** A kind of document that is no Markdown. */
export interface DocumentKind {
  /** "a Word document". */
  called: string;
  /** Name of the format in pandoc; undefined if pandoc cannot read it. */
  format?: "docx" | "odt" | "rtf" | "html" | "epub";
  /** Remedy for a document that pandoc cannot read. */
  remedy?: string;
}

const DOCX: DocumentKind = { called: "a Word document", format: "docx" };
const ODT: DocumentKind = { called: "an OpenDocument text", format: "odt" };
/** RTF. */
export const RICH_TEXT: DocumentKind = { called: "RTF", format: "rtf" };
const HTML: DocumentKind = { called: "HTML", format: "html" };
const EPUB: DocumentKind = { called: "an EPUB", format: "epub" };
const RESAVE = "open it in Word or LibreOffice and save it as .docx";
const DOC: DocumentKind = { called: "a document of old Word", remedy: RESAVE };
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
  ["pages", PAGES],
  ["pdf", PDF],
]);

/** Number of bytes by which `kindOf` recognizes a file. */
export const HEAD_BYTES = 4096;

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
  if (start.startsWith("\u00d0\u00cf\u0011\u00e0")) return DOC;
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
