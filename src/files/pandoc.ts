import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { BadRequest } from "../refusals.ts";

/** Runs pandoc with arguments on bytes and returns its output. Throws `BadRequest`, naming the input. */
export type Pandoc = (options: readonly string[], input: Buffer, name: string) => Promise<Buffer>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds pandoc on a PATH; undefined if there is none. */
export function findPandoc(env: Environment): Pandoc | undefined {
  const program = process.platform === "win32" ? "pandoc.exe" : "pandoc";
  const path = (env.PATH ?? "")
    .split(delimiter)
    .filter(isAbsolute) // never one that lies in the folder that is imported
    .map((folder) => join(folder, program))
    .find(isProgram);
  return path === undefined ? undefined : (options, input, name) => run(path, options, input, { env, name });
}

/** True if a path leads to a file that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const MOST_SECONDS = 60;
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_TALK = 300;

/**
 * Runs pandoc in its sandbox, without access to other files or the network. Source: https://pandoc.org/MANUAL.html.
 */
function run(
  path: string,
  options: readonly string[],
  input: Buffer,
  { env, name }: { env: Environment; name: string },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { PATH, HOME, SystemRoot } = env;
    const child = spawn(path, ["--sandbox", ...options], {
      env: { PATH, HOME, SystemRoot, LANG: "C.UTF-8" },
      stdio: "pipe",
      timeout: MOST_SECONDS * 1000,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    const refuse = (why: string) => reject(new BadRequest(`${name}: ${why}; nothing was imported.`));
    const chunks: Buffer[] = [];
    let size = 0;
    let talk = "";
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (talk.length < MOST_TALK) talk += chunk;
    });
    child.stdin.on("error", () => {}); // it may end before it has read all
    child.on("error", (error) => refuse(`${path} could not be run (${error.message})`));
    child.on("close", (status, signal) => {
      if (size > MOST_BYTES) refuse(`pandoc made more than ${MOST_BYTES} bytes of it`);
      else if (signal !== null) refuse(`pandoc was not done within ${MOST_SECONDS} s`);
      else if (status !== 0) refuse(faultOf(talk));
      else resolve(Buffer.concat(chunks));
    });
    child.stdin.end(input);
  });
}

function faultOf(talk: string): string {
  if (talk.includes("--sandbox")) return "the pandoc that was found is too old; 2.15 or later is needed";
  return `pandoc cannot read it (${talk.replace(/\s+/g, " ").trim().slice(0, MOST_TALK) || "it did not say why"})`;
}

/** A kind of document that is no Markdown. */
export interface DocumentKind {
  /** "a Word document". */
  called: string;
  /** Name of the format in pandoc; undefined if neither pandoc nor this program reads it. Word's needs no pandoc. */
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
