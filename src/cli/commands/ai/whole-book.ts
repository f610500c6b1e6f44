import type { EndpointId } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { type OfChapter, readBill, readChapters } from "../../../service/ai/whole-book.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { counted } from "../../../text/columns.ts";
import { resolveBook } from "../../input/resolve.ts";
import { agree, canAsk } from "../../io/ask.ts";
import { type Call, talkUnlessJson } from "../../io/call.ts";
import { withProgress } from "../../io/terminal.ts";
import type { Answered } from "../../output/report.ts";

/** Options of a command that asks the engine about one chapter or, with `--all`, about each. */
export interface WholeBookOptions {
  all?: boolean | undefined;
  yes?: boolean | undefined;
}

/** What was asked of every chapter, in reading order, and what it cost. */
export interface WholeBook<Id extends EndpointId> extends Answered {
  bookId: string;
  answers: OfChapter<Id>[];
}

/** Throws `BadRequest` unless either a chapter is named or `--all` is given. */
export function oneOrAll(chapter: string | undefined, { all = false, yes = false }: WholeBookOptions): void {
  if (all && chapter !== undefined) throw new BadRequest("Name a chapter or give --all, not both.");
  if (!all && chapter === undefined)
    throw new BadRequest("Name a chapter, or give --all for the whole book.");
  if (yes && !all) throw new BadRequest("--yes goes with --all.");
}

/**
 * Asks about every chapter of a book: shows the bill first and, on a terminal, asks whether to go on. Throws
 * `InsufficientCredits` before anything is spent, `WouldLose` if the writer says no. A run that breaks off says that the
 * next one goes on from there.
 */
export async function askAll<Id extends EndpointId>(
  call: Call,
  manuscript: Manuscript,
  { operation, book, yes = false }: { operation: Id; book: string | undefined } & WholeBookOptions,
  ask: Parameters<typeof readChapters<Id>>[2],
): Promise<WholeBook<Id>> {
  const { terminal, json } = call;
  const { id: bookId } = resolveBook(manuscript, book, "name one with --book");
  const bill = await readBill(manuscript, operation, bookId);
  const { chapters, cost, available } = bill;
  const left = available === null ? "credits are unlimited" : `${available} left`;
  const words = `${counted(chapters.length, "chapter")}, ${counted(cost, "credit")}; ${left}.`;
  const isAsked = !json && cost > 0 && canAsk(terminal);
  if (isAsked) await agree(call, words, yes);
  if (!isAsked || yes) await talkUnlessJson(call, words);
  const answers: OfChapter<Id>[] = [];
  try {
    await withProgress(terminal, "Reading", async (step) => {
      for await (const answer of readChapters(manuscript, bill, ask)) {
        answers.push(answer);
        step(answers.length, chapters.length);
      }
    });
  } catch (error) {
    const done = answers.filter(({ fallback }) => fallback === undefined).length;
    const sum = `${done} of ${counted(chapters.length, "chapter")} done and paid for`;
    if (done > 0) await talkUnlessJson(call, `${sum}; run it again to go on from there.`);
    throw error;
  }
  return {
    ...{ bookId, answers },
    spent: {
      cost: answers.reduce((sum, { spent }) => sum + spent.cost, 0),
      remaining: answers.at(-1)?.spent.remaining ?? available,
    },
    ...failuresOf(answers),
  };
}

/** Why the language model did not answer for some chapters, by the first of them, and for how many. */
function failuresOf(answers: readonly Pick<Answered, "fallback" | "missed">[]): Omit<Answered, "spent"> {
  const failed = answers.flatMap(({ fallback }) => fallback ?? []);
  const [fallback] = failed;
  if (fallback !== undefined) return { fallback, chapters: { failed: failed.length, of: answers.length } };
  const parts = answers.flatMap(({ missed }) => missed ?? []);
  const [first] = parts;
  if (first === undefined) return {};
  const sum = (key: "passages" | "of") => parts.reduce((total, part) => total + part[key], 0);
  return { missed: { passages: sum("passages"), of: sum("of"), reason: first.reason } };
}
