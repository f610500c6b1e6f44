import { STATUSES } from "../../contract/enums.ts";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { BookId } from "../../ids.ts";
import { listProgress } from "../../store/journal/acts.ts";
import { streakOf } from "../../text/day.ts";
import { localDay, type Manuscript } from "../manuscript.ts";
import { parseReady } from "../present.ts";
import { daysBefore, readOutline } from "./outline.ts";

/** How a book comes along. Words are those written, in a synced folder too, imports apart; a day is the writer's local day. */
export type Stats = LocalAnswer<"stats">;

/** The figures of a book, from its outline with so many days and every day that anything was written in it. */
export function readStats(
  manuscript: Manuscript,
  id: BookId,
  shown: { days?: number | undefined } = {},
): Stats {
  const { store } = manuscript;
  return store.snapshot(() => {
    const outline = parseReady(readOutline(manuscript, id, shown));
    const { title, wordCount, chapters, goal, progress } = outline;
    const byStatus = STATUSES.map((status) => [
      status,
      chapters.filter((chapter) => chapter.status === status).length,
    ]);
    const written = progress.reduce((sum, { net }) => sum + net, 0);
    const average = Math.round(written / progress.length);
    const remaining = goal?.remainingWords ?? 0;
    return {
      bookId: id,
      title,
      wordCount,
      chapterCount: chapters.length,
      chapters: Object.fromEntries(byStatus) as Stats["chapters"], // one entry a status
      goal,
      today: { net: progress.at(-1)?.net ?? 0, goal: goal?.dailyWords ?? goal?.wordsPerDay ?? null },
      streak: streakIn(manuscript, id),
      average,
      daysToTarget: goal === null || average <= 0 ? null : Math.ceil(remaining / average),
      days: progress,
    };
  });
}

function streakIn({ store }: Manuscript, id: BookId): number {
  const worked = new Set(
    listProgress(store, id, "").flatMap(({ date, added, removed }) => (added + removed > 0 ? [date] : [])),
  );
  const today = localDay(store.clock());
  return streakOf((daysAgo) => worked.has(daysBefore(today, daysAgo)));
}
