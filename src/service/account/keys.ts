import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { TIERS, USUAL_TIERS } from "../../contract/enums.ts";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { KeyId } from "../../ids.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { KeyRow } from "../../store/rows/account.ts";
import * as stored from "../../store/rows/account.ts";
import type { Manuscript } from "../manuscript.ts";
import { toTime } from "../present.ts";

/** A key as the owner sees it: never the key itself. */
export type Key = LocalAnswer<"key">;

/** Whose a valid key is. */
export interface KeyHolder {
  keyId: KeyId;
  allow: Readonly<KeyRow["allow"]>;
}

const SECRET_BYTES = 32;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_CHARACTERS = 43; // ceil(256 bits / log2(62))
const CHECKSUM_CHARACTERS = 6; // ceil(32 bits / log2(62))
const FORM = /^msk_([A-Za-z0-9]+)_([A-Za-z0-9]{43})([A-Za-z0-9]{6})$/;
const PREFIX_CHARACTERS = 22;
/** How stale `lastUsedAt` may be: a write a minute at most, not one a request. */
const LAST_USED_MS = 60_000;

/** Makes a key. The key itself is returned and stored nowhere: the file holds only its hash. Source: llms.txt, The key. */
export function createKey(
  { store, writer, random }: Manuscript,
  {
    name = "",
    allow = [...USUAL_TIERS],
    expiresAt = null,
  }: { [Field in "name" | "allow" | "expiresAt"]?: KeyRow[Field] | undefined } = {},
): { key: string; record: Key } {
  if (allow.length === 0) throw new BadRequest(`A key must allow something: ${TIERS.join(", ")}.`);
  const secret = base62(BigInt(`0x${Buffer.from(random(SECRET_BYTES)).toString("hex")}`), SECRET_CHARACTERS);
  const body = `msk_${writer}_${secret}`;
  const key = body + checksum(body);
  const row: KeyRow = {
    id: store.mint("key"),
    name,
    prefix: key.slice(0, PREFIX_CHARACTERS),
    hash: digestOf(key),
    allow,
    createdAt: store.clock(),
    lastUsedAt: null,
    expiresAt,
    revokedAt: null,
  };
  stored.insertKey(store, row);
  return { key, record: show(row) };
}

/** Every key ever made, oldest first, the revoked ones too. */
export function listKeys({ store }: Manuscript): { keys: Key[]; total: number } {
  const keys = stored.listKeys(store).map(show);
  return { keys, total: keys.length };
}

/** Ends a key for good; no undo brings it back. Throws `NotFound`. */
export function revokeKey(manuscript: Manuscript, id: KeyId): Key {
  const { store } = manuscript;
  if (!stored.revokeKey(store, id, store.clock())) throw new NotFound("living key");
  return show(stored.listKeys(store).find((key) => key.id === id)!); // it was just revoked
}

/** The writer that a well-formed key names, or undefined: a mistyped key never reaches a file. */
export function writerOf(key: string): string | undefined {
  const match = FORM.exec(key);
  if (match === null || checksum(key.slice(0, -CHECKSUM_CHARACTERS)) !== match[3]) return undefined;
  return match[1];
}

/** The keys of a file that were asked for since anything was written to it, by their digests. */
interface Checked {
  state: number;
  keys: Map<string, stored.KeyCheck>;
}

const checked = new WeakMap<Manuscript["store"], Checked>();

/** The holder of this key; undefined for an unknown, revoked or expired one. */
export function findHolder({ store }: Manuscript, key: string): KeyHolder | undefined {
  const digest = digestOf(key);
  const { keys } = checkedOf(store);
  const row = keys.get(digest) ?? findRow(store, digest);
  if (row === undefined) return undefined;
  const now = store.clock();
  if (row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= now)) return undefined;
  keys.set(digest, row);
  if (now - (row.lastUsedAt ?? 0) >= LAST_USED_MS) touch(store, row.id, now);
  return { keyId: row.id, allow: row.allow };
}

function findRow(store: Manuscript["store"], digest: string): stored.KeyCheck | undefined {
  const row = stored.findKeyByHash(store, digest);
  const isIt = row !== undefined && timingSafeEqual(Buffer.from(row.hash), Buffer.from(digest));
  return isIt ? row : undefined;
}

/** What is known of the keys of a file as it is now: a key that was revoked a moment ago, by whatever program, is asked for anew. */
function checkedOf(store: Manuscript["store"]): Checked {
  const state = store.state();
  let found = checked.get(store);
  if (found === undefined || found.state !== state) {
    found = { state, keys: new Map() };
    checked.set(store, found);
  }
  return found;
}

/** Whether a key that was let in still opens the file. */
export function isLiving({ store }: Manuscript, id: KeyId): boolean {
  const ends = stored.findKeyEnds(store, id);
  return ends?.revokedAt === null && (ends.expiresAt === null || ends.expiresAt > store.clock());
}

// A read must not fail because another program is writing at this moment: the next one records it.
function touch(store: Manuscript["store"], id: KeyId, now: number): void {
  try {
    stored.touchKey(store, id, now);
  } catch {
    // not worth refusing a valid key
  }
}

function show({ hash: _, ...row }: KeyRow): Key {
  const time = (at: number | null) => (at === null ? null : toTime(at));
  return {
    ...row,
    createdAt: toTime(row.createdAt),
    lastUsedAt: time(row.lastUsedAt),
    expiresAt: time(row.expiresAt),
    revokedAt: time(row.revokedAt),
  };
}

function digestOf(key: string): string {
  return hash("sha256", key);
}

function checksum(body: string): string {
  let text = "";
  for (let rest = crc32(body); text.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / 62))
    text = BASE62[rest % 62] + text;
  return text;
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)] + text;
  return text;
}
