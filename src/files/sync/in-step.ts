import type { StoredChapter } from "../../book/book.ts";
import type { BookId } from "../../ids.ts";
import { type Book, hasAnnotations, readBook } from "../../service/interchange/read-book.ts";
import {
  type EntryKind,
  entriesInStep,
  factKind,
  noteKind,
  notesOf,
  signatureOfList,
} from "../../service/interchange/signatures.ts";
import {
  filesOf,
  isChapterWritten,
  readWorkingCopy,
  type WorkingCopy,
} from "../../service/interchange/working-copy.ts";
import { assertSubscription, type Manuscript } from "../../service/manuscript.ts";
import { FACTS_YAML, NOTES_YAML } from "../annotations/annotation-texts.ts";
import type { BookFiles, ChapterSource } from "../book-files.ts";
import { hash } from "../disk/text-file.ts";
import { glanceAt } from "../folder/chapter-texts.ts";
import { BOOK_YAML } from "../folder/manifest.ts";
import type { SyncAnswer } from "../folder/synced-file.ts";
import { blockOf } from "../front-matter.ts";

interface Place {
  folder: string;
  bookId: BookId;
}

/**
 * Answers a sync that has nothing to do: every file is as this program last wrote it, and the manuscript is as it was
 * then. Undefined if anything has changed on either side, or is not known. Reads only rows and hashes.
 */
export function answerInStep(manuscript: Manuscript, files: BookFiles, place: Place): SyncAnswer | undefined {
  assertSubscription(manuscript);
  const { list, annotations = [] } = files;
  const copy = readWorkingCopy(manuscript, place);
  if (copy.chapters.size === 0 || list?.file !== BOOK_YAML || files.facts !== undefined || files.isPart)
    return undefined;
  const book = readBook(manuscript, place.bookId);
  const chapters = chaptersInStep(files, book, copy);
  if (chapters === undefined || !isListInStep(list.text, book, chapters, copy)) return undefined;
  const inStep = <Fields, Shown>(file: "facts.yaml" | "notes.yaml", kind: () => EntryKind<Fields, Shown>) => {
    const text = annotations.find((other) => other.file === file)?.text;
    const last = copy.texts.get(file);
    const isNone = () => !hasAnnotations(manuscript, book.id)[file === FACTS_YAML ? "facts" : "notes"];
    if (text === undefined) return last === undefined && isNone() ? [] : undefined;
    return last?.isWritten === 1 ? entriesInStep(last, { hash: hash(text) }, kind()) : undefined;
  };
  const facts = inStep(FACTS_YAML, () => factKind(manuscript, book.id));
  if (facts === undefined) return undefined;
  const notes = inStep(NOTES_YAML, () =>
    noteKind(manuscript, book.id, { stored: notesOf(manuscript.store, book.id), files: filesOf(copy) }),
  );
  if (notes === undefined) return undefined;
  const told = [
    ...book.chapters.map(({ id }) => ({ file: chapters.get(id) ?? "", chapterId: id })),
    ...[...annotations, list].map(({ file }) => ({ file, chapterId: null })),
  ];
  return {
    bookId: book.id,
    title: book.title,
    book: { status: "same", fields: [], conflicts: [] },
    deleted: [],
    moved: [],
    chapters: book.chapters.map((chapter) => sameChapter(chapter, chapters.get(chapter.id) ?? "")),
    facts,
    notes,
    act: null,
    files: told.map((entry) => ({ ...entry, status: "same" })),
    pictures: [],
    ...sizeOf(book.chapters),
  };
}

/** Returns the size of a book of these chapters, with or without files in the folder. */
export function sizeOf(chapters: readonly StoredChapter[]): Pick<SyncAnswer, "chapterCount" | "wordCount"> {
  return {
    chapterCount: chapters.length,
    wordCount: chapters.reduce((sum, { wordCount }) => sum + wordCount, 0),
  };
}

/** Maps chapters to files; undefined unless every file is a chapter's, and every chapter has a file in step. */
function chaptersInStep(
  { chapters: files, missing = [] }: BookFiles,
  { chapters }: Book,
  copy: WorkingCopy,
): ReadonlyMap<string, string> | undefined {
  if (files.length !== chapters.length || missing.length > 0) return undefined;
  const texts = new Map(files.map((file) => [file.file, file]));
  const found = new Map<string, string>();
  for (const chapter of chapters) {
    const file = texts.get(copy.chapters.get(chapter.id)?.file ?? null);
    if (file === undefined || file.file === null) return undefined;
    const { title = chapter.title, part = chapter.part } = file;
    if (title !== chapter.title || part !== chapter.part) return undefined;
    const read = { file: file.file, text: beginningOf(file), hash: glanceAt(file).hash };
    if (!isFileInStep(copy, chapter, read)) return undefined;
    found.set(chapter.id, file.file);
  }
  return found;
}

/** Length of nearly every file's front matter at most, in bytes. */
const BEGINNING = 4096;

/** Returns the beginning of a file's text, including all of its front matter. */
function beginningOf(source: Pick<ChapterSource, "text" | "bytes">): string {
  const beginning = source.bytes?.toString("utf8", 0, BEGINNING);
  const isEnough = beginning !== undefined && (blockOf(beginning) !== "" || !/^\ufeff?---/.test(beginning));
  return isEnough ? beginning : source.text;
}

/**
 * True if a chapter's file is as this program last wrote it, and the chapter is as it was then. Unknown keys are
 * compared directly, because an undo changes them without a new revision.
 */
export function isFileInStep(
  copy: WorkingCopy,
  chapter: StoredChapter,
  { text, ...file }: { file: string; text: string; hash: string },
): boolean {
  if (!isChapterWritten(copy, chapter, file)) return false;
  const block = blockOf(text);
  return block === "" || ownKeys(block) === ownKeys(blockOf(chapter.frontMatter));
}

/** Returns the lines of front matter that are not our fields. */
function ownKeys(block: string): string {
  return block
    .replace(/\r/g, "")
    .replace(/^(?:title|part|status|synopsis|id|revision) *:.*\n?(?:[ \t].*\n?)*/gm, "");
}

/** True if a file names its chapter's part by anything but its title. A number may mean another part since. */
export function saysPartOtherwise(text: string, { part }: StoredChapter): boolean {
  const said = /^part *: *(.*?) *$/m.exec(blockOf(text).replace(/\r/g, ""))?.[1];
  return said !== undefined && said.replace(/^(["'])(.*)\1$/, "$2") !== (part ?? "");
}

function isListInStep(
  text: string,
  book: Book,
  files: ReadonlyMap<string, string>,
  { texts }: WorkingCopy,
): boolean {
  const last = texts.get(BOOK_YAML);
  const named = book.chapters.map((chapter) => ({ chapter, file: files.get(chapter.id) ?? "" }));
  return (
    last?.isWritten === 1 && last.hash === hash(text) && last.stored === signatureOfList(book, named, text)
  );
}

/** Returns the answer for a chapter that equals its file. */
function sameChapter(
  { id, title, wordCount, blockCount }: StoredChapter,
  file: string,
): SyncAnswer["chapters"][number] {
  return {
    ...{ id, title, file, status: "same", wordCount, words: { added: 0, removed: 0 } },
    paragraphs: { kept: blockCount, moved: 0, edited: 0, new: 0, removed: 0 },
    ...{
      titleChanged: false,
      headingChanged: false,
      mentionsDropped: [],
      snippetsDetached: [],
      snippetsMoved: [],
    },
  };
}
