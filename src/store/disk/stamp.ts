import type { Statement } from "../driver.ts";

/**
 * Which commit a page of the file is of. It stands in `sqlite_sequence`, a page that every act writes anyway: so the log
 * holds it, and the file itself does as soon as a checkpoint takes it there.
 */
export interface Stamp {
  /** Write transactions since the first. */
  commits: number;
  /** The schema cookie at that time, its lower 24 bits. A rebuilt copy (VACUUM) has other pages, and another cookie. */
  layout: number;
}

/** Its row: no table has this name. */
const NAME = "manuscript_commits";
const LAYOUTS = 2 ** 24;

type Prepare = (sql: string) => Statement;

/** Counts the transaction that runs, as its last statement; returns how many there were. `cookie` is the schema's, if known. */
export function writeStamp(prepare: Prepare, cookie = schemaCookie(prepare)): number {
  const layout = cookie % LAYOUTS;
  const raise = `UPDATE sqlite_sequence SET seq = (seq / ${LAYOUTS} + 1) * ${LAYOUTS} + CAST(? AS INTEGER) WHERE name = '${NAME}' RETURNING seq`;
  const seq = prepare(raise).pluck().get(layout) as number | undefined;
  if (seq !== undefined) return unpack(seq).commits;
  prepare(`INSERT INTO sqlite_sequence(name, seq) VALUES('${NAME}', CAST(? AS INTEGER))`).run(
    LAYOUTS + layout,
  );
  return 1;
}

/** The stamp of what SQLite reads now, and the page that it stands on; undefined before the first. */
export function readStamp(prepare: Prepare): (Stamp & { page: number }) | undefined {
  const row = prepare(
    `SELECT seq, (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_sequence') AS page FROM sqlite_sequence WHERE name = '${NAME}'`,
  ).get() as { seq: number; page: number } | undefined;
  return row && { ...unpack(row.seq), page: row.page };
}

/** The schema cookie of what SQLite reads now. */
export function schemaCookie(prepare: Prepare): number {
  return prepare("PRAGMA schema_version").pluck().get() as number;
}

/** Whether a header's cookie may be that of a file whose newest commit has this layout. */
export function isLayoutUpTo(cookie: number, newest: number): boolean {
  return cookie % LAYOUTS <= newest % LAYOUTS;
}

function unpack(seq: number): Stamp {
  return { commits: Math.floor(seq / LAYOUTS), layout: seq % LAYOUTS };
}

const LEAF = 0x0d;
const CELLS = 8;

/** The stamp on a page as it is in the file; undefined on any other page. Source: https://sqlite.org/fileformat.html. */
export function findStamp(page: Buffer): Stamp | undefined {
  // The name is looked for first: few pages have it.
  if (page[0] !== LEAF || !page.includes(NAME, 0, "latin1")) return undefined;
  for (let cell = 0; cell < page.readUInt16BE(3) && CELLS + 2 * cell + 2 <= page.length; cell++) {
    const seq = readCell(page, page.readUInt16BE(CELLS + 2 * cell));
    if (seq !== undefined) return unpack(seq);
  }
  return undefined;
}

const TEXT_OF_NAME = 13 + 2 * NAME.length;
/** Bytes of an integer by its type. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

/** The number in a cell that holds the name and a number; undefined for another one. */
function readCell(page: Buffer, start: number): number | undefined {
  // Its size and row number, each below 128 in a table of so few short rows, then the record's header.
  const at = start + 2;
  const bytes = INTEGER_BYTES[page[at + 2] ?? 0];
  const isRow = page[at] === 3 && page[at + 1] === TEXT_OF_NAME && bytes !== undefined && bytes > 0;
  const end = at + 3 + NAME.length;
  if (!isRow || end + bytes > page.length) return undefined;
  if (page.toString("latin1", at + 3, end) !== NAME) return undefined;
  return bytes === 8 ? Number(page.readBigInt64BE(end)) : page.readIntBE(end, bytes);
}
