import { type Delta, lengthen } from "../file/delta.ts";
import type { FoundRows, Shape } from "./found-rows.ts";
import type { Row } from "./past.ts";

/** The rows of the history, with ids in words and days in dates, whatever the format of the file. */
export interface HistoryRows {
  acts: Row[];
  /** What an entry holds of a block may be a delta; see `wholeTexts`. */
  journal: Row[];
  revisions: Row[];
  progress: Row[];
  working_copies: Row[];
}

/** Formats since this one name ids by numbers. */
const FIRST_NUMBERED = 5;
const DAY_MS = 86_400_000;

/** What was found of the history. */
export function historyOf(found: FoundRows, shapes: readonly Shape[], version: number): HistoryRows {
  const of = (table: string) => listed(found, shapes, table);
  const [acts, working_copies] = [of("acts"), of("working_copies")];
  if (version < FIRST_NUMBERED)
    return {
      acts,
      working_copies,
      journal: of("journal"),
      revisions: of("revisions"),
      progress: of("progress"),
    };
  const ids = new Map([
    ...found.numbers,
    ...of("ids").map(({ no, id }) => [Number(no), String(id)] as const),
  ]);
  const idOf = (no: Row[string] | undefined) => (no === null ? null : ids.get(Number(no)));
  return {
    acts,
    working_copies,
    journal: of("journal_entries").flatMap(({ row_no, chapter_no, chapter_after_no, ...entry }): Row[] => {
      const named = [row_no, chapter_no, chapter_after_no].map(idOf);
      const [row_id, chapter, chapter_after] = named;
      if (row_id === undefined || chapter === undefined || chapter_after === undefined) return [];
      return [{ ...entry, row_id, chapter, chapter_after }];
    }),
    revisions: of("revision_entries").flatMap(({ chapter_no, ...entry }): Row[] => {
      const chapter_id = idOf(chapter_no);
      return typeof chapter_id === "string" ? [{ ...entry, chapter_id }] : [];
    }),
    progress: of("progress_entries").flatMap(({ book_no, day, ...entry }): Row[] => {
      const book_id = idOf(book_no);
      const date = new Date(Number(day) * DAY_MS).toISOString().slice(0, 10);
      return typeof book_id === "string" ? [{ ...entry, book_id, date }] : [];
    }),
  };
}

/** The rows of a table that is only added to: in their place, or anywhere if the table has lost pages. */
function listed({ rows, broken }: FoundRows, shapes: readonly Shape[], table: string): Row[] {
  const columns = shapes.find(({ name }) => name === table)?.columns ?? [];
  return [...(rows.get(table)?.values() ?? [])].flatMap(([found]): Row[] => {
    if (found === undefined || (found.standing !== "in place" && !broken.has(table))) return [];
    return [Object.fromEntries(columns.map(({ name }, at) => [name, found.values[at] ?? null]))];
  });
}

/**
 * Entries of the journal with the whole texts that they held, given the blocks as they came back. The past of a block ends where a
 * delta is of no text that is known.
 */
export function wholeTexts(journal: readonly Row[], blocks: readonly Row[]): Row[] {
  const states = new Map<unknown, Record<string, unknown> | undefined>(
    blocks.map((row) => [row.id, { ...row }]),
  );
  const ended = new Set<unknown>();
  const newestFirst = [...journal].sort((a, b) => Number(b.seq) - Number(a.seq));
  return newestFirst.flatMap((entry): Row[] => {
    if (entry.tbl !== "blocks" || entry.before === null) return [entry];
    if (ended.has(entry.row_id)) return [];
    const image = imageIn(entry, states.get(entry.row_id));
    if (image === undefined) {
      ended.add(entry.row_id);
      return [];
    }
    states.set(entry.row_id, { ...states.get(entry.row_id), ...image });
    return [{ ...entry, before: JSON.stringify(image) }];
  });
}

function imageIn({ before }: Row, after: Record<string, unknown> = {}): Record<string, unknown> | undefined {
  try {
    const values = Object.entries(JSON.parse(String(before)) as Record<string, unknown>).map(
      ([name, value]) => {
        const now = after[name];
        if (!Array.isArray(value)) return [name, value];
        return [name, typeof now === "string" ? lengthen(value as unknown as Delta, now) : undefined];
      },
    );
    return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
  } catch {
    return undefined;
  }
}
