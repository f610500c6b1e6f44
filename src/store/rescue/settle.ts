import type { Cell } from "../bundle.ts";
import { hashOfBlock, sealOfBlock } from "../file/hashes.ts";
import type { TableName } from "../file/tables.ts";
import { ranksBetween } from "../rows/rank.ts";
import type { ChapterFinding, ProseReader } from "./chapters.ts";
import type { OtherRows } from "./others.ts";
import type { Row } from "./past.ts";

/** Rows of a new file by table, in which each names only rows that are there; and what had to go for that. */
export interface Settled {
  rows: Map<string, Row[]>;
  /** Mentions whose paragraph or fact is gone or says something else, and notes that lost their paragraph. */
  droppedMentions: number;
  detachedNotes: number;
}

/** What stands in for the rows of chapters and books that are gone. */
export interface StandIns {
  chapterOf(finding: ChapterFinding): Row;
  bookOf(id: string): Row;
}

/** Brings the rows that came back together, so that they contradict each other nowhere. */
export function settle(
  chapters: readonly ChapterFinding[],
  others: ReadonlyMap<TableName, OtherRows>,
  { prose, standIns }: { prose: ProseReader; standIns: StandIns },
): Settled {
  const rows = new Map<string, Row[]>([...others].map(([table, each]) => [table, each.rows]));
  settleChapters(rows, chapters, standIns);
  const { blocks, leaves, ...prosed } = settleProse(chapters, prose);
  rows.set("blocks", blocks);
  rows.set("leaves", leaves);
  for (const [table, needs] of NEEDS) keep(rows, table, needs);
  const mentions = chapters.flatMap((chapter) => chapter.mentions);
  const isFact = has(rows, "facts");
  const kept = mentions.filter((row) => isFact(row.fact_id) && prosed.says(row));
  rows.set("mentions", kept);
  const isChapter = has(rows, "chapters");
  const notes = rows.get("snippets") ?? [];
  const anchored = notes.map((note) => anchor(note, { isChapter, stands: prosed.stands }));
  rows.set("snippets", anchored);
  return {
    rows,
    droppedMentions: mentions.length - kept.length,
    detachedNotes: anchored.filter((note, at) => note !== notes[at]).length,
  };
}

/** The rows that others cannot be without, parents first. */
const NEEDS: readonly (readonly [TableName, readonly [column: string, parent: TableName][]])[] = [
  ["goals", [["book_id", "books"]]],
  ["facts", [["book_id", "books"]]],
  ["dismissals", [["book_id", "books"]]],
  ["milestones", [["book_id", "books"]]],
  ["snippets", [["book_id", "books"]]],
  ["book_pictures", [["book_id", "books"]]],
  [
    "fact_merges",
    [
      ["book_id", "books"],
      ["fact_id", "facts"],
    ],
  ],
  [
    "proposals",
    [
      ["book_id", "books"],
      ["chapter_id", "chapters"],
    ],
  ],
  ["proposed_edits", [["proposal_id", "proposals"]]],
];

type Rows = Map<string, Row[]>;

/** Whether a table has a row of an id. */
function has(rows: Rows, table: TableName): (id: Cell | undefined) => boolean {
  const ids = new Set(rows.get(table)?.map(({ id }) => id));
  return (id) => ids.has(id ?? null);
}

/** Every chapter that was found has a row, and its book; it is in its part if that is there. */
function settleChapters(rows: Rows, chapters: readonly ChapterFinding[], standIns: StandIns): void {
  const found = chapters.map((finding) => finding.row ?? standIns.chapterOf(finding));
  const isBook = has(rows, "books");
  const lostBooks = new Set(found.map(({ book_id }) => String(book_id)).filter((id) => !isBook(id)));
  rows.set("books", [...(rows.get("books") ?? []), ...[...lostBooks].map((id) => standIns.bookOf(id))]);
  keep(rows, "parts", [["book_id", "books"]]);
  const isPart = has(rows, "parts");
  rows.set(
    "chapters",
    found.map((row) => (isPart(row.part_id) ? row : { ...row, part_id: null })),
  );
}

function keep(rows: Rows, table: TableName, needs: readonly (readonly [string, TableName])[]): void {
  const tests = needs.map(([column, parent]) => [column, has(rows, parent)] as const);
  const kept = (rows.get(table) ?? []).filter((row) =>
    tests.every(([column, isThere]) => isThere(row[column])),
  );
  rows.set(table, kept);
}

/** A note whose paragraph or chapter did not come back stays, and says where it was. */
function anchor(
  note: Row,
  { isChapter, stands }: { isChapter: (id: Cell | undefined) => boolean; stands: (row: Row) => boolean },
): Row {
  const { chapter_id, block_id } = note;
  if (chapter_id === null || (isChapter(chapter_id) && (block_id === null || stands(note)))) return note;
  const isThere = isChapter(chapter_id);
  const detached = {
    blockId: block_id,
    quote: "",
    revision: 0,
    ...(isThere ? {} : { chapterId: chapter_id }),
  };
  return {
    ...note,
    chapter_id: isThere ? (chapter_id ?? null) : null,
    block_id: null,
    detached: note.detached ?? JSON.stringify(detached),
  };
}

interface Prose {
  blocks: Row[];
  leaves: Row[];
  /** Whether the leaf of a note stands in the note's chapter. */
  stands(anchored: Row): boolean;
  /** Whether the leaf of a mention says there what the mention says. */
  says(mention: Row): boolean;
}

/** The blocks with everything that follows from them, each leaf in one of them: of two, the one in a chapter that is proved. */
function settleProse(chapters: readonly ChapterFinding[], prose: ProseReader): Prose {
  const leaves = new Map<string, Row>();
  const texts = new Map<string, string>();
  const blocks: Row[] = [];
  const proved = [...chapters].sort((a, b) => Number(b.isProved) - Number(a.isProved));
  for (const chapter of proved) {
    const doubted = new Set(chapter.paragraphs.map(({ id }) => id));
    const sure = [...chapter.blocks].sort(
      (a, b) => Number(doubted.has(String(a.id))) - Number(doubted.has(String(b.id))),
    );
    for (const row of parted(chapter, withRanks(sure), prose)) {
      const block = deriveRow(row, prose);
      if (block === undefined || block.leaves.some((leaf) => leaves.has(leaf))) {
        chapter.blocks = chapter.blocks.filter(({ id }) => id !== row.id);
        if (!doubted.has(String(row.id)))
          chapter.paragraphs.push({ id: String(row.id), kind: "missing", rank: String(row.rank) });
        continue;
      }
      blocks.push(block.row);
      for (const { blockId, text } of prose.leafTexts(String(row.node))) texts.set(String(blockId), text);
      for (const [place, id] of block.leaves.entries())
        leaves.set(id, { id, row_id: row.id ?? null, chapter_id: row.chapter_id ?? null, place });
    }
  }
  const stands = ({ block_id, chapter_id }: Row) => leaves.get(String(block_id))?.chapter_id === chapter_id;
  return {
    blocks,
    leaves: [...leaves.values()],
    stands,
    says: (row) =>
      stands(row) && texts.get(String(row.block_id))?.slice(Number(row.start), Number(row.end)) === row.text,
  };
}

/** The blocks of a chapter that is not as it was, parted from each other as they are to be read. */
function parted(chapter: ChapterFinding, blocks: Row[], prose: ProseReader): Row[] {
  if (chapter.isProved) return blocks;
  const inOrder = [...blocks].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const gaps = prose.part(chapter.row ?? {}, inOrder);
  return blocks.map((row) => ({ ...row, gap: gaps[inOrder.indexOf(row)] ?? row.gap ?? "" }));
}

const placeOf = ({ rank, id }: Row) => `${rank} ${id}`;

/** Blocks of which nothing tells the place go to the end. */
function withRanks(blocks: readonly Row[]): Row[] {
  const ranks = blocks.map(({ rank }) => rank).filter((rank) => typeof rank === "string");
  const last = [...ranks].sort().at(-1);
  const unplaced = blocks.filter(({ rank }) => rank === null);
  const more = ranksBetween(last, undefined, unplaced.length);
  return blocks.map((row) =>
    row.rank === null ? { ...row, rank: more[unplaced.indexOf(row)] ?? null } : row,
  );
}

function deriveRow(row: Row, prose: ProseReader): { row: Row; leaves: readonly string[] } | undefined {
  const id = String(row.id);
  try {
    const derived = prose.derive(String(row.node));
    const stored = derived.find((block) => sealOfBlock(id, block) === row.seal) ?? derived[0];
    if (stored === undefined) return undefined;
    const { leaves, ...columns } = stored;
    const { rank, node, source, gap } = row as Record<string, string>;
    const content = { rank: rank!, node: node!, source: source!, gap: gap! }; // a block's, each a text
    const hash = hashOfBlock(id, String(row.chapter_id), content);
    return { row: { ...row, ...columns, hash, seal: sealOfBlock(id, stored) }, leaves };
  } catch {
    return undefined; // what stands there is no prose
  }
}

/** A rank behind all of these. */
export function rankBehind(rows: readonly Row[]): string {
  const last = rows
    .map(({ rank }) => String(rank))
    .sort()
    .at(-1);
  return ranksBetween(last, undefined, 1)[0]!; // one was asked for
}
