import type { Manuscript } from "../../src/service/manuscript.ts";

/** What a run asks of SQLite, which is the same however busy the machine is. */
export interface Work {
  statements: number;
  /** Rows of the journal and of the revisions that statements go through one by one. */
  walked: number;
}

const METHODS = ["run", "get", "all", "list", "row"] as const;

/** Counts the work of a run. */
export function worked({ store }: Pick<Manuscript, "store">, run: () => unknown): Work {
  const work = { statements: 0, walked: 0 };
  const own = store as unknown as Record<string, unknown>;
  let isCounting = true;
  const count = (sql: string) => Number(store.list(sql)[0]);
  const walkedBy = (sql: string, values: readonly unknown[]): number => {
    const since = /journal NOT INDEXED WHERE seq > [?:]/.test(sql) ? [values[0]].flat()[0] : undefined;
    if (since !== undefined) {
      const change = typeof since === "number" ? since : (since as { change?: number }).change;
      return count("SELECT coalesce(max(seq), 0) FROM journal") - Number(change);
    }
    return /revisions|by revisions_act/i.test(sql) && sql.includes("INDEXED BY")
      ? count("SELECT count(*) FROM revisions")
      : 0;
  };
  for (const method of METHODS) {
    const asked = store[method].bind(store) as (sql: string, ...values: unknown[]) => unknown;
    own[method] = (sql: string, ...values: unknown[]) => {
      if (isCounting) {
        isCounting = false;
        work.statements++;
        work.walked += walkedBy(sql, values);
        isCounting = true;
      }
      return asked(sql, ...values);
    };
  }
  try {
    run();
  } finally {
    for (const method of METHODS) delete own[method];
  }
  return work;
}
