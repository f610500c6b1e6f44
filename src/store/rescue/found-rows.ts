import { PREFIXES } from "../../ids.ts";
import { ACCOUNT, type BundledColumn, type Cell } from "../bundle.ts";
import { freePages, type PageImage, type Remains } from "../file/remains.ts";
import { TABLE_NAMES, TABLES } from "../file/tables.ts";
import { childrenOn, type FoundRow, pageKind, rowsOn } from "./pages.ts";

/**
 * Where a row was found, the best first: on a page that its table leads to; on one that nothing leads to any more; on one that is
 * free or another's; on one that a newer one in the log stands for.
 */
export type Standing = "in place" | "loose" | "displaced" | "replaced";

/** A row with what is known of it. */
export interface FoundCells {
  values: Cell[];
  /** The row's own number: a row that was deleted and put back has a higher one. */
  rowid: number;
  standing: Standing;
}

/** Every row that can be read of each table, by its key; several where one was found as it was at several times. */
export interface FoundRows {
  rows: ReadonlyMap<string, ReadonlyMap<string, FoundCells[]>>;
  /** Tables of which pages are gone or were put elsewhere: a row that nothing leads to may be one of theirs. */
  broken: ReadonlySet<string>;
  /** What the indexes tell of a row that is gone: the list that it stood in, and its place there. */
  places: ReadonlyMap<string, { list: string; rank: string }>;
  /** The numbers by which the history names ids, as their index tells them. */
  numbers: ReadonlyMap<number, string>;
  /** The highest number that each table has given to a row, as far as SQLite's own list of them was found. */
  last: ReadonlyMap<string, number>;
}

/** A table that is looked for: its columns, and how many of them the oldest row has. */
export interface Shape {
  name: string;
  columns: readonly BundledColumn[];
  least: number;
}

const RANKS: readonly Standing[] = ["in place", "loose", "displaced", "replaced"];

/** Collects the rows of all pages, whatever leads to them. A table is told by how its rows look. */
export function collectRows({ now, base, logged }: Remains, shapes: readonly Shape[]): FoundRows {
  const trees = walkTrees(now, shapes);
  const free = freePages(now);
  const collector = new Collector(shapes);
  for (let number = 1; number <= now.pageCount; number++) {
    const owner = trees.owners.get(number);
    for (const row of rowsOn(now, number))
      collector.add(row, owner, (table) =>
        owner === table ? "in place" : owner !== undefined || free.has(number) ? "displaced" : "loose",
      );
  }
  for (const number of logged)
    for (const row of rowsOn(base, number)) collector.add(row, undefined, () => "replaced");
  const { rows, places, numbers, last } = collector;
  return { rows, places, numbers, last, broken: trees.broken };
}

/** The index of the ids that the history names by numbers. */
const NUMBERS = "sqlite_autoindex_ids_1";

/**
 * Whether a table's rows count only in their place: of numbers alone one table cannot be told from another, and a key that was
 * found elsewhere may have been revoked since.
 */
const isBound = ({ name, columns }: Shape) =>
  ACCOUNT.some((table) => table === name) || columns.every(({ type }) => type === "INTEGER");

class Collector {
  readonly rows = new Map<string, Map<string, FoundCells[]>>();
  readonly places = new Map<string, { list: string; rank: string }>();
  readonly numbers = new Map<number, string>();
  readonly last = new Map<string, number>();
  readonly #shapes: readonly Shape[];

  constructor(shapes: readonly Shape[]) {
    this.#shapes = shapes;
    for (const { name } of shapes) this.rows.set(name, new Map());
  }

  add(row: FoundRow, owner: string | undefined, standingIn: (table: string) => Standing): void {
    const shape = this.#shapes.find((one) => fits(one, row) && (owner === one.name || !isBound(one)));
    if (shape === undefined) {
      if (owner === NUMBERS) this.numbers.set(Number(row.values[1]), String(row.values[0]));
      else if (row.rowid === undefined) this.#addPlace(row);
      else this.#addLast(row);
      return;
    }
    const values = shape.columns.map((column, at) => cellOf(column, row, at));
    const rows = this.rows.get(shape.name)!; // every shape has its own
    const key = keyOf(shape, { values, rowid: row.rowid });
    const standing = standingIn(shape.name);
    const known = rows.get(key);
    const found = { values, standing, rowid: row.rowid ?? 0 };
    if (known === undefined) rows.set(key, [found]);
    else addFound(known, found);
  }

  /** A row of `sqlite_sequence`. */
  #addLast({ values: [name, last, ...others] }: FoundRow): void {
    if (!COUNTED.includes(name) || typeof last !== "number" || others.length > 0) return;
    this.last.set(String(name), Math.max(last, this.last.get(String(name)) ?? 0));
  }

  /** An entry of the index by which chapters, or blocks, are listed: list, rank, id, and the row's number. */
  #addPlace({ values }: FoundRow): void {
    const [list, rank, id, row] = values;
    if (values.length !== 4 || typeof row !== "number") return;
    if (typeof list !== "string" || typeof rank !== "string" || typeof id !== "string") return;
    const isPlace =
      (begins(list, "book") && begins(id, "chapter")) || (begins(list, "chapter") && begins(id, "row"));
    if (isPlace) this.places.set(id, { list, rank });
  }
}

/** Tables whose last number is looked for. */
const COUNTED: readonly unknown[] = ["journal", "journal_entries"];

function addFound(known: FoundCells[], found: FoundCells): void {
  const same = known.find(({ values }) => values.every((value, at) => value === found.values[at]));
  if (same === undefined) known.push(found);
  else if (RANKS.indexOf(found.standing) < RANKS.indexOf(same.standing)) same.standing = found.standing;
  known.sort((a, b) => RANKS.indexOf(a.standing) - RANKS.indexOf(b.standing) || b.rowid - a.rowid);
}

/** A column that is the row's number, or that came to the table after the row, is not in its record. */
function cellOf({ name, isNullable }: BundledColumn, { rowid, values }: FoundRow, at: number): Cell {
  if (at === 0 && ROW_NUMBERS.has(name)) return rowid ?? null;
  return at < values.length ? values[at]! : isNullable ? null : 0; // as it says
}

/** Columns that are the number of their row. */
const ROW_NUMBERS: ReadonlySet<string> = new Set(["seq", "no"]);
/** Tables without numbers of rows, by how many columns are their key. */
const KEYED: Readonly<Record<string, number>> = {
  revisions: 2,
  revision_entries: 2,
  progress_entries: 3,
  holds: 1,
};

function keyOf({ name }: Shape, { values, rowid }: FoundRow): string {
  if (name in KEYED) return values.slice(0, KEYED[name]).join(" ");
  return String(name === "progress" ? rowid : values[0]);
}

const begins = (id: string, kind: keyof typeof PREFIXES) => id.startsWith(PREFIXES[kind]);

/** Kinds of the ids that columns hold, by their names. */
const KIND_OF: Readonly<Record<string, keyof typeof PREFIXES>> = {
  book_id: "book",
  part_id: "part",
  chapter_id: "chapter",
  fact_id: "fact",
  proposal_id: "proposal",
};
const KEYS: Readonly<Record<string, keyof typeof PREFIXES>> = {
  ...{ books: "book", goals: "book", parts: "part", chapters: "chapter", blocks: "row", facts: "fact" },
  ...{ fact_merges: "fact", mentions: "mention", snippets: "snippet", dismissals: "book" },
  ...{ proposals: "proposal", proposed_edits: "proposal", milestones: "milestone", revisions: "chapter" },
  book_pictures: "book",
};
const OPS = ["insert", "update", "delete"];

function fits({ name, columns, least }: Shape, { rowid, values }: FoundRow): boolean {
  if (values.length < least || values.length > columns.length) return false;
  if ((rowid === undefined) !== name in KEYED) return false;
  if (!values.every((value, at) => fitsColumn(name, columns[at]!, at === 0, value))) return false; // no more than columns
  if (name === "acts") return begins(String(values[1]), "act");
  if (!name.startsWith("journal")) return true;
  return TABLE_NAMES.some((table) => table === values[2]) && OPS.includes(String(values[4]));
}

function fitsColumn(table: string, column: BundledColumn, isFirst: boolean, value: Cell): boolean {
  if (isFirst && ROW_NUMBERS.has(column.name)) return value === null;
  if (value === null) return column.isNullable;
  if ((typeof value === "string") !== (column.type === "TEXT")) return false;
  const kind = isFirst ? KEYS[table] : table in TABLES ? KIND_OF[column.name] : undefined;
  return kind === undefined || begins(String(value), kind);
}

interface Trees {
  /** The table that leads to a page. */
  owners: Map<number, string>;
  broken: Set<string>;
}

function walkTrees(image: PageImage, shapes: readonly Shape[]): Trees {
  const owners = new Map<number, string>();
  const broken = new Set<string>();
  const roots = readRoots(image);
  for (const { name } of shapes) if (!roots.has(name)) broken.add(name);
  for (const [name, root] of roots) {
    const shape = shapes.find((one) => one.name === name);
    const isWhole = walk(image, root, (page) => {
      owners.set(page, name);
      const rows = rowsOn(image, page);
      return shape === undefined || page === root || rows.some((row) => fits(shape, row));
    });
    if (!isWhole) broken.add(name);
  }
  return { owners, broken };
}

/** Visits the leaves of a tree; returns whether each branch leads to a page that is one of such a tree. */
function walk(image: PageImage, root: number, visit: (leaf: number) => boolean): boolean {
  const isTable = pageKind(image, root)?.startsWith("table");
  let isWhole = isTable !== undefined;
  const seen = new Set([root]);
  const left = [root];
  for (let page = left.pop(); page !== undefined; page = left.pop()) {
    const kind = pageKind(image, page);
    if (kind?.startsWith("table") !== isTable) isWhole = false;
    if (kind !== undefined && kind !== "table branch" && !visit(page)) isWhole = false;
    for (const child of childrenOn(image, page)) {
      if (seen.has(child)) continue;
      seen.add(child);
      left.push(child);
    }
  }
  return isWhole;
}

const SCHEMA_TYPES = ["table", "index", "trigger", "view"];

/** The first page of each table and index, by name: from the schema, or from what is left of it. */
function readRoots(image: PageImage): Map<string, number> {
  const pages = new Set<number>();
  walk(image, 1, (leaf) => {
    pages.add(leaf);
    return true;
  });
  const roots = new Map<string, number>();
  for (let number = 1; number <= image.pageCount; number++) {
    if (pageKind(image, number) !== "table leaf") continue;
    for (const { values } of rowsOn(image, number)) {
      const [type, name, , root, sql] = values;
      const isSchema = values.length === 5 && SCHEMA_TYPES.includes(String(type)) && typeof root === "number";
      if (!isSchema || typeof name !== "string" || root < 2 || typeof sql === "number") continue;
      if (pages.has(number) || !roots.has(name)) roots.set(name, root);
    }
  }
  return roots;
}
