import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Description, ChapterFile as IncomingFile } from "../../book/book.ts";
import { mergeBook } from "../../book/merge-book.ts";
import type { BookPlan, ChapterPlan } from "../../book/plan.ts";
import type { BookId } from "../../ids.ts";
import { planChapters } from "../../service/interchange/apply-book-plan.ts";
import {
  type ApplyOptions,
  applyImport,
  type IncomingFiles,
  type OwnSides,
  type ReadyImport,
  readOwnSides,
  type Taken,
} from "../../service/interchange/import-book.ts";
import { chapterParser, checkFields, type ParseChapter } from "../../service/interchange/incoming-chapter.ts";
import { baseOf } from "../../service/interchange/merge-base.ts";
import { type Act, type Manuscript, writeOptimistically } from "../../service/manuscript.ts";
import { asOneLine, isOneLine } from "../../text/clean-text.ts";
import { once } from "../../text/once.ts";
import { entryFile } from "../annotations/annotation-files.ts";
import { FACTS_YAML, NOTES_YAML } from "../annotations/annotation-texts.ts";
import { readFacts } from "../annotations/facts-yaml.ts";
import { readNotes } from "../annotations/notes-yaml.ts";
import type { BookFiles, ChapterSource } from "../book-files.ts";
import { fileNamesIn, hash, statLink } from "../disk/text-file.ts";
import { titleOf } from "../file-names.ts";
import { glanceAt, mayKeepPictures } from "../folder/chapter-texts.ts";
import { assertClean } from "../folder/clean-files.ts";
import {
  fittingFact,
  fittingFields,
  fittingNote,
  fittingTitle,
  foreignFields,
} from "../folder/foreign-fields.ts";
import { type BlockContent, isFreshBlock, readFields, updatedBlock } from "../folder/front-matter-fields.ts";
import {
  BOOK_YAML,
  findListedPart,
  type ListedBook,
  type ListedPart,
  readBookYaml,
} from "../folder/manifest.ts";
import { otherFrontMatter } from "../folder/other-front-matter.ts";
import { isPartOf, titleOfFile } from "../folder/render-chapter.ts";
import { withFilesOf } from "../folder/write-book-yaml.ts";
import { splitFrontMatter } from "../front-matter.ts";
import { assertNotLeftOut } from "../left-out.ts";
import { withoutUndefined, type Yaml } from "../yaml/open.ts";
import { keepPictures } from "./keep-pictures.ts";

/** Options of an import. */
export interface TakeOptions extends Omit<ApplyOptions, "step" | "mayGo" | "keep"> {
  /** Target book; without it a new one is made. */
  bookId?: BookId | undefined;
  /** Title of the new book. */
  title?: string | undefined;
  /** Called as files are parsed and written, with the steps done and their total. */
  step?: ((done: number, total: number) => void) | undefined;
}

/** Files to be imported, and the readers of their lists and front matter. */
interface Reading {
  files: BookFiles;
  yaml: Yaml | undefined;
}

/** Content of files, and their readers. */
interface Said {
  parser: Parameters<typeof incomingOf>[1];
  said: ReturnType<typeof incomingOf>;
}

/**
 * Runs a write of files by an optimistic plan, which merges the files, the manuscript, and their base. Files are read
 * once. Throws `NotFound`, `BadRequest`, `PayloadTooLarge`.
 */
export function planImport<Result>(
  manuscript: Manuscript,
  reading: Reading,
  options: TakeOptions,
  run: (planned: () => ReadyImport) => Result,
): Result {
  const { files } = reading;
  assertClean(files);
  let parsed = 0;
  const parser = {
    yaml: reading.yaml,
    parseChapter: chapterParser(manuscript),
    onParse: () => options.step?.(parsed++, stepsOf(files)),
  };
  const said = incomingOf(files, parser);
  const plan = () => readyImport(manuscript, reading, { parser, said }, options);
  return writeOptimistically(manuscript.store, () => options.bookId, plan, run);
}

/** Counts the steps: each file may be parsed, and is written. */
const stepsOf = ({ chapters }: BookFiles): number => 2 * chapters.length;

/**
 * Imports files by their plan, within an act, and keeps the pictures that they refer to. Returns a function that gives the
 * result, once the act is derived; `left` are the pictures that were not kept, each with the reason.
 * Throws `NotFound`, `BadRequest`, `PayloadTooLarge`, `WouldLose`.
 */
export function takeIn(
  manuscript: Manuscript,
  act: Act,
  { ready, files }: { ready: ReadyImport; files: BookFiles },
  { bookId: _, title: __, step, ...options }: TakeOptions,
): () => Taken & { left?: ReadonlyMap<string, string> } {
  let left: ReadonlyMap<string, string> | undefined;
  const keep = (bookId: BookId, chapters: readonly { id: string; file: string | null }[]) => {
    left = keepPictures(manuscript, files, { bookId, chapters });
  };
  const count = ready.files.chapters.length;
  const settle = applyImport(manuscript, act, ready, {
    ...options,
    ...(mayKeepPictures(files) && { keep }),
    mayGo: (texts) => assertNotLeftOut(files, texts),
    step: (done) => step?.(count + done, 2 * count),
  });
  return () => (left === undefined ? settle() : { ...settle(), left });
}

function readyImport(
  manuscript: Manuscript,
  { files, yaml }: Reading,
  { parser, said }: Said,
  { bookId, title, ...options }: TakeOptions,
): ReadyImport {
  const own = readOwnSides(manuscript, bookId, said, options.force);
  const { copy, rows } = own;
  const last = lastList(own, files, said, yaml);
  const isOlder = last !== undefined && rows?.older.has(BOOK_YAML) === true;
  const incoming = isOlder ? incomingOf(withoutOldWords(files, last, own), parser) : said;
  const known = copy ?? (files.returned && NO_COPY);
  const base = known && baseOf(manuscript, { copy: known, rows }, last);
  const fallback =
    files.fallbackTitle === undefined ? undefined : fittingTitle(files.fallbackTitle.normalize("NFC"));
  const named = title ?? (files.book?.title === undefined ? fallback : undefined);
  const { folder } = files;
  const isGone =
    folder === undefined || files.isPart === true
      ? undefined
      : (file: string) => statLink(join(folder, file)) === undefined;
  const deciding = { title: named, force: options.force, isGone };
  const merged = mergeBook({ base, incoming, stored: own.stored }, deciding);
  const plan = yaml === undefined ? merged : withKeptBlocks(merged, yaml);
  const list = last && yaml ? listAfter(plan, incoming.list, last, yaml) : incoming.list;
  return { plan, planned: planChapters(manuscript, plan, options.force), files: { ...incoming, list }, own };
}

/** What is known of files that were in no folder: the revisions that they name are their base. */
const NO_COPY = { chapters: new Map(), texts: new Map() };

/** Returns the list as the next base. Files that have gone stay in it while a chapter, which may have their text, waits. */
function listAfter(
  { chapters }: BookPlan,
  list: IncomingFiles["list"],
  last: ListedBook,
  yaml: Yaml,
): IncomingFiles["list"] {
  const isWaiting = chapters.some(({ kind }) => kind === "conflict");
  return isWaiting && list ? { ...list, text: withFilesOf(yaml, list.text, last) } : list;
}

/** Returns the base of the folder's list: the list itself if it has not changed. */
function lastList(
  { copy, rows }: OwnSides,
  { book, isPart, folder }: BookFiles,
  { list }: ReturnType<typeof incomingOf>,
  yaml: Yaml | undefined,
): (ListedBook & Description) | undefined {
  if (list?.file !== BOOK_YAML || copy === undefined || yaml === undefined) return undefined;
  const own = copy.texts.get(BOOK_YAML);
  const last = own?.text === list.text ? own : rows ? rows.text(BOOK_YAML, list.hash) : own;
  if (last === undefined) return undefined;
  const nameOf = folder === undefined ? undefined : fileNamesIn(folder);
  const listed = last.text === list.text ? book : readBookYaml(yaml, last.text, nameOf);
  return listed && withOrder(listed, isPart);
}

/** Drops what an older list says unchanged of a file: the chapter may have another title or part since. */
function withoutOldWords(files: BookFiles, last: ListedBook, { copy }: OwnSides): BookFiles {
  const { book, chapters } = files;
  const known = new Set([...(copy?.chapters.values() ?? [])].map(({ file }) => file));
  const wordsOf = (list: ListedBook | undefined, file: string | null) => {
    const { title, part } = list?.chapters.find((entry) => entry.file === file) ?? {};
    return { title, part, listed: list?.listed };
  };
  const isOld = ({ file }: ChapterSource) =>
    known.has(file) && isDeepStrictEqual(wordsOf(book, file), wordsOf(last, file));
  const silent = ({ title: _title, part: _part, isFound: _isFound, ...chapter }: ChapterSource) => chapter;
  return { ...files, chapters: chapters.map((chapter) => (isOld(chapter) ? silent(chapter) : chapter)) };
}

/** Keeps a chapter's stored block if the file's front matter is what an export would write. */
function withKeptBlocks(plan: BookPlan, yaml: Yaml): BookPlan {
  const titles = plan.description.parts.map((part) => part.title);
  const keep = (chapter: ChapterPlan): ChapterPlan => {
    if (chapter.kind !== "write" || chapter.stored.frontMatter === "") return chapter;
    const { stored, incoming } = chapter;
    if (incoming.frontMatter === "" || incoming.frontMatter === stored.frontMatter) return chapter;
    const { file, name } = incoming;
    const fields = {
      ...stored,
      revision: incoming.revision ?? stored.revision,
      titleOfFile: () => titleOfFile(stored, file ?? name),
    };
    // A block that an export made and a chapter came in with is changed in place like any other.
    const isOther = updatedBlock(yaml, stored.frontMatter, fields, isPartOf(titles)) !== incoming.frontMatter;
    if (isOther && (incoming.keptBlock !== "" || !isFresh(yaml, stored.frontMatter))) return chapter;
    return { ...chapter, incoming: { ...incoming, keptBlock: stored.frontMatter } };
  };
  return { ...plan, chapters: plan.chapters.map(keep) };
}

function isFresh(yaml: Yaml, block: string): boolean {
  const { fields, revision } = readFields(yaml, block, "the stored front matter");
  return isFreshBlock(block, fields, revision);
}

/** Loads the YAML package if one of the files may hold YAML. */
export async function loadYaml({ list, chapters, annotations = [] }: BookFiles): Promise<Yaml | undefined> {
  const isNeeded =
    list !== undefined || annotations.length > 0 || chapters.some((source) => glanceAt(source).mayOpenBlock);
  return isNeeded ? await import("yaml") : undefined;
}

/** Collects everything that files bring to a book. Parses only the folder's list. */
function incomingOf(
  { folder, book, metadata, list, isPart, chapters, annotations = [], ...more }: BookFiles,
  reading: Omit<ReadingChapter, "parts">,
): IncomingFiles {
  const { yaml } = reading;
  const parts = book?.listed ?? [];
  return {
    folder,
    description: book
      ? withOrder(book, isPart)
      : metadata && { parts: [], folders: new Map(), manifest: metadata },
    list: list && { ...list, hash: hash(list.text) },
    indexes: more.indexes?.map((index) => ({ ...index, hash: hash(index.text) })),
    chapters: chapters.map((chapter) => incomingChapter(chapter, { ...reading, parts })),
    facts: entryFile(annotations, FACTS_YAML, (text) => readFacts(needed(yaml), text)),
    notes: entryFile(annotations, NOTES_YAML, (text) => readNotes(needed(yaml), text)),
    tags: more.facts?.flatMap(fittingFact),
    remarks: more.notes?.flatMap(fittingNote),
  };
}

/** Adds the order of files to a list, if all of them were read. */
function withOrder(book: ListedBook, isPart = false): ListedBook & Description {
  return { ...book, order: isPart ? undefined : book.chapters.map(({ file }) => file) };
}

interface ReadingChapter {
  parts: readonly ListedPart[];
  yaml: Yaml | undefined;
  parseChapter: ParseChapter;
  /** Called before a chapter is parsed. */
  onParse: () => void;
}

function incomingChapter(chapter: ChapterSource, reading: ReadingChapter): IncomingFile {
  const { file, name, title, part, status, synopsis, isForeign = false } = chapter;
  const said = withoutUndefined({ title, part, status, synopsis });
  const listed = isForeign ? fittingFields(said) : said;
  const { hash: digest } = glanceAt(chapter);
  const block = once(() => readBlock(chapter, listed, reading));
  const parse = () => parseFile(chapter, { hash: digest, block: block(), ...reading });
  return {
    file,
    name,
    hash: digest,
    said: listed as IncomingFile["said"], // compared, and checked before it is written
    fields: () => block().fields,
    revision: () => block().revision ?? chapter.revision,
    read: once(parse),
    parse,
  };
}

const NO_BLOCK = { frontMatter: "" };

/** A block above a chapter's prose. */
interface Block extends Pick<BlockContent, "faults" | "revision"> {
  fields: ReturnType<typeof checkFields>;
  /** True if it names the chapter's part itself. */
  saysPart: boolean;
  isFresh: boolean;
}

function readBlock(chapter: ChapterSource, listed: object, { parts, yaml }: ReadingChapter): Block {
  const { name, part, id, isForeign = false } = chapter;
  const { frontMatter } = glanceAt(chapter).mayOpenBlock ? splitFrontMatter(chapter.text) : NO_BLOCK;
  const said = frontMatter === "" ? readOther(chapter) : readFields(needed(yaml), frontMatter, name);
  const fields = isForeign ? foreignFields(said.fields, part) : said.fields;
  if (fields.part != null)
    fields.part = parts[findListedPart(parts, fields.part)]?.title ?? asOneLine(fields.part);
  return {
    ...said,
    faults: isOneLine(said.fields.title ?? "") ? said.faults : [...said.faults, BROKEN_TITLE],
    fields: checkFields({ name, fields: { ...(id === undefined ? {} : { id }), ...listed, ...fields } }),
    saysPart: fields.part !== undefined,
    isFresh: !isForeign && isFreshBlock(frontMatter, said.fields, said.revision),
  };
}

const BROKEN_TITLE = "its title has several lines; they are taken as one";

/** Reads a chapter without YAML front matter. */
function readOther(chapter: ChapterSource): BlockContent {
  const other = glanceAt(chapter).mayOpenBlock ? otherFrontMatter(chapter.text) : undefined;
  if (other === undefined) return { fields: {}, faults: [] };
  const { called, title = "" } = other;
  const taken = title === "" ? "it stays in the text" : "its title is taken, and it stays in the text";
  return {
    fields: title === "" ? {} : { title },
    faults: [
      `it begins with front matter in ${called}, and only YAML between lines of --- is read: ${taken}`,
    ],
  };
}

function parseFile(
  { file, name, text, revision, isFound }: ChapterSource,
  { hash: digest, block, parseChapter, onParse }: ReadingChapter & { hash: string; block: Block },
) {
  onParse();
  const { bom, frontMatter, body } = splitFrontMatter(text);
  return parseChapter({
    name,
    file,
    hash: digest,
    bom,
    frontMatter,
    keptBlock: block.isFresh ? "" : frontMatter,
    markdown: body,
    revision: block.revision ?? revision,
    isFound: isFound && !block.saysPart,
    warnings: block.faults,
    fields: block.fields,
    fallbackTitle: file === null ? "Untitled" : titleOf(file),
  });
}

function needed(yaml: Yaml | undefined): Yaml {
  if (yaml === undefined) throw new Error("YAML is read before its package is loaded");
  return yaml;
}
