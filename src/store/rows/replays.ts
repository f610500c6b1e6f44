import { LIMITS } from "../../contract/limits.ts";
import type { Store } from "../file/store.ts";

/** A request that is to be done once: repeated under its `Idempotency-Key`, it is answered as at first. */
export interface Once {
  /** The API key that it came with; "" for the owner's own command. An `Idempotency-Key` is that of one API key. */
  keyId: string;
  key: string;
  /** Tells requests apart: a hash of method, path, query and body. */
  fingerprint: string;
}

/** What a request was answered first. */
export interface Kept {
  fingerprint: string;
  /** The reply; undefined if it was too long to keep. */
  reply: unknown;
}

/** What was kept under the request's key within the last day, or undefined. */
export function findReplay(store: Store, { keyId, key }: Once): Kept | undefined {
  const row = store.get<{ fingerprint: string; reply: Buffer | null }>(
    "SELECT fingerprint, reply FROM replays WHERE key_id = ? AND key = ? AND at > ?",
    keyId,
    key,
    aDayBefore(store),
  );
  if (row === undefined) return undefined;
  const { fingerprint, reply } = row;
  return {
    fingerprint,
    reply: reply === null ? undefined : JSON.parse(zlib().inflateRawSync(reply).toString()),
  };
}

/**
 * Keeps a reply, within the transaction that did what it tells of, and drops what is older than a day. One that is
 * longer than a replay may be leaves its key alone: what it tells of is still done once.
 */
export function keepReplay(store: Store, { keyId, key, fingerprint }: Once, reply: object): void {
  // The fastest level: a reply of 16 MB takes a tenth of a second.
  const bytes = zlib().deflateRawSync(JSON.stringify(reply), { level: 1 });
  const kept = bytes.length > LIMITS.replayBytes ? null : bytes;
  store.setAside(() => {
    store.run("DELETE FROM replays WHERE at <= ?", aDayBefore(store));
    store.run(
      "INSERT INTO replays(key_id, key, at, fingerprint, reply) VALUES(?, ?, ?, ?, ?)",
      keyId,
      key,
      store.clock(),
      fingerprint,
      kept,
    );
  });
}

// Loaded when first needed: a command that only reads starts sooner.
const zlib = () => process.getBuiltinModule("node:zlib");

const HOUR_MS = 3_600_000;

function aDayBefore(store: Store): number {
  return store.clock() - LIMITS.replayHours * HOUR_MS;
}
