import { groupBy } from "../../../../text/group-by.ts";
import { day, localDay } from "../numbers.ts";

/** A moment's day as one says it: today, yesterday, or the date. */
function dayName(time: string): string {
  const then = localDay(new Date(time));
  const yesterday = new Date();
  if (then === localDay(yesterday)) return "Today";
  yesterday.setDate(yesterday.getDate() - 1);
  return then === localDay(yesterday) ? "Yesterday" : day(then);
}

/** Groups entries by day, in the order given. */
export function byDay<One>(all: readonly One[], timeOf: (one: One) => string): [name: string, ones: One[]][] {
  return [...groupBy(all, (one) => dayName(timeOf(one)))];
}
