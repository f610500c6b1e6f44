import { rmSync } from "node:fs";
import { join } from "node:path";
import { inOrder } from "../book/merge-description.ts";
import type { ActId, BookId, ChapterId } from "../ids.ts";
import { deleteChapter } from "../service/books/chapters.ts";
import { withBlockIds } from "../service/interchange/export-block-ids.ts";
import type { Taken } from "../service/interchange/import-book.ts";
import { type Book, readBook } from "../service/interchange/read-book.ts";
import { signatureOfList } from "../service/interchange/signatures.ts";
import {
  ANYWHERE,
  type CopiedChapter,
  isRestoredSince,
  readWorkingCopy,
  recordWritten,
} from "../service/interchange/working-copy.ts";
import { type Manuscript, write } from "../service/manuscript.ts";
import { type SyncedText, syncAnnotations } from "./annotations/write-annotations.ts";
import { copyPictures } from "./copy-pictures.ts";
import { hash, statLink, statOf } from "./disk/text-file.ts";
import { isUntouched, type OutFile, writeFolder } from "./disk/write-folder.ts";
import type { BookFiles } from "./folder/book-files.ts";
import { type FileStyle, styleOfFiles } from "./folder/file-style.ts";
import { BOOK_YAML, type ListedBook, readBookYaml } from "./folder/manifest.ts";
import {
  copiedChapter,
  copiedList,
  type Described,
  type FolderState,
  freshList,
  placeFiles,
  type RenderOptions,
  renderAgain,
  updateList,
} from "./folder/render-folder.ts";
import type { SyncAnswer, SyncedFile } from "./folder/synced-file.ts";
import type { NamedChapter } from "./folder/write-book-yaml.ts";
import { isFileInStep, saysPartOtherwise, sizeOf } from "./in-step.ts";
import { picturesOf } from "./pictures.ts";
import { type TakeOptions, takeIn } from "./take-in.ts";
import type { Yaml } from "./yaml/open.ts";

/** How a folder is brought in step. */
export interface SyncOptions extends TakeOptions {
  dryRun?: boolean;
}

/** What a sync is to write, in the folder and into the working copy. */
interface Outgoing {
  chapters: readonly SyncedChapter[];
  annotations: readonly SyncedText[];
  list: SyncedText;
  removed: readonly { file: string; chapterId: ChapterId; status: "removed" | "orphaned" }[];
  /** Those that the files to be written refer to. */
  pictures: ReturnType<typeof picturesOf>;
}

/** A chapter's file and what is to become of it; one in step is not rendered. */
interface SyncedChapter extends Omit<NamedChapter, "isPlain">, SyncedFile {
  chapterId: ChapterId;
}

/**
 * Brings a folder and its book in step after something has changed on either side; `syncFolder` says how. Throws what an
 * import throws.
 */
export async function syncChanged(
  manuscript: Manuscript,
  files: BookFiles,
  place: { folder: string; bookId: BookId },
  { dryRun = false, ...options }: Omit<SyncOptions, "bookId">,
): Promise<SyncAnswer> {
  const yaml = await import("yaml");
  const caller = { source: "cli" as const, dryRun, skipsEmpty: true };
  const { out, act, ...answer } = write(manuscript, "importBook", caller, (current) => {
    const settle = takeIn(manuscript, current, { files, yaml }, { ...options, bookId: place.bookId });
    return () => {
      const taken = settle();
      return { ...taken.answer, out: planFolder(manuscript, files, place, { taken, yaml, options }) };
    };
  });
  const deletions = dryRun ? [] : await writeOut(manuscript, place, out);
  const pictures = dryRun ? [] : await copyPictures(manuscript, place.folder, out);
  const told = [...out.chapters, ...out.annotations, out.list, ...out.removed];
  const left = out.chapters.flatMap(({ chapter, status }) => (status === "deleted" ? [] : [chapter]));
  return {
    ...answer,
    act,
    ...sizeOf(left),
    files: told.map(({ file, chapterId, status }) => ({ file, chapterId, status })),
    deletions,
    pictures,
  };
}

/** What the folder is to hold, once the import has been written: within its transaction, also of a dry run. */
function planFolder(
  manuscript: Manuscript,
  files: BookFiles,
  place: { folder: string; bookId: BookId },
  { taken, yaml, options }: { taken: Taken; yaml: Yaml; options: Omit<SyncOptions, "bookId"> },
): Outgoing {
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
  const chapters = planChapters({ book, names, files, state, isRestored }, answer, render, options);
  const isOurs = (file: string) =>
    options.delete === true && isUntouched(join(folder, file), hashOfText(files, file));
  const removed = answer.deleted.map(({ id: chapterId, file }) => ({
    file,
    chapterId,
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
  }: {
    book: Book;
    names: readonly string[];
    files: BookFiles;
    state: FolderState;
    isRestored: (last: CopiedChapter) => boolean;
  },
  answer: Taken["answer"],
  render: RenderOptions,
  { delete: isDeleting, force }: Pick<SyncOptions, "delete" | "force">,
): SyncedChapter[] {
  const { folder, copy } = state;
  const sources = new Map(files.chapters.map(({ file, text }) => [file, { text, hash: hash(text) }]));
  const outcomes = new Map(answer.chapters.map(({ id, status }) => [id, status]));
  const listed = new Set(files.book?.chapters.map(({ file }) => file));
  return book.chapters.map((chapter, index): SyncedChapter => {
    const file = names[index] ?? ""; // one name a chapter
    const { id: chapterId } = chapter;
    const source = sources.get(file);
    const read = source?.hash;
    const last = copy.chapters.get(chapterId);
    const known = { chapter, file, chapterId, bytes: undefined };
    if (outcomes.get(chapterId) === "conflict") return { ...known, status: "conflict" };
    const isSame = source !== undefined && isFileInStep(copy, chapter, { file, ...source });
    if (isSame && !saysPartOtherwise(source.text, chapter)) return { ...known, status: "same" };
    const path = join(folder, file);
    const isGone = read === undefined && last !== undefined && statLink(path) === undefined;
    // An older list that does not name it is of a folder that never had it.
    const isUnknown = answer.older?.includes(BOOK_YAML) === true && !listed.has(file);
    // A file whose chapter was deleted and brought back since is not gone by the writer's hand.
    if (isGone && !isUnknown && !isRestored(last)) {
      if (!isDeleting) return { ...known, status: "gone" };
      // What the manuscript has changed since is not gone with a file that never said it: the file comes back.
      if (last.revision === chapter.revision || force === "incoming") return { ...known, status: "deleted" };
    }
    const present = source && Buffer.from(source.text);
    const isLikely = outcomes.get(chapterId) === "updated";
    const out = renderAgain(chapter, file, render, { present, isLikely });
    if (read === hash(out.bytes)) return { ...known, bytes: out.bytes, status: "same" };
    return { ...known, bytes: out.bytes, status: isUntouched(path, read) ? "written" : "busy" };
  });
}

/**
 * The folder's own list over the chapters' files that are there. What both sides changed of the book stays as the list has
 * it, and what they had in common stays what it was.
 */
function planList(
  { book: said, list: read }: BookFiles,
  { book, state, chapters }: { book: Book; state: FolderState; chapters: readonly SyncedChapter[] },
  { book: { conflicts } }: Taken["answer"],
  { style, yaml }: { style: FileStyle; yaml: Yaml },
): SyncedText {
  const present = chapters.flatMap(({ status, chapter, ...entry }) => {
    if (status === "deleted" || status === "gone") return [];
    // A file that was not brought up to date still goes back to the revision that it was last the same as.
    const isBehind = status === "conflict" || status === "busy";
    const revision =
      (isBehind ? state.copy.chapters.get(chapter.id)?.revision : undefined) ?? chapter.revision;
    return [{ ...entry, chapter: { ...chapter, revision } }];
  });
  const last = state.copy.texts.get(BOOK_YAML);
  const known = { file: BOOK_YAML, chapterId: null, bytes: undefined };
  // The list says the id of a chapter whose file does not: a file that was written otherwise than before changes that.
  const withId = new Set(said?.chapters.flatMap(({ file, id }) => (id === undefined ? [] : [file])));
  const isStyled = present.every(
    ({ file, bytes }) => bytes === undefined || style.isPlain(file) === withId.has(file),
  );
  const readHash = read?.file === BOOK_YAML ? hash(read.text) : undefined;
  if (read !== undefined && last?.isWritten === 1 && last.hash === readHash && conflicts.length === 0)
    if (last.stored === signatureOfList(book, present, read.text) && isStyled)
      return { ...known, status: "same" };
  const listed = present.map((entry) => ({ ...entry, isPlain: style.isPlain(entry.file) }));
  const as = (other: ListedBook | undefined) => {
    if (other === undefined || conflicts.length === 0)
      return updateList(yaml, book, state, freshList(book, listed));
    const names = other.chapters.map(({ file }) => file);
    const ordered = conflicts.includes("order") ? inOrder(listed, ({ file }) => file, names) : listed;
    return updateList(yaml, book, state, freshList(book, ordered, describedBy(other, conflicts)));
  };
  const text = as(said);
  const common = conflicts.length === 0 || last === undefined ? text : as(readBookYaml(yaml, last.text));
  const bytes = Buffer.from(text);
  const status =
    readHash === hash(bytes)
      ? "same"
      : isUntouched(join(state.folder, BOOK_YAML), readHash)
        ? "written"
        : "busy";
  return { ...known, bytes, status, copied: copiedList(book, present, text, common) };
}

/** What a list says of these keys of a book. */
function describedBy({ title, goal, manifest, parts }: ListedBook, keys: readonly string[]): Described {
  return {
    ...(keys.includes("title") && title !== undefined ? { title } : {}),
    ...(keys.includes("goal") ? { goal: goal ?? null } : {}),
    ...(keys.includes("other keys") ? { manifest } : {}),
    ...(keys.includes("order of the parts") ? { parts } : {}),
  };
}

/** Deletes, writes and records what is planned; the acts that deleted chapters. */
async function writeOut(
  manuscript: Manuscript,
  place: { folder: string; bookId: BookId },
  { chapters, annotations, list, removed }: Outgoing,
): Promise<ActId[]> {
  const deletions = chapters.flatMap(({ chapterId, status }) => {
    if (status !== "deleted") return [];
    const { act } = deleteChapter(manuscript, chapterId, { source: "cli" });
    return act === null ? [] : [act as ActId]; // a dry run has none
  });
  for (const { file, status } of removed) if (status === "removed") rmSync(join(place.folder, file));
  statOf(place.folder, `folder ${place.folder}`); // one that went meanwhile is not made again
  const files = [...chapters, ...annotations, list].flatMap(({ file, bytes, status }): OutFile[] =>
    status === "written" && bytes !== undefined ? [{ file, bytes }] : [],
  );
  const isInStep = ({ status }: Pick<SyncedFile, "status">) => status === "written" || status === "same";
  const record = (folder: string) =>
    recordWritten(
      manuscript,
      { ...place, folder },
      {
        chapters: chapters.flatMap(({ bytes, ...entry }) =>
          isInStep(entry) && bytes !== undefined ? [copiedChapter({ ...entry, bytes })] : [],
        ),
        texts: [...annotations, list].flatMap((text) => (isInStep(text) && text.copied ? [text.copied] : [])),
      },
    );
  await writeFolder(place.folder, files, { mayOverwrite: () => true, checked: () => record(ANYWHERE) });
  record(place.folder);
  return deletions;
}
