import type { Cell } from "../bundle.ts";

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
  /** True if entries are gone: the numbers of all that were ever written follow each other. */
  readonly hasHoles: boolean;

  /** Of rows of `journal` and `acts`. */
  constructor(journal: readonly Row[], acts: readonly Row[]) {
    this.#times = new Map(acts.map(({ seq, at }) => [seq ?? null, at ?? null]));
    const entries = [...journal].sort((a, b) => Number(a.seq) - Number(b.seq));
    const last = entries.at(-1);
    this.hasHoles = last !== undefined && entries.length < Number(last.seq);
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

  /** The rows of a table that were there in the end, as the journal tells it. */
  living(table: string): RowPast[] {
    return [...this.#rows.values()].filter(
      (row) => row.table === table && row.entries.at(-1)?.op !== "delete",
    );
  }

  /** Whether a row was there in the end; undefined if the journal knows nothing of it. */
  isAlive(table: string, id: string): boolean | undefined {
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
   * Until when a row was as this one is, if it may have been changed since; undefined if nothing says so. `isSure` counts only
   * the last change: a row may be what it once was because it was changed back.
   */
  endOf(table: string, row: Row, { isSure = false } = {}): PastMoment | undefined {
    const known = new Map<string, Cell>();
    for (const { op, before, ...moment } of this.#backwards(table, String(row.id))) {
      if (op !== "update") return undefined;
      for (const [column, value] of imageOf(before)) known.set(column, value);
      if (known.size > 0 && [...known].every(([column, value]) => row[column] === value))
        return this.#moment(moment);
      if (isSure) return undefined;
    }
    return undefined;
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
      for (const [column, value] of imageOf(before)) if (!known.has(column)) known.set(column, value);
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

function imageOf(before: string | null): [string, Cell][] {
  try {
    return Object.entries(JSON.parse(before ?? "{}") as Record<string, Cell>);
  } catch {
    return []; // a damaged entry tells nothing
  }
}
