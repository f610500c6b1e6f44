import { LIMITS } from "../../contract/limits.ts";
import type { BlockId, BookId } from "../../ids.ts";
import { PayloadTooLarge } from "../../refusals.ts";
import { grouped } from "../../text/columns.ts";
import type { ActEntries } from "../file/act.ts";
import type { Act } from "../file/sql.ts";
import type { Store } from "../file/store.ts";

/** What a book's list answers of each of its rows; an update that makes one of these longer lets the list grow. */
const TEXTS = {
  facts: ["name", "kind", "aliases", "attributes", "summary"],
  snippets: ["text", "url", "items"],
} as const;

/** A list of a book that is answered whole. */
export type BookList = keyof typeof TEXTS;

/** Which tables that can become too full an act has written to, of lists and mentions. */
function listFilled(store: Store, act: number): ReadonlySet<BookList | "mentions"> {
  const filled =
    "SELECT DISTINCT tbl FROM journal WHERE act = ? AND tbl IN ('facts', 'snippets', 'mentions')";
  return new Set(store.list<BookList | "mentions">(filled, act));
}

/** Ids, times and keys of a row in its list, about. */
const ROW_BYTES = 256;

/** The books whose list has a new row since this act began, or one that is longer. Microseconds for an act of some rows. */
function listCrowdedBooks(store: Store, act: number, list: BookList): BookId[] {
  const was = TEXTS[list].map((column) => octets(`j.before ->> '${column}'`)).join(" + ");
  const is = TEXTS[list]
    .map((column) => `iif(json_type(j.before, '$.${column}') IS NULL, 0, ${octets(`t.${column}`)})`)
    .join(" + ");
  return store.list<BookId>(
    `SELECT DISTINCT t.book_id FROM journal j JOIN ${list} t ON t.id = j.row_id
     WHERE j.act = ? AND j.tbl = '${list}' AND (j.op = 'insert' OR (j.op = 'update' AND ${is} > ${was}))`,
    act,
  );
}

/** About how many bytes a book's list answers. O(rows), half a microsecond each. */
function measureList(store: Store, bookId: BookId, list: BookList): number {
  const row = TEXTS[list].map(octets).join(" + ");
  const sql = `SELECT coalesce(sum(${ROW_BYTES} + ${row}), 0) FROM ${list} WHERE book_id = ?`;
  return store.list<number>(sql, bookId)[0] ?? 0;
}

const octets = (column: string) => `coalesce(octet_length(${column}), 0)`;

/** Where the mentions of a leaf begin and end, in order of `from`. */
export interface CrowdedLeaf {
  blockId: BlockId;
  spans: { from: number; to: number }[];
}

/** The leaves with more mentions than that which got one of them since this act began. */
function listCrowdedLeaves(store: Store, act: number, mentions: number): CrowdedLeaf[] {
  const leaves = store.list<BlockId>(
    `SELECT block_id FROM mentions WHERE block_id IN (SELECT m.block_id FROM journal j JOIN mentions m ON m.id = j.row_id
     WHERE j.act = ? AND j.tbl = 'mentions' AND (j.op = 'insert' OR j.before ->> 'block_id' <> m.block_id))
     GROUP BY block_id HAVING count(*) > ?`,
    act,
    mentions,
  );
  return leaves.map((blockId) => ({
    blockId,
    spans: store.all(
      `SELECT start AS "from", "end" AS "to" FROM mentions WHERE block_id = ? ORDER BY start`,
      blockId,
    ),
  }));
}

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
