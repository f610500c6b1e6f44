import type { Outline } from "../desk/outline.ts";

/** Words added and cut. */
interface Written {
  added: number;
  removed: number;
}

const NOTHING: Written = { added: 0, removed: 0 };
/** What the day had when this page was opened, by book. */
const starts = new Map<string, Written & { date: string }>();

/** What was written into the book today, and since the page was opened. */
export function sittingOf({ id, progress }: Outline): { today: Written; sitting: Written } {
  const last = progress.at(-1);
  if (last === undefined) return { today: NOTHING, sitting: NOTHING };
  const start = starts.get(id) ?? last;
  starts.set(id, start);
  const since = start.date === last.date ? start : NOTHING; // past midnight the day counts from nothing
  return {
    today: last,
    sitting: {
      added: Math.max(0, last.added - since.added),
      removed: Math.max(0, last.removed - since.removed),
    },
  };
}
