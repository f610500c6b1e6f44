import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { StoredChapter } from "../book/book.ts";
import { type Book, readWholeBook } from "../service/interchange/read-book.ts";
import { entriesInStep, factKind, noteKind, notesOf } from "../service/interchange/signatures.ts";
import {
  type CopiedChapter,
  type CopiedText,
  filesOf,
  isKnownText,
  originOf,
  readWorkingCopy,
  type WorkingCopy,
} from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { ANNOTATIONS, FACTS_YAML } from "./annotations/annotation-texts.ts";
import { makeFolder } from "./atomic-write.ts";
import type { Replacing } from "./disk/replace-files.ts";
import { hash, isFileWithin } from "./disk/text-file.ts";
import { type Exported, writeExported } from "./export/write-exported.ts";
import { namesAsImported } from "./file-names.ts";
import { BOOK_JSON, BOOK_YAML, type ListedBook, readBookJson, readBookYaml } from "./folder/manifest.ts";
import { bytesAsImported, type SaidBeside, titleOfFile } from "./folder/render-chapter.ts";
import { copiedChapter } from "./folder/render-folder.ts";
import { updatedList } from "./folder/update-list.ts";
import { compareNames } from "./layouts/folder.ts";
import { picturesOf } from "./pictures.ts";
import type { OutFile } from "./write-folder.ts";
import type { Yaml } from "./yaml/open.ts";

/**
 * Writes a book into a folder as the files in which it came in. It may be the original folder, if nobody has edited
 * the files there. Unchanged files are left alone. Returns the result for each chapter's file, and what the files
 * leave out. Throws `NotFound`, and `WouldLose` before anything is written.
 */
export async function exportAsImported(
  manuscript: Manuscript,
  bookId: string,
  path: string,
  { force = false, ...replacing }: Replacing & { force?: boolean } = {},
): Promise<Exported> {
  const { book, chapters, others, pictures, unsaid } = await renderAsImported(manuscript, bookId);
  makeFolder(path);
  const folder = realpathSync(path);
  const isOwn = readWorkingCopy(manuscript, { folder, bookId: book.id }).chapters.size > 0;
  const written = await writeExported(
    manuscript,
    { book, chapters, others, pictures },
    {
      ...{ folder, isOwn, force, replacing },
      isKnown: (file, bytes) => isKnownText(manuscript, { bookId: book.id, file }, hash(bytes)),
      recorded: recorded({ chapters, others }),
    },
  );
  return { ...written, unsaid };
}

/** Returns the rows for the working copy. A later import finds nothing new, and a sync writes its own format. */
function recorded({ chapters, others }: Pick<BookAsImported, "chapters" | "others">) {
  const texts = others.filter(({ file }) => !ANNOTATIONS.some((other) => other === file));
  return {
    chapters: chapters.map((chapter) => ({ ...copiedChapter(chapter), isWritten: 0 as const })),
    texts: texts.map(({ file, bytes }) => ({
      ...{ file, hash: hash(bytes), text: bytes.toString() },
      ...{ isWritten: 0 as const, stored: null },
    })),
  };
}

/** A book as the files in which it came in. */
export interface BookAsImported {
  book: Book;
  /** In reading order. */
  chapters: { chapter: StoredChapter; file: string; bytes: Buffer }[];
  /** The folder's list or index, facts and notes, if they came in. */
  others: OutFile[];
  pictures: ReturnType<typeof picturesOf>;
  /** Sentences on what these files leave out of the book. */
  unsaid: string[];
}

/** A chapter, its file, and its imported text; undefined for a chapter that was not imported. */
interface Arrival {
  chapter: StoredChapter;
  file: string;
  cameIn: CopiedChapter | undefined;
}

/** A book and its records of import. */
interface Arrived {
  manuscript: Manuscript;
  yaml: Yaml;
  book: Book;
  arrivals: readonly Arrival[];
  /** Folder that all of it came from; "" if there is no single one. */
  folder: string;
  copy: WorkingCopy | undefined;
  /** The folder's own list and its content; undefined if there is none that names chapters. */
  list: (CopiedText & { says: ListedBook }) | undefined;
  /** Other files of the folder that were read: another program's index, facts and notes. */
  texts: readonly CopiedText[];
}

/**
 * Renders a book as the files that came in, with their names, their front matter or none, and the folder's list. A
 * file differs only by later edits, and gets front matter only if an edit needs it. Throws `NotFound`.
 */
export async function renderAsImported(manuscript: Manuscript, bookId: string): Promise<BookAsImported> {
  const yaml = await import("yaml");
  const beside = await import("./annotations/write-annotations.ts");
  return manuscript.store.snapshot(() => {
    const book = readWholeBook(manuscript, bookId, { annotate: beside.readAnnotations });
    const arrived = arrivedOf(manuscript, book, yaml);
    const { arrivals, list, texts, folder } = arrived;
    const chapters = arrivals.map(({ chapter, file, cameIn }) => {
      const said = saidBeside(arrived, { chapter, file, cameIn });
      return { chapter, file, bytes: bytesAsImported(chapter, said, { parts: book.parts, yaml }) };
    });
    const listed = list && { file: list.file, bytes: Buffer.from(updatedList(yaml, list, book, arrivals)) };
    const names = arrivals.map(({ file }) => file);
    const rendered = () =>
      beside.exportAnnotations(manuscript, book, folder, { names, force: false, yaml }).files;
    const others = texts.flatMap((text): OutFile[] => {
      if (!isAnnotation(text)) return [{ file: text.file, bytes: Buffer.from(text.text) }];
      const same = sameAnnotation(arrived, text);
      return same === undefined ? rendered().filter(({ file }) => file === text.file) : [same];
    });
    return {
      book,
      chapters,
      others: listed ? [listed, ...others] : others,
      unsaid: unsaidOf(arrived),
      pictures: picturesOf(book.chapters),
    };
  });
}

function arrivedOf(manuscript: Manuscript, book: Book, yaml: Yaml): Arrived {
  const origins = book.chapters.map(({ id }) => originOf(manuscript, id));
  const folders = new Set(origins.flatMap((origin) => origin?.folder ?? []));
  const [folder = ""] = folders.size === 1 ? folders : [];
  const copy = folder === "" ? undefined : readWorkingCopy(manuscript, { folder, bookId: book.id });
  const all = [...(copy?.texts.values() ?? [])];
  const lists = [BOOK_YAML, BOOK_JSON].flatMap((name) => all.find(({ file }) => file === name) ?? []);
  const [list] = lists.map((text) => ({
    ...text,
    says: text.file === BOOK_JSON ? readBookJson(text.text) : readBookYaml(yaml, text.text),
  }));
  const toName = book.chapters.map(({ title, part, file }, index) => ({
    ...{ title, part },
    file: file ?? origins[index]?.file ?? null,
  }));
  const names = namesAsImported(toName, book.parts);
  return {
    ...{ manuscript, yaml, book, folder, copy, list },
    arrivals: book.chapters.map((chapter, index) => ({
      chapter,
      file: names[index] ?? "", // one name a chapter
      cameIn: origins[index],
    })),
    texts: all.filter(({ file }) => file !== BOOK_YAML && file !== BOOK_JSON),
  };
}

/** Returns the title and part that file and folder imply without the file's front matter. */
function saidBeside({ list, arrivals }: Arrived, { chapter, file, cameIn }: Arrival): SaidBeside {
  const { title, part } = chapter;
  const entry = list?.says.chapters.find((other) => other.file === file);
  const isListed = list !== undefined && list.says.chapters.length > 0;
  const isTitled = isListed && (entry === undefined || entry.title !== undefined);
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
  const neighbour = arrivals.find((other) => other.cameIn && folderOf(other.file) === folderOf(file));
  return {
    titleOfFile: () => (isTitled || title === cameIn?.title ? title : titleOfFile(chapter, file)),
    partOfFile: isListed ? part : ((cameIn ?? neighbour?.cameIn)?.part ?? null),
  };
}

function isAnnotation({ file }: Pick<CopiedText, "file">): boolean {
  return ANNOTATIONS.some((other) => other === file);
}

/** Returns a file of facts or notes as it lies in its folder, if it equals the manuscript; else undefined. */
function sameAnnotation({ manuscript, book, folder, copy }: Arrived, text: CopiedText): OutFile | undefined {
  const { file } = text;
  if (!isFileWithin(folder, file)) return undefined;
  const bytes = readFileSync(join(folder, file));
  const read = { hash: hash(bytes) };
  const notes = () =>
    noteKind(manuscript, book.id, { stored: notesOf(manuscript.store, book.id), files: filesOf(copy) });
  const inStep =
    file === FACTS_YAML
      ? entriesInStep(text, read, factKind(manuscript, book.id))
      : entriesInStep(text, read, notes());
  return inStep && { file, bytes };
}

function unsaidOf({ book, arrivals, copy, list, texts }: Arrived): string[] {
  const { facts = [], notes = [] } = book.annotations ?? {};
  const has = (file: string) => texts.some((text) => text.file === file);
  const isListed = list !== undefined && list.says.chapters.length > 0;
  const index = texts.find((text) => !isAnnotation(text))?.file;
  const beside = [
    ...(facts.length > 0 && !has(FACTS_YAML) ? ["facts"] : []),
    ...(notes.length > 0 && !has("notes.yaml") ? ["notes"] : []),
  ];
  return [
    ...(beside.length === 0
      ? []
      : [
          `No file of the book's ${beside.join(" and ")} came in, and none is written; an export without --as-imported has them.`,
        ]),
    ...(!isListed && index !== undefined && hasOtherChapters(arrivals, copy)
      ? [`${index} is as it came in: chapters that came, went or moved since have to be put right there.`]
      : []),
    ...(!isListed && index === undefined && isOutOfOrder(arrivals)
      ? ["By their names, the files stand in another order than the chapters of the book."]
      : []),
  ];
}

/** True if chapters were added, removed or moved since a folder was imported. They were recorded in its order. */
function hasOtherChapters(arrivals: readonly Arrival[], copy: WorkingCopy | undefined): boolean {
  const numbers = arrivals.map(({ cameIn }) => cameIn?.seq ?? 0);
  const isInOrder = numbers.every((seq, index) => seq > (numbers[index - 1] ?? 0));
  const known = new Set(arrivals.map(({ chapter }) => chapter.id));
  return !isInOrder || [...(copy?.chapters.keys() ?? [])].some((id) => !known.has(id));
}

function isOutOfOrder(arrivals: readonly Arrival[]): boolean {
  return arrivals.some(
    ({ file }, index) => index > 0 && compareNames(arrivals[index - 1]?.file ?? "", file) > 0,
  );
}
