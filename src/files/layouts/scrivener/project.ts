import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BadRequest } from "../../../refusals.ts";
import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import { counted } from "../../../text/columns.ts";
import { append } from "../../../text/extremes.ts";
import type { ChapterSource, SkippedFile } from "../../book-files.ts";
import { isFileWithin, readTextFile } from "../../disk/text-file.ts";
import { convert, textOfRtf } from "../../documents/convert.ts";
import { readDocumentFile } from "../../documents/open.ts";
import { leastReady } from "../../folder/status.ts";
import { type Pandoc, RICH_TEXT } from "../../pandoc.ts";
import { walk } from "../folder.ts";
import type { LayoutBook, LayoutOptions } from "../layout.ts";
import { readIndex } from "../listed.ts";
import { asQuote } from "../quote.ts";
import { readXml } from "../xml.ts";
import { type BinderChapter, type BinderItem, chaptersOf, documentsOf, readBinder } from "./scrivx.ts";

/** Returns the binder of a project's folder; undefined if it is no project. */
export function binderIn(folder: string): string | undefined {
  return walk(folder).files.find((file) => /^[^/]*\.scrivx$/i.test(file));
}

/**
 * Reads a project: the draft as chapters and parts, with synopses, notes and comments. Throws `BadRequest` if the
 * binder cannot be read, or pandoc is missing.
 */
export async function readScrivenerProject(
  folder: string,
  index: string,
  { pandoc: find }: LayoutOptions,
): Promise<LayoutBook> {
  const roots = readBinder(readIndex(folder, index), index);
  const draft = roots.find(({ type }) => type === "DraftFolder");
  if (draft === undefined) throw new BadRequest(`${index} has no draft in its binder.`);
  const pandoc = find?.();
  if (pandoc === undefined) throw withoutPandoc(folder);
  const project: Project = { folder, pandoc, notes: [], skipped: [], seen: new Set() };
  const chapters: ChapterSource[] = [];
  for (const chapter of chaptersOf(draft)) append(chapters, await readChapter(project, chapter));
  if (chapters.every(({ text }) => text === ""))
    throw new BadRequest(`${index} lists no document of the draft that has text.`);
  return {
    folder: realpathSync(folder),
    book: undefined,
    chapters,
    notes: project.notes,
    skipped: [...project.skipped, ...roots.flatMap((root) => outside(root, draft))],
    used: [index, ...walk(folder).files],
    fallbackTitle: basename(index).replace(/\.scrivx$/i, "") || basename(resolve(folder)),
    guess: "a folder of folders is a part, any other a chapter with its documents as scenes",
  };
}

interface Project {
  folder: string;
  pandoc: Pandoc;
  notes: ForeignNote[];
  skipped: SkippedFile[];
  /** Ids that were read. */
  seen: Set<string>;
}

function withoutPandoc(folder: string): BadRequest {
  return new BadRequest(
    `${folder} is a project of Scrivener, whose texts are RTF, and pandoc, which reads those, was not found; nothing was imported. Install it (https://pandoc.org/installing.html) and run this again, or let Scrivener compile the project for MultiMarkdown, or export its files as plain text, and import that.`,
  );
}

function outside(root: BinderItem, draft: BinderItem): SkippedFile[] {
  const count = documentsOf(root).length - 1;
  if (root === draft || count === 0) return [];
  const reason = `${counted(count, "document")} of the binder, no part of the draft`;
  return [{ file: root.title || root.type, reason, isKnown: true }];
}

/** Makes a chapter of the documents with text; none without any. */
async function readChapter(
  project: Project,
  { title, part, scenes }: BinderChapter,
): Promise<ChapterSource[]> {
  const read: Scene[] = [];
  for (const item of scenes) {
    const scene = isTaken(project, item) ? await readScene(project, item) : undefined;
    if (scene !== undefined) read.push(scene);
  }
  const first = read.find(({ text }) => text !== "") ?? read[0]; // one that is only planned is a chapter, too
  if (first === undefined) return [];
  const { file } = first;
  append(
    project.notes,
    read.flatMap(({ notes }) => notes.map((note) => ({ chapter: file, ...note }))),
  );
  const told = read.filter(({ synopsis }) => synopsis !== "");
  const synopsis = told.map(({ item, synopsis: said }) =>
    read.length > 1 ? `${item.title}: ${said}` : said,
  );
  const status = leastReady(read.filter(({ text }) => text !== "").map(({ item }) => item.status));
  const text = numbered(read.map((scene) => scene.text).filter((each) => each !== ""));
  return [
    {
      file,
      name: file,
      text: text.length === 0 ? "" : `${text.join("\n\n* * *\n\n")}\n`,
      title: title || "Untitled",
      part,
      isForeign: true,
      ...(status === undefined ? {} : { status }),
      ...(synopsis.length === 0 ? {} : { synopsis: synopsis.join("\n") }),
    },
  ];
}

/** Renumbers the footnotes of a chapter's texts: pandoc counts each text's from 1. */
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

function isTaken({ seen, skipped }: Project, { id, title, isIncluded }: BinderItem): boolean {
  const reason = seen.has(id)
    ? "the binder lists it twice; it is taken once"
    : isIncluded
      ? undefined
      : "not included in the compiled book";
  if (reason !== undefined) skipped.push({ file: title || id, reason, isKnown: true });
  seen.add(id);
  return reason === undefined;
}

interface Scene {
  item: BinderItem;
  file: string;
  text: string;
  synopsis: string;
  notes: Omit<ForeignNote, "chapter">[];
}

async function readScene(project: Project, item: BinderItem): Promise<Scene | undefined> {
  const { folder, pandoc, skipped } = project;
  const found = (names: readonly string[]) => names.find((name) => isFileWithin(folder, name));
  const [data, docs] = [`Files/Data/${item.id}`, `Files/Docs/${item.id}`];
  const content = found([`${data}/content.rtf`, `${docs}.rtf`]);
  const comments = found([`${data}/content.comments`, `${docs}.comments`]);
  const about = found([`${data}/synopsis.txt`, `${docs}_synopsis.txt`]);
  const noted = found([`${data}/notes.rtf`, `${docs}_notes.rtf`]);
  if ((content ?? about ?? noted) === undefined) return undefined;
  const notes: Scene["notes"] = [];
  const said = comments === undefined ? NO_COMMENTS : await readComments(project, comments);
  let text = "";
  if (content !== undefined) {
    const reading = { name: content, pandoc, footnotes: said.footnotes };
    const converted = await convert(readDocumentFile(join(folder, content), content), RICH_TEXT, reading);
    text = converted.markdown.trim();
    append(
      notes,
      converted.annotations.map((annotation) => ({ text: annotation })),
    );
    for (const { id, paragraph } of converted.commented)
      notes.push({ text: said.comments.get(id) ?? "", quote: asQuote(paragraph) });
    for (const what of converted.left)
      skipped.push({
        file: content,
        reason: `“${item.title}” is taken without ${what}`,
        isKnown: true,
        isPartly: true,
      });
  }
  if (noted !== undefined)
    notes.push({ text: await textOfRtf(readDocumentFile(join(folder, noted), noted), noted, pandoc) });
  const synopsis =
    about === undefined
      ? ""
      : readTextFile(join(folder, about), about)
          .replace(/^\ufeff/, "")
          .trim();
  return { item, file: content ?? about ?? data, text, synopsis, notes };
}

interface Comments {
  comments: ReadonlyMap<string, string>;
  footnotes: ReadonlyMap<string, string>;
}

const NO_COMMENTS: Comments = { comments: new Map(), footnotes: new Map() };

async function readComments({ folder, pandoc }: Project, file: string): Promise<Comments> {
  const comments = new Map<string, string>();
  const footnotes = new Map<string, string>();
  const root = readXml(readTextFile(join(folder, file), file), file);
  for (const { attributes, text } of root.children) {
    const rtf = text.trim();
    const said = rtf.startsWith("{\\rtf") ? await textOfRtf(Buffer.from(rtf), file, pandoc) : rtf;
    const kind = /^yes$/i.test(attributes.get("Footnote") ?? "") ? footnotes : comments;
    kind.set(attributes.get("ID") ?? "", said);
  }
  return { comments, footnotes };
}
