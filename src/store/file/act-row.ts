import { VERSIONS } from "../schema/migrate.ts";
import type { ActSource, Sql } from "./sql.ts";

/** Who writes, and what: `kind` is the operation's name, `source` the face that requested it. */
export interface ActMeta {
  kind: string;
  source: ActSource;
  keyId?: string | null;
  /** Who asks, if that is a program without a key. */
  byName?: string | undefined;
  /** `seq` of the act that this one undoes. */
  undoes?: number;
  /** Run the whole write and roll it back: nothing is written. */
  dryRun?: boolean;
  /** A write that changes nothing leaves no act: `act` is null then, as after a dry run. */
  skipsEmpty?: boolean;
}

/** A row of `acts`. */
interface ActValues {
  id: string;
  at: number;
  kind: string;
  source: string;
  byName: string | null;
  keyId: string | null;
  undoes: number | null;
  schema: number;
}

/** What an act's row says beside its number, its id and its time. */
export function valuesOf(meta: ActMeta): Omit<ActValues, "id" | "at"> {
  const { kind, source, keyId, undoes, byName } = meta;
  const who = { keyId: keyId ?? null, byName: byName ?? null };
  return { kind, source, ...who, undoes: undoes ?? null, schema: VERSIONS.length };
}

const INSERT =
  "INSERT INTO acts(id, at, kind, source, key_id, undoes, schema, by_name) VALUES(?, ?, ?, ?, ?, ?, ?, ?)";

/** Adds an act's row; returns its number. */
export function insertAct(sql: Sql, act: ActValues): number {
  const { id, at, kind, source, keyId, undoes, schema, byName } = act;
  const { lastInsertRowid } = sql.prepare(INSERT).run(id, at, kind, source, keyId, undoes, schema, byName);
  return Number(lastInsertRowid);
}
