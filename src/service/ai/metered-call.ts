import type { Assistant, Assisted, AssistRequest } from "../../ai/assistant.ts";
import type { Reader } from "../../ai/reader.ts";
import type { AnswerOf, EndpointId } from "../../contract/index.ts";
import type { CallId, ChapterId } from "../../ids.ts";
import { Busy, Unavailable } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { findPaidCall, keepPaidCall, listDismissals, type PaidCall } from "../../store/rows/answers.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { findReplay, keepReplay, type Once } from "../../store/rows/replays.ts";
import { LruCache } from "../../text/lru-cache.ts";
import { chargeHold, creditsLeft, hold, priceOf, priceWithin, refund } from "../account/credits.ts";
import { answererOf } from "../account/language-model.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, retryWhileBusy } from "../manuscript.ts";
import { type ChapterContext, readContext } from "./call/context.ts";
import { ownFindings, ownProposals } from "./call/own-spans.ts";

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
  /** Which part of the chapter the language model has not read, and why; such an answer costs nothing either. */
  missed?: NonNullable<Assisted<unknown>["missed"]>;
}

/** An operation of the tier: what an engine runs, its result for an empty chapter, and the shape of the answer. */
interface Operation<Id extends EndpointId, Result> {
  id: Id;
  empty: Result;
  run(assistant: Assistant, embedded: Reader, request: AssistRequest): Promise<Assisted<Result>>;
  /** Puts the spans of a result into the blocks' own texts. */
  own(result: Result, context: ChapterContext, store: Store): Result;
  shape(
    result: Result,
    about: { chapterId: string; revision: number; engine: string; fallback?: string },
    store: Store,
  ): AnswerOf<Id>;
}

/** Who asks, what they have seen of the chapter, and under which key the answer is kept for the same request again. */
export interface Asking extends Pick<Caller, "seen" | "once"> {
  /** Aborts when nobody waits any more. */
  signal?: AbortSignal | undefined;
  /** Takes what was paid for by a run that broke off. */
  resumes?: boolean;
}

/** Runs an operation on a chapter. */
type Metered<Id extends EndpointId> = (
  manuscript: Manuscript,
  id: ChapterId,
  asking?: Asking,
) => Promise<Paid<Id>>;

/** Drafts a synopsis; it is not saved. */
export const draftSynopsis: Metered<"draftSynopsis"> = metered({
  id: "draftSynopsis",
  empty: "",
  run: (assistant, embedded, request) => assistant.synopsis(embedded, request),
  own: (synopsis) => synopsis,
  shape: (synopsis) => ({ synopsis }),
});

/** Proposes additions to the story map, without those that the writer has dismissed; writes nothing. */
export const detectMentions: Metered<"detectMentions"> = metered({
  id: "detectMentions",
  empty: [],
  run: (assistant, embedded, request) => assistant.detect(embedded, request),
  own: (proposals, { added }) => ownProposals(added, proposals),
  shape: (proposals, about, store) => ({ ...about, proposals: withoutDismissed(proposals, about, store) }),
});

/** Finds contradictions and drifting names, without those that the writer has dismissed; writes nothing. */
export const checkConsistency: Metered<"checkConsistency"> = metered({
  id: "checkConsistency",
  empty: [],
  run: (assistant, embedded, request) => assistant.check(embedded, request),
  own: (findings, { chapter, added }, store) =>
    ownFindings(store, new Map([[chapter.chapterId, added]]), findings),
  shape: (findings, about, store) => ({ ...about, findings: withoutDismissed(findings, about, store) }),
});

function withoutDismissed<Found extends { id: string }>(
  found: readonly Found[],
  { chapterId }: { chapterId: ChapterId },
  store: Store,
): Found[] {
  const dismissed = listDismissals(store, findChapter(store, chapterId)?.bookId ?? "");
  return found.filter(({ id }) => !dismissed.has(id));
}

function metered<Id extends EndpointId, Result>(operation: Operation<Id, Result>): Metered<Id> {
  return (manuscript, id, asking = {}) => spend(manuscript, operation, id, asking);
}

/** Calls that were paid for, by what was, and their answers: of a long chapter one may be megabytes. */
interface Remembered {
  calls: LruCache<string, PaidCall>;
  answers: LruCache<string, { answer: unknown; length: number }>;
}

const MOST_CALLS = 100;
/** Characters of JSON. */
const MOST_OF_ANSWERS = 4 * 1024 * 1024;
// Of each file, released with it.
const remembered = new WeakMap<Store, Remembered>();

/**
 * Returns the credits that an operation on the chapter would cost a run that resumes: 0 if it is paid for. Throws
 * `NotFound`.
 */
export async function readPrice(
  manuscript: Manuscript,
  operation: EndpointId,
  id: ChapterId,
): Promise<number> {
  const { store, reader } = manuscript;
  const context = readContext(store, id);
  if (reader === null || context.words === 0) return reader === null ? priceOf(context.words) : 0;
  const { engine } = await answererOf(manuscript, reader);
  const paidFor = describePaid(operation, context, engine);
  return findPaid(store, operation, id, paidFor) === undefined ? priceOf(context.words) : 0;
}

/** What is paid for once: asking again while all of it is the same costs nothing. */
function describePaid(operation: EndpointId, { chapter, cast }: ChapterContext, engine: string): string {
  return JSON.stringify([operation, chapter.chapterId, chapter.revision, cast, engine]);
}

/** The call of any process that paid for it. */
function findPaid(store: Store, operation: EndpointId, id: ChapterId, paidFor: string): PaidCall | undefined {
  const kept = findPaidCall(store, operation, id);
  return kept?.paidFor === paidFor ? kept : undefined;
}

/**
 * Returns the answer and its price. The price is held in one transaction and charged in another, and none is open
 * while the engines work; anything but a full answer refunds it. An answer is paid for once while chapter, cast and
 * engine are the same, even if the rest of the book has changed and the engine runs again. For a run that resumes that
 * holds across processes, too: what a language model answered is kept in the file, what the embedded engine finds is
 * found again. An empty chapter costs nothing. Throws `NotFound`, `InsufficientCredits`, `Unavailable`. Source:
 * llms.txt, Tiers and their cost.
 */
async function spend<Id extends EndpointId, Result>(
  manuscript: Manuscript,
  operation: Operation<Id, Result>,
  id: ChapterId,
  { signal, resumes = false, seen, once }: Asking,
): Promise<Paid<Id>> {
  const { store, reader } = manuscript;
  const context = readContext(store, id);
  if (reader === null) {
    priceWithin(store, context.words);
    throw new Unavailable("No engine is configured for the AI tier; nothing was charged.");
  }
  const { assistant, engine, timeoutMs } = await answererOf(manuscript, reader);
  const limits = await reader.limits?.(context.book, operation.id);
  const about = { chapterId: id, revision: context.chapter.revision, limits };
  const paid = (result: Assisted<Result>, cost: number) => toPaid(store, operation, { about, result, cost });
  const free = (result: Assisted<Result>) => keepFree(store, once, paid(result, 0));
  const paidFor = describePaid(operation.id, context, engine);
  const before =
    findRemembered(store, paidFor) ?? (resumes ? findPaid(store, operation.id, id, paidFor) : undefined);
  if (seen !== undefined) {
    if (context.words > 0 && before === undefined) priceWithin(store, context.words);
    assertUnchanged(theChapter(manuscript, id), { seen }, { prose: true });
  }
  if (context.words === 0) return free({ answer: operation.empty, engine });
  // What is paid for names the operation, so it tells the type.
  if (before?.state === context.state && before.answer !== undefined)
    return free(before.answer as Assisted<Result>);
  const call = { operation: operation.id, chapterId: id, words: context.words, engine };
  const held = before === undefined ? hold(store, call, timeoutMs) : undefined;
  const request = { chapter: context.chapter, book: context.book, timeoutMs, gone: signal };
  const done = { paidFor, state: context.state };
  const { result, isDue, cost } = await withinHold(store, held, signal, {
    run: async () => {
      const assisted = await operation.run(assistant, reader, request);
      return { ...assisted, answer: operation.own(assisted.answer, context, store) };
    },
    keep: (answer, cost) => {
      keepPaidCall(store, operation.id, id, engine === reader.engine ? done : { ...done, answer });
      if (once !== undefined) keepReplay(store, once, paid(answer, cost));
    },
    isDone: () => once !== undefined && findReplay(store, once) !== undefined,
  });
  if (!isDue) return signal?.aborted ? paid(result, 0) : free(result);
  remember(store, { ...done, answer: result });
  return paid(result, cost);
}

function toPaid<Id extends EndpointId, Result>(
  store: Store,
  { shape }: Operation<Id, Result>,
  {
    about: { limits, ...about },
    result: { answer, engine, fallback, missed },
    cost,
  }: {
    about: { chapterId: ChapterId; revision: number; limits: string | null | undefined };
    result: Assisted<Result>;
    cost: number;
  },
): Paid<Id> {
  const notes = [limits, missed && tellMissed(missed)].filter(Boolean).join("; ");
  const why = fallback === undefined ? {} : { fallback };
  return {
    answer: shape(answer, { ...about, engine: notes ? `${engine} (${notes})` : engine, ...why }, store),
    spent: { cost, remaining: creditsLeft(store).available },
    engine,
    ...why,
    ...(missed === undefined ? {} : { missed }),
  };
}

/** Which part a model has read, in words for the answer's `engine`. */
function tellMissed({ passages, of, reason }: NonNullable<Assisted<unknown>["missed"]>): string {
  return `read ${of - passages} of ${of} passages: ${reason}`;
}

function findRemembered(store: Store, paidFor: string): PaidCall | undefined {
  const { calls, answers } = remembered.get(store) ?? {};
  const call = calls?.get(paidFor);
  return call && { ...call, answer: answers?.get(paidFor)?.answer };
}

/** What was paid for stays so when the answer is too long to be kept: the engine finds it again. */
function remember(store: Store, { answer, ...call }: PaidCall): void {
  const { calls, answers } = remembered.get(store) ?? {
    calls: new LruCache<string, PaidCall>(MOST_CALLS),
    answers: new LruCache<string, { answer: unknown; length: number }>(
      MOST_OF_ANSWERS,
      ({ length }) => length,
    ),
  };
  calls.set(call.paidFor, call);
  answers.set(call.paidFor, { answer, length: JSON.stringify(answer).length });
  remembered.set(store, { calls, answers });
}

/** Keeps an answer that costs nothing for the same request again. Throws `Busy` if another program has kept one meanwhile. */
async function keepFree<Answer extends object>(
  store: Store,
  once: Once | undefined,
  answer: Answer,
): Promise<Answer> {
  if (once === undefined) return answer;
  const isFirst = await close(() =>
    store.setAside(() => {
      if (findReplay(store, once) !== undefined) return false;
      keepReplay(store, once, answer);
      return true;
    }),
  );
  if (!isFirst) throw new Busy();
  return answer;
}

/**
 * Returns the result of the work and its cost, and keeps what is paid for in the transaction that charges it; anything
 * but a full answer that somebody waits for refunds the price. Throws `Busy` if another program has done the very
 * request meanwhile: nothing is charged, and whoever tries again finds its answer.
 */
async function withinHold<Result>(
  store: Store,
  hold: { id: CallId; cost: number } | undefined,
  signal: AbortSignal | undefined,
  {
    run,
    keep,
    isDone,
  }: {
    run: () => Promise<Assisted<Result>>;
    keep: (result: Assisted<Result>, cost: number) => void;
    isDone: () => boolean;
  },
): Promise<{ result: Assisted<Result>; isDue: boolean; cost: number }> {
  let result: Assisted<Result>;
  try {
    result = await run();
  } catch (error) {
    await close(() => hold && refund(store, hold.id));
    throw error;
  }
  if (result.fallback !== undefined || result.missed !== undefined || signal?.aborted) {
    await close(() => hold && refund(store, hold.id));
    return { result, isDue: false, cost: 0 };
  }
  const cost = await close(() =>
    store.setAside(() => {
      if (isDone()) {
        if (hold !== undefined) refund(store, hold.id);
        return undefined;
      }
      const charged = hold !== undefined && chargeHold(store, hold.id) ? hold.cost : 0;
      keep(result, charged);
      return charged;
    }),
  );
  if (cost === undefined) throw new Busy();
  return { result, isDue: true, cost };
}

// `Busy` would have the whole call tried again, work and all.
async function close<Result>(end: () => Result): Promise<Result> {
  try {
    return await retryWhileBusy(end);
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    throw new Unavailable(
      "The manuscript stayed busy; what this call holds is given back by itself. Try again.",
    );
  }
}
