import { shortened, WHOLE_EVERY } from "../delta.ts";
import type { Connection } from "../driver.ts";

/**
 * Rewrites the entries of each block, newest first: a text becomes a delta from the one after it, and one entry in
 * `WHOLE_EVERY` the whole row. Part of version 5 of the format, on the table that version 4 has: what it frees takes the new
 * one. About 10 µs an entry.
 */
export function shortenHistory(connection: Connection): void {
  const ids = connection.prepare(
    "SELECT DISTINCT row_id FROM journal WHERE tbl = 'blocks' AND op = 'update'",
  );
  const stored = connection.prepare("SELECT chapter_id, rank, node, source, gap FROM blocks WHERE id = ?");
  const entries = connection.prepare(
    "SELECT seq, op, before FROM journal WHERE row_id = ? AND tbl = 'blocks' ORDER BY seq DESC",
  );
  const write = connection.prepare("UPDATE journal SET before = ? WHERE seq = ?");
  for (const id of ids.pluck().all()) {
    let image = (stored.get(id) ?? {}) as Image;
    let since = 0;
    for (const { seq, op, before } of entries.all(id) as {
      seq: number;
      op: string;
      before: string | null;
    }[]) {
      const known = readImage(before);
      if (known === undefined) {
        image = {}; // what is older stays whole
        continue;
      }
      const was: Image = op === "update" ? { ...image, ...known } : known;
      const isWhole = ++since >= WHOLE_EVERY && COLUMNS.every((column) => typeof was[column] === "string");
      if (isWhole) since = 0;
      if (op === "update") {
        const short = JSON.stringify(isWhole ? was : shortened(known, image));
        if (isWhole || short.length < String(before).length) write.run(short, seq);
      }
      image = was;
    }
  }
}

type Image = Readonly<Record<string, unknown>>;
const COLUMNS = ["chapter_id", "rank", "node", "source", "gap"];

/** Returns the columns of an entry; undefined for one that is damaged, which stays as it is. */
function readImage(before: string | null): Image | undefined {
  if (before === null) return {};
  try {
    return JSON.parse(before);
  } catch {
    return undefined;
  }
}
