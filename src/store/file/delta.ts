/** A text that was replaced, by how it differs from the text after it: a shared beginning, its own middle, a shared end. */
export type Delta = readonly [before: number, middle: string, after: number];

/** What a delta takes in JSON besides its middle, about. */
const DELTA_CHARACTERS = 12;

/** Returns an old text as a delta from the new one; the text itself where that is as short. Lengths are in UTF-16 units. */
export function shorten(old: string, now: string): string | Delta {
  const most = Math.min(old.length, now.length);
  let before = 0;
  while (before < most && old.charCodeAt(before) === now.charCodeAt(before)) before++;
  let after = 0;
  while (after < most - before && old.at(-1 - after) === now.at(-1 - after)) after++;
  if (before + after <= DELTA_CHARACTERS) return old;
  return [before, old.slice(before, old.length - after), after];
}

/** Returns the old text of a delta from the new one; undefined if it cannot be of that text. */
export function lengthen([before, middle, after]: Delta, now: string): string | undefined {
  if (before + after > now.length) return undefined;
  return now.slice(0, before) + middle + now.slice(now.length - after);
}
