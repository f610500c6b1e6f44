import type { StoredChapter } from "../book/book.ts";
import type { BookId } from "../ids.ts";
import { type Book, hasAnnotations, readBook } from "../service/interchange/read-book.ts";
import {
  type EntryKind,
  entriesInStep,
  factKind,
  noteKind,
  notesOf,
  signatureOfList,
} from "../service/interchange/signatures.ts";
import {
  filesOf,
  isChapterWritten,
  readWorkingCopy,
  type WorkingCopy,
} from "../service/interchange/working-copy.ts";
import { assertSubscription, type Manuscript } from "../service/manuscript.ts";
import { FACTS_YAML, NOTES_YAML } from "./annotations/annotation-texts.ts";
import { hash } from "./disk/text-file.ts";
import type { BookFiles, ChapterSource } from "./folder/book-files.ts";
import { glanceAt } from "./folder/chapter-texts.ts";
import { blockOf } from "./folder/front-matter.ts";
import { BOOK_YAML } from "./folder/manifest.ts";
import type { SyncAnswer } from "./folder/synced-file.ts";

interface Place {
  folder: string;
  bookId: BookId;
}

/**
 * The answer of a sync that has nothing to do: every file is as this program last wrote it, and the manuscript says what
 * it said then. Undefined if anything has changed on either side, or is not known. Reads rows and hashes, no more.
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

/** The size of a book of these chapters, whether or not each has a file in the folder. */
export function sizeOf(chapters: readonly StoredChapter[]): Pick<SyncAnswer, "chapterCount" | "wordCount"> {
  return {
    chapterCount: chapters.length,
    wordCount: chapters.reduce((sum, { wordCount }) => sum + wordCount, 0),
  };
}

/** The file of each chapter, by id; undefined unless every file is a chapter's and every chapter's is there, in step. */
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

/** Where nearly every file's front matter has ended, in bytes. */
const BEGINNING = 4096;

/** The beginning of a file's text, with all of its front matter. */
function beginningOf(source: Pick<ChapterSource, "text" | "bytes">): string {
  const beginning = source.bytes?.toString("utf8", 0, BEGINNING);
  const isEnough = beginning !== undefined && (blockOf(beginning) !== "" || !/^\ufeff?---/.test(beginning));
  return isEnough ? beginning : source.text;
}

/**
 * Whether a chapter's file is as this program last wrote it, and the chapter says what it said then. An undo changes the
 * writer's own keys and no revision: those are compared themselves.
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

/** The lines of front matter that say no field of ours. */
function ownKeys(block: string): string {
  return block
    .replace(/\r/g, "")
    .replace(/^(?:title|part|status|synopsis|id|revision) *:.*\n?(?:[ \t].*\n?)*/gm, "");
}

/** Whether a file names its chapter's part by anything but its title: a number may be another part's by now. */
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

/** The answer for a chapter that is as its file has it. */
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
