import { HASHED, type Hashed, type HashedTable, hashed, rowHash } from "../file/hashes.ts";
import type { TableName } from "../file/tables.ts";
import { turnedBack } from "../mend-rows.ts";
import type { NewPicture } from "../rows/pictures.ts";
import type { FoundRows, Shape, Standing } from "./found-rows.ts";
import type { HistoryRows } from "./journal.ts";
import type { Past, PastMoment, Row } from "./past.ts";

/** A row that may be the one that was written last. */
export interface RowState {
  row: Row;
  standing: Standing | "copy" | "history";
  /** Where it comes from, if not from the file's own tables, and until when or from when it is. */
  origin?: Origin;
}

/** Where a row was taken from that stands in for one that is gone. */
export interface Origin {
  from: "its history" | "an older page" | "a copy";
  /** The copy's path. */
  copy?: string;
  /** The text is of this time, in milliseconds since 1970: it may have been changed later. */
  at?: number | undefined;
  /** Nothing that is known was written in it since. */
  isNewest: boolean;
}

/** Another copy of the file, asked for single rows. */
export interface CopyRows {
  path: string;
  /** When it was made. */
  at: number;
  /** The number of the last act that it holds. */
  lastAct: number;
  rowOf(table: TableName, id: string): Row | undefined;
  /** The picture of a hash, if the copy has its bytes. */
  pictureOf(hash: string): NewPicture | undefined;
}

/** Everything that a row may be taken from. */
export interface Sources {
  /** The number of the file's format. */
  version: number;
  shapes: readonly Shape[];
  found: FoundRows;
  history: HistoryRows;
  past: Past;
  /** The newest first. */
  copies: () => readonly CopyRows[];
  /** Whether rows of this format have a hash of what they hold. */
  isHashed: boolean;
}

const HASHED_TABLES: ReadonlySet<string> = new Set(HASHED);

/** The rows of a table by id that are as they were written, as far as their hashes can tell; several of one as it was at several times. */
export function candidatesOf(sources: Sources, table: TableName): Map<string, RowState[]> {
  const { columns } = sources.shapes.find(({ name }) => name === table) ?? { columns: [] };
  const candidates = new Map<string, RowState[]>();
  let trials = MOST_TRIALS;
  for (const [id, rows] of sources.found.rows.get(table) ?? []) {
    const states = rows.map(({ values, standing }) => ({
      row: Object.fromEntries(columns.map(({ name }, at) => [name, values[at] ?? null])),
      standing,
    }));
    const intact = states.filter(({ row }) => !sources.isHashed || isIntact(table, row));
    const isTried = intact.length === 0 && states[0]?.standing === "in place" && trials-- > 0;
    const sound = isTried ? states.slice(0, 1).flatMap((state) => mended(table, state)) : intact;
    if (sound.length > 0) candidates.set(id, sound);
  }
  return candidates;
}

/** How many rows of a table are tried bit by bit, and how long each is at most: it takes up to a second. */
const MOST_TRIALS = 20;
const LONGEST_TRIED = 4096;

/** The row with the one bit turned back that makes it fit its hash; none if there is no such bit. */
function mended(table: TableName, { row, standing }: RowState): RowState[] {
  const columns = hashed(table as HashedTable);
  const texts = Object.entries(row).map(([name, value]) => {
    return [name, typeof value === "string" ? Buffer.from(value) : value] as const;
  });
  const length = texts.reduce((sum, [, value]) => sum + (Buffer.isBuffer(value) ? value.length : 0), 0);
  if (length > LONGEST_TRIED) return [];
  const target = { table: table as HashedTable, id: String(row.id), columns };
  const turned = turnedBack(target, Object.fromEntries(texts), Number(row.hash));
  return turned === undefined ? [] : [{ row: { ...row, [turned.column]: turned.value }, standing }];
}

/** Whether a row has the hash of what it holds; of a table without hashes, true. */
function isIntact(table: TableName, row: Row): boolean {
  if (!HASHED_TABLES.has(table)) return true;
  const values = hashed(table as (typeof HASHED)[number]).map((column) => (row[column] ?? null) as Hashed);
  return rowHash(table, String(row.id), ...values) === row.hash;
}

/**
 * The one of several that is most likely the newest, and that was there in the end; undefined if it was deleted, or may well
 * have been. A row in its place is, unless the journal has its end.
 */
export function likeliest(
  { past, found }: Sources,
  table: TableName,
  candidates: readonly RowState[],
): RowState | undefined {
  const [first] = candidates;
  if (first === undefined) return undefined;
  const isAlive = past.isAlive(table, String(first.row.id));
  if (isAlive === false) return undefined;
  const isUnknown = isAlive === undefined && first.standing !== "in place";
  if (isUnknown && (!found.broken.has(table) || first.standing === "replaced")) return undefined;
  return newestOf(past, table, candidates);
}

/** The newest of several states of a row: one of which the journal has no end, else that which ended last. */
export function newestOf(
  past: Past,
  table: TableName,
  candidates: readonly RowState[],
): RowState | undefined {
  const ends = candidates.map(({ row }) => past.endOf(table, row)?.seq ?? Number.POSITIVE_INFINITY);
  const last = ends.reduce((most, end) => Math.max(most, end), 0);
  return candidates[ends.indexOf(last)];
}

/** What the other copies hold of a row, the newest first. */
export function fromCopies({ copies, past, isHashed }: Sources, table: TableName, id: string): RowState[] {
  return copies().flatMap((copy) => {
    const row = copy.rowOf(table, id);
    if (row === undefined || (isHashed && !isIntact(table, row))) return [];
    const isNewest = !past.hasHoles && !past.isChangedSince(table, id, copy.lastAct);
    const origin: Origin = { from: "a copy", copy: copy.path, at: copy.at, isNewest };
    return [{ row, standing: "copy" as const, origin }];
  });
}

/** A row that was found as it was before, which ended at a moment. */
export function asOlder(candidate: RowState, end: PastMoment | undefined): RowState {
  if (candidate.origin !== undefined) return candidate;
  return { ...candidate, origin: { from: "an older page", at: end?.at, isNewest: false } };
}
