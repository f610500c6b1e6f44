import { largest } from "../../text/extremes.ts";
import type { Cell } from "../bundle.ts";
import { type Delta, lengthen } from "../file/delta.ts";

/** A row's columns by name. */
export type Row = Readonly<Record<string, Cell>>;

/** A moment of the history: an entry of the journal, and when its act was, in milliseconds since 1970. */
export interface PastMoment {
  seq: number;
  act: number;
  at: number | undefined;
}

/** An entry of the journal that was found. */
interface Entry {
  seq: number;
  act: number;
  op: string;
  /** Where the row stood after it, if rows of its table belong to a chapter. */
  chapter: string | undefined;
  before: string | null;
}

/** What is left of a row's past in the journal. */
export interface RowPast {
  table: string;
  id: string;
  entries: Entry[];
}

/** What the journal, as far as it was found, knows of every row. */
export class Past {
  readonly #rows = new Map<string, RowPast>();
  readonly #times: ReadonlyMap<Cell, Cell>;
  /** The number of the newest entry that is gone, for the numbers of all follow each other; 0 if none is. */
  readonly #newestGone: number;
  /** The newest act of which entries may be gone; 0 if none are. */
  readonly newestGap: number;

  /** Of rows of `journal` and `acts`, and the number of the last entry that was ever written, if it is known. */
  constructor(journal: readonly Row[], acts: readonly Row[], lastEntry = 0) {
    this.#times = new Map(acts.map(({ seq, at }) => [seq ?? null, at ?? null]));
    const entries = [...journal].sort((a, b) => Number(a.seq) - Number(b.seq));
    const last = entries.at(-1);
    const behindGap = entries.findLast(({ seq }, at) => Number(seq) - 1 > Number(entries[at - 1]?.seq ?? 0));
    const hasEnd = Number(last?.seq ?? 0) >= lastEntry;
    this.#newestGone = hasEnd ? Math.max(0, Number(behindGap?.seq ?? 1) - 1) : lastEntry;
    const lastAct = largest([0, ...acts.map(({ seq }) => Number(seq)), Number(last?.act ?? 0)]);
    this.newestGap = hasEnd ? Number(behindGap?.act ?? 0) : lastAct;
    for (const { seq, act, tbl, row_id, op, chapter, chapter_after, before } of entries) {
      const [table, id] = [String(tbl), String(row_id)];
      const row = this.#rows.get(`${table} ${id}`) ?? { table, id, entries: [] };
      this.#rows.set(`${table} ${id}`, row);
      const after = chapter_after ?? chapter;
      row.entries.push({
        ...{ seq: Number(seq), act: Number(act), op: String(op), before: before as string | null },
        chapter: typeof after === "string" ? after : undefined,
      });
    }
  }

  /** True if entries are gone. */
  get hasHoles(): boolean {
    return this.#newestGone > 0;
  }

  /** The rows of a table that were there in the end, as far as the journal was found. */
  living(table: string): RowPast[] {
    return [...this.#rows.values()].filter(
      (row) => row.table === table && row.entries.at(-1)?.op !== "delete",
    );
  }

  /** Whether a row was there in the end; undefined if the journal does not know, or what it knew of it later may be gone. */
  isAlive(table: string, id: string): boolean | undefined {
    const last = this.#rows.get(`${table} ${id}`)?.entries.at(-1);
    return last && last.seq > this.#newestGone ? last.op !== "delete" : undefined;
  }

  /** The same as far as the journal was found. */
  mayLive(table: string, id: string): boolean | undefined {
    const last = this.#rows.get(`${table} ${id}`)?.entries.at(-1);
    return last && last.op !== "delete";
  }

  /** The chapter that a row stood in last. */
  chapterOf(table: string, id: string): string | undefined {
    return this.#rows.get(`${table} ${id}`)?.entries.at(-1)?.chapter;
  }

  /** Whether a row was changed after an act, as far as is known. */
  isChangedSince(table: string, id: string, act: number): boolean {
    return this.#rows.get(`${table} ${id}`)?.entries.some((entry) => entry.act > act) ?? false;
  }

  /**
   * Until when a row was as this one is, if it may have been changed since; undefined if nothing says so. `isSure` leaves out what
   * may be because the row was changed back.
   */
  endOf(table: string, row: Row, { isSure = false } = {}): PastMoment | undefined {
    const known: Known = new Map();
    let end: PastMoment | undefined;
    let later: PastMoment | undefined;
    for (const { op, before, ...entry } of this.#backwards(table, String(row.id))) {
      if (op !== "update") break;
      const moment = this.#moment(entry);
      const { isOlder, isAsAfter } = stepOver(known, row, before);
      if (isOlder && entry.seq > this.#newestGone) end ??= moment;
      if (isAsAfter && end !== undefined) return later ?? end;
      const isAs = known.size > 0 && [...known].every(([column, value]) => row[column] === value);
      if (isAs && (!isSure || later === undefined || end !== undefined)) return moment;
      later = moment;
    }
    return end;
  }

  /**
   * The newest values of a row's columns that the journal holds, of those that it was changed in: what it was before it was
   * changed last. `until` is when the columns asked for were changed away from that.
   */
  lastImage(
    table: string,
    id: string,
    columns: readonly string[],
  ): { image: Row; until: PastMoment } | undefined {
    const known = new Map<string, Cell>();
    for (const { op, before, ...moment } of this.#backwards(table, id)) {
      if (op === "insert") return undefined;
      for (const [column, value] of imageOf(before))
        if (!known.has(column) && !isDelta(value)) known.set(column, value);
      if (columns.every((column) => known.has(column)))
        return { image: Object.fromEntries(known), until: this.#moment(moment) };
    }
    return undefined;
  }

  /** When an act was, in milliseconds since 1970, if it was found. */
  timeOf(act: number): number | undefined {
    const at = this.#times.get(act);
    return typeof at === "number" ? at : undefined;
  }

  #moment({ seq, act }: { seq: number; act: number }): PastMoment {
    return { seq, act, at: this.timeOf(act) };
  }

  #backwards(table: string, id: string): Entry[] {
    return [...(this.#rows.get(`${table} ${id}`)?.entries ?? [])].reverse();
  }
}

/** Columns as they were at a moment, those that were changed since. */
type Known = Map<string, Cell | typeof UNKNOWN>;

/**
 * Goes back over an entry. A row is older than the entry if that is the delta of another text in a column that nothing has
 * changed later; it is as the entry left it if it is the text of a delta of which nothing else tells the text.
 */
function stepOver(known: Known, row: Row, before: string | null): { isOlder: boolean; isAsAfter: boolean } {
  let [isOlder, isAsAfter] = [false, false];
  for (const [column, value] of imageOf(before)) {
    const after = known.has(column) ? known.get(column) : row[column];
    const was = isDelta(value) ? lengthened(value, after) : value;
    if (was === UNKNOWN && !known.has(column)) isOlder = true;
    if (was === UNKNOWN && isDeltaOf(value, row[column])) isAsAfter = true;
    known.set(column, was);
  }
  return { isOlder, isAsAfter };
}

/** The value of a column that nothing tells. */
const UNKNOWN = Symbol("unknown");

function lengthened(delta: Delta, after: Cell | typeof UNKNOWN | undefined): Cell | typeof UNKNOWN {
  return (typeof after === "string" ? lengthen(delta, after) : undefined) ?? UNKNOWN;
}

function isDelta(value: Cell | Delta): value is Delta {
  return Array.isArray(value);
}

function isDeltaOf(value: Cell | Delta, text: Cell | undefined): boolean {
  return isDelta(value) && lengthened(value, text) !== UNKNOWN;
}

function imageOf(before: string | null): [string, Cell | Delta][] {
  try {
    return Object.entries(JSON.parse(before ?? "{}") as Record<string, Cell | Delta>);
  } catch {
    return []; // a damaged entry tells nothing
  }
}
