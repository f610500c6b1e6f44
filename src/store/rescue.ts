import { existsSync, statSync } from "node:fs";
import { BadRequest, NotFound } from "../refusals.ts";
import { ACCOUNT, type Cell, changeTables, listOlderTables, loadTables, type Tables } from "./bundle.ts";
import type { Copy } from "./copies.ts";
import { listBrokenHistory } from "./examine.ts";
import type { Connection } from "./file/driver.ts";
import { VERSIONS } from "./file/migrate.ts";
import { type Remains, readRemains } from "./file/remains.ts";
import { SETTLED_FORMAT, SETTLING_STEPS } from "./file/settling.ts";
import type { Store } from "./file/store.ts";
import type { TableName } from "./file/tables.ts";
import { type AccountRows, accountShapes, chooseAccount } from "./rescue/account.ts";
import type { Sources } from "./rescue/candidates.ts";
import { type ChapterFinding, chooseChapters, type ProseReader } from "./rescue/chapters.ts";
import { OpenedCopies } from "./rescue/copy-rows.ts";
import { collectRows, type FoundRows, type Shape } from "./rescue/found-rows.ts";
import { type KeptHistory, settleRows } from "./rescue/history.ts";
import { historyOf, wholeTexts } from "./rescue/journal.ts";
import { chooseOthers, type OtherRows } from "./rescue/others.ts";
import { Past, type Row } from "./rescue/past.ts";
import { collectPictures, type FoundPictures } from "./rescue/pictures.ts";
import { rankBehind, type StandIns, settle } from "./rescue/settle.ts";
import { insertPicture } from "./rows/pictures.ts";

export type { ChapterFinding, ParagraphFinding, ProseReader } from "./rescue/chapters.ts";

/** The rows that came back of a damaged file, and how complete they are. */
export interface Salvage {
  /** The number of the format that it has, or had. */
  version: number;
  /** The format that the file names, where it is a newer one than this program knows. */
  newerFormat?: number;
  /** Rows of that format, which contradict each other nowhere; its history as it was found. */
  tables: Tables;
  /** The newest act of which entries of the journal may be gone; 0 if none are. */
  newestGap: number;
  chapters: ChapterFinding[];
  /** Of each other table, how many rows are gone, and how many are older. */
  others: ReadonlyMap<TableName, OtherRows>;
  account: AccountRows;
  pictures: FoundPictures;
  droppedMentions: number;
  detachedNotes: number;
  /** Books whose own row is gone. */
  lostBooks: string[];
  /** Pages of the log that could not be used. */
  badFrames: number;
  /** The end of the log is gone, with what was saved last. */
  isCut: boolean;
  /** The log beside the file was written for another manuscript, and is left out. */
  isForeign: boolean;
  /** Pages that are gone, or hold nothing but zeros, of how many. */
  gone: number;
  pageCount: number;
}

/** A new file that was put together of what came back. */
export interface Rebuilt {
  history: KeptHistory;
  /** The chapters of the new file, by their ids. */
  chapters: ReadonlyMap<string, { title: string; words: number; paragraphs: number }>;
}

/** Writes what came back into a blank file of today's format, all of it or nothing. */
export function rebuild(store: Store, salvaged: Salvage): Rebuilt {
  const history = load(store, salvaged, false) ?? load(store, salvaged, true);
  if (history === undefined) throw CONTRADICTION;
  const rows = store.all<{ id: string; title: string; words: number; paragraphs: number }>(
    "SELECT id, title, word_count AS words, block_count AS paragraphs FROM chapters",
  );
  return { history, chapters: new Map(rows.map(({ id, ...chapter }) => [id, chapter])) };
}

/** Loads it with its history, or without; undefined if the history contradicts itself, and then nothing is written. */
function load(
  store: Store,
  { version, tables, account, pictures, chapters, newestGap }: Salvage,
  isCut: boolean,
): KeptHistory | undefined {
  const unproved = chapters.filter(({ isProved }) => !isProved).map(({ id }) => id);
  const settling = { mint: store.mint, at: store.clock(), unproved, newestGap, isCut };
  const change = { at: SETTLED_FORMAT, change: (file: Connection) => settleRows(file, settling) };
  const { tables: today, result } = changeTables(tables, version, change, SETTLING_STEPS);
  try {
    store.setAside(() => {
      loadTables(store, today);
      loadTables(store, account.tables, ACCOUNT);
      for (const picture of pictures.pictures) insertPicture(store, picture);
      if (listBrokenHistory(store).length > 0) throw CONTRADICTION;
    });
    return result;
  } catch (error) {
    if (error === CONTRADICTION) return undefined;
    throw error;
  }
}

const CONTRADICTION = new Error("what was rescued contradicts itself");

/**
 * Reads everything that is left of a manuscript's file, whatever is wrong with it, and of the log beside it. Nothing is written, and
 * SQLite does not open it. What is gone is taken from the history and from `copies`. Throws `NotFound`, and `BadRequest` for what holds nothing of a manuscript.
 */
export function salvage(
  path: string,
  { prose, copies }: { prose: ProseReader; copies: readonly Copy[] },
): Salvage {
  if (!existsSync(path)) throw new NotFound(`manuscript file: ${path}`);
  if (!statSync(path).isFile()) throw new BadRequest(`${path} is not a file; name a .manuscript file.`);
  const remains = readRemains(path);
  const named = remains.version ?? VERSIONS.length;
  const version = Math.min(named, VERSIONS.length);
  const opened = new OpenedCopies(copies, version);
  const isNewer = named > version && named < NO_FORMAT; // else the number itself is damaged
  try {
    const chosen = choose(path, remains, sourcesOf(remains, version, opened), prose);
    return isNewer ? { ...chosen, newerFormat: named } : chosen;
  } finally {
    opened.close();
  }
}

function choose(path: string, remains: Remains, sources: Sources, prose: ProseReader): Salvage {
  const chapters = chooseChapters(sources, prose);
  const others = chooseOthers(sources);
  if (chapters.length === 0 && (others.get("books")?.rows ?? []).length === 0)
    throw new BadRequest(`Nothing in ${path} is of a manuscript: neither a book nor a chapter was found.`);
  const standIns = new Made(sources, chapters, others);
  const settled = settle(chapters, others, { prose, standIns });
  const version = Math.min(sources.version, SETTLED_FORMAT);
  const shapes = shapesOf(version, SETTLING_STEPS);
  const journal = wholeTexts(sources.history.journal, settled.rows.get("blocks") ?? []);
  for (const [table, rows] of Object.entries({ ...sources.history, journal })) settled.rows.set(table, rows);
  return {
    version,
    tables: asTables(settled.rows, shapes),
    newestGap: sources.past.newestGap,
    chapters,
    others,
    account: chooseAccount(sources.found),
    pictures: collectPictures(remains, others.get("book_pictures")?.rows ?? [], sources.copies),
    droppedMentions: settled.droppedMentions,
    detachedNotes: settled.detachedNotes,
    lostBooks: standIns.books,
    badFrames: remains.badFrames,
    isForeign: remains.isForeign,
    isCut: remains.isCut,
    gone: remains.gone,
    pageCount: remains.pageCount,
  };
}

/** A number that no version will ever give its format. */
const NO_FORMAT = 1000;
/** Formats since this one have hashes. */
const FIRST_HASHED = 3;

function sourcesOf(remains: Remains, version: number, copies: OpenedCopies): Sources {
  const shapes = shapesOf(version);
  const found = collectRows(remains, [...shapes, ...accountShapes()]);
  const history = historyOf(found, shapes, version);
  const past = new Past(history.journal, history.acts, lastEntry(found, version));
  const isHashed = version >= FIRST_HASHED;
  return { version, shapes, found, history, past, isHashed, copies: () => copies.rows() };
}

/** The number of the last entry of the journal that was ever written; 0 if nothing tells. */
function lastEntry({ last }: FoundRows, version: number): number {
  return last.get(version > SETTLED_FORMAT ? "journal_entries" : "journal") ?? 0;
}

function shapesOf(version: number, steps = VERSIONS): Shape[] {
  const first = new Map(listOlderTables(1).map(({ name, columns }) => [name, columns.length]));
  return listOlderTables(version, steps)
    .filter(({ name }) => name !== "leaves")
    .map((table) => ({ ...table, least: first.get(table.name) ?? table.columns.length }));
}

const LEAVES: Pick<Shape, "name" | "columns"> = {
  name: "leaves",
  columns: (["id", "row_id", "chapter_id", "place"] as const).map((name) => {
    return { name, type: name === "place" ? "INTEGER" : "TEXT", isNullable: false };
  }),
};

function asTables(rows: ReadonlyMap<string, readonly Row[]>, shapes: readonly Shape[]): Tables {
  return Object.fromEntries(
    [...shapes, LEAVES].map(({ name: table, columns }) => [
      table,
      (rows.get(table) ?? []).map((row) =>
        columns.map(({ name, isNullable }): Cell => row[name] ?? (isNullable ? null : 0)),
      ),
    ]),
  );
}

/** Rows that are made where a chapter's or a book's own is gone, of what the history and the indexes know. */
class Made implements StandIns {
  readonly books: string[] = [];
  readonly #sources: Sources;
  readonly #chapters: readonly ChapterFinding[];
  readonly #books: readonly Row[];

  constructor(
    sources: Sources,
    chapters: readonly ChapterFinding[],
    others: ReadonlyMap<TableName, OtherRows>,
  ) {
    this.#sources = sources;
    this.#chapters = chapters;
    this.#books = others.get("books")?.rows ?? [];
  }

  chapterOf({ id }: ChapterFinding): Row {
    const { found, past } = this.#sources;
    const rows = this.#chapters.flatMap(({ row }) => (row === undefined ? [] : [row]));
    const place = found.places.get(id);
    const bookId = place?.list ?? rows[0]?.book_id ?? this.#books[0]?.id ?? "bk_0000000000000000";
    const image = past.lastImage("chapters", id, ["title"])?.image;
    return {
      ...{ id, book_id: bookId, part_id: null, rank: place?.rank ?? rankBehind(rows) },
      ...{ title: image?.title ?? this.#titleInFolder(id) ?? "A chapter found again", status: "draft" },
      ...{ synopsis: "", file: null, front_matter: "", bom: 0, eol: "lf", head: "", created_at: 0 },
      ...{ position: 0, revision: this.#revisionOf(id), version: 1, updated_at: 0 },
    };
  }

  bookOf(id: string): Row {
    this.books.push(id);
    const image = this.#sources.past.lastImage("books", id, ["title"])?.image;
    return { id, title: image?.title ?? "A book found again", manifest: null, created_at: 0, updated_at: 0 };
  }

  /** The title that a folder and the manuscript had in common last. */
  #titleInFolder(id: string): Cell | undefined {
    return this.#sources.history.working_copies.findLast(
      ({ chapter_id, title }) => chapter_id === id && title !== null,
    )?.title;
  }

  #revisionOf(id: string): number {
    const own = this.#sources.history.revisions
      .filter(({ chapter_id }) => chapter_id === id)
      .map(({ revision }) => Number(revision));
    return own.reduce((most, revision) => Math.max(most, revision), 1);
  }
}
