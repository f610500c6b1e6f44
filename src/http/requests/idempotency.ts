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
  retryWhileBusy,
} from "../../service/manuscript.ts";
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
 * Reads an `Idempotency-Key`: what makes a POST one that is done once. Two requests are the same if they
 * have the same path, query and body, however their JSON is written. Throws `BadRequest`. Source: llms.txt, Requests and
 * answers.
 */
export function readOnce(
  { id }: Endpoint | OwnerEndpoint,
  key: string | string[],
  { keyId, input }: { keyId: string | null; input: object },
): Once {
  if (typeof key !== "string" || !/^[\x20-\x7e]+$/.test(key) || key.length > LIMITS.onceCharacters)
    throw new BadRequest(
      `Idempotency-Key must be 1 to ${LIMITS.onceCharacters} characters of printable ASCII; a random UUID will do.`,
    );
  const fingerprint = hash("sha256", JSON.stringify([id, input]));
  return { keyId: keyId ?? "", key, fingerprint };
}

/** Answers each request once: what is repeated, at once or later, gets what was answered first. */
export interface Replays {
  answer(manuscript: Manuscript, once: Once, run: () => AnyReply | Promise<AnyReply>): Promise<Done>;
}

/** The replays of one server. What was answered is in the files, what is being answered in memory. */
export function createReplays(): Replays {
  const running = new Map<string, Promise<Done>>();
  const answerOnce = async (...[manuscript, once, run]: Parameters<Replays["answer"]>): Promise<Done> => {
    let isReplay = false;
    const reply = await retryWhileBusy(() => {
      const kept = findKept(manuscript, once);
      isReplay = kept !== undefined;
      return kept === undefined ? run() : replyOf(kept, once);
    });
    return { reply, isReplay };
  };
  const answer: Replays["answer"] = (manuscript, once, run) => {
    const name = JSON.stringify([manuscript.writer, once.keyId, once.key]);
    const again = () => answer(manuscript, once, run);
    const first = running.get(name);
    if (first !== undefined) return first.then(again, again);
    const done = answerOnce(manuscript, once, run);
    running.set(name, done);
    return done.finally(() => running.delete(name));
  };
  return { answer };
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
