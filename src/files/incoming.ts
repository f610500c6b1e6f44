import type { Description, ChapterFile as IncomingFile } from "../book/book.ts";
import type { IncomingFiles } from "../service/interchange/import-book.ts";
import { parseChapter } from "../service/interchange/incoming-chapter.ts";
import { once } from "../text/once.ts";
import { entryFile } from "./annotations/annotation-files.ts";
import { FACTS_YAML, readFacts, withoutUndefined } from "./annotations/facts-yaml.ts";
import { NOTES_YAML, readNotes } from "./annotations/notes-yaml.ts";
import { hash } from "./disk/text-file.ts";
import type { BookFiles, ChapterFile } from "./folder/book-files.ts";
import { splitFrontMatter } from "./folder/front-matter.ts";
import { isFreshBlock, readFields } from "./folder/front-matter-fields.ts";
import { findPart, type ListedBook, type ListedPart } from "./folder/manifest.ts";
import { titleOf } from "./folder/title-and-name.ts";
import { foreignFields } from "./layouts/status.ts";
import type { Yaml } from "./yaml/open.ts";

/** Loads the package that reads YAML, if any of the files may hold some. */
export async function loadYaml({ list, chapters, annotations = [] }: BookFiles): Promise<Yaml | undefined> {
  const isNeeded =
    list !== undefined || annotations.length > 0 || chapters.some(({ text }) => /^\ufeff?---/.test(text));
  return isNeeded ? await import("yaml") : undefined;
}

/** What files bring to a book, none of them parsed but the folder's list; `onParse` is told before a chapter is. */
export function incomingOf(
  { folder, book, list, isPart, chapters, facts, annotations = [] }: BookFiles,
  yaml: Yaml | undefined,
  onParse: () => void,
): IncomingFiles {
  const parts = book?.listed ?? [];
  return {
    folder,
    description: book && withOrder(book, isPart),
    list: list && { ...list, hash: hash(list.text) },
    chapters: chapters.map((chapter) => incomingChapter(chapter, { parts, yaml, onParse })),
    facts: entryFile(annotations, FACTS_YAML, (text) => readFacts(needed(yaml), text)),
    notes: entryFile(annotations, NOTES_YAML, (text) => readNotes(needed(yaml), text)),
    tags: facts,
  };
}

/** A list with the order of its files, if all of them were read. */
export function withOrder(book: ListedBook, isPart = false): Description {
  return { ...book, order: isPart ? undefined : book.chapters.map(({ file }) => file) };
}

interface Reading {
  parts: readonly ListedPart[];
  yaml: Yaml | undefined;
  onParse: () => void;
}

function incomingChapter(chapter: ChapterFile, reading: Reading): IncomingFile {
  const { file, name, text, title, part, status, synopsis } = chapter;
  const listed = withoutUndefined({ title, part, status, synopsis });
  const digest = hash(text);
  return {
    file,
    name,
    hash: digest,
    said: listed as IncomingFile["said"], // compared, and checked before it is written
    read: once(() => parseFile(chapter, { hash: digest, listed, ...reading })),
  };
}

function parseFile(
  { file, name, text, part, id, revision, isFound, isForeign = false }: ChapterFile,
  { hash: digest, listed, parts, yaml, onParse }: Reading & { hash: string; listed: object },
) {
  onParse();
  const { bom, frontMatter, body } = splitFrontMatter(text);
  const said = frontMatter === "" ? { fields: {} } : readFields(needed(yaml), frontMatter, name);
  const fields = isForeign ? foreignFields(said.fields, part) : said.fields;
  const isFresh = !isForeign && isFreshBlock(frontMatter, said.fields, said.revision);
  if (fields.part != null) fields.part = parts[findPart(parts, fields.part)]?.title ?? fields.part;
  return parseChapter({
    name,
    file,
    hash: digest,
    bom,
    frontMatter,
    keptBlock: isFresh ? "" : frontMatter,
    markdown: body,
    revision: said.revision ?? revision,
    isFound: isFound && fields.part === undefined,
    fields: { ...(id === undefined ? {} : { id }), ...listed, ...fields },
    fallbackTitle: file === null ? "Untitled" : titleOf(file),
  });
}

function needed(yaml: Yaml | undefined): Yaml {
  if (yaml === undefined) throw new Error("YAML is read before its package is loaded");
  return yaml;
}
