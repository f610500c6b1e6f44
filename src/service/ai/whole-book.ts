import type { EndpointId } from "../../contract/index.ts";
import type { BookId, ChapterId } from "../../ids.ts";
import { InsufficientCredits, Unavailable } from "../../refusals.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { creditsLeft } from "../account/credits.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { type Asking, type Paid, readPrice } from "./metered-call.ts";

/** What an operation on every chapter of a book costs, chapter by chapter in reading order. */
export interface Bill {
  chapters: { id: ChapterId; title: string; cost: number }[];
  /** Credits, all together; what is paid for already and what is empty costs nothing. */
  cost: number;
  /** Credits left; null is unlimited. */
  available: number | null;
}

/** What one chapter's call gave, and the title that the chapter has. */
export type OfChapter<Id extends EndpointId> = Paid<Id> & { title: string };

/** Draws up the bill and spends nothing. Throws `NotFound`, and `InsufficientCredits` if not all of it could be paid. */
export async function readBill(manuscript: Manuscript, operation: EndpointId, bookId: BookId): Promise<Bill> {
  theBook(manuscript, bookId);
  const chapters: Bill["chapters"] = [];
  for (const { id, title } of listChapters(manuscript.store, bookId))
    chapters.push({ id, title, cost: await readPrice(manuscript, operation, id) });
  const cost = chapters.reduce((sum, chapter) => sum + chapter.cost, 0);
  const { available } = creditsLeft(manuscript.store);
  if (available !== null && available < cost) throw new InsufficientCredits(cost, available);
  return { chapters, cost, available };
}

// A model that hangs would hold up a long book for hours.
const MOST_LATE = 3;

/**
 * The answers for the chapters of a bill, in its order, each as it comes. What has been answered is paid for and kept: a
 * run that was broken off goes on where it stopped, as long as chapter, cast and engine are the same. Throws `Unavailable`
 * where a language model was too late for three chapters in a row.
 */
export async function* readChapters<Id extends EndpointId>(
  manuscript: Manuscript,
  { chapters }: Bill,
  ask: (manuscript: Manuscript, id: ChapterId, asking: Asking) => Promise<Paid<Id>>,
): AsyncGenerator<OfChapter<Id>> {
  let late = 0;
  for (const { id, title } of chapters) {
    const answer = await ask(manuscript, id, { resumes: true });
    late = answer.fallback === "timeout" ? late + 1 : 0;
    if (late === MOST_LATE)
      throw new Unavailable(
        "The language model did not answer in time for three chapters in a row, and they cost nothing. Give it longer (account set --llm-timeout) or switch it off (account set --llm-url none).",
      );
    yield { ...answer, title };
  }
}
