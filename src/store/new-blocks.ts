import type { BlockId, ChapterId } from "../ids.ts";
import { sqliteCode } from "./driver.ts";
import type { Store } from "./file/store.ts";
import type { BlockRow, SealedBlock } from "./rows/blocks.ts";
import { type BlockCounts, type BlockWrites, writeNew } from "./rows/write-blocks.ts";
import { addToDigest, hashOfBlock, sealOfBlock } from "./schema/hashes.ts";

// Most blocks are paragraphs of plain text, each with a blank line behind it: of those only the text is kept, and what else
// their rows hold is made of it as they are taken in.
const TABLES = [
  `CREATE TABLE scratch.new_blocks(seq INTEGER PRIMARY KEY, id TEXT, rank TEXT, leaf TEXT, text TEXT, words INTEGER,
     hash INTEGER, seal INTEGER, gap TEXT, type TEXT, node TEXT, source TEXT)`,
  "CREATE TABLE scratch.new_leaves(seq INTEGER, leaf TEXT, row_id TEXT, place INTEGER)",
  "CREATE INDEX scratch.new_leaves_seq ON new_leaves(seq)",
];
const PLAIN_GAP = "\n\n";
const PLAIN_NODE = `'{"type":"paragraph","attrs":{"blockId":"' || leaf || '"},"content":[{"type":"text","text":' || json_quote(text) || '}]}'`;

/** The node of a paragraph of plain text, as JSON. */
export function plainNode(leaf: BlockId, text: string): string {
  return `{"type":"paragraph","attrs":{"blockId":"${leaf}"},"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

/** A block to be kept; `isPlain` where that is known already: to find out takes making its node once more. */
export interface NewBlock extends BlockRow {
  isPlain?: boolean;
}

/** Which of what is kept beside the file are the new blocks of a chapter. */
interface Kept {
  first: number;
  behind: number;
  /** Any of them has more leaves than one. */
  hasMoreLeaves: boolean;
}

/** Blocks of a new chapter that are kept beside the file. */
export interface KeptBlocks extends Kept {
  counts: BlockCounts;
}

/** So many new blocks of a chapter that is there wait beside the file as well. */
const MANY = 500;

/** How many blocks are kept for each file. */
const kept = new WeakMap<Store, number>();

/** Lets blocks be kept beside the file while this runs. Never within a transaction. */
export function withNewBlocks<Result>(store: Store, run: () => Result): Result {
  kept.set(store, 0);
  return store.scratch.open(TABLES, run);
}

/**
 * Lets the new blocks of prepared writes wait beside the file while this runs, if they are many: taking them from there keeps
 * others waiting a third less than writing row by row. What finds no room there is written row by row.
 */
export function withWaiting<Result>(
  store: Store,
  writes: ReadonlyMap<ChapterId, BlockWrites>,
  run: () => Result,
): Result {
  const many = [...writes].filter(([, { inserted }]) => inserted.length > MANY);
  if (many.length === 0 || !store.scratch.isOpenable) return run();
  return withNewBlocks(store, () => {
    for (const [chapterId, chapter] of many) letWait(store, chapterId, chapter);
    try {
      return run();
    } finally {
      for (const [, chapter] of many) chapter.takeIn = undefined;
    }
  });
}

function letWait(store: Store, chapterId: ChapterId, writes: BlockWrites): void {
  try {
    const waiting = store.scratch.fill(() => keep(store, writes.inserted, (block) => block));
    writes.takeIn = () => insertKept(store, chapterId, waiting);
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error; // SQLite's: the disk of temporary files is full, or fails
  }
}

const KEEP_PLAIN =
  "INSERT INTO scratch.new_blocks(seq, id, rank, leaf, text, words, hash, seal, gap) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
const KEEP_OTHER =
  "INSERT INTO scratch.new_blocks(seq, id, rank, leaf, text, words, hash, seal, gap, type, node, source) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const KEEP_LEAF = "INSERT INTO scratch.new_leaves(seq, leaf, row_id, place) VALUES(?, ?, ?, ?)";

/** Keeps the blocks of one new chapter beside the file, in their order. */
export function keepBlocks(store: Store, chapterId: ChapterId, blocks: readonly NewBlock[]): KeptBlocks {
  const counts = { words: 0, leaves: 0, digest: 0 };
  const own = keep(store, blocks, (block) => {
    const hash = hashOfBlock(block.id, chapterId, block);
    const seal = sealOfBlock(block.id, block);
    counts.words += block.words;
    counts.leaves += block.leaves.length;
    counts.digest = addToDigest(counts.digest, hash + seal);
    return { hash, seal };
  });
  return { ...own, counts };
}

function keep<Block extends NewBlock>(
  store: Store,
  blocks: readonly Block[],
  sealsOf: (block: Block) => Pick<SealedBlock, "hash" | "seal">,
): Kept {
  const plain = store.prepare(KEEP_PLAIN);
  const other = store.prepare(KEEP_OTHER);
  const first = kept.get(store) ?? 0;
  let behind = first;
  let hasMoreLeaves = false;
  for (const block of blocks) {
    const { id, rank, node, source, gap, type, text, words, leaves } = block;
    const { hash, seal } = sealsOf(block);
    const leaf = leaves[0] ?? null;
    const ownGap = gap === PLAIN_GAP ? null : gap;
    if (block.isPlain ?? isPlain(block)) plain.run(behind, id, rank, leaf, text, words, hash, seal, ownGap);
    else other.run(behind, id, rank, leaf, text, words, hash, seal, ownGap, type, node, source);
    for (let place = 1; place < leaves.length; place++)
      store.run(KEEP_LEAF, behind, leaves[place], id, place);
    behind++;
    hasMoreLeaves ||= leaves.length > 1;
  }
  kept.set(store, behind);
  return { first, behind, hasMoreLeaves };
}

/** Whether a block's node and source are what is made of its leaf and its text. */
function isPlain({ node, source, text, leaves: [leaf] }: BlockRow): boolean {
  return source === text && leaf !== undefined && node === plainNode(leaf, text);
}

const KEPT = "seq >= ? AND seq < ?";
const TAKE_BLOCKS = `INSERT INTO blocks(id, chapter_id, rank, node, source, gap, type, text, words, hash, seal)
  SELECT id, ?, rank, coalesce(node, ${PLAIN_NODE}), coalesce(source, text), coalesce(gap, char(10, 10)),
    coalesce(type, 'paragraph'), text, words, hash, seal FROM scratch.new_blocks WHERE ${KEPT}`;
const TAKE_LEAVES = `INSERT INTO leaves(id, row_id, chapter_id, place)
  SELECT leaf, id, ?, 0 FROM scratch.new_blocks WHERE leaf IS NOT NULL AND ${KEPT}`;
const TAKE_MORE_LEAVES = `INSERT INTO leaves(id, row_id, chapter_id, place)
  SELECT leaf, row_id, ?, place FROM scratch.new_leaves WHERE ${KEPT}`;

const JOURNAL_KEPT = `INSERT INTO journal(act, tbl, row_id, op, chapter)
  SELECT (SELECT seq FROM current_act), 'blocks', id, 'insert', ? FROM scratch.new_blocks WHERE ${KEPT} ORDER BY seq`;

/** Puts kept blocks into their chapter, within an act. */
export function takeBlocks(store: Store, chapterId: ChapterId, { counts, ...kept }: KeptBlocks): void {
  if (kept.behind === kept.first) return;
  writeNew(store, chapterId, counts, () => insertKept(store, chapterId, kept));
}

function insertKept(store: Store, chapterId: ChapterId, { first, behind, hasMoreLeaves }: Kept): void {
  store.run(JOURNAL_KEPT, chapterId, first, behind);
  store.run(TAKE_BLOCKS, chapterId, first, behind);
  store.run(TAKE_LEAVES, chapterId, first, behind);
  if (hasMoreLeaves) store.run(TAKE_MORE_LEAVES, chapterId, first, behind);
}
