import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StoredChapter } from "../../book/book.ts";
import { inOrder, withKeysOf } from "../../book/merge-description.ts";
import type { BookId } from "../../ids.ts";
import { withBlockIds } from "../../service/interchange/export-block-ids.ts";
import type { Taken } from "../../service/interchange/import-book.ts";
import { type Book, readBook } from "../../service/interchange/read-book.ts";
import { signatureOfList } from "../../service/interchange/signatures.ts";
import {
  type CopiedChapter,
  isChapterWritten,
  isRestoredSince,
  readWorkingCopy,
  type WorkingCopy,
  wasKnown,
} from "../../service/interchange/working-copy.ts";
import { type Act, type Manuscript, write } from "../../service/manuscript.ts";
import { once } from "../../text/once.ts";
import { type SyncedText, syncAnnotations } from "../annotations/write-annotations.ts";
import type { BookFiles } from "../book-files.ts";
import type { Replacing } from "../disk/replace-files.ts";
import { hash, statLink } from "../disk/text-file.ts";
import { copyPictures } from "../export/copy-pictures.ts";
import { type FileStyle, styleOfFiles } from "../folder/file-style.ts";
import { BOOK_YAML, type ListedBook, readBookYaml } from "../folder/manifest.ts";
import {
  copiedList,
  type Described,
  type FolderState,
  freshList,
  placeFiles,
  type RenderOptions,
  renderChapter,
  updateList,
} from "../folder/render-folder.ts";
import type { SyncAnswer, SyncedFile } from "../folder/synced-file.ts";
import { withFilesOf } from "../folder/write-book-yaml.ts";
import { blockOf } from "../front-matter.ts";
import { picturesOf } from "../pictures.ts";
import { isUntouched } from "../write-folder.ts";
import type { Yaml } from "../yaml/open.ts";
import { planImport, type TakeOptions, takeIn } from "./take-in.ts";
import { assertThere, type Outgoing, type SyncedChapter, writeSynced } from "./write-synced.ts";

/** Options of a sync. */
export interface SyncOptions extends TakeOptions {
  dryRun?: boolean;
  /** Options for replacing files. */
  replacing?: Replacing;
}

/** Syncs a folder and its book after a change on either side, as `syncFolder` says. Throws what an import throws. */
export async function syncChanged(
  manuscript: Manuscript,
  files: BookFiles,
  place: { folder: string; bookId: BookId },
  { dryRun = false, replacing = {}, ...options }: Omit<SyncOptions, "bookId">,
): Promise<SyncAnswer> {
  const yaml = await import("yaml");
  const caller = { source: "cli" as const, dryRun, skipsEmpty: true };
  const taking = { ...options, bookId: place.bookId };
  const { out, act, ...answer } = planImport(manuscript, { files, yaml }, taking, (planned) =>
    write(manuscript, "importBook", caller, (current) => {
      const settle = takeIn(manuscript, current, { ready: planned(), files }, taking);
      return () => {
        const taken = settle();
        const out = planFolder(manuscript, files, place, { taken, yaml, options });
        assertThere(place.folder, out);
        return {
          ...taken.answer,
          out: {
            ...out,
            keeps: keptOf(manuscript, out, current, { bookId: place.bookId, force: options.force }),
          },
        };
      };
    }),
  );
  const done = dryRun ? undefined : await writeSynced(manuscript, place, out, replacing);
  const pictures = dryRun ? [] : await copyPictures(manuscript, place.folder, out);
  const told = [...out.chapters, ...out.annotations, out.list, ...out.removed];
  const left = out.chapters.flatMap(({ chapter, status }) => (status === "deleted" ? [] : [chapter]));
  return {
    ...answer,
    act,
    ...sizeOf(left),
    files: told.map(({ file, chapterId, status }) => ({
      file,
      chapterId,
      status: done?.statuses.get(file) ?? status,
    })),
    pictures,
    ...(done === undefined || done.kept.length === 0 ? {} : { kept: done.kept }),
  };
}

/** Plans the folder's content after the import. Runs in the import's transaction, also for a dry run. */
function planFolder(
  manuscript: Manuscript,
  files: BookFiles,
  place: { folder: string; bookId: BookId },
  { taken, yaml, options }: { taken: Taken; yaml: Yaml; options: Omit<SyncOptions, "bookId"> },
): Omit<Outgoing, "keeps"> {
  const { folder } = place;
  const { answer } = taken;
  const book = readBook(manuscript, place.bookId);
  const copy = readWorkingCopy(manuscript, place);
  const list = files.list?.file === BOOK_YAML ? files.list.text : undefined;
  const read = new Map(answer.chapters.flatMap(({ id, file }) => (file === null ? [] : [[id, file]])));
  const state: FolderState = { folder, list, copy, read };
  const names = placeFiles(book, state);
  const style = styleOfFiles(files.chapters);
  const render: RenderOptions = { parts: book.parts, style, yaml, mark: withBlockIds };
  const isRestored = (last: CopiedChapter) => isRestoredSince(manuscript, last);
  const present = planChapters(
    { book, names, files, state, isRestored, isDeleting: options.delete === true },
    answer,
    render,
  );
  const dropped = taken.dropped.map(({ stored: chapter, file }) => ({
    ...{ chapter, file, chapterId: chapter.id, bytes: undefined },
    status: "deleted" as const,
  }));
  const chapters = [...present, ...dropped];
  const isOurs = (file: string) =>
    options.delete === true && isUntouched(join(folder, file), hashOfText(files, file));
  const removed = answer.deleted.map(({ id: chapterId, file }) => ({
    file,
    chapterId,
    read: hashOfText(files, file),
    status: isOurs(file) ? ("removed" as const) : ("orphaned" as const),
  }));
  const annotations = syncAnnotations(manuscript, files, { book, names, taken, copy }, { yaml, style });
  const written = chapters.flatMap(({ chapter, status }) => (status === "written" ? [chapter] : []));
  return {
    chapters,
    pictures: picturesOf(written),
    annotations,
    list: planList(files, { book, state, chapters }, answer, { style, yaml }),
    removed,
  };
}

/**
 * Finds the files that `--force theirs` overwrites and whose content was never in the manuscript, or not before this
 * act.
 */
function keptOf(
  manuscript: Manuscript,
  { chapters, annotations, list }: Omit<Outgoing, "keeps">,
  { seq }: Act,
  { bookId, force }: { bookId: BookId; force: TakeOptions["force"] },
): Set<string> {
  const isNew = ({ file, chapterId, read, status }: SyncedFile) =>
    read !== undefined &&
    status === "written" &&
    !wasKnown(manuscript, { bookId, file, chapterId, hash: read }, seq);
  const all = force === "stored" ? [...chapters, ...annotations, list].filter(isNew) : [];
  return new Set(all.map(({ file }) => file));
}

function hashOfText({ chapters }: BookFiles, file: string): string | undefined {
  const text = chapters.find((chapter) => chapter.file === file)?.text;
  return text === undefined ? undefined : hash(text);
}

function planChapters(
  {
    book,
    names,
    files,
    state,
    isRestored,
    isDeleting,
  }: {
    book: Book;
    names: readonly string[];
    files: BookFiles;
    state: FolderState;
    isRestored: (last: CopiedChapter) => boolean;
    isDeleting: boolean;
  },
  answer: Taken["answer"],
  render: RenderOptions,
): SyncedChapter[] {
  const { folder, copy } = state;
  const isGit = once(() => isInGit(folder));
  const sources = new Map(files.chapters.map(({ file, text }) => [file, { text, hash: hash(text) }]));
  const outcomes = new Map(answer.chapters.map(({ id, status }) => [id, status]));
  const listed = new Set(files.book?.chapters.map(({ file }) => file));
  // A file in conflict may hold the paragraphs of one that is gone.
  const isWaiting = answer.chapters.some(({ status }) => status === "conflict");
  // An older list that does not name a file belongs to a folder that never had it.
  const isNew = (file: string) => answer.older?.includes(BOOK_YAML) === true && !listed.has(file);
  return book.chapters.map((chapter, index): SyncedChapter => {
    const file = names[index] ?? ""; // one name a chapter
    const { id: chapterId } = chapter;
    const source = sources.get(file);
    const read = source?.hash;
    const last = copy.chapters.get(chapterId);
    const known = { chapter, file, chapterId, bytes: undefined, read };
    if (outcomes.get(chapterId) === "conflict") return { ...known, status: "conflict" };
    const isSame = source !== undefined && isFileInStep(copy, chapter, { file, ...source });
    if (isSame && !saysPartOtherwise(source.text, chapter)) return { ...known, status: "same" };
    const path = join(folder, file);
    const isGone = read === undefined && last !== undefined && !isNew(file) && statLink(path) === undefined;
    // A missing file whose chapter was deleted and restored since was not removed by the writer. A chapter that
    // --delete spares, because the manuscript has changed it, gets its file back.
    if (isGone && (isWaiting || (!isDeleting && !isRestored(last)))) return { ...known, status: "gone" };
    const out = renderChapter(chapter, file, render);
    if (read === hash(out.bytes)) return { ...known, bytes: out.bytes, status: "same" };
    return { ...known, ...changedFile(path, { text: source?.text, bytes: out.bytes, read }, isGit) };
  });
}

/** Plans a file that does not hold these bytes. In git one that differs in nothing but the number of its revision stays. */
function changedFile(
  path: string,
  { text, bytes, read }: { text: string | undefined; bytes: Buffer; read: string | undefined },
  isGit: () => boolean,
): Pick<SyncedChapter, "bytes" | "status" | "isStamp"> {
  const isStamp = text !== undefined && isSameButRevision(text, bytes.toString());
  if (isStamp && isGit()) return { bytes: Buffer.from(text), status: "same", isStamp };
  return { bytes, status: isUntouched(path, read) ? "written" : "busy", isStamp };
}

/** True if two files differ at most in the revision that their front matter names. */
function isSameButRevision(one: string, other: string): boolean {
  const bare = (text: string) =>
    text.replace(/^(\ufeff?---\r?\n(?:(?!---).*\n)*?)revision: *\d+(?=\r?\n)/, "$1");
  return bare(one) === bare(other);
}

/** True if a folder is part of a git working tree. */
function isInGit(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isInGit(dirname(folder)));
}

/**
 * Plans the folder's list for the existing files of chapters. Conflicting values stay as the list has them, and their
 * base stays what it was.
 */
function planList(
  { book: said, list: read }: BookFiles,
  { book, state, chapters }: { book: Book; state: FolderState; chapters: readonly SyncedChapter[] },
  { book: { conflicts } }: Taken["answer"],
  { style, yaml }: { style: FileStyle; yaml: Yaml },
): SyncedText {
  const present = chapters.flatMap(({ status, chapter, ...entry }) => {
    if (status === "deleted" || status === "gone") return [];
    // A file that was not brought up to date keeps its old base revision.
    const isBehind = status === "conflict" || status === "busy";
    const revision =
      (isBehind ? state.copy.chapters.get(chapter.id)?.revision : undefined) ?? chapter.revision;
    return [{ ...entry, chapter: { ...chapter, revision } }];
  });
  const last = state.copy.texts.get(BOOK_YAML);
  const readHash = read?.file === BOOK_YAML ? hash(read.text) : undefined;
  const known = { file: BOOK_YAML, chapterId: null, bytes: undefined, read: readHash };
  // The list holds the id of a chapter whose file does not. Rewriting a file in another style changes that.
  const withId = new Set(said?.chapters.flatMap(({ file, id }) => (id === undefined ? [] : [file])));
  const isStyled = present.every(
    ({ file, bytes }) => bytes === undefined || style.isPlain(file) === withId.has(file),
  );
  const isAsWritten = last?.isWritten === 1 && last.hash === readHash && last.text === read?.text;
  if (read !== undefined && isAsWritten && conflicts.length === 0)
    if (last.stored === signatureOfList(book, present, read.text) && isStyled)
      return { ...known, status: "same" };
  const listed = present.map((entry) => ({ ...entry, isPlain: style.isPlain(entry.file) }));
  const as = (other: ListedBook | undefined) => {
    if (other === undefined || conflicts.length === 0)
      return updateList(yaml, book, state, freshList(book, listed));
    const names = other.chapters.map(({ file }) => file);
    const ordered = conflicts.includes("order") ? inOrder(listed, ({ file }) => file, names) : listed;
    return updateList(yaml, book, state, freshList(book, ordered, describedBy(book, other, conflicts)));
  };
  const text = as(said);
  const common =
    last === undefined ? text : commonList(yaml, { text, as, last: last.text }, conflicts, chapters);
  const bytes = Buffer.from(text);
  const status =
    readHash === hash(bytes)
      ? "same"
      : isUntouched(join(state.folder, BOOK_YAML), readHash)
        ? "written"
        : "busy";
  const copied = { ...copiedList(book, present, text), text: common };
  return { ...known, bytes, status, copied: conflicts.length > 0 ? { ...copied, hash: "" } : copied };
}

/**
 * Returns the part of the list on which both sides agree. While a chapter is in conflict, it names the files that have
 * gone: the chapter may have their paragraphs.
 */
function commonList(
  yaml: Yaml,
  { text, as, last }: { text: string; as: (other: ListedBook) => string; last: string },
  conflicts: readonly string[],
  chapters: readonly SyncedChapter[],
): string {
  const isWaiting = chapters.some(({ status }) => status === "conflict");
  if (!isWaiting && conflicts.length === 0) return text;
  const before = readBookYaml(yaml, last);
  const common = conflicts.length === 0 ? text : as(before);
  return isWaiting ? withFilesOf(yaml, common, before) : common;
}

/** Returns the values of these keys in a list. */
function describedBy(
  book: Book,
  { title, goal, manifest, parts }: ListedBook,
  keys: readonly string[],
): Described {
  return {
    ...(keys.includes("title") && title !== undefined ? { title } : {}),
    ...(keys.includes("goal") ? { goal: goal ?? null } : {}),
    manifest: withKeysOf(book.manifest, manifest, keys),
    ...(keys.includes("order of the parts") ? { parts } : {}),
  };
}

/** Returns the size of a book of these chapters, with or without files in the folder. */
function sizeOf(chapters: readonly StoredChapter[]): Pick<SyncAnswer, "chapterCount" | "wordCount"> {
  return {
    chapterCount: chapters.length,
    wordCount: chapters.reduce((sum, { wordCount }) => sum + wordCount, 0),
  };
}

/**
 * True if a chapter's file is as this program last wrote it, and the chapter is as it was then. Unknown keys are
 * compared directly, because an undo changes them without a new revision.
 */
function isFileInStep(
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
function saysPartOtherwise(text: string, { part }: StoredChapter): boolean {
  const said = /^part *: *(.*?) *$/m.exec(blockOf(text).replace(/\r/g, ""))?.[1];
  return said !== undefined && said.replace(/^(["'])(.*)\1$/, "$2") !== (part ?? "");
}
