import type { IncomingFields, NoteFields } from "../../book/book.ts";
import type { IncomingBook } from "../../book/merge-book.ts";
import type { BookPlan, ChapterPlan } from "../../book/plan.ts";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { BookId, ChapterId, SnippetId } from "../../ids.ts";
import type { Act } from "../../store/file/sql.ts";
import { listParts } from "../../store/rows/books.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { recordCopied } from "../../store/working-copies.ts";
import type { Side } from "../../three-way.ts";
import { dropChapter } from "../books/chapters.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { tellMoves } from "../prose/map-moves.ts";
import { applyBookPlan, type Outcome, type PlannedChapters } from "./apply-book-plan.ts";
import type { EntryFile } from "./apply-entries.ts";
import { assertImportable } from "./import/assert-importable.ts";
import { type BaseRows, findBaseRows } from "./import/base-rows.ts";
import { assertNotShrunk, describeOutcome, listGoing } from "./import/describe-outcome.ts";
import {
  addFacts,
  type ImportedEntries,
  type IncomingFact,
  type IncomingFactEntry,
  importFacts,
} from "./import-facts.ts";
import { addNotes, type ForeignNote, type IncomingNoteEntry, importNotes } from "./import-notes.ts";
import { type Book, readBook } from "./read-book.ts";
import { type EntryKind, entriesInStep, factKind, noteKind, notesOf } from "./signatures.ts";
import {
  filesOf,
  isRestoredSince,
  type Recorded,
  readWorkingCopy,
  type WorkingCopy,
} from "./working-copy.ts";

/** Everything that files bring to a book. */
export interface IncomingFiles extends IncomingBook {
  /** Folder of the files. Its last exchange with the book is the base of the merge. */
  folder?: string | undefined;
  /** Text of the folder's own list. */
  list?: { file: string; hash: string; text: string } | undefined;
  /** Indexes of another program, remembered unchanged. */
  indexes?: readonly { file: string; hash: string; text: string }[] | undefined;
  facts?: EntryFile<IncomingFactEntry> | undefined;
  notes?: EntryFile<IncomingNoteEntry> | undefined;
  /** Notes to add, unless their chapter has one of that text. */
  remarks?: readonly ForeignNote[] | undefined;
  /** Facts to add, unless the book has one of that name and kind. */
  tags?: readonly IncomingFact[] | undefined;
}

/** Options for applying a plan. */
export interface ApplyOptions {
  force?: Side | undefined;
  /** True if a chapter may lose more than half of its words. */
  yes?: boolean | undefined;
  /**
   * True to delete entries missing from their file, and chapters whose files are missing, unless the manuscript has
   * changed them since.
   */
  delete?: boolean | undefined;
  /** True to list changes word by word. */
  diff?: boolean | undefined;
  /** Throws if these paragraphs must not leave the book. Not called with `yes`. */
  mayGo?: ((texts: readonly string[]) => void) | undefined;
  /** Called within the act, once the chapters are written. */
  keep?: ((bookId: BookId, chapters: readonly Outcome[]) => void) | undefined;
  /** Called with the number of files written. */
  step?: ((done: number) => void) | undefined;
}

/** Answer of an import, with the outcome for each file. */
export type ImportAnswer = LocalAnswer<"imported">;
/** Differing changes of both sides to a chapter. */
export type ImportConflict = NonNullable<ImportAnswer["chapters"][number]["conflict"]>;

/** Result of an import within its act, with the ids of its files' entries. */
export interface Taken {
  answer: Omit<ImportAnswer, "act">;
  factIds: readonly string[];
  noteIds: readonly string[];
  /** Files of entries that have not changed since the last exchange on either side. */
  sameFiles: ReadonlySet<string>;
  /** Chapters that were deleted because their files are gone. */
  dropped: BookPlan["gone"];
}

/** The manuscript's side of an import: the book as it stands, and the folder's last exchange. */
export interface OwnSides {
  stored: Book | undefined;
  copy: WorkingCopy | undefined;
  /** Finds the exchange on which each file is based; undefined if the folder is forced. */
  rows: BaseRows | undefined;
  notes: ReadonlyMap<SnippetId, NoteFields>;
}

/**
 * Reads the manuscript's side, empty for a new book. If the folder is forced, the newest exchange is the base. Throws
 * `NotFound`.
 */
export function readOwnSides(
  manuscript: Manuscript,
  bookId: BookId | undefined,
  { folder, list, chapters, facts, notes }: IncomingFiles,
  force?: Side,
): OwnSides {
  if (bookId === undefined) return { stored: undefined, copy: undefined, rows: undefined, notes: new Map() };
  const place = folder === undefined ? undefined : { folder, bookId };
  const copy = place && readWorkingCopy(manuscript, place);
  const texts = [list, facts, notes].filter((file) => file !== undefined);
  return {
    stored: readBook(manuscript, bookId),
    copy,
    rows:
      copy && force !== "incoming"
        ? findBaseRows(manuscript.store, place, copy, { chapters, texts })
        : undefined,
    notes: notesOf(manuscript.store, bookId),
  };
}

/** A parsed and planned import. */
export interface ReadyImport {
  plan: BookPlan;
  planned: PlannedChapters;
  files: IncomingFiles;
  own: OwnSides;
}

/**
 * Applies a plan and the files of entries within an act, and records the new base. Chapters without a file stay.
 * Returns a function that makes the answer, once the act is derived. Throws `BadRequest`, `WouldLose`.
 */
export function applyImport(
  manuscript: Manuscript,
  act: Act,
  { files, own, ...ready }: ReadyImport,
  { force, yes = false, delete: isDeleting = false, diff = false, ...calls }: ApplyOptions,
): () => Taken {
  const { plan } = ready;
  assertAllImportable(plan, force);
  const { bookId, outcomes } = applyBookPlan(manuscript, act, ready, calls.step ?? (() => {}));
  const where = { bookId, copy: own.copy, rows: own.rows, force, isDeleting };
  const entries = takeAnnotations(manuscript, act, { files, own, where }, outcomes);
  const { facts, notes, tagged, remarked } = entries;
  const dropped = isDeleting ? toDrop(manuscript, plan, { files, own, force }) : [];
  if (!yes) {
    calls.mayGo?.(listGoing(plan, outcomes, dropped));
    assertNotShrunk(manuscript, outcomes, plan.moves);
  }
  const moved = describeMoves(manuscript, plan, outcomes);
  for (const { stored } of dropped) dropChapter(manuscript, act, stored.id);
  calls.keep?.(bookId, outcomes);
  return () => {
    if (files.folder !== undefined) {
      const texts = brought([facts, notes], copiedList(plan, files), own.rows);
      const chapters = copiedChapters(manuscript, { bookId, copy: own.copy, plan }, outcomes);
      recordCopied(manuscript.store, { folder: files.folder, bookId }, { texts, chapters }, act.seq);
    }
    return {
      answer: {
        bookId,
        title: theBook(manuscript, bookId).title,
        book: plan.outcome,
        deleted: plan.deleted.map(({ id, file }) => ({ id, file })),
        moved,
        chapters: outcomes.map((outcome) => describeOutcome(manuscript, outcome, diff)),
        facts: [...(facts?.outcomes ?? []), ...tagged],
        notes: [...(notes?.outcomes ?? []), ...remarked],
        ...olderOf(own.rows),
      },
      factIds: facts?.ids ?? [],
      noteIds: notes?.ids ?? [],
      sameFiles: new Set([...sameFile(files.facts, facts), ...sameFile(files.notes, notes)]),
      dropped,
    };
  };
}

/** Imports the files of facts and notes, and the facts and notes in other files. */
function takeAnnotations(
  manuscript: Manuscript,
  act: Act,
  {
    files,
    own,
    where,
  }: {
    files: IncomingFiles;
    own: OwnSides;
    where: Omit<Parameters<typeof importFacts>[2], "kind" | "chapters">;
  },
  outcomes: readonly Outcome[],
) {
  const { bookId } = where;
  const { facts: factFile, notes: noteFile, tags = [], remarks = [] } = files;
  const placed = new Map([...filesOf(own.copy), ...outcomes.map(({ id, file }) => [id, file] as const)]);
  const facts =
    factFile &&
    takeEntries(own.copy, factFile, factKind(manuscript, bookId), (kind) =>
      importFacts(manuscript, act, { ...where, kind, chapters: placed }, factFile),
    );
  const ofNotes = noteKind(manuscript, bookId, { stored: own.notes, files: placed });
  const notes =
    noteFile &&
    takeEntries(own.copy, noteFile, ofNotes, (kind) =>
      importNotes(manuscript, act, { ...where, kind, chapters: outcomes }, noteFile),
    );
  const tagged = addFacts(manuscript, act, bookId, tags);
  const remarked = addNotes(manuscript, act, { bookId, chapters: outcomes }, remarks);
  return { facts, notes, tagged, remarked };
}

/**
 * Finds chapters to delete: those whose files are gone, unless the manuscript has changed or restored them since, or
 * only an older list lacks them. None while a file waits for a conflict to be resolved: it may hold their paragraphs.
 */
function toDrop(
  manuscript: Manuscript,
  { gone, chapters }: BookPlan,
  { files, own, force }: { files: IncomingFiles; own: OwnSides; force: Side | undefined },
): BookPlan["gone"] {
  const { list, description } = files;
  if (chapters.some(({ kind }) => kind === "conflict")) return [];
  const isOld = list !== undefined && own.rows?.older.has(list.file) === true;
  return gone.filter(({ stored, file }) => {
    const last = own.copy?.chapters.get(stored.id);
    if (last === undefined || isRestoredSince(manuscript, last)) return false;
    if (isOld && description?.order?.includes(file) !== true) return false;
    return last.revision === stored.revision || force === "incoming";
  });
}

function assertAllImportable({ chapters }: BookPlan, force: ApplyOptions["force"]): void {
  for (const chapter of chapters)
    if (chapter.kind === "write" || chapter.kind === "conflict")
      assertImportable(chapter.incoming, chapter.stored, force);
}

/** Returns the name of a file whose entries equal the book's. */
function sameFile(
  file: { file: string } | undefined,
  taken: { isSame: () => boolean } | undefined,
): string[] {
  return file !== undefined && taken?.isSame() ? [file.file] : [];
}

/** Returns the rows of files that advance the base, without those that equal an earlier exchange. */
function brought(
  entries: readonly (Pick<ImportedEntries<unknown>, "copied"> | undefined)[],
  others: Recorded["texts"] & object,
  rows: BaseRows | undefined,
): Recorded["texts"] & object {
  const texts = [...entries.flatMap((file) => file?.copied?.() ?? []), ...others];
  return texts.filter(({ file }) => rows?.older.get(file)?.isEdited !== false);
}

/** Returns the files that are older than the last exchange, if there are any. */
function olderOf(rows: BaseRows | undefined): Pick<ImportAnswer, "older"> {
  const older = [...(rows?.older.keys() ?? [])];
  return older.length === 0 ? {} : { older };
}

/** Imports a file of entries. One in step is not read. */
function takeEntries<Fields, Shown extends object, Outcome>(
  copy: WorkingCopy | undefined,
  file: { file: string; hash: string },
  kind: EntryKind<Fields, Shown>,
  importThem: (kind: EntryKind<Fields>) => ImportedEntries<Outcome>,
): ImportedEntries<Outcome | (Shown & { id: string; status: "same" })> {
  const inStep = () => entriesInStep(copy?.texts.get(file.file), file, kind);
  const outcomes = inStep();
  if (outcomes === undefined) return importThem(kind);
  const ids = outcomes.map(({ id }) => id);
  return { outcomes, ids, copied: undefined, isSame: () => inStep() !== undefined };
}

/**
 * Returns the rows of the folder's list and of another program's index. No list if it is another book's, or has a
 * conflict.
 */
function copiedList(
  { bookId, outcome }: BookPlan,
  { list, description, indexes = [] }: IncomingFiles,
): Recorded["texts"] & object {
  const texts = indexes.map((index) => ({ ...index, isWritten: 0 as const, stored: null }));
  const isOwn = bookId === undefined || description?.exportedFrom === bookId;
  if (list === undefined || description === undefined || !isOwn || outcome.conflicts.length > 0) return texts;
  return [{ ...list, isWritten: 0, stored: null }, ...texts];
}

/** Returns the rows of chapters' files that are in step. */
function copiedChapters(
  manuscript: Manuscript,
  { bookId, copy, plan }: { bookId: BookId; copy: WorkingCopy | undefined; plan: BookPlan },
  outcomes: readonly Outcome[],
): Recorded["chapters"] & object {
  const { store } = manuscript;
  const stored = new Map(listChapters(store, bookId).map((row) => [row.id, row]));
  const parts = new Map(listParts(store, bookId).map(({ id, title }) => [id, title]));
  const copied = outcomes.flatMap(({ id, file, status, from }) => {
    const row = stored.get(id);
    if (row === undefined || status === "left" || status === "conflict") return [];
    const part = row.partId === null ? null : (parts.get(row.partId) ?? null);
    const { title, synopsis, ...before } = copy?.chapters.get(id) ?? { ...row, part };
    // Records the file's own fields, even if the manuscript's differ. Otherwise the next import would see an edit.
    const said = saidBy(from);
    return {
      chapterId: id,
      file,
      hash: from.incoming.hash,
      isWritten: 0 as const,
      revision: row.revision,
      title: said.title ?? title,
      status: said.status ?? before.status,
      synopsis: said.synopsis ?? synopsis,
      part: said.part === undefined ? before.part : said.part,
      text: mergedText(from),
    };
  });
  return [...copied, ...copiedRests(stored, copy, plan), ...copiedElsewhere(copy, plan)];
}

/**
 * Returns rows for edited files of removed chapters whose paragraphs are in other chapters now, so that the same edit
 * is not imported twice.
 */
function copiedElsewhere(
  copy: WorkingCopy | undefined,
  { deleted }: BookPlan,
): Recorded["chapters"] & object {
  return deleted.flatMap(({ id, file, taken }) => {
    const last = copy?.chapters.get(id);
    if (last === undefined || taken === undefined) return [];
    const { chapterId, revision, title, status, synopsis, part } = last;
    const { hash, markdown: text } = taken;
    return [{ chapterId, file, hash, isWritten: 0 as const, revision, title, status, synopsis, part, text }];
  });
}

/** Returns the fields in a chapter's file; for a file that was not read, those in its folder's list. */
function saidBy(from: ChapterPlan): IncomingFields {
  if (from.kind === "create") return from.incoming.fields();
  return "said" in from.incoming ? from.incoming.said : from.incoming.fields;
}

/** Returns the text of a file whose chapter holds more. */
function mergedText(from: ChapterPlan): string | null {
  if (from.kind === "create") return from.isMerged ? from.read().markdown : null;
  return from.kind === "write" && from.isMerged ? from.incoming.markdown : null;
}

/** Returns rows for the rest of chapters whose files are gone. Nothing in it is newer than the folder. */
function copiedRests(
  rows: ReadonlyMap<ChapterId, { revision: number }>,
  copy: WorkingCopy | undefined,
  { emptied }: BookPlan,
): Recorded["chapters"] & object {
  return emptied.flatMap(({ stored }) => {
    const last = copy?.chapters.get(stored.id);
    const { revision } = rows.get(stored.id) ?? {};
    if (revision === undefined || last === undefined || last.revision !== stored.revision) return [];
    const { chapterId, file, title, status, synopsis, part } = last;
    // No file has this text: a file put back would count as edited.
    return [
      {
        chapterId,
        file,
        hash: "",
        isWritten: 0 as const,
        revision,
        title,
        status,
        synopsis,
        part,
        text: null,
      },
    ];
  });
}

/** Counts the paragraphs that moved, by their old and new chapters. */
function describeMoves(
  manuscript: Manuscript,
  { moves }: BookPlan,
  outcomes: readonly Outcome[],
): ImportAnswer["moved"] {
  const ids = new Map(outcomes.map(({ from, id }) => [from.incoming.file, id]));
  const told = moves.flatMap(({ from, to }) => {
    const id = ids.get(to.incoming.file);
    return id === undefined ? [] : [{ from: from.id, to: id }];
  });
  return tellMoves(manuscript, told);
}
