import { hash } from "node:crypto";
import type { Endpoint, OwnerEndpoint } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import { BadRequest, Conflict } from "../../refusals.ts";
import {
  type Caller,
  ETAG,
  findKept,
  type Kept,
  type Manuscript,
  type MayBeTagged,
} from "../../service/manuscript.ts";
import { retryWhileBusy } from "../../service/retries.ts";
import type { AnyReply } from "../handlers.ts";

type Once = NonNullable<Caller["once"]>;

/** A reply, and whether it is that of an earlier request. */
export interface Done {
  reply: AnyReply;
  isReplay: boolean;
}

/** The header of an answer that was given before. */
export const REPLAYED = "Idempotent-Replayed";

/**
 * What makes a POST one that is done once; undefined without an `Idempotency-Key`. Two requests are the same if they
 * have the same path, query and body, however their JSON is written. Throws `BadRequest`. Source: llms.txt, Requests and
 * answers.
 */
export function readOnce(
  { id, method }: Endpoint | OwnerEndpoint,
  key: string | string[] | undefined,
  { keyId, input }: { keyId: string | null; input: object },
): Once | undefined {
  if (method !== "POST" || key === undefined) return undefined;
  if (typeof key !== "string" || !/^[\x20-\x7e]+$/.test(key) || key.length > LIMITS.onceCharacters)
    throw new BadRequest(
      `Idempotency-Key must be 1 to ${LIMITS.onceCharacters} characters of printable ASCII; a random UUID will do.`,
    );
  const fingerprint = hash("sha256", JSON.stringify([id, input]));
  return { keyId: keyId ?? "", key, fingerprint };
}

/** Answers each request once: what is repeated, at once or later, gets what was answered first. */
export interface Replays {
  answer(
    manuscript: Manuscript,
    once: Once | undefined,
    run: () => AnyReply | Promise<AnyReply>,
  ): Done | Promise<Done>;
}

/** The replays of one server. What was answered is in the files, what is being answered in memory. */
export function createReplays(): Replays {
  const running = new Map<string, Promise<Done>>();
  const answer: Replays["answer"] = (manuscript, once, run) => {
    if (once === undefined) return doneBy(retryWhileBusy(run));
    const name = JSON.stringify([manuscript.writer, once.keyId, once.key]);
    const again = () => answer(manuscript, once, run);
    const first = running.get(name);
    if (first !== undefined) return first.then(again, again);
    let isReplay = false;
    const reply = retryWhileBusy(() => {
      const kept = findKept(manuscript, once);
      isReplay = kept !== undefined;
      return kept === undefined ? run() : replyOf(kept, once);
    });
    if (!(reply instanceof Promise)) return { reply, isReplay };
    const done = reply.then((given) => ({ reply: given, isReplay }));
    running.set(name, done);
    return done.finally(() => running.delete(name));
  };
  return { answer };
}

function doneBy(reply: AnyReply | Promise<AnyReply>): Done | Promise<Done> {
  if (reply instanceof Promise) return reply.then((given) => ({ reply: given, isReplay: false }));
  return { reply, isReplay: false };
}

/** The reply that was kept. Throws `Conflict` if it is that of another request, or was too long to keep. */
function replyOf({ fingerprint, reply }: Kept, once: Once): AnyReply {
  if (fingerprint !== once.fingerprint)
    throw new Conflict(
      `This Idempotency-Key came with another request within the last ${LIMITS.replayHours} hours, and nothing was done now. Send a new key with a new request.`,
    );
  if (reply === undefined)
    throw new Conflict(
      "This very request was done already, and its answer was too long to keep. Nothing was done again; GET /acts tells of it.",
    );
  // It was kept by the operation of this very row, as a write's answer with its tag or as a paid one.
  const kept = reply as { answer: AnyReply; etag?: string; spent?: unknown };
  if (kept.spent !== undefined) return kept as unknown as AnyReply;
  const tag: MayBeTagged = kept.etag === undefined ? {} : { [ETAG]: kept.etag };
  return { ...kept.answer, ...tag };
}
