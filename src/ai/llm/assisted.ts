import type { RandomBytes } from "../../ids.ts";
import type { ReadingBook, ReadingChapter } from "../../reading/reading.ts";
import { LruCache } from "../../text/lru-cache.ts";
import type { Finding, Proposal, Reader } from "../reader.ts";
import { ModelFailure } from "./answer.ts";
import type { Model, Room } from "./ask.ts";
import { findFindings, overlap } from "./check.ts";
import { findProposals } from "./detect.ts";
import { deadlineIn, type ModelServer } from "./request.ts";
import { writeSynopsis } from "./synopsis.ts";

/** An answer, by whom it is, and why it is not the model's. */
export interface Assisted<Answer> {
  answer: Answer;
  engine: string;
  /** Set if the model failed and the answer is the embedded engine's alone: the reason in a word or two. */
  fallback?: string;
}

/** What one call is about; `gone` ends it early. */
export interface AssistRequest {
  chapter: ReadingChapter;
  book: ReadingBook;
  timeoutMs: number;
  gone?: AbortSignal | undefined;
}

/** A language model that adds to what the embedded engine finds; if it fails, the engine alone answers. */
export interface Assistant {
  synopsis(embedded: Reader, request: AssistRequest): Promise<Assisted<string>>;
  detect(embedded: Reader, request: AssistRequest): Promise<Assisted<Proposal[]>>;
  check(embedded: Reader, request: AssistRequest): Promise<Assisted<Finding[]>>;
}

const PASSAGE_TOKENS = 2000;
const ANSWERS_KEPT = 200;

/** The assistant behind this server. It remembers what it was told of a passage, and nothing else. */
export function createAssistant(server: ModelServer, random: RandomBytes): Assistant {
  const model: Model = { server, random, answers: new LruCache(ANSWERS_KEPT) };
  return {
    synopsis: (embedded, request) =>
      assist(model, request, {
        own: { engine: embedded.engine, read: () => embedded.synopsis(request.chapter, request.book) },
        add: (_own, room) => writeSynopsis(model, request.chapter, room),
      }),
    detect: (embedded, request) =>
      assist(model, request, {
        own: { engine: embedded.engine, read: () => embedded.detect(request.chapter, request.book) },
        add: async (own, room) => [...own, ...newProposals(own, await findProposals(model, request, room))],
      }),
    check: (embedded, request) =>
      assist(model, request, {
        own: { engine: embedded.engine, read: () => embedded.check(request.chapter, request.book) },
        add: async (own, room) => [...own, ...newFindings(own, await findFindings(model, request, room))],
      }),
  };
}

/** The embedded engine first, so that its answer is there the moment the model fails or its time is over. */
async function assist<Answer>(
  { server }: Model,
  { timeoutMs, gone }: AssistRequest,
  {
    own,
    add,
  }: {
    own: { engine: string; read: () => Promise<Answer> };
    add: (own: Answer, room: Room) => Promise<Answer>;
  },
): Promise<Assisted<Answer>> {
  const deadline = deadlineIn(timeoutMs, gone);
  try {
    const answer = await own.read();
    const added = await orFailure(() =>
      withRoom((passageTokens) => add(answer, { deadline, passageTokens })),
    );
    return added instanceof ModelFailure
      ? { answer, engine: own.engine, fallback: added.reason }
      : { answer: added, engine: engineOf(server) };
  } finally {
    deadline.release();
  }
}

async function orFailure<Answer>(run: () => Promise<Answer>): Promise<Answer | ModelFailure> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

/** The engine's name in answers and in the ledger. */
export function engineOf({ model }: Pick<ModelServer, "model">): string {
  return `llm/${model}`;
}

// A server that reads less than it is sent may read all of half of it.
async function withRoom<Answer>(run: (passageTokens: number) => Promise<Answer>): Promise<Answer> {
  try {
    return await run(PASSAGE_TOKENS);
  } catch (error) {
    if (!(error instanceof ModelFailure) || error.reason !== "short_context") throw error;
    return await run(PASSAGE_TOKENS / 2);
  }
}

/** The model's proposals, without the occurrences that the embedded engine speaks of already. */
function newProposals(own: readonly Proposal[], added: readonly Proposal[]): Proposal[] {
  const taken = own.flatMap(({ occurrences }) => occurrences);
  return added.flatMap((proposal) => {
    const occurrences = proposal.occurrences.filter((span) => !taken.some((other) => overlap(span, other)));
    return occurrences.length === 0 ? [] : [{ ...proposal, occurrences }];
  });
}

/** The model's findings, without those of a kind that the embedded engine has at the same words. */
function newFindings(own: readonly Finding[], added: readonly Finding[]): Finding[] {
  return added.filter(({ type, evidence }) =>
    own.every(
      (known) =>
        known.type !== type || !known.evidence.some((span) => evidence.some((other) => overlap(span, other))),
    ),
  );
}
