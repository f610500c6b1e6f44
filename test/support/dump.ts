import type { Store } from "../../src/store/file/store.ts";
import { TABLE_NAMES } from "../../src/store/file/tables.ts";

/** Counters and hashes, computed again from the rest: `assertSound` looks at those. */
const LEFT_OUT = new Set(["revision", "version", "updated_at", "digest", "hash", "seal"]);

/** Everything that the writer made, row by row: what an undo must bring back. */
export function dump(store: Store): Record<string, Record<string, unknown>[]> {
  const tables = [...TABLE_NAMES, "leaves"];
  return Object.fromEntries(
    tables.map((table) => [
      table,
      store
        .all<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY id`)
        .map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !LEFT_OUT.has(column)))),
    ]),
  );
}
