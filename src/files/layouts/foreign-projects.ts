import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BadRequest } from "../../refusals.ts";
import { isFileWithin, readTextFile } from "../disk/text-file.ts";

/** A kind of project or file that another program writes and this one does not read. */
interface ForeignProject {
  /** Name in sentences: "a project of yWriter". */
  called: string;
  /** How to bring its text here. */
  remedy: string;
  /** Its files, and packages that macOS shows as files, by name. */
  name?: RegExp;
  /** Name of the outermost element of its XML. */
  root?: RegExp;
  /** A file directly in a folder that is such a project, and what it must hold. */
  within?: RegExp;
  holds?: RegExp;
}

const AS_WORD = (program: string) => `export it from ${program} as .docx and import that file`;

/** Every project that is recognized by its marks. The first that fits counts. */
const PROJECTS: readonly ForeignProject[] = [
  {
    called: "a project of Manuskript",
    remedy: "compile it in Manuskript to Markdown (File, Compile) and import that file",
    name: /\.msk$/i,
    within: /^MANUSKRIPT$|\.msk$/,
  },
  {
    called: "a project of yWriter",
    remedy: "export it from yWriter as RTF and import that file",
    name: /\.yw[5-8]$/i,
    root: /^YWRITER\d*$/i,
    within: /\.yw[5-8]$/i,
  },
  { called: "a project of bibisco", remedy: AS_WORD("bibisco"), name: /\.bibisco2?$/i },
  {
    called: "a book of mdBook",
    remedy: "import the folder of its SUMMARY.md, or all Markdown in it by name with --layout folder",
    name: /^book\.toml$/,
    within: /^book\.toml$/,
  },
  {
    called: "a book of Quarto",
    remedy:
      "render it with “quarto render --to docx” and import that file, or list its files under chapters: in a book.yaml",
    name: /^_quarto\.ya?ml$/,
    within: /^_quarto\.ya?ml$/,
    holds: /^[ \t]+type:[ \t]*["']?book\b/m,
  },
  {
    called: "a sheet or group of Ulysses",
    remedy: "export it from Ulysses as Markdown or .docx and import that",
    name: /\.(?:ulysses|ulyz|ulgroup)$/i,
    within: /\.ulgroup$/i,
  },
  {
    called: "a screenplay of Final Draft",
    remedy:
      "this program keeps prose; to import its words as such, export them from Final Draft as text (.txt)",
    name: /\.fdxt?$/i,
    root: /^FinalDraft$/,
  },
  {
    called: "a screenplay",
    remedy: "this program keeps prose; to import its words as such, save them as text (.txt)",
    name: /\.(?:fountain|fadein|highland|celtx|trelby)$/i,
  },
  { called: "a book of Vellum", remedy: AS_WORD("Vellum"), name: /\.vellum$/i },
  { called: "an outline of Plottr", remedy: AS_WORD("Plottr"), name: /\.pltr$/i },
  { called: "a document of Papyrus", remedy: AS_WORD("Papyrus"), name: /\.pap$/i },
  { called: "a project of Storyist", remedy: AS_WORD("Storyist"), name: /\.storyist$/i },
  {
    called: "a link to a document of Google",
    remedy: "download it from Google Docs as .docx (File, Download) and import that file",
    name: /\.g(?:doc|draw|sheet|slides)$/i,
  },
  {
    called: "an e-book (FictionBook)",
    remedy: "convert it with Calibre (ebook-convert BOOK.fb2 BOOK.docx) and import that file",
    name: /\.fb2$/i,
    root: /^FictionBook$/,
  },
  {
    called: "an export of Evernote",
    remedy:
      "export the notes from Evernote as HTML, save them as .docx in Word or LibreOffice, and import those",
    name: /\.enex$/i,
    root: /^en-export$/,
  },
  {
    called: "an outline (OPML)",
    remedy: "export its text as Markdown from the program that wrote it and import that file",
    name: /\.opml$/i,
    root: /^opml$/,
  },
];

const XML = {
  called: "XML, not prose",
  remedy: "export it as .docx or Markdown from the program that wrote it and import that file",
};
const HTML_PAGE = {
  called: "a page of HTML, not prose",
  remedy: "import it under a name that ends in .html, without --layout",
};
const JSON_TEXT = { ...XML, called: "JSON, not prose" };

/** Returns the refusal of a file or folder that is a project of another program, by its name or a file in it. */
export function foreignProject(path: string, isFolder: boolean): BadRequest | undefined {
  const name = basename(path);
  const found =
    PROJECTS.find((project) => project.name?.test(name) && holds(project, dirname(path), name)) ??
    (isFolder ? projectWithin(path) : undefined);
  return found && refusal(isFolder ? path : name, found);
}

function projectWithin(folder: string): ForeignProject | undefined {
  const names = readdirSync(folder);
  return PROJECTS.find((project) =>
    names.some(
      (name) => project.within?.test(name) && isFileWithin(folder, name) && holds(project, folder, name),
    ),
  );
}

function holds({ holds: text }: ForeignProject, folder: string, name: string): boolean {
  return (
    text === undefined || (isFileWithin(folder, name) && text.test(readTextFile(join(folder, name), name)))
  );
}

/** Describes a file of another program's project by its name, with a remedy; undefined for any other. */
export function foreignFile(file: string): string | undefined {
  const found = PROJECTS.find(({ name, holds }) => holds === undefined && name?.test(basename(file)));
  return found && `${found.called}; ${found.remedy}`;
}

/** Tags with which Markdown may begin and end. */
const HTML_TAG =
  /^(?:a|abbr|address|article|aside|audio|b|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|fig(?:ure|caption)|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|main|mark|nav|ol|p|picture|pre|q|r[bpt]|ruby|s|samp|section|small|span|strong|su[bp]|summary|table|tbody|td|th|thead|tr|u|ul|video)$/i;
const PROLOG = /^(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE\b[^>]*>)\s*/i;
// Enough to reach the outermost element.
const HEAD = 4096;

/** Throws `BadRequest` for a text that is XML, a page of HTML, or JSON. Markdown may begin with a tag or a comment. */
export function assertProse(name: string, text: string): void {
  if (!/^\ufeff?\s*[<{[]/.test(text)) return;
  const body = text.replace(/^\ufeff/, "").trim();
  if (isJson(body)) throw refusal(name, JSON_TEXT);
  let head = body.slice(0, HEAD);
  while (PROLOG.test(head)) head = head.replace(PROLOG, "");
  const root = /^<([A-Za-z_][\w:.-]*)[\s/>]/.exec(head)?.[1] ?? "";
  const known = PROJECTS.find((project) => project.root?.test(root));
  if (known !== undefined) throw refusal(name, known);
  if (root.toLowerCase() === "html") throw refusal(name, HTML_PAGE);
  const isWhole = root !== "" && !HTML_TAG.test(root) && body.endsWith(`</${root}>`);
  if (isWhole || /^<\?xml\b/i.test(body)) throw refusal(name, XML);
}

function isJson(text: string): boolean {
  if (!/^(?:\{[\s\S]*\}|\[\s*[[{][\s\S]*\])$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refusal(name: string, { called, remedy }: Pick<ForeignProject, "called" | "remedy">): BadRequest {
  return new BadRequest(
    `${name} is ${called}; nothing was imported. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`,
  );
}
