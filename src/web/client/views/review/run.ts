import { signal } from "@preact/signals";
import { ask } from "../../api/ask.ts";
import { asProblem } from "../../api/problem.ts";
import { keepFindings, keepProposals } from "./looked.ts";

/** The operation that is run on each chapter. */
export type Task = "detectMentions" | "checkConsistency";

/** A run through chapters: how far it is, and why it ended before its end. */
export interface Run {
  bookId: string;
  task: Task;
  chapters: readonly { id: string; title: string }[];
  done: number;
  isOver: boolean;
  refusal?: string;
  /** In how many chapters a language model that is set did not answer, and why not in the first of them. */
  failed?: { chapters: number; reason: string };
}

/** The run of now, or the last one. */
export const run = signal<Run | undefined>(undefined);
let leaving = new AbortController();

/** Asks chapter after chapter. It goes on while another view is shown; what a chapter gave is kept at once. */
export async function start(bookId: string, task: Task, chapters: Run["chapters"]): Promise<void> {
  leaving = new AbortController();
  const { signal: left } = leaving;
  run.value = { bookId, task, chapters, done: 0, isOver: false };
  let refusal: string | undefined;
  for (const [index, { id }] of chapters.entries()) {
    run.value = { ...run.value, done: index };
    try {
      const sent = { params: { chapterId: id }, signal: left };
      noteFailure(await keepAnswer(bookId, task, sent));
    } catch (thrown) {
      if (left.aborted) refusal = "Stopped. What was found is kept.";
      else if (asProblem(thrown).status === 404)
        continue; // deleted meanwhile
      else refusal = inWords(asProblem(thrown));
      break;
    }
  }
  const { done } = run.value;
  run.value = {
    ...run.value,
    done: refusal === undefined ? chapters.length : done,
    isOver: true,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** Asks about a chapter and keeps what it gives. Returns why a language model did not answer, if one failed. */
async function keepAnswer(
  bookId: string,
  task: Task,
  sent: { params: { chapterId: string }; signal: AbortSignal },
): Promise<string | undefined> {
  if (task === "detectMentions") {
    const answer = await ask("detectMentions", sent);
    keepProposals(bookId, answer);
    return answer.fallback;
  }
  const answer = await ask("checkConsistency", sent);
  keepFindings(bookId, answer);
  return answer.fallback;
}

function noteFailure(reason: string | undefined): void {
  const now = run.value;
  if (reason === undefined || now === undefined) return;
  const { chapters = 0, reason: first = reason } = now.failed ?? {};
  run.value = { ...now, failed: { chapters: chapters + 1, reason: first } };
}

/** Ends the run after what has come; the call that is on its way costs nothing. */
export function stop(): void {
  leaving.abort();
}

function inWords({ status, code, message, more }: ReturnType<typeof asProblem>): string {
  if (status === 402)
    return `There are not enough credits: the next chapter costs ${more.required}, and you have ${more.available}. What was found is kept; add credits in the settings.`;
  if (code === "category_disabled") return "Searching chapters is switched off for this page.";
  if (status === 403) return `The plan does not allow this now. ${message}`;
  if (status === 503) return `Chapters cannot be searched just now; nothing was charged. ${message}`;
  return message;
}
