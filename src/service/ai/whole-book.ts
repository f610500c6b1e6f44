import type { EndpointId } from "../../contract/index.ts";
import type { BookId, ChapterId } from "../../ids.ts";
import { InsufficientCredits } from "../../refusals.ts";
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

/**
 * The answers for the chapters of a bill, in its order, each as it comes. What has been answered is paid for and kept: a
 * run that was broken off goes on where it stopped, as long as chapter, cast and engine are the same.
 */
export async function* readChapters<Id extends EndpointId>(
  manuscript: Manuscript,
  { chapters }: Bill,
  ask: (manuscript: Manuscript, id: ChapterId, asking: Asking) => Promise<Paid<Id>>,
): AsyncGenerator<OfChapter<Id>> {
  for (const { id, title } of chapters) yield { ...(await ask(manuscript, id, { resumes: true })), title };
}
