/**
 * A text that was replaced, by how it differs from the text after it: UTF-16 units that the two share at the start, its own
 * middle, units that they share at the end, and a sum of all of it, so that it is never read from another text.
 */
export type Delta = readonly [start: number, middle: string, end: number, sum: number];

/** One change of a block in so many holds the whole row, so that no text is far from a whole one. */
export const WHOLE_EVERY = 64;

/** Characters of a delta in JSON besides its middle, about. */
const DELTA_CHARACTERS = 20;

/** Returns an old text as a delta from the new one; the text itself where that is as short. */
export function shorten(old: string, now: string): string | Delta {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === now.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  if (start + end <= DELTA_CHARACTERS) return old;
  return [start, old.slice(start, old.length - end), end, sumOf(old)];
}

type Columns = Readonly<Record<string, unknown>>;

/**
 * Returns columns of a block as the history holds them: texts as deltas from the ones after them, the node only while it
 * keeps its leaves, so that ids are found in the history.
 */
export function shortened(old: Columns, after: Columns): Columns {
  const values = Object.entries(old).map(([name, was]) => {
    const now = after[name];
    const isText =
      (name === "source" || name === "node") && typeof was === "string" && typeof now === "string";
    if (!isText || (name === "node" && leavesOf(was) !== leavesOf(now))) return [name, was];
    return [name, shorten(was, now)];
  });
  return Object.fromEntries(values);
}

const leavesOf = (node: string) => (node.match(/"blockId":"[^"]+"/g) ?? []).join();

/** Returns the old text of a delta from the new one; undefined if it is the delta of another text. */
export function lengthen([start, middle, end, sum]: Delta, now: string): string | undefined {
  const old = now.slice(0, start) + middle + now.slice(now.length - end);
  return start + end <= now.length && sumOf(old) === sum ? old : undefined;
}

const SUMS = 99_991;

/** Returns a number below `SUMS`: FNV-1a over UTF-16 units. Source: https://datatracker.ietf.org/doc/draft-eastlake-fnv/. */
function sumOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % SUMS;
}
