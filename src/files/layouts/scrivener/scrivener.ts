import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { BadRequest } from "../../../refusals.ts";
import { TEXT_FILE } from "../../../service/field-rules.ts";
import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import type { ChapterSource, SkippedFile } from "../../book-files.ts";
import { isFileWithin } from "../../disk/text-file.ts";
import { describedBy } from "../../documents/metadata.ts";
import { titleOf } from "../../file-names.ts";
import { statusOf } from "../../folder/status.ts";
import { MARKDOWN, README } from "../../layout-names.ts";
import { partsByFolder, readPlainFolder, walk } from "../folder.ts";
import type { Layout, LayoutBook, LayoutOptions, Source } from "../layout.ts";
import { bookOfText, readWhole } from "../one-file/file.ts";
import { splitMetadata } from "./mmd.ts";
import { asParagraphs } from "./paragraphs.ts";
import { binderIn, readScrivenerProject } from "./project.ts";

/**
 * A Scrivener project, or an export of Scrivener: one MultiMarkdown text, or a folder of files with synopses and
 * notes.
 */
export const SCRIVENER: Layout = {
  name: "scrivener",
  called: "Scrivener",
  lacks:
    "it is neither a project with its .scrivx, nor a text that begins with MultiMarkdown's Title: nor a folder whose files have a Synopsis or Notes beside them",
  detect: (source) =>
    projectAt(source) ?? (source.isFolder ? companionIn(source.folder) : metadataIn(source)),
  admits: ({ isFolder, folder }) =>
    isFolder ? walk(folder).files.find((file) => TEXT_FILE.test(file)) : undefined,
  read: async (source, reading) => {
    const binder = projectAt(source);
    if (binder !== undefined) return await readScrivenerProject(source.folder, binder, reading);
    return source.isFolder ? readExported(source.folder) : await readCompiled(source, reading);
  },
};

/** Returns the binder of a project, or the requested one. */
function projectAt({ isFolder, folder, file }: Source): string | undefined {
  if (isFolder) return binderIn(folder);
  return file !== undefined && /\.scrivx$/i.test(file) ? file : undefined;
}

/** Reads one compiled text. Title, author, language and copyright are the book's; other metadata is reported. */
async function readCompiled(source: Source, reading: LayoutOptions): Promise<LayoutBook> {
  const { file, text } = readWhole(source, reading.split);
  const { metadata, body } = splitMetadata(text)!; // it was detected
  const book = await bookOfText({ file, name: file, text: body }, reading);
  const { title, author, language, copyright: rights, ...others } = Object.fromEntries(metadata);
  const left = Object.entries(others).map((entry) => entry.join(": "));
  const reason = `its metadata is no prose: ${left.join("; ")}`;
  const whole = {
    ...book,
    folder: realpathSync(source.folder),
    skipped: [...(left.length === 0 ? [] : [{ file, reason, isKnown: true }]), ...book.skipped],
    fallbackTitle: title || book.fallbackTitle,
  };
  return describedBy(whole, { author, language, rights }, file);
}

// "The Ferry Synopsis", "The Ferry [Notes]"; but "ferry-notes" is a name of the writer's own.
const COMPANION = /^(.*?)(?: | ?[([])(Synopsis|Notes|Meta-?Data)[)\]]?$/;

/**
 * Returns the file that a file describes, and how; undefined for a file of its own. `stems` are those of all files.
 */
function companionOf(
  file: string,
  stems: ReadonlyMap<string, string>,
): { of: string; kind: string } | undefined {
  const [, stem = "", kind = ""] = COMPANION.exec(stemOf(file)) ?? [];
  const of = stem === "" || stem.endsWith("/") ? undefined : stems.get(stem);
  return of === undefined || of === file ? undefined : { of, kind: kind.toLowerCase() };
}

function stemOf(file: string): string {
  return file.replace(/\.[^./]*$/, "");
}

/** Returns a sign that a folder is Scrivener's: a file about another, or plain text without Markdown. */
function companionIn(folder: string): string | undefined {
  const all = walk(folder).files;
  const files = all.filter((file) => TEXT_FILE.test(file) && !README.test(file));
  // A folder with a few texts among other files is no draft.
  const isDraft = 2 * files.length >= all.length && !files.some((file) => MARKDOWN.test(file));
  const plain = isDraft ? files[0] : undefined;
  const stems = new Map(files.map((file) => [stemOf(file), file]));
  return files.find((file) => companionOf(file, stems) !== undefined) ?? plain;
}

/** Reads each file as a chapter with its synopsis, notes and status. Folders below the draft are parts. */
function readExported(folder: string): LayoutBook {
  const book = readPlainFolder(folder, TEXT_FILE);
  const stems = new Map(book.chapters.map(({ name }) => [stemOf(name), name]));
  const beside: Beside = { synopses: new Map(), statuses: new Map(), notes: [], used: [], skipped: [] };
  const chapters = book.chapters.filter(({ name, text }) => {
    const companion = companionOf(name, stems);
    if (companion !== undefined)
      take(beside, { ...companion, name, text: text.replace(/^\ufeff/, "").trim() });
    return companion === undefined;
  });
  if (chapters.length === 0)
    throw new BadRequest(`${folder} holds only synopses and notes, and no other text.`);
  const partOf = partsByFolder(draftOf(chapters.map(({ name }) => name)));
  return {
    ...book,
    chapters: chapters.map(({ part: _, ...chapter }) => toChapter(chapter, partOf(chapter.name), beside)),
    notes: beside.notes,
    skipped: [...book.skipped, ...beside.skipped],
    used: beside.used,
    guess: "in the order of their names, for such an export keeps no other",
  };
}

/** Files that describe others. */
interface Beside {
  synopses: Map<string, string>;
  statuses: Map<string, string>;
  notes: ForeignNote[];
  used: string[];
  skipped: SkippedFile[];
}

function take(
  { synopses, statuses, notes, used, skipped }: Beside,
  { of, kind, name, text }: { of: string; kind: string; name: string; text: string },
): void {
  if (kind === "synopsis") synopses.set(of, text);
  else if (kind === "notes") notes.push({ chapter: of, text });
  else {
    const label = /^Status:[ \t]*(.*)$/im.exec(text)?.[1] ?? "";
    const status = statusOf(label);
    if (status !== undefined) statuses.set(of, status);
    skipped.push({ file: name, reason: `metadata of ${of}, no prose`, isKnown: true });
    return;
  }
  used.push(name);
}

const DRAFT = /^(?:draft|manuscript|novel|screenplay|script)$/i;

/** Returns the folder of all texts if it is the draft itself rather than a part; "" for none. */
function draftOf(files: readonly string[]): string {
  const folders = files.map((file) => file.slice(0, file.indexOf("/") + 1));
  const draft = folders.find((folder) => DRAFT.test(folder.slice(0, -1)));
  if (draft !== undefined) return draft;
  const [outermost = ""] = folders;
  if (outermost === "" || !files.every((file) => file.startsWith(outermost))) return "";
  const hasFolders = files.some((file) => file.slice(outermost.length).includes("/"));
  return hasFolders ? outermost : "";
}

/** Reads a file of a MultiMarkdown export, which may begin with its own metadata. */
function toChapter(
  chapter: ChapterSource,
  part: string | undefined,
  { synopses, statuses }: Pick<Beside, "synopses" | "statuses">,
): ChapterSource {
  const { metadata, body = chapter.text } = splitMetadata(chapter.text) ?? {};
  const isPlain = /\.txt$/i.test(chapter.name) && metadata === undefined;
  const [synopsis, status] = [synopses.get(chapter.name), statuses.get(chapter.name)];
  return {
    ...chapter,
    // Scrivener puts the binder's number behind a file's name.
    title: metadata?.get("title") || titleOf(chapter.name.replace(/ ?\[\d+\](?=\.[^.]*$)/, "")),
    text: isPlain ? asParagraphs(body) : body,
    isForeign: true,
    ...(part === undefined ? {} : { part }),
    ...(synopsis ? { synopsis } : {}),
    ...(status === undefined ? {} : { status }),
  };
}

const HEAD_BYTES = 64 * 1024;

function metadataIn({ path, folder, file }: Source): string | undefined {
  if (file === undefined || !TEXT_FILE.test(file) || !isFileWithin(folder, file)) return undefined;
  const opened = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const text = head.toString("utf8", 0, readSync(opened, head, 0, HEAD_BYTES, 0));
    return splitMetadata(text) === undefined ? undefined : "its first lines are MultiMarkdown's metadata";
  } finally {
    closeSync(opened);
  }
}
