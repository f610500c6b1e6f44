import type { Tier } from "../../contract/index.ts";
import type { KeyId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

/** A stored key: never the key itself. Times in milliseconds since 1970. */
export interface KeyRow {
  id: KeyId;
  name: string;
  /** The key's first characters, to tell keys apart. */
  prefix: string;
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
  allow: Tier[];
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

/** The plan as set; `allowance` null means unlimited, `until` null means no end. */
export interface AccountPlan {
  active: boolean;
  until: string | null;
  allowance: number | null;
}

const KEY = `SELECT id, name, prefix, hash, allow, created_at AS createdAt, last_used_at AS lastUsedAt, expires_at AS expiresAt,
  revoked_at AS revokedAt FROM keys`;
type RawKey = Omit<KeyRow, "allow"> & { allow: string };
const tiersOf = (allow: string) => allow.split(",").filter(Boolean) as Tier[];
const shape = (row: RawKey): KeyRow => ({ ...row, allow: tiersOf(row.allow) });

/** Every key that was ever made, oldest first. */
export function listKeys(store: Store): KeyRow[] {
  return store.all<RawKey>(`${KEY} ORDER BY created_at, id`).map(shape);
}

/** What a key is called; undefined if there is none. */
export function findKeyName(store: Store, id: KeyId): string | undefined {
  return store.list<string>("SELECT name FROM keys WHERE id = ?", id)[0];
}

/** The columns that a request's key is checked against; times in milliseconds since 1970. */
export type KeyCheck = Pick<KeyRow, "id" | "hash" | "allow" | "lastUsedAt" | "expiresAt" | "revokedAt">;

/** The key with this SHA-256, in hexadecimal. Every request reads it. */
export function findKeyByHash(store: Store, hash: string): KeyCheck | undefined {
  const row = store.get<Omit<KeyCheck, "allow"> & { allow: string }>(
    "SELECT id, hash, allow, last_used_at AS lastUsedAt, expires_at AS expiresAt, revoked_at AS revokedAt FROM keys WHERE hash = ?",
    hash,
  );
  return row === undefined ? undefined : { ...row, allow: tiersOf(row.allow) };
}

/** When a key ended, or will; undefined if there is none of this id. */
export function findKeyEnds(store: Store, id: KeyId): Pick<KeyRow, "expiresAt" | "revokedAt"> | undefined {
  return store.get("SELECT expires_at AS expiresAt, revoked_at AS revokedAt FROM keys WHERE id = ?", id);
}

/** Stores a key's hash; the key itself is never seen here. */
export function insertKey(store: Store, key: KeyRow): void {
  store.setAside(() =>
    store.run(
      `INSERT INTO keys(id, name, prefix, hash, allow, created_at, expires_at)
       VALUES(:id, :name, :prefix, :hash, :allow, :createdAt, :expiresAt)`,
      { ...key, allow: key.allow.join(",") },
    ),
  );
}

/** Ends a key for good. False if no living key has this id. */
export function revokeKey(store: Store, id: KeyId, at: number): boolean {
  const sql = "UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
  return store.setAside(() => store.run(sql, at, id)) > 0;
}

/** Records when a key was last used. */
export function touchKey(store: Store, id: KeyId, at: number): void {
  store.setAside(() => store.run("UPDATE keys SET last_used_at = ? WHERE id = ?", at, id));
}

/** The value of a setting, or undefined. */
export function readSetting(store: Store, name: string): string | undefined {
  return store.list<string>("SELECT value FROM settings WHERE name = ?", name)[0];
}

/** Writes a setting over the one of that name. */
export function saveSetting(store: Store, name: string, value: string): void {
  store.setAside(() =>
    store.run(
      "INSERT INTO settings(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
      name,
      value,
    ),
  );
}

/** The settings whose names begin with this, by name. */
export function listSettings(store: Store, prefix: string): { name: string; value: string }[] {
  return store.all(
    "SELECT name, value FROM settings WHERE substr(name, 1, length(:prefix)) = :prefix ORDER BY name",
    {
      prefix,
    },
  );
}

/** Takes a setting away. False if there was none. */
export function dropSetting(store: Store, name: string): boolean {
  return store.setAside(() => store.run("DELETE FROM settings WHERE name = ?", name)) > 0;
}

/** A new file's plan: active, without end, unlimited. */
export function readPlan(store: Store): AccountPlan {
  const stored = readSetting(store, "plan");
  return stored === undefined ? { active: true, until: null, allowance: null } : JSON.parse(stored);
}

/** Writes the plan over the one before, outside the journal. */
export function savePlan(store: Store, plan: AccountPlan): void {
  saveSetting(store, "plan", JSON.stringify(plan));
}
