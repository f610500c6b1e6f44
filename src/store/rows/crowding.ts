import { LIMITS } from "../../contract/limits.ts";
import { PayloadTooLarge } from "../../refusals.ts";
import { grouped } from "../../text/columns.ts";
import type { ActEntries } from "../file/act.ts";
import type { Act } from "../file/sql.ts";
import type { Store } from "../file/store.ts";

/** Long columns of the lists that are answered whole. */
const TEXTS = {
  facts: ["name", "kind", "aliases", "attributes", "summary"],
  snippets: ["text", "url", "items"],
} as const;

/** Ids, times and keys of a row in its list, about. */
const ROW_BYTES = 256;

/**
 * Throws `PayloadTooLarge` if an act has made too full a list that is answered whole, or a paragraph whose mentions every
 * stretch of text under them carries.
 */
export function assertNotCrowded(
  store: Store,
  { seq }: Act,
  entries?: ActEntries,
  limits: Readonly<Record<"listBytes" | "paragraphMentions" | "mentionDepth", number>> = LIMITS,
): void {
  const tables = entries?.map(({ table }) => table);
  const written = new Set(
    tables ?? store.list<string>("SELECT DISTINCT tbl FROM journal WHERE act = ?", seq),
  );
  for (const [list, columns] of Object.entries(TEXTS)) {
    if (!written.has(list)) continue;
    const size = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");
    const largest = store.list<number>(
      `SELECT coalesce(sum(${ROW_BYTES} + ${size}), 0) AS bytes FROM ${list} WHERE book_id IN (SELECT t.book_id
       FROM journal j JOIN ${list} t ON t.id = j.row_id WHERE j.act = ? AND j.tbl = '${list}')
       GROUP BY book_id ORDER BY bytes DESC LIMIT 1`,
      seq,
    )[0];
    if (largest !== undefined && largest > limits.listBytes)
      throw new PayloadTooLarge(
        `The book's ${list} would have more than ${limits.listBytes / 1024 / 1024} MiB together; delete or shorten some first, or keep long texts in a chapter.`,
      );
  }
  if (!written.has("mentions")) return;
  const leaves = store.list<string>(
    `SELECT block_id FROM mentions WHERE block_id IN (SELECT m.block_id FROM journal j JOIN mentions m ON m.id = j.row_id
     WHERE j.act = ? AND j.tbl = 'mentions') GROUP BY block_id HAVING count(*) > ?`,
    seq,
    limits.mentionDepth,
  );
  for (const leaf of leaves) {
    const spans = store.all<{ from: number; to: number }>(
      'SELECT start AS "from", "end" AS "to" FROM mentions WHERE block_id = ? ORDER BY start',
      leaf,
    );
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
