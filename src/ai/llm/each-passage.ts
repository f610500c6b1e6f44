import { type PromptParagraph, type PromptPassage, passagesOf } from "./passage.ts";
import { ModelFailure, ShortContext } from "./server/failure.ts";
import { type Deadline, deadlineIn } from "./server/request.ts";

/** Passages that the model has not read, and why. */
export interface Missed {
  passages: number;
  of: number;
  reason: string;
}

/** Results for each passage that the model has read, in order, and the passages that it has not read. */
export interface Walked<Learnt> {
  learnt: Learnt[];
  missed: Missed | undefined;
}

// A smaller passage is not worth a question.
const LEAST_TOKENS = 150;
// Beside the passage there are the question, facts and the answer.
const BESIDE_TOKENS = 2300;
const PATIENCE = 3;

/**
 * Asks about the paragraphs passage by passage. One that fails costs itself alone; where the server reads less than a
 * passage it gets smaller ones from there on. Throws `ModelFailure` if not one passage was read.
 */
export async function eachPassage<Learnt>(
  paragraphs: readonly PromptParagraph[],
  { passageTokens, deadline }: { passageTokens: number; deadline: Deadline },
  ask: (passage: PromptPassage, deadline: Deadline) => Promise<Learnt>,
): Promise<Walked<Learnt>> {
  const learnt: Learnt[] = [];
  const failed: ModelFailure[] = [];
  const pace = { slowestMs: 0 };
  let tokens = passageTokens;
  let left = passagesOf(paragraphs, tokens);
  while (left[0] !== undefined) {
    const [passage, ...rest] = left;
    const outcome = await within(deadline, { rest: rest.length, pace }, (part) => ask(passage, part));
    const smaller =
      outcome.failure instanceof ShortContext ? smallerThan(tokens, outcome.failure) : undefined;
    if (smaller !== undefined) {
      tokens = smaller;
      left = passagesOf(left.flat(), tokens);
      continue;
    }
    left = rest;
    if (outcome.failure === undefined) learnt.push(outcome.done);
    else failed.push(outcome.failure);
    if (outcome.failure && (deadline.signal.aborted || !isOfPassage(outcome.failure))) break;
  }
  const [first] = failed;
  if (first === undefined) return { learnt, missed: undefined };
  if (learnt.length === 0) throw first;
  const passages = failed.length + left.length;
  return { learnt, missed: { passages, of: learnt.length + passages, reason: first.reason } };
}

type Outcome<Done> = { done: Done; failure?: undefined } | { failure: ModelFailure };

/**
 * Does the work within its part of the deadline: while others wait behind it, half of what is left, or three times as long
 * as the slowest before it has taken, so that one that hangs leaves time to the others.
 */
async function within<Done>(
  deadline: Deadline,
  { rest, pace }: { rest: number; pace: { slowestMs: number } },
  work: (part: Deadline) => Promise<Done>,
): Promise<Outcome<Done>> {
  const leftMs = Math.max(0, deadline.leftMs());
  const partMs = rest === 0 ? leftMs : Math.min(leftMs, Math.max(leftMs / 2, PATIENCE * pace.slowestMs));
  const part = deadlineIn(partMs, deadline.signal);
  const start = performance.now();
  try {
    const done = await work(part);
    pace.slowestMs = Math.max(pace.slowestMs, performance.now() - start);
    return { done };
  } catch (error) {
    if (error instanceof ModelFailure) return { failure: error };
    throw error;
  } finally {
    part.release();
  }
}

/** The size that the passages are to have for a server with too short a context; undefined if that were too small. */
function smallerThan(tokens: number, { contextTokens }: ShortContext): number | undefined {
  const room = contextTokens === undefined ? tokens : contextTokens - BESIDE_TOKENS;
  const smaller = Math.floor(Math.min(tokens / 2, Math.max(room, LEAST_TOKENS)));
  return smaller < LEAST_TOKENS ? undefined : smaller;
}

/** False for what would be the same for every other passage: a key that is refused, a server that is not there. */
function isOfPassage({ reason }: ModelFailure): boolean {
  return ["timeout", "invalid_answer", "too_large", "short_context", "no_quotes", "unsupported"].includes(
    reason,
  );
}
