import type { BlockId, ChapterId } from "../ids.ts";
import type { Store } from "./file/store.ts";
import type { BlockRow } from "./rows/blocks.ts";
import { type BlockCounts, writeNew } from "./rows/write-blocks.ts";
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

/** A block to be kept: `isPlain` if its node is `plainNode` of its leaf and its text, and its source that text. */
export interface NewBlock extends BlockRow {
  isPlain: boolean;
}

/** Blocks of a new chapter that are kept beside the file. */
export interface KeptBlocks {
  first: number;
  behind: number;
  counts: BlockCounts;
}

/** How many blocks are kept for each file. */
const kept = new WeakMap<Store, number>();

/** Lets blocks be kept beside the file while this runs. Never within a transaction. */
export function withNewBlocks<Result>(store: Store, run: () => Result): Result {
  kept.set(store, 0);
  return store.scratch.open(TABLES, run);
}

const KEEP_PLAIN =
  "INSERT INTO scratch.new_blocks(seq, id, rank, leaf, text, words, hash, seal, gap) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
const KEEP_OTHER =
  "INSERT INTO scratch.new_blocks(seq, id, rank, leaf, text, words, hash, seal, gap, type, node, source) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const KEEP_LEAF = "INSERT INTO scratch.new_leaves(seq, leaf, row_id, place) VALUES(?, ?, ?, ?)";

/** Keeps the blocks of one new chapter beside the file, in their order. */
export function keepBlocks(store: Store, chapterId: ChapterId, blocks: readonly NewBlock[]): KeptBlocks {
  const plain = store.prepare(KEEP_PLAIN);
  const other = store.prepare(KEEP_OTHER);
  const first = kept.get(store) ?? 0;
  const counts = { words: 0, leaves: 0, digest: 0 };
  let behind = first;
  for (const block of blocks) {
    const { id, rank, node, source, gap, type, text, words, leaves } = block;
    const hash = hashOfBlock(id, chapterId, block);
    const seal = sealOfBlock(id, block);
    const leaf = leaves[0] ?? null;
    const ownGap = gap === PLAIN_GAP ? null : gap;
    if (block.isPlain) plain.run(behind, id, rank, leaf, text, words, hash, seal, ownGap);
    else other.run(behind, id, rank, leaf, text, words, hash, seal, ownGap, type, node, source);
    for (let place = 1; place < leaves.length; place++)
      store.run(KEEP_LEAF, behind, leaves[place], id, place);
    behind++;
    counts.words += words;
    counts.leaves += leaves.length;
    counts.digest = addToDigest(counts.digest, hash + seal);
  }
  kept.set(store, behind);
  return { first, behind, counts };
}

const KEPT = "seq >= ? AND seq < ?";
const TAKE_BLOCKS = `INSERT INTO blocks(id, chapter_id, rank, node, source, gap, type, text, words, hash, seal)
  SELECT id, ?, rank, coalesce(node, ${PLAIN_NODE}), coalesce(source, text), coalesce(gap, char(10, 10)),
    coalesce(type, 'paragraph'), text, words, hash, seal FROM scratch.new_blocks WHERE ${KEPT}`;
const TAKE_LEAVES = `INSERT INTO leaves(id, row_id, chapter_id, place)
  SELECT leaf, id, ?, 0 FROM scratch.new_blocks WHERE leaf IS NOT NULL AND ${KEPT}`;
const TAKE_MORE_LEAVES = `INSERT INTO leaves(id, row_id, chapter_id, place)
  SELECT leaf, row_id, ?, place FROM scratch.new_leaves WHERE ${KEPT}`;

/** Puts kept blocks into their chapter, within an act. */
export function takeBlocks(store: Store, chapterId: ChapterId, { first, behind, counts }: KeptBlocks): void {
  const blocks = behind - first;
  if (blocks === 0) return;
  writeNew(store, chapterId, counts, () => {
    store.run(TAKE_BLOCKS, chapterId, first, behind);
    store.run(TAKE_LEAVES, chapterId, first, behind);
    if (counts.leaves > blocks) store.run(TAKE_MORE_LEAVES, chapterId, first, behind);
  });
}
