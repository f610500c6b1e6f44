import type { IncomingMessage } from "node:http";
import { LIMITS } from "../contract/limits.ts";
import { RateLimited, Unauthorized } from "../refusals.ts";
import { findHolder, type KeyHolder, writerOf } from "../service/account/keys.ts";
import type { Manuscript } from "../service/manuscript.ts";

/** Whose manuscript a request is about, and what its key allows. */
export interface Principal extends Pick<KeyHolder, "allow"> {
  manuscript: Manuscript;
  keyId: string | null;
}

/** Finds out who asks. Throws `RateLimited`, `Unauthorized`, and `Unavailable` if the manuscript is not where it was opened. */
export type Authenticate = (request: IncomingMessage) => Principal;

const MINUTE_MS = 60_000;
const ADDRESSES = 10_000;

/**
 * Authentication by bearer key; the key names the file that it opens. Failed keys are counted by address: beyond ten a
 * minute they are answered 429. A valid key is never limited. Source: llms.txt, The key.
 */
export function createAuthenticate(manuscripts: readonly Manuscript[], clock: () => number): Authenticate {
  const byWriter = new Map(manuscripts.map((manuscript) => [manuscript.writer, manuscript]));
  const failures = new Map<string, { since: number; count: number }>();
  const fail = (address: string, message: string): never => {
    const now = clock();
    const seen = failures.get(address);
    const window = seen === undefined || now - seen.since >= MINUTE_MS ? { since: now, count: 0 } : seen;
    if (window.count >= LIMITS.failedKeys)
      throw new RateLimited(Math.ceil((window.since + MINUTE_MS - now) / 1000));
    window.count++;
    if (failures.size >= ADDRESSES) failures.clear();
    failures.set(address, window);
    throw new Unauthorized(message);
  };
  return (request) => {
    const header = request.headers.authorization;
    const key = /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
    if (key === undefined) {
      throw new Unauthorized(
        'Send your API key as "Authorization: Bearer <API_KEY>"; make one with "manuscript key create".',
      );
    }
    const writer = writerOf(key);
    const manuscript = writer === undefined ? undefined : byWriter.get(writer);
    manuscript?.store.assertInPlace(); // before anything is read of it, the key itself too
    const holder = manuscript === undefined ? undefined : findHolder(manuscript, key);
    if (manuscript === undefined || holder === undefined) {
      return fail(
        request.socket.remoteAddress ?? "",
        'This API key opens nothing: it is mistyped, revoked, expired or of another file. Make one with "manuscript key create".',
      );
    }
    return { manuscript, keyId: holder.keyId, allow: holder.allow };
  };
}
