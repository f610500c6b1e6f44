import type { Assistant, Assisted, AssistRequest } from "../../ai/llm/assisted.ts";
import type { Reader } from "../../ai/reader.ts";
import type { AnswerOf, EndpointId } from "../../contract/index.ts";
import type { CallId, ChapterId } from "../../ids.ts";
import { Busy, Unavailable } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { creditsLeft, hold, priceWithin } from "../account/credits.ts";
import { refund, settleHold } from "../account/holds.ts";
import { answererOf } from "../account/language-model.ts";
import type { Manuscript } from "../manuscript.ts";
import { untilFree } from "../retry-busy.ts";
import { recall, remember } from "./answer-cache.ts";
import { type AskedChapter, readAskedChapter } from "./context.ts";

/** What an AI call cost and what is left; null is unlimited. */
export interface Spent {
  cost: number;
  remaining: number | null;
}

/** An answer of the AI tier with its price, and whose it is. */
export interface Paid<Id extends EndpointId> {
  answer: AnswerOf<Id>;
  spent: Spent;
  engine: string;
  /** Why the language model that is set did not answer, in a word or two; such an answer costs nothing. */
  fallback?: string;
}

/** The chapter that is asked about; `gone` aborts when nobody waits for the answer any more. */
interface About {
  id: ChapterId;
  gone: AbortSignal | undefined;
}

/** One operation of the tier: how an engine is asked, what it returns for an empty chapter, and how it is answered. */
interface Operation<Id extends EndpointId, Result> {
  id: Id;
  empty: Result;
  ask(assistant: Assistant, embedded: Reader, asked: AssistRequest): Promise<Assisted<Result>>;
  shape(result: Result, about: { chapterId: string; revision: number; engine: string }): AnswerOf<Id>;
}

/** A synopsis; it is not saved. */
export function draftSynopsis(
  manuscript: Manuscript,
  id: ChapterId,
  gone?: AbortSignal,
): Promise<Paid<"draftSynopsis">> {
  return spend(
    manuscript,
    { id, gone },
    {
      id: "draftSynopsis",
      empty: "",
      ask: (assistant, embedded, asked) => assistant.synopsis(embedded, asked),
      shape: (synopsis) => ({ synopsis }),
    },
  );
}

/** Proposed additions to the story map; writes nothing. */
export function detectMentions(
  manuscript: Manuscript,
  id: ChapterId,
  gone?: AbortSignal,
): Promise<Paid<"detectMentions">> {
  return spend(
    manuscript,
    { id, gone },
    {
      id: "detectMentions",
      empty: [],
      ask: (assistant, embedded, asked) => assistant.detect(embedded, asked),
      shape: (proposals, about) => ({ ...about, proposals }),
    },
  );
}

/** Contradictions and drifting names; writes nothing. */
export function checkConsistency(
  manuscript: Manuscript,
  id: ChapterId,
  gone?: AbortSignal,
): Promise<Paid<"checkConsistency">> {
  return spend(
    manuscript,
    { id, gone },
    {
      id: "checkConsistency",
      empty: [],
      ask: (assistant, embedded, asked) => assistant.check(embedded, asked),
      shape: (findings, about) => ({ ...about, findings }),
    },
  );
}

/**
 * The answer and its price. The price is held in one transaction and settled in another, none is open while the engines
 * work; whatever is not a full answer gives it back. What was paid for once is not paid for again while chapter, cast
 * and engine are the same, not even if the rest of the book has changed and the engine is asked anew. An empty chapter
 * costs nothing. Throws `NotFound`, `InsufficientCredits`, `Unavailable`. Source: llms.txt, Tiers and their cost.
 */
async function spend<Id extends EndpointId, Result>(
  manuscript: Manuscript,
  { id, gone }: About,
  operation: Operation<Id, Result>,
): Promise<Paid<Id>> {
  const { store, reader } = manuscript;
  const scene = readAskedChapter(store, id);
  if (reader === null) throw noEngine(store, scene);
  const { assistant, engine, timeoutMs } = await answererOf(manuscript, reader);
  const limits = await reader.limits?.(scene.book);
  const paid = (result: Assisted<Result>, cost: number): Paid<Id> => ({
    answer: operation.shape(result.answer, {
      chapterId: id,
      revision: scene.chapter.revision,
      engine: limits ? `${result.engine} (${limits})` : result.engine,
    }),
    spent: { cost, remaining: creditsLeft(store).available },
    engine: result.engine,
    ...(result.fallback === undefined ? {} : { fallback: result.fallback }),
  });
  if (scene.words === 0) return paid({ answer: operation.empty, engine }, 0);
  const paidFor = JSON.stringify([operation.id, id, scene.chapter.revision, scene.cast, engine]);
  const known = recall<Assisted<Result>>(store, paidFor);
  if (known?.ground === scene.ground) return paid(known.answer, 0);
  const call = { operation: operation.id, chapterId: id, words: scene.words, engine };
  const held = known === undefined ? hold(store, call, timeoutMs) : undefined;
  const asked = { chapter: scene.chapter, book: scene.book, timeoutMs, gone };
  const { result, isDue, cost } = await withinHold(store, held, gone, () =>
    operation.ask(assistant, reader, asked),
  );
  if (isDue) remember(store, paidFor, { ground: scene.ground, answer: result });
  return paid(result, cost);
}

/** What the work returns and what it cost; whatever is not a full answer to somebody gives the price back. */
async function withinHold<Result>(
  store: Store,
  held: { id: CallId; cost: number } | undefined,
  gone: AbortSignal | undefined,
  run: () => Promise<Assisted<Result>>,
): Promise<{ result: Assisted<Result>; isDue: boolean; cost: number }> {
  let result: Assisted<Result>;
  try {
    result = await run();
  } catch (error) {
    await close(store, held?.id, refund);
    throw error;
  }
  const isDue = result.fallback === undefined && !gone?.aborted;
  const isSettled = await close(store, held?.id, isDue ? settleHold : refund);
  return { result, isDue, cost: isDue && isSettled ? (held?.cost ?? 0) : 0 };
}

// `Busy` would have the whole call tried again, work and all.
async function close(
  store: Store,
  held: CallId | undefined,
  how: typeof settleHold | typeof refund,
): Promise<boolean> {
  if (held === undefined) return true;
  try {
    return await untilFree(() => how(store, held));
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    throw new Unavailable(
      "The manuscript stayed busy; what this call holds is given back by itself. Try again.",
    );
  }
}

function noEngine(store: Store, { words }: AskedChapter): Unavailable {
  priceWithin(store, words);
  return new Unavailable("No engine is configured for the AI tier; nothing was charged.");
}
