import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BadRequest } from "../../../refusals.ts";
import type { BookFields } from "../../../service/field-rules.ts";
import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import { counted } from "../../../text/columns.ts";
import { append } from "../../../text/extremes.ts";
import type { ChapterSource, SkippedFile, SourceText } from "../../book-files.ts";
import { isFileWithin, readTextFile } from "../../disk/text-file.ts";
import { RICH_TEXT, readDocumentFile } from "../../document-kinds.ts";
import { describedBy, metadataIn } from "../../documents/metadata.ts";
import { sourceTextOf } from "../../documents/source-text.ts";
import { readXml } from "../../documents/xml.ts";
import { leastReady } from "../../folder/status.ts";
import type { OfficeDocument } from "../../office.ts";
import { walk } from "../folder.ts";
import type { LayoutBook, LayoutOptions } from "../layout.ts";
import { readIndex } from "../listed.ts";
import { paragraphText, type WordDocument, type WordParagraph } from "../word/paragraph.ts";
import { readWord } from "../word/read-word.ts";
import { bookOfWord } from "../word/word.ts";
import { plainRtf } from "./rtf.ts";
import { type BinderChapter, type BinderItem, chaptersOf, documentsOf, readBinder } from "./scrivx.ts";

// A project is read in three steps: the binder says which documents make the book; LibreOffice converts all their RTF in
// one run; each chapter is put together from its documents.

/** Returns the binder of a project's folder; undefined if it is no project. */
export function binderIn(folder: string): string | undefined {
  return walk(folder).files.find((file) => /^[^/]*\.scrivx$/i.test(file));
}

/**
 * Reads a project: the draft as chapters and parts, with synopses, notes, comments, labels and keywords. Throws
 * `BadRequest` if the binder cannot be read, or LibreOffice is missing.
 */
export async function readScrivenerProject(
  folder: string,
  index: string,
  { office: find }: LayoutOptions,
): Promise<LayoutBook> {
  const { roots, author } = readBinder(readIndex(folder, index), index);
  const draft = roots.find(({ type }) => type === "DraftFolder");
  if (draft === undefined) throw new BadRequest(`${index} has no draft in its binder.`);
  const project: Project = { folder, rtf: [], sources: [], skipped: [], seen: new Set() };
  const planned = chaptersOf(draft).map(({ scenes, ...chapter }) => ({
    ...chapter,
    scenes: scenes.flatMap((item) => (isTaken(project, item) ? (findScene(project, item) ?? []) : [])),
  }));
  const office = find?.();
  if (office === undefined && project.rtf.length > 0) throw withoutOffice(folder);
  const words = (await office?.(project.rtf)) ?? [];
  const pictures = new Map<string, () => Buffer>();
  const notes: ForeignNote[] = [];
  const chapters = planned.flatMap(({ scenes, ...chapter }): ChapterSource | [] => {
    const read = scenes.map((scene) => readScene(scene, { project, words, pictures }));
    return chapterOf(chapter, read, notes) ?? [];
  });
  if (chapters.every(({ text }) => text === ""))
    throw new BadRequest(
      `${index} lists no document of the draft that has text and is included in the compiled book.`,
    );
  const book = {
    folder: realpathSync(folder),
    book: undefined,
    chapters,
    notes,
    pictures,
    sources: project.sources,
    skipped: [...project.skipped, ...roots.flatMap((root) => outside(root, draft))],
    used: [index, ...walk(folder).files],
    fallbackTitle: basename(index).replace(/\.scrivx$/i, "") || basename(resolve(folder)),
    guess: "a folder of folders is a part, any other a chapter with its documents as scenes",
  };
  return describedBy(book, { author, ...compiledAs(folder) }, index);
}

/** Fields of a compiled book, in the settings of Scrivener 3, of Scrivener 2, and of Scrivener 1 for Windows. */
const COMPILED = {
  author:
    /<Author\s[^>]*Role=["']aut["'][^>]*>([^<]+)|EBookAuthorsKey<\/key>\s*<array>\s*<string>([^<]+)|^authors="?([^"\r\n]+)/gm,
  language: /<EbookLanguage>([^<]+)|EBookLanguageKey<\/key>\s*<string>([^<]+)|^languageCode=(.+)/gm,
  rights: /EBookRightsKey<\/key>\s*<string>([^<]+)|^rights="?([^"\r\n]+)/gm,
  description: /EBookDescriptionKey<\/key>\s*<string>([^<]+)|^description="?([^"\r\n]+)/gm,
};

function compiledAs(folder: string): BookFields {
  const files = ["xml", "plist", "ini"].map((ending) => `Settings/compile.${ending}`);
  const texts = files.map((file) =>
    isFileWithin(folder, file) ? readDocumentFile(join(folder, file), file) : "",
  );
  // An .ini holds the codes of letters with accents.
  const code = /\\x([0-9a-f]{1,4})/g;
  const decoded = texts.join("\n").replace(code, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return metadataIn(decoded, COMPILED);
}

interface Project {
  folder: string;
  /** RTF of the project, for LibreOffice. */
  rtf: OfficeDocument[];
  sources: SourceText[];
  skipped: SkippedFile[];
  /** Ids that were read. */
  seen: Set<string>;
}

function withoutOffice(folder: string): BadRequest {
  return new BadRequest(
    `${folder} is a project of Scrivener, and LibreOffice, which reads its texts, was not found; nothing was imported. Install it from https://www.libreoffice.org and import again, or let Scrivener compile the project for Word and import that.`,
  );
}

function outside(root: BinderItem, draft: BinderItem): SkippedFile[] {
  const count = documentsOf(root).length - 1;
  if (root === draft || count === 0) return [];
  const reason = `${counted(count, "document")} of the binder, no part of the draft`;
  return [{ file: root.title || root.type, reason, isKnown: true }];
}

function isTaken({ seen, skipped }: Project, { ids: [id = ""], title, isIncluded }: BinderItem): boolean {
  const reason = seen.has(id)
    ? "the binder lists it twice; it is taken once"
    : isIncluded
      ? undefined
      : "not included in the compiled book";
  if (reason !== undefined) skipped.push({ file: title || id, reason, isKnown: true });
  seen.add(id);
  return reason === undefined;
}

/** A document of the binder with its files. Numbers are places in the project's RTF. */
interface FoundScene {
  item: BinderItem;
  file: string;
  content: number | undefined;
  annotations: number[];
  comments: { id: string; isFootnote: boolean; at: number | string }[];
  noted: number | undefined;
  synopsis: string;
}

/** Finds the files of a document, and collects their RTF; undefined if there are none. */
function findScene(project: Project, item: BinderItem): FoundScene | undefined {
  const { folder, rtf, sources } = project;
  // Since Scrivener 3 each document has a folder named by its UUID; before, its files are named by a number.
  const found = (name: string, old: string) =>
    item.ids
      .flatMap((id) => [`Files/Data/${id}/${name}`, `Files/Docs/${id}${old}`])
      .find((file) => isFileWithin(folder, file));
  const add = (bytes: Buffer, name: string) => {
    sources.push({ name: `${item.title} (${name})`, text: () => sourceTextOf(bytes, RICH_TEXT) ?? "" });
    return rtf.push({ bytes, ending: "rtf", name }) - 1;
  };
  const read = (file: string) => plainRtf(readDocumentFile(join(folder, file), file));
  const content = found("content.rtf", ".rtf");
  const about = found("synopsis.txt", "_synopsis.txt");
  const noted = found("notes.rtf", "_notes.rtf");
  const comments = found("content.comments", ".comments");
  const file = content ?? about ?? noted;
  if (file === undefined) return undefined;
  const own = content === undefined ? undefined : read(content);
  return {
    item,
    file,
    content: own && add(own.rtf, content!), // it was read
    annotations: own?.annotations.map((annotation) => add(annotation, file)) ?? [],
    comments: comments === undefined ? [] : readComments(folder, comments, add),
    noted: noted === undefined ? undefined : add(read(noted).rtf, noted),
    synopsis:
      about === undefined
        ? ""
        : readTextFile(join(folder, about), about)
            .replace(/^\ufeff/, "")
            .trim(),
  };
}

function readComments(
  folder: string,
  file: string,
  add: (bytes: Buffer, name: string) => number,
): FoundScene["comments"] {
  return readXml(readTextFile(join(folder, file), file), file).children.map(({ attributes, text }) => {
    const body = text.trim();
    return {
      id: attributes.ID ?? "",
      isFootnote: /^yes$/i.test(attributes.Footnote ?? ""),
      at: body.startsWith("{\\rtf") ? add(Buffer.from(body), file) : body,
    };
  });
}

interface Scene {
  item: BinderItem;
  file: string;
  text: string;
  synopsis: string;
  notes: Omit<ForeignNote, "chapter">[];
}

/** Reads a document of the draft. Its annotations and its document notes become notes. */
function readScene(
  { item, file, content, annotations, comments, noted, synopsis }: FoundScene,
  {
    project,
    words,
    pictures,
  }: { project: Project; words: readonly Buffer[]; pictures: Map<string, () => Buffer> },
): Scene {
  const paragraphsAt = (at: number) => readWord(words[at]!, project.rtf[at]!.name).paragraphs; // one a document
  const textAt = (at: number | string) =>
    typeof at === "string" ? at : paragraphsAt(at).map(paragraphText).join("\n").trim();
  const notes: Scene["notes"] = [];
  let text = "";
  if (content !== undefined) {
    const asParagraphs = (at: number | string) =>
      typeof at === "number" ? paragraphsAt(at) : [plainParagraph(at)];
    const adapt = (word: WordDocument) => withComments(word, comments, textAt, asParagraphs);
    const docx = words[content]!; // one a document
    const book = bookOfWord(docx, { file, name: file }, { split: "none", isOneOfMany: true, adapt });
    text = book.chapters[0]?.text.trim() ?? "";
    append(notes, book.notes?.map(({ at: _, ...note }) => note) ?? []);
    for (const [place, picture] of book.pictures ?? []) pictures.set(place, picture);
    append(
      project.skipped,
      book.skipped.map((skipped) => ({ ...skipped, file: `${item.title} (${skipped.file})` })),
    );
  }
  for (const at of [...annotations, ...(noted === undefined ? [] : [noted])]) {
    const note = textAt(at);
    if (note !== "") notes.push({ text: note });
  }
  return { item, file, text, synopsis, notes };
}

const SCRIVENER_LINK = /^scrivcmt:\/\//i;

/** Makes Scrivener's links to comments and footnotes those of a Word document. */
function withComments(
  word: WordDocument,
  comments: FoundScene["comments"],
  textAt: (at: number | string) => string,
  paragraphsAt: (at: number | string) => readonly WordParagraph[],
): WordDocument {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const notes = new Map(word.notes);
  const made: WordDocument["comments"][number][] = [];
  for (const paragraph of word.paragraphs) {
    const runs = paragraph.runs.splice(0);
    for (const [at, run] of runs.entries()) {
      paragraph.runs.push(run);
      const { href = "" } = run.marks;
      const comment = SCRIVENER_LINK.test(href) ? byId.get(href.replace(SCRIVENER_LINK, "")) : undefined;
      if (comment === undefined) continue;
      const { id } = comment;
      if (!comment.isFootnote) {
        const open = made.find((one) => one.id === id);
        const words = run.type === "text" ? run.text : "";
        if (open !== undefined) open.quote += words;
        else {
          const none = { author: "", at: null, isDone: false, parent: undefined };
          made.push({ ...none, id, text: textAt(comment.at), from: paragraph, quote: words });
        }
      } else if (runs[at + 1]?.marks.href !== href) {
        notes.set(id, paragraphsAt(comment.at));
        paragraph.runs.push({ type: "note", key: id, marks: {} });
      }
    }
  }
  const placed = new Set([...made.map(({ id }) => id), ...notes.keys()]);
  // A comment whose words are gone stays a note of the document.
  for (const { id, at } of comments)
    if (!placed.has(id)) {
      const none = { author: "", at: null, isDone: false, parent: undefined };
      made.push({ ...none, id, text: textAt(at), from: undefined, quote: "" });
    }
  return { ...word, notes, comments: [...word.comments, ...made] };
}

function plainParagraph(text: string): WordParagraph {
  return {
    style: "normal",
    level: undefined,
    list: undefined,
    isCentred: false,
    isSetIn: false,
    hasRule: false,
    startsPage: false,
    cell: undefined,
    runs: [{ type: "text", text, marks: {} }],
    inserted: undefined,
    deleted: undefined,
  };
}

/** Makes a chapter of its documents; undefined without any. One that is only planned has no text. */
function chapterOf(
  { title, part }: Omit<BinderChapter, "scenes">,
  read: readonly Scene[],
  notes: ForeignNote[],
): ChapterSource | undefined {
  const first = read.find(({ text }) => text !== "") ?? read[0];
  if (first === undefined) return undefined;
  const { file } = first;
  append(
    notes,
    read.flatMap((scene) => scene.notes.map((note) => ({ chapter: file, ...note }))),
  );
  const synopsis = read.flatMap(({ item, synopsis: own }) =>
    own === "" ? [] : [read.length > 1 ? `${item.title}: ${own}` : own],
  );
  const status = leastReady(read.filter(({ text }) => text !== "").map(({ item }) => item.status));
  const text = numbered(read.map((scene) => scene.text).filter((each) => each !== ""));
  return {
    file,
    name: file,
    text: frontMatter(read) + (text.length === 0 ? "" : `${text.join("\n\n* * *\n\n")}\n`),
    title: title || "Untitled",
    part,
    isForeign: true,
    ...(status === undefined ? {} : { status }),
    ...(synopsis.length === 0 ? {} : { synopsis: synopsis.join("\n") }),
  };
}

/** Returns labels and keywords of a chapter's documents as front matter; "" without any. */
function frontMatter(read: readonly Scene[]): string {
  const all = (values: (item: BinderItem) => readonly string[]) => [
    ...new Set(read.flatMap(({ item }) => values(item))),
  ];
  const labels = all(({ label }) => (label === "" ? [] : [label]));
  const keywords = all((item) => item.keywords);
  const lines = [
    ...(labels.length === 0 ? [] : [`label: ${JSON.stringify(labels.length === 1 ? labels[0] : labels)}`]),
    ...(keywords.length === 0 ? [] : [`tags: ${JSON.stringify(keywords)}`]),
  ];
  return lines.length === 0 ? "" : `---\n${lines.join("\n")}\n---\n\n`;
}

/** Renumbers the footnotes of a chapter's documents, each of which counts from 1. */
function numbered(texts: readonly string[]): string[] {
  let before = 0;
  return texts.map((text) => {
    let most = 0;
    const own = text.replace(/\[\^(\d{1,6})\]/g, (_, number: string) => {
      most = Math.max(most, Number(number));
      return `[^${Number(number) + before}]`;
    });
    before += most;
    return own;
  });
}
