import type { StoredChapter } from "../book/book.ts";
import type { BookId } from "../ids.ts";
import { type Book, hasAnnotations, readBook } from "../service/interchange/read-book.ts";
import { factKind, noteKind, notesOf, signatureOfList } from "../service/interchange/signatures.ts";
import {
  areEntriesSame,
  filesOf,
  idsOf,
  isChapterWritten,
  readWorkingCopy,
  type WorkingCopy,
} from "../service/interchange/working-copy.ts";
import { assertSubscription, type Manuscript } from "../service/manuscript.ts";
import { FACTS_YAML } from "./annotations/facts-yaml.ts";
import { ANNOTATIONS } from "./annotations/render-annotations.ts";
import { hash } from "./disk/text-file.ts";
import type { BookFiles } from "./folder/book-files.ts";
import { blockOf } from "./folder/front-block.ts";
import { BOOK_YAML } from "./folder/manifest-files.ts";
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
  const entries = annotations.map(({ file, text }) =>
    entriesInStep(manuscript, place, copy, { file, hash: hash(text) }),
  );
  if (entries.includes(undefined)) return undefined;
  if (annotations.length < ANNOTATIONS.length && isAnyMissing(manuscript, place, copy, annotations))
    return undefined;
  const [facts = [], notes = []] = [FACTS_YAML, "notes.yaml"].map((file) => {
    const index = annotations.findIndex((text) => text.file === file);
    return index < 0 ? [] : (entries[index] ?? []);
  });
  const told = [
    ...book.chapters.map(({ id }) => ({ file: chapters.get(id) ?? "", chapterId: id })),
    ...[...annotations, list].map(({ file }) => ({ file, chapterId: null })),
  ];
  return {
    bookId: book.id,
    title: book.title,
    book: { status: "same", fields: [], conflicts: [] },
    deleted: [],
    chapters: book.chapters.map((chapter) => sameChapter(chapter, chapters.get(chapter.id) ?? "")),
    facts: facts as SyncAnswer["facts"],
    notes: notes as SyncAnswer["notes"],
    act: null,
    files: told.map((entry) => ({ ...entry, status: "same" })),
    deletions: [],
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
    if (!isFileInStep(copy, chapter, { file: file.file, text: file.text })) return undefined;
    found.set(chapter.id, file.file);
  }
  return found;
}

/**
 * Whether a chapter's file is as this program last wrote it, and the chapter says what it said then. An undo changes the
 * writer's own keys and no revision: those are compared themselves.
 */
export function isFileInStep(
  copy: WorkingCopy,
  chapter: StoredChapter,
  { file, text }: { file: string; text: string },
): boolean {
  if (!isChapterWritten(copy, chapter, { file, hash: hash(text) })) return false;
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

/** Whether a file of entries is not there that was, or that would be written. */
function isAnyMissing(
  manuscript: Manuscript,
  { bookId }: Place,
  { texts }: WorkingCopy,
  present: readonly { file: string }[],
): boolean {
  return ANNOTATIONS.some((file) => {
    if (present.some((text) => text.file === file)) return false;
    return texts.has(file) || hasAnnotations(manuscript, bookId)[file === FACTS_YAML ? "facts" : "notes"];
  });
}

/** The outcomes of a file of entries that has not changed on either side; undefined for any other. */
function entriesInStep(
  manuscript: Manuscript,
  { bookId }: Place,
  copy: WorkingCopy,
  file: { file: string; hash: string },
): object[] | undefined {
  const last = copy.texts.get(file.file);
  if (last?.isWritten !== 1) return undefined;
  if (file.file === FACTS_YAML) {
    const kind = factKind(manuscript, bookId);
    if (!areEntriesSame(last, file, kind)) return undefined;
    return idsOf(last).map((id) => ({ name: kind.stored.get(id)?.name ?? "", id, status: "same" }));
  }
  const kind = noteKind(manuscript, bookId, {
    stored: notesOf(manuscript.store, bookId),
    files: filesOf(copy),
  });
  if (!areEntriesSame(last, file, kind)) return undefined;
  return idsOf(last).map((id) => ({ kind: kind.stored.get(id)?.kind ?? "note", id, status: "same" }));
}

/** The answer for a chapter that is as its file has it. */
function sameChapter(
  { id, title, wordCount, blockCount }: StoredChapter,
  file: string,
): SyncAnswer["chapters"][number] {
  return {
    ...{ id, title, file, status: "same", wordCount, words: { added: 0, removed: 0 } },
    paragraphs: { kept: blockCount, moved: 0, edited: 0, new: 0, removed: 0 },
    ...{ mentionsDropped: [], snippetsDetached: [] },
  };
}
