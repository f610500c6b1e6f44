import type { ChapterId } from "../ids.ts";
import { hashOfText } from "../text/row-hash.ts";
import type { Store } from "./file/store.ts";
import { markdownSql, readMarkdownBytes } from "./rows/bodies.ts";
import { damaged } from "./rows/damaged.ts";
import { assertChapter, assertRead, isExamined, soundly } from "./rows/sound.ts";
import { addToDigest, sumSql } from "./schema/hashes.ts";
import { hashTextSql } from "./schema/row-texts.ts";

/**
 * The chapter's Markdown as bytes, without front matter: as `readMarkdownBytes`, for who reads many. One statement reads each
 * block once, what is written of it and what its hash is of; what else a block holds is not looked at. Throws `Damaged`.
 */
export function readWholeMarkdown(store: Store, id: ChapterId): Buffer | undefined {
  if (isExamined(store)) return readMarkdownBytes(store, id)?.body;
  return soundly(store, () => {
    const whole = store.get<Whole>(WHOLE, { id });
    if (whole === undefined)
      assertChapter(store, id); // it may be one that an index has lost
    else assertWhole(store, id, whole);
    return whole?.body;
  });
}

/** A chapter as it is read at once. */
interface Whole {
  body: Buffer;
  /** The hash and seal of the chapter's own row. */
  state: string;
  digest: number;
  /** What its blocks and its mentions add up to. */
  sum: number;
  /** What the hash of each block is of, one behind the other; null for none. */
  texts: Buffer | null;
  /** Of each block the size of that in bytes, its hash, its seal, its rank and its id. */
  blocks: string | null;
}

function assertWhole(store: Store, id: ChapterId, { state, digest, sum, texts, blocks }: Whole): void {
  assertRead(store, "chapters", id, state);
  let from = 0;
  let last = "";
  for (const block of blocks?.split("\n") ?? []) {
    const [size = "", hash = "", seal = "", rank = "", row = ""] = block.split(" ");
    const to = from + Number(size);
    if (texts === null || hashOfText(texts.subarray(from, to)) !== Number(hash))
      assertRead(store, "blocks", row, `${hash} ${seal}`);
    const place = `${rank} ${row}`;
    if (place <= last) throw damaged(store, "chapters", id);
    [from, last] = [to, place];
  }
  if (addToDigest(0, sum) !== digest) throw damaged(store, "chapters", id);
}

// By the index, as a chapter is read, whose values SQLite takes from there, and the row's place: those must be the row's own.
const BLOCKS = `SELECT r.source || r.gap AS lines, ${hashTextSql("blocks")} AS text, r.hash, r.seal, r.rank, r.id,
  iif(r.rowid = i.rowid AND r.chapter_id = i.chapter_id AND r.rank = i.rank, r.hash + r.seal, 0) AS sum
  FROM blocks i CROSS JOIN blocks r ON r.id = i.id WHERE i.chapter_id = :id ORDER BY i.rank, i.id`;
const MENTIONS = `SELECT ${sumSql("iif(m.rowid = i.rowid AND m.chapter_id = i.chapter_id, m.hash, 0)")}
  FROM mentions i CROSS JOIN mentions m ON m.id = i.id WHERE i.chapter_id = :id`;
const WHOLE = `SELECT CAST(${markdownSql("coalesce(b.lines, '')")} AS BLOB) AS body, c.hash || ' ' || c.seal AS state, c.digest,
  b.sum + (${MENTIONS}) AS sum, CAST(b.texts AS BLOB) AS texts, b.blocks
  FROM chapters c CROSS JOIN (SELECT group_concat(lines, '') AS lines, group_concat(text, '') AS texts, ${sumSql("sum")} AS sum,
    group_concat(octet_length(text) || ' ' || hash || ' ' || seal || ' ' || rank || ' ' || id, char(10)) AS blocks FROM (${BLOCKS})) b
  WHERE c.id = :id`;
