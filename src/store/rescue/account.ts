import { ACCOUNT, listAccountTables, type Tables } from "../bundle.ts";
import type { FoundRows, Shape } from "./found-rows.ts";

/** What came back of keys, credits and settings. */
export interface AccountRows {
  /** Rows that were found in their place. */
  tables: Tables;
  /** By this its keys find the file. */
  writer: string | undefined;
  /** Which of them may lack some: their tables have lost pages. */
  broken: readonly (typeof ACCOUNT)[number][];
}

/** The tables of the account, as they are looked for. */
export function accountShapes(): Shape[] {
  return listAccountTables().map((table) => ({ ...table, least: table.columns.length }));
}

/** Settings that are the writer's: others name this very file, or where it was served. */
const KEPT_SETTINGS: readonly unknown[] = ["plan", "llm"];

/** Chooses the rows of the account. What was found elsewhere than in its place is left: a key may have been revoked since. */
export function chooseAccount({ rows, broken }: FoundRows): AccountRows {
  const found = ACCOUNT.map((table) => {
    const own = [...(rows.get(table)?.values() ?? [])].flatMap(([first]) =>
      first?.standing === "in place" ? [first.values] : [],
    );
    return [table, own] as const;
  });
  const tables = Object.fromEntries(found);
  const settings = tables.settings ?? [];
  const writer = settings.find(([name]) => name === "writer")?.[1];
  return {
    tables: { ...tables, settings: settings.filter(([name]) => KEPT_SETTINGS.includes(name)) },
    writer: typeof writer === "string" ? writer : undefined,
    broken: ACCOUNT.filter((table) => broken.has(table)),
  };
}
