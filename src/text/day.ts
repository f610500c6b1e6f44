/** True if a text is a day of the calendar, `YYYY-MM-DD`. The 30th of February is none. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
  );
}

/** Returns the last millisecond of a day by the machine's clock. */
export function endOfDay(day: string): number {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  end.setHours(0, 0, 0, 0); // where clocks go forward at midnight the day has begun at one
  return end.getTime() - 1;
}

/** Returns a time that somebody else's program or hand wrote as ISO 8601; null for what is none. */
export function isoTimeOf(said: string | null | undefined): string | null {
  const time = new Date(said ?? "");
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/**
 * Returns how many days were worked in a row. One day off is forgiven, two in a row are not, those that were meant to be free
 * do not count, and today may still come. Both functions are asked by how many days ago a day was.
 */
export function streakOf(
  isWorked: (daysAgo: number) => boolean,
  isFree: (daysAgo: number) => boolean = () => false,
): number {
  let days = 0;
  let off = 0;
  for (let daysAgo = 0; off < 2; daysAgo++) {
    if (isWorked(daysAgo)) {
      days++;
      off = 0;
    } else if (daysAgo > 0 && !isFree(daysAgo)) off++;
  }
  return days;
}
