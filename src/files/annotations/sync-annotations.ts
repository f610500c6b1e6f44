import { join } from "node:path";
import type { ChapterId } from "../../ids.ts";
import type { BookExport } from "../../service/interchange/export-book.ts";
import type { ImportAnswer } from "../../service/interchange/import-book.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import type { BookFiles } from "../book-files.ts";
import { readRegular, statLink } from "../disk/text-file.ts";
import type { OutFile } from "../disk/write-folder.ts";
import { splitFrontMatter } from "../folder/front-matter.ts";
import { hash } from "../folder/render-folder.ts";
import { BESIDE, hadBeside } from "./annotation-files.ts";
import { FACTS_YAML } from "./facts-yaml.ts";
import { NOTES_YAML } from "./notes-yaml.ts";
import { besideFiles, type Held, type HeldFile } from "./render-annotations.ts";

/**
 * What became of a chapter's file: `gone` was there before and is not any more, `deleted` the same, and its chapter was
 * deleted as well; `orphaned` stays although its chapter was deleted in the manuscript, `removed` does not; `conflict`
 * and `busy` were not touched.
 */
export type SyncedStatus =
  | "written"
  | "same"
  | "gone"
  | "deleted"
  | "orphaned"
  | "removed"
  | "conflict"
  | "busy";

/** A file that a sync looked at, as it would be now. */
export interface SyncedFile extends OutFile {
  chapterId: ChapterId | null;
  status: SyncedStatus;
}

/** What the entries of the files beside the chapters are in the manuscript. */
export interface BesideIds {
  facts: readonly string[];
  notes: readonly string[];
}

/** What a sync has come to so far: the chapters' files, the import's answer, and the book as it is then. */
export interface Synced {
  book: BookExport;
  names: readonly OutFile[];
  answer: ImportAnswer;
  ids: BesideIds;
}

/**
 * What becomes of the files beside the chapters: one that says something else is written, but for entries that its writer
 * took out; one that is gone, or has an entry in conflict, is not touched. A folder of prose alone gets none.
 */
export async function syncBeside(
  manuscript: Manuscript,
  { folder = "", beside: texts = {}, chapters }: BookFiles,
  { book, names, answer, ids }: Synced,
): Promise<SyncedFile[]> {
  const outcomes = new Map([
    [FACTS_YAML, answer.facts.map(({ status }) => status)],
    [NOTES_YAML, answer.notes.map(({ status }) => status)],
  ]);
  const isPlain =
    chapters.length > 0 && chapters.every(({ text }) => splitFrontMatter(text).frontMatter === "");
  const files = await besideFiles(book, names, heldBy(texts, answer, ids));
  const statusOf = ({ file, bytes }: OutFile): SyncedStatus => {
    const text = texts[file];
    if (outcomes.get(file)?.includes("conflict")) return "conflict";
    if (text !== undefined && hash(text) === hash(bytes)) return "same";
    if (text === undefined && hadBeside(manuscript, { folder, bookId: book.id }, file)) return "gone";
    return isUntouched(join(folder, file), text === undefined ? undefined : hash(text)) ? "written" : "busy";
  };
  return files
    .filter(({ file }) => texts[file] !== undefined || !isPlain)
    .map((file) => ({ ...file, chapterId: null, status: statusOf(file) }));
}

function heldBy(
  texts: Readonly<Record<string, string>>,
  { facts, notes }: ImportAnswer,
  ids: BesideIds,
): Held {
  const known = { [FACTS_YAML]: ids.facts, [NOTES_YAML]: ids.notes };
  const files = BESIDE.flatMap((file): [string, HeldFile][] => {
    const text = texts[file];
    return text === undefined ? [] : [[file, { text, ids: known[file] }]];
  });
  const gone = [...facts, ...notes].filter((entry) => entry.gone === "file").map(({ id }) => id);
  return { files: Object.fromEntries(files), gone: new Set(gone) };
}

/** Whether a file is as it was read; undefined: it was not there. */
export function isUntouched(path: string, readHash: string | undefined): boolean {
  const stat = statLink(path);
  if (stat === undefined) return readHash === undefined;
  return readHash !== undefined && stat.isFile() && readHash === hash(readRegular(path, path));
}
