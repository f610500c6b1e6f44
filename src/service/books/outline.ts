import type { AnswerOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { BookId } from "../../ids.ts";
import { listProgress } from "../../store/journal/acts.ts";
import { countBook, findGoal, type GoalRow, listPartChapters, listParts } from "../../store/rows/books.ts";
import { readOutlineChapters } from "../../store/rows/chapters.ts";
import { outlineTag, type TaggedBody } from "../entity-tags.ts";
import { metadataOf } from "../field-rules.ts";
import { theBook } from "../guards.ts";
import { localDay, type Manuscript } from "../manuscript.ts";
import { type Ready, toPart } from "../present.ts";

type Outline = AnswerOf<"readOutline">;

/**
 * A book's outline as a finished body with its tag: its chapters never become objects on their way out. `days` is how many
 * local days of progress it shows, 30 without it.
 */
export function readOutline(
  manuscript: Manuscript,
  id: BookId,
  { days = LIMITS.progressDays }: { days?: number | undefined } = {},
): Ready<"readOutline"> & TaggedBody {
  const { store } = manuscript;
  return store.snapshot(() => {
    const row = theBook(manuscript, id);
    const { title } = row;
    const metadata = metadataOf(row);
    const { wordCount } = countBook(store, id);
    const today = localDay(store.clock());
    const parts: Outline["parts"] = listParts(store, id).map((part) => {
      const { bookId: _, ...shown } = toPart(part, listPartChapters(store, part.id));
      return shown;
    });
    const goal = findGoal(store, id);
    const head = { id, title, ...metadata, wordCount, parts } satisfies Partial<Outline>;
    const tail = {
      goal: goal === undefined ? null : goalOf(goal, wordCount, today),
      progress: readProgress(manuscript, id, { today, count: days }),
    } satisfies Partial<Outline>;
    const chapters = readOutlineChapters(store, id);
    const body = `${JSON.stringify(head).slice(0, -1)},"chapters":${chapters},${JSON.stringify(tail).slice(1)}`;
    return { body: Buffer.from(body), tag: outlineTag(id, { title, metadata, goal, parts, chapters }) };
  });
}

const DAY_MS = 86_400_000;

/** A goal with its remaining words. Words a day are counted from today to the deadline, both included. */
export function goalOf(goal: GoalRow, wordCount: number, today: string): NonNullable<Outline["goal"]> {
  const remainingWords = Math.max(goal.targetWords - wordCount, 0);
  return {
    ...goal,
    remainingWords,
    wordsPerDay: goal.deadline === null ? null : Math.ceil(remainingWords / daysLeft(goal.deadline, today)),
  };
}

function daysLeft(deadline: string, today: string): number {
  return Math.max(1, Math.round((Date.parse(deadline) - Date.parse(today)) / DAY_MS) + 1);
}

/** The local day this many days before another; both `YYYY-MM-DD`. */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);
}

/** The last local days, oldest first, those without writing included. */
function readProgress(
  { store }: Manuscript,
  id: BookId,
  { today, count }: { today: string; count: number },
): Outline["progress"] {
  const days = Array.from({ length: count }, (_, index) => daysBefore(today, count - 1 - index));
  const counted = new Map(listProgress(store, id, days[0]!).map((day) => [day.date, day])); // one at least
  return days.map((date) => {
    const { added = 0, removed = 0, imported = 0 } = counted.get(date) ?? {};
    return { date, added, removed, imported, net: added - removed };
  });
}
