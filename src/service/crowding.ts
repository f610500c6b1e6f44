import { LIMITS } from "../contract/limits.ts";
import { PayloadTooLarge } from "../refusals.ts";
import type { ActEntries } from "../store/file/act.ts";
import type { Act } from "../store/file/sql.ts";
import type { Store } from "../store/file/store.ts";
import { listCrowdedBooks, listCrowdedLeaves, listFilled, measureList } from "../store/rows/crowding.ts";
import { grouped } from "../text/counted.ts";

/** How much is too much. */
export type CrowdLimits = Readonly<Record<"listBytes" | "paragraphMentions" | "mentionDepth", number>>;

/**
 * Throws `PayloadTooLarge` if an act adds to what is full already: a list that is answered whole, or the mentions of a
 * paragraph, each of which every stretch of text under it carries. What an older version let grow may become smaller.
 */
export function assertNotCrowded(
  store: Store,
  act: Act,
  { entries, limits = LIMITS }: { entries?: ActEntries; limits?: CrowdLimits } = {},
): void {
  const filled: ReadonlySet<string> = entries
    ? new Set(entries.map(({ table }) => table))
    : listFilled(store, act.seq);
  for (const list of ["facts", "snippets"] as const) {
    if (!filled.has(list)) continue;
    for (const bookId of listCrowdedBooks(store, act.seq, list)) {
      if (measureList(store, bookId, list) > limits.listBytes)
        throw new PayloadTooLarge(
          `The book's ${list} would have more than ${limits.listBytes / 1024 / 1024} MiB together; delete or shorten some first, or keep long texts in a chapter.`,
        );
    }
  }
  if (!filled.has("mentions")) return;
  for (const { spans } of listCrowdedLeaves(store, act.seq, limits.mentionDepth)) {
    if (spans.length > limits.paragraphMentions)
      throw new PayloadTooLarge(
        `A paragraph would have more than ${grouped(limits.paragraphMentions)} mentions; split the paragraph, or anchor fewer of them.`,
      );
    if (depthOf(spans) > limits.mentionDepth)
      throw new PayloadTooLarge(
        `More than ${limits.mentionDepth} mentions would stand on the same character; take some away first.`,
      );
  }
}

/** How many spans, given by where they begin, cover the same character at most. */
function depthOf(spans: readonly { from: number; to: number }[]): number {
  const ends = spans.map(({ to }) => to).sort((a, b) => a - b);
  let closed = 0;
  let deepest = 0;
  for (const [opened, { from }] of spans.entries()) {
    while ((ends[closed] ?? Infinity) <= from) closed++;
    deepest = Math.max(deepest, opened + 1 - closed);
  }
  return deepest;
}
