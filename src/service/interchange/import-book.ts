import type { ActId, BookId, ChapterId } from "../../ids.ts";
import type { LeafStatus, Plan } from "../../prose/plan/plan.ts";
import { noteExchangedFile } from "../../store/exchanges.ts";
import type { Act } from "../../store/file/sql.ts";
import * as books from "../../store/rows/books.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { checkText, TEXTS } from "../field-rules.ts";
import { theBook, theChapter } from "../guards.ts";
import { type Manuscript, write } from "../manuscript.ts";
import { type Comparison, compareNodes } from "../prose/compare-revisions.ts";
import { describePlan, type ProseWrite } from "../prose/replace-prose.ts";
import type { ChapterExport } from "./export-book.ts";
import { type AskedBeside, importBeside } from "./import-annotations.ts";
import { assertNotShrunk, noteOutcome, writeChapter } from "./import-chapter.ts";
import type { AskedFact, FactOutcome } from "./import-facts.ts";
import { type NoteOutcome, notesOf } from "./import-notes.ts";
import { type AskedChapter, type ReadChapter, readAsked } from "./incoming-chapter.ts";
import { type Matched, matchFiles } from "./match-chapters.ts";
import { BookMerge, type BookOutcome, describeBook } from "./merge-book.ts";
import { wasDeleted } from "./merge-chapter.ts";
import { placeChapters } from "./place-chapters.ts";
import type { ImportConflict, Outcome } from "./write-chapter.ts";

/** Everything that an import brings, whatever it was read from. */
export interface AskedImport {
  /** Into this book; without it a new one is made. */
  bookId?: BookId;
  /** Of a new book; without it the title of the first chapter. */
  title?: string | undefined;
  /** What the folder's own list says of the book; taken over by a new book, and by the one that it was exported from. */
  book?: AskedBook | undefined;
  /** What that list said when the folder and this file last had it in common; undefined where that is not known. */
  base?: AskedBook | undefined;
  /** That list's text, to be remembered. */
  list?: { file: string; text: string } | undefined;
  chapters: readonly AskedChapter[];
  /** Facts that the book gets where it has none of that name and kind. */
  facts?: readonly AskedFact[] | undefined;
  /** The files beside the chapters: `facts.yaml` and `notes.yaml`. */
  beside?: AskedBeside | undefined;
  /** The folder that the files are from: what it and this file last had in common is the base of a three-way import. */
  folder?: string | undefined;
  /** Decides on purpose where both sides changed. */
  force?: "mine" | "theirs" | undefined;
  /** A chapter may shrink below half. */
  yes?: boolean;
  /** "cli" for files that are written in, as those of a synced folder: their words count as the day's. */
  source?: "import" | "cli";
  /** Called as files are read and written: so many of so many steps are done. */
  step?: ((done: number, total: number) => void) | undefined;
  /** What is gone from a file beside the chapters goes from the book, where the manuscript has not changed it since. */
  delete?: boolean;
  /** Called when all is as it will be, within the transaction. */
  settled?: (() => void) | undefined;
  /** The bytes that an export of this chapter would write now; what equals them is not looked at again. */
  exported?: (chapter: ChapterExport, parts: readonly string[], asked: ReadChapter) => Buffer | undefined;
  /** Whether an export would give a file this name; a chapter whose name it would not is not renamed by that. */
  isName?: (file: string) => boolean;
}

/** A book as its folder's list describes it. */
export interface AskedBook {
  title?: string;
  goal?: books.GoalRow;
  /** Titles, in order. */
  parts: readonly string[];
  /** The title of each part that has a folder of its own, by that folder. */
  folders: ReadonlyMap<string, string>;
  /** The chapters' files in reading order; undefined where the list is not the whole book's. */
  order?: readonly string[] | undefined;
  /** Keys that have no field of their own. */
  manifest: Readonly<Record<string, unknown>>;
  /** The book that it was exported from. */
  exportedFrom?: BookId;
}

/** What became of each file. */
export interface ImportAnswer {
  bookId: BookId;
  title: string;
  /** What the folder's own list changed of the book. */
  book: BookOutcome;
  /** Files whose chapter the manuscript has deleted, and that nobody has edited since: they make no chapter. */
  deleted: { id: ChapterId; file: string }[];
  chapters: {
    id: ChapterId;
    title: string;
    file: string | null;
    status: Outcome["status"];
    wordCount: number;
    /** Words added and removed; one that stands for another is both. */
    words: Comparison["words"];
    /** How many of the chapter's paragraphs came to be what, and how many went. */
    paragraphs: Record<LeafStatus | "removed", number>;
    /** What changed, word by word, where it was asked for. */
    changes?: Comparison["paragraphs"];
    conflict?: ImportConflict;
    mentionsDropped: ProseWrite["mentionsDropped"];
    snippetsDetached: ProseWrite["snippetsDetached"];
  }[];
  facts: FactOutcome[];
  notes: NoteOutcome[];
  act: ActId | null;
}

/**
 * Takes Markdown files in, as one act. Without a book a new one is made; else a file is matched to a chapter by its
 * front matter's id, then by the file name that the chapter remembers, and replaces its prose by the plan of a PUT that
 * keeps mentions; chapters that no file is for stay. Throws `NotFound`, `BadRequest`, `PayloadTooLarge`.
 */
export function importBook(
  manuscript: Manuscript,
  asked: AskedImport,
  { dryRun = false, diff = false } = {},
): ImportAnswer {
  const steps = 2 * asked.chapters.length; // each is read, and each is written
  const read = asked.chapters.map((chapter, index) => {
    asked.step?.(index, steps);
    return readAsked(chapter);
  });
  return write(
    manuscript,
    "importBook",
    { source: asked.source ?? "import", dryRun, skipsEmpty: true },
    (act) => {
      const { folder } = asked;
      const bookId = asked.bookId ?? makeBook(manuscript, act, titleFor(asked, read));
      const isNew = asked.bookId === undefined;
      theBook(manuscript, bookId);
      const own = isNew || asked.book?.exportedFrom === bookId ? asked : { ...asked, book: undefined };
      const merge = new BookMerge(own);
      describeBook(manuscript, bookId, own, merge);
      const standing = notesOf(manuscript.store, bookId);
      const present = listChapters(manuscript.store, bookId);
      const matched = matchFiles(manuscript.store, folder, present, read);
      // Only the book that the folder is of can have lost a chapter of it.
      const isOfBook = !isNew && (asked.book?.exportedFrom ?? bookId) === bookId;
      const isDeleted = (matched: Matched) => isOfBook && wasDeleted(manuscript.store, asked, matched);
      const deleted = matched.filter(isDeleted);
      const placed = matched.filter((entry) => !deleted.includes(entry));
      const places = placeChapters(manuscript, { bookId, at: act.at, present, asked: own, merge }, placed);
      const outcomes = places.chapters.map((place, index) => {
        asked.step?.(read.length + index, steps);
        return writeChapter(manuscript, { act, places, asked }, place);
      });
      const beside = importBeside(manuscript, act, { bookId, standing, outcomes }, asked);
      if (asked.yes !== true) assertNotShrunk(manuscript, places, outcomes);
      const book = merge.outcome(isNew);
      return () => {
        asked.settled?.();
        if (
          folder !== undefined &&
          own.list !== undefined &&
          own.book !== undefined &&
          book.conflicts.length === 0
        ) {
          const { file, text } = own.list;
          noteExchangedFile(manuscript.store, { folder, bookId, file }, text, act.seq);
        }
        return {
          bookId,
          title: theBook(manuscript, bookId).title,
          book,
          deleted: deleted.map(({ asked: { fields, file } }) => ({ id: fields.id ?? "", file: file ?? "" })),
          chapters: outcomes.map((outcome, index) => {
            if (folder !== undefined) noteOutcome(manuscript, { folder, act, places }, outcome, index);
            return describe(manuscript, outcome, diff);
          }),
          ...beside,
        };
      };
    },
  );
}

function titleFor({ title, book }: AskedImport, read: readonly ReadChapter[]): string {
  return checkText("The book's title", title ?? book?.title ?? read[0]?.newTitle ?? "Untitled", TEXTS.title);
}

function makeBook({ store }: Manuscript, act: Act, title: string): BookId {
  const id = store.mint("book");
  books.insertBook(store, { id, title, manifest: null, at: act.at });
  return id;
}

function describe(
  manuscript: Manuscript,
  { id, file, status, plan, before, conflict }: Outcome,
  withChanges: boolean,
): ImportAnswer["chapters"][number] {
  const chapter = theChapter(manuscript, id);
  const dropped = plan === undefined ? NOTHING : describePlan(plan, chapter);
  const after = plan?.blocks.map(({ node }) => node) ?? [];
  const isCompared = before !== undefined && (withChanges || status === "updated");
  const compared = isCompared ? compareNodes(before, after) : undefined;
  return {
    id,
    title: chapter.title,
    file,
    status,
    wordCount: chapter.wordCount,
    words: compared?.words ?? plan?.words ?? { added: 0, removed: 0 },
    paragraphs: plan === undefined ? { ...NONE, kept: chapter.blockCount } : countLeaves(plan),
    ...(conflict === undefined ? {} : { conflict }),
    ...(withChanges && compared !== undefined ? { changes: compared.paragraphs } : {}),
    mentionsDropped: dropped.mentionsDropped,
    snippetsDetached: dropped.snippetsDetached,
  };
}

const NOTHING = { mentionsDropped: [], snippetsDetached: [] };
const NONE = { kept: 0, moved: 0, edited: 0, new: 0, removed: 0 };

function countLeaves({ leaves, removed }: Plan): ImportAnswer["chapters"][number]["paragraphs"] {
  const counts = { ...NONE, removed: removed.length };
  for (const { status } of leaves) counts[status]++;
  return counts;
}
