import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Taken } from "../../service/interchange/import-book.ts";
import { readAnnotations } from "../../service/interchange/read-annotations.ts";
import { type Book, hasAnnotations } from "../../service/interchange/read-book.ts";
import { type Recorded, readWorkingCopy, type WorkingCopy } from "../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { once } from "../../text/once.ts";
import type { BookFiles } from "../book-files.ts";
import { hash } from "../disk/text-file.ts";
import type { FileStyle } from "../folder/file-style.ts";
import type { SyncedFile, SyncedStatus } from "../folder/synced-file.ts";
import { schemaFiles } from "../format/schemas.ts";
import { isUntouched, type OutFile } from "../write-folder.ts";
import type { Yaml } from "../yaml/open.ts";
import { knownAnnotations } from "./annotation-files.ts";
import { ANNOTATIONS, FACTS_YAML, readAnnotationFiles } from "./annotation-texts.ts";
import { renderAnnotations, tryRead } from "./render-annotations.ts";

export { readAnnotations } from "../../service/interchange/read-annotations.ts";

/** The facts and notes of a book as files of a folder. */
export interface AnnotationsOut {
  files: OutFile[];
  /** Files of the folder that are as they came into the manuscript. An export may change them. */
  known: ReadonlySet<string>;
  /** Rows that the working copy keeps of the files. */
  copied: Recorded["texts"] & object;
}

/**
 * Renders a book's facts and notes as files; `names` are the chapters' files. What is recorded comes from the
 * transaction in which the book was read: later writes of others are not in the files.
 */
export function exportAnnotations(
  manuscript: Manuscript,
  book: Book,
  folder: string,
  {
    names,
    force,
    yaml,
    isSchemed = false,
  }: { names: readonly string[]; force: boolean; yaml: Yaml; isSchemed?: boolean },
): AnnotationsOut {
  const filesOfChapters = new Map(book.chapters.map(({ id }, index) => [id, names[index] ?? ""]));
  const where = {
    bookId: book.id,
    files: filesOfChapters,
    copy: readWorkingCopy(manuscript, { folder, bookId: book.id }),
  };
  const held = new Map(
    (force ? [] : readAnnotationFiles(folder)).flatMap((text) => {
      const known = tryRead(() => knownAnnotations(manuscript, where, text, yaml));
      return known?.isImported ? [[text.file, { text: text.text, ids: known.ids }]] : [];
    }),
  );
  const files = ANNOTATIONS.flatMap(
    (file) =>
      renderAnnotations(yaml, book, {
        file,
        names,
        held: held.get(file),
        isSchemed: isSchemed && !existsSync(join(folder, file)),
      }) ?? [],
  );
  const copied = files.flatMap(
    ({ file, bytes }) =>
      knownAnnotations(manuscript, where, { file, text: bytes.toString() }, yaml)?.copied ?? [],
  );
  return { files, known: new Set(held.keys()), copied };
}

/** State of a sync after the import: the book, its files, and the import's answer. */
export interface SyncedBook {
  book: Book;
  names: readonly string[];
  taken: Taken;
  copy: WorkingCopy;
}

/** A file besides the chapters, and the rows that the working copy keeps of it once it is in step. */
export interface SyncedText extends SyncedFile {
  copied?: NonNullable<Recorded["texts"]>[number] | undefined;
}

/**
 * Plans the annotation files. A file that differs is written, without the entries that its writer removed. A missing
 * file, and one with an entry in conflict, is not touched. A folder of plain prose gets none.
 */
export function syncAnnotations(
  manuscript: Manuscript,
  { folder = "", annotations = [], chapters }: BookFiles,
  { book, names, taken, copy }: SyncedBook,
  { yaml, style }: { yaml: Yaml; style: FileStyle },
): SyncedText[] {
  const { answer, factIds, noteIds, sameFiles } = taken;
  const annotated = once(() => ({ ...book, annotations: readAnnotations(manuscript, book.id) }));
  const isPlain = () => chapters.length > 0 && chapters.every(({ file }) => style.isPlain(file ?? ""));
  const has = once(() => hasAnnotations(manuscript, book.id));
  const files = new Map(book.chapters.map(({ id }, index) => [id, names[index] ?? ""]));
  const where = { bookId: book.id, files, copy };
  return ANNOTATIONS.flatMap((file): SyncedText[] => {
    const text = annotations.find((other) => other.file === file)?.text;
    if (text !== undefined && sameFiles.has(file) && copy.texts.get(file)?.isWritten === 1)
      return [{ file, bytes: undefined, chapterId: null, status: "same" }];
    const read = text === undefined ? undefined : hash(text);
    if (text === undefined && (!has()[file === FACTS_YAML ? "facts" : "notes"] || isPlain())) return [];
    const [ids, outcomes] = file === FACTS_YAML ? [factIds, answer.facts] : [noteIds, answer.notes];
    const gone = new Set(outcomes.flatMap((entry) => (entry.gone === "file" ? [entry.id] : [])));
    const held = text === undefined ? undefined : { text, ids, gone };
    const isSchemed =
      text === undefined && schemaFiles().every((schema) => existsSync(join(folder, schema.file)));
    const out = renderAnnotations(yaml, annotated(), { file, names, held, isSchemed });
    if (out === undefined) return [];
    const statusOf = (): SyncedStatus => {
      if (outcomes.some(({ status }) => status === "conflict")) return "conflict";
      if (read === hash(out.bytes)) return "same";
      if (read === undefined && copy.texts.has(file)) return "gone";
      return isUntouched(join(folder, file), read) ? "written" : "busy";
    };
    const status = statusOf();
    const isInStep = status === "written" || status === "same";
    const copied = isInStep
      ? knownAnnotations(manuscript, where, { file, text: out.bytes.toString() }, yaml)?.copied
      : undefined;
    return [{ ...out, chapterId: null, status, copied, read }];
  });
}
