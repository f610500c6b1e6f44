import type { Assistant, Assisted, AssistRequest } from "../../ai/llm/assisted.ts";
import type { Reader } from "../../ai/reader.ts";
import type { AnswerOf, EndpointId } from "../../contract/index.ts";
import type { CallId, ChapterId } from "../../ids.ts";
import { Busy, Unavailable } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { LruCache } from "../../text/lru-cache.ts";
import { chargeHold, creditsLeft, hold, priceWithin, refund } from "../account/credits.ts";
import { answererOf } from "../account/language-model.ts";
import type { Manuscript } from "../manuscript.ts";
import { retryWhileBusy } from "../retry-busy.ts";
import { readContext } from "./context.ts";
import { ownFindings, ownProposals } from "./own-spans.ts";

/** What an AI call cost and how many credits are left; null is unlimited. */
export interface Spent {
  cost: number;
  remaining: number | null;
}

/** An answer of the AI tier with its price and its engine. */
export interface Paid<Id extends EndpointId> {
  answer: AnswerOf<Id>;
  spent: Spent;
  engine: string;
  /** Why the language model that is set did not answer, in a word or two; such an answer costs nothing. */
  fallback?: string;
}

/** An operation of the tier: what an engine runs, its result for an empty chapter, and the shape of the answer. */
interface Operation<Id extends EndpointId, Result> {
  id: Id;
  empty: Result;
  run(assistant: Assistant, embedded: Reader, request: AssistRequest): Promise<Assisted<Result>>;
  /** Puts the spans of a result into the blocks' own texts. */
  own(result: Result, store: Store, id: ChapterId): Result;
  shape(result: Result, about: { chapterId: string; revision: number; engine: string }): AnswerOf<Id>;
}

/** Runs an operation on a chapter; `signal` aborts when nobody waits for the answer any more. */
type Metered<Id extends EndpointId> = (
  manuscript: Manuscript,
  id: ChapterId,
  signal?: AbortSignal,
) => Promise<Paid<Id>>;

/** Drafts a synopsis; it is not saved. */
export const draftSynopsis: Metered<"draftSynopsis"> = metered({
  id: "draftSynopsis",
  empty: "",
  run: (assistant, embedded, request) => assistant.synopsis(embedded, request),
  own: (synopsis) => synopsis,
  shape: (synopsis) => ({ synopsis }),
});

/** Proposes additions to the story map; writes nothing. */
export const detectMentions: Metered<"detectMentions"> = metered({
  id: "detectMentions",
  empty: [],
  run: (assistant, embedded, request) => assistant.detect(embedded, request),
  own: (proposals, store, id) => ownProposals(store, id, proposals),
  shape: (proposals, about) => ({ ...about, proposals }),
});

/** Finds contradictions and drifting names; writes nothing. */
export const checkConsistency: Metered<"checkConsistency"> = metered({
  id: "checkConsistency",
  empty: [],
  run: (assistant, embedded, request) => assistant.check(embedded, request),
  own: (findings, store) => ownFindings(store, findings),
  shape: (findings, about) => ({ ...about, findings }),
});

function metered<Id extends EndpointId, Result>(operation: Operation<Id, Result>): Metered<Id> {
  return (manuscript, id, signal) => spend(manuscript, operation, id, signal);
}

/** An answer that was paid for, and the state of the book that it was made from. */
interface CachedAnswer {
  state: string;
  answer: unknown;
}

const MOST_ANSWERS = 100;
// Of each file, released with it: the last hundred that were used.
const answers = new WeakMap<Store, LruCache<string, CachedAnswer>>();

/**
 * Returns the answer and its price. The price is held in one transaction and charged in another, and none is open while
 * the engines work; anything but a full answer refunds it. An answer is paid for once while chapter, cast and engine are
 * the same, even if the rest of the book has changed and the engine runs again. An empty chapter costs nothing. Throws `NotFound`, `InsufficientCredits`, `Unavailable`. Source: llms.txt, Tiers and their cost.
 */
async function spend<Id extends EndpointId, Result>(
  manuscript: Manuscript,
  operation: Operation<Id, Result>,
  id: ChapterId,
  signal: AbortSignal | undefined,
): Promise<Paid<Id>> {
  const { store, reader } = manuscript;
  const context = readContext(store, id);
  if (reader === null) {
    priceWithin(store, context.words);
    throw new Unavailable("No engine is configured for the AI tier; nothing was charged.");
  }
  const { assistant, engine, timeoutMs } = await answererOf(manuscript, reader);
  const limits = await reader.limits?.(context.book);
  const paid = (result: Assisted<Result>, cost: number): Paid<Id> => ({
    answer: operation.shape(result.answer, {
      chapterId: id,
      revision: context.chapter.revision,
      engine: limits ? `${result.engine} (${limits})` : result.engine,
    }),
    spent: { cost, remaining: creditsLeft(store).available },
    engine: result.engine,
    ...(result.fallback === undefined ? {} : { fallback: result.fallback }),
  });
  if (context.words === 0) return paid({ answer: operation.empty, engine }, 0);
  const paidFor = JSON.stringify([operation.id, id, context.chapter.revision, context.cast, engine]);
  const cache = answers.get(store) ?? new LruCache<string, CachedAnswer>(MOST_ANSWERS);
  answers.set(store, cache);
  const cached = cache.get(paidFor);
  // The key names the operation, so it tells the type.
  if (cached?.state === context.state) return paid(cached.answer as Assisted<Result>, 0);
  const call = { operation: operation.id, chapterId: id, words: context.words, engine };
  const held = cached === undefined ? hold(store, call, timeoutMs) : undefined;
  const request = { chapter: context.chapter, book: context.book, timeoutMs, gone: signal };
  const { result, isDue, cost } = await withinHold(store, held, signal, async () => {
    const assisted = await operation.run(assistant, reader, request);
    return { ...assisted, answer: operation.own(assisted.answer, store, id) };
  });
  if (isDue) cache.set(paidFor, { state: context.state, answer: result });
  return paid(result, cost);
}

/** Returns the result of the work and its cost; anything but a full answer that somebody waits for refunds the price. */
async function withinHold<Result>(
  store: Store,
  hold: { id: CallId; cost: number } | undefined,
  signal: AbortSignal | undefined,
  run: () => Promise<Assisted<Result>>,
): Promise<{ result: Assisted<Result>; isDue: boolean; cost: number }> {
  let result: Assisted<Result>;
  try {
    result = await run();
  } catch (error) {
    await close(store, hold?.id, refund);
    throw error;
  }
  const isDue = result.fallback === undefined && !signal?.aborted;
  const isCharged = await close(store, hold?.id, isDue ? chargeHold : refund);
  return { result, isDue, cost: isDue && isCharged ? (hold?.cost ?? 0) : 0 };
}

// `Busy` would have the whole call tried again, work and all.
async function close(
  store: Store,
  call: CallId | undefined,
  end: typeof chargeHold | typeof refund,
): Promise<boolean> {
  if (call === undefined) return true;
  try {
    return await retryWhileBusy(() => end(store, call));
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    throw new Unavailable(
      "The manuscript stayed busy; what this call holds is given back by itself. Try again.",
    );
  }
}
