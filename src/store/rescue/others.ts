import { append } from "../../text/extremes.ts";
import { TABLE_NAMES, type TableName } from "../file/tables.ts";
import { candidatesOf, fromCopies, likeliest, newestOf, type RowState, type Sources } from "./candidates.ts";
import type { Row } from "./past.ts";

/** The rows of a table beside the prose that came back. */
export interface OtherRows {
  rows: Row[];
  /** How many are gone, and how many are as they were some time ago. */
  lost: number;
  older: number;
  /** What those that are gone were called, as far as anything tells. */
  lostNames: string[];
}

/** Tables whose rows are chosen with the chapter that they are of. */
const OF_CHAPTERS: readonly TableName[] = ["chapters", "blocks", "mentions"];

/** The rows of every table but those of which chapters are made, as they were written last or come nearest to that. */
export function chooseOthers(sources: Sources): Map<TableName, OtherRows> {
  return new Map(
    TABLE_NAMES.filter((table) => !OF_CHAPTERS.includes(table)).map((table) => [
      table,
      choose(sources, table),
    ]),
  );
}

function choose(sources: Sources, table: TableName): OtherRows {
  const { past } = sources;
  const candidates = candidatesOf(sources, table);
  const chosen: OtherRows = { rows: [], lost: 0, older: 0, lostNames: [] };
  const take = (id: string, known: readonly RowState[]) => {
    const readable = known.filter(({ row }) => isReadable(table, row));
    const best = likeliest(sources, table, readable);
    const end = best && past.endOf(table, best.row, { isSure: true });
    if (best !== undefined && end === undefined) return void chosen.rows.push(best.row);
    if (best === undefined && past.mayLive(table, id) !== true) return;
    const all = [...(best === undefined ? [] : [best]), ...fromCopies(sources, table, id)];
    const nearest = newestOf(past, table, all);
    if (nearest === undefined) {
      chosen.lost++;
      append(chosen.lostNames, nameOf(sources, table, id));
    } else chosen.rows.push(nearest.row);
    if (nearest !== undefined && nearest.origin?.isNewest !== true) chosen.older++;
  };
  for (const [id, known] of candidates) take(id, known);
  for (const { id } of past.living(table)) if (!candidates.has(id)) take(id, []);
  return chosen;
}

const NAMES: Partial<Record<TableName, string>> = {
  books: "title",
  parts: "title",
  facts: "name",
  milestones: "name",
};

/** What a row was called, in a list of one: as its history knew it last, or as the text calls a fact. Empty if nothing tells. */
function nameOf({ past, found, shapes }: Sources, table: TableName, id: string): string[] {
  const column = NAMES[table];
  if (column === undefined) return [];
  const known = past.lastImage(table, id, [column])?.image[column];
  if (typeof known === "string") return [known];
  if (table !== "facts") return [];
  const names = shapes.find(({ name }) => name === "mentions")?.columns.map(({ name }) => name) ?? [];
  const [fact, text] = [names.indexOf("fact_id"), names.indexOf("text")];
  for (const [mention] of found.rows.get("mentions")?.values() ?? [])
    if (mention?.values[fact] === id) return [String(mention.values[text])];
  return [];
}

const JSON_COLUMNS: Partial<Record<TableName, readonly string[]>> = {
  books: ["manifest", "metadata"],
  facts: ["aliases", "attributes"],
  snippets: ["items", "detached", "replies"],
};

function isReadable(table: TableName, row: Row): boolean {
  try {
    for (const column of JSON_COLUMNS[table] ?? []) JSON.parse(String(row[column] ?? null));
    return true;
  } catch {
    return false;
  }
}
