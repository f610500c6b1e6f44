import type { RandomBytes } from "../ids.ts";
import type { ReadingBook, ReadingChapter } from "../reading/reading.ts";
import { LruCache } from "../text/lru-cache.ts";
import type { Model } from "./llm/ask.ts";
import { findFindings, overlap } from "./llm/check.ts";
import { findProposals, joinProposals } from "./llm/detect.ts";
import type { Missed } from "./llm/each-passage.ts";
import { createEarlier } from "./llm/earlier.ts";
import { ModelFailure } from "./llm/server/failure.ts";
import { type Deadline, deadlineIn, type ModelServer } from "./llm/server/request.ts";
import { writeSynopsis } from "./llm/synopsis.ts";
import type { Finding, Proposal, Reader } from "./reader.ts";

/** An answer, by whom it is, and why it is not the model's. */
export interface Assisted<Answer> {
  answer: Answer;
  engine: string;
  /** Set if the model failed and the answer is the embedded engine's alone: the reason in a word or two. */
  fallback?: string;
  /** Set if the model has read only some of the chapter's passages: of the others the embedded engine alone answers. */
  missed?: Missed;
}

/** The subject of one call; `gone` ends it early. */
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

const ANSWERS_KEPT = 200;

/** The assistant behind this server. It remembers what it was told of a passage, and nothing else. */
export function createAssistant(server: ModelServer, random: RandomBytes): Assistant {
  const model: Model = { server, random, answers: new LruCache(ANSWERS_KEPT) };
  const earlier = createEarlier();
  return {
    synopsis: (embedded, request) =>
      assist(model, request, {
        own: { engine: embedded.engine, read: () => embedded.synopsis(request.chapter, request.book) },
        add: async (_own, deadline) => {
          const { text, missed } = await writeSynopsis(model, request.chapter, deadline);
          return { answer: text, missed };
        },
      }),
    detect: (embedded, request) =>
      assist(model, request, {
        own: { engine: embedded.engine, read: () => embedded.detect(request.chapter, request.book) },
        add: async (own, deadline) => {
          const { learnt, missed } = await findProposals(model, request, deadline);
          return { answer: [...own, ...newProposals(own, joinProposals(learnt.flat()))], missed };
        },
      }),
    check: (embedded, request) =>
      assist(model, request, {
        own: { engine: embedded.engine, read: () => embedded.check(request.chapter, request.book) },
        add: async (own, deadline) => {
          const { learnt, missed } = await findFindings(model, { ...request, earlier }, deadline);
          const findings = new Map(learnt.flat().map((finding) => [finding.id, finding]));
          return { answer: [...own, ...newFindings(own, [...findings.values()])], missed };
        },
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
    add: (own: Answer, deadline: Deadline) => Promise<{ answer: Answer; missed: Missed | undefined }>;
  },
): Promise<Assisted<Answer>> {
  const deadline = deadlineIn(timeoutMs, gone);
  try {
    const answer = await own.read();
    const added = await orFailure(() => add(answer, deadline));
    if (added instanceof ModelFailure) return { answer, engine: own.engine, fallback: added.reason };
    const { missed } = added;
    return { answer: added.answer, engine: engineOf(server), ...(missed === undefined ? {} : { missed }) };
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
