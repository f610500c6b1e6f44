import type { BlockId } from "../ids.ts";
import { type Leaf, leafIds, readLeaves } from "../prose/document/leaf.ts";
import type { SourceBlock } from "../prose/document/types.ts";
import { countBlockWords } from "../prose/document/words.ts";
import type { NewProse, StoredProse } from "../prose/plan/plan.ts";
import { removeLeaves } from "../prose/plan/remove-leaf.ts";
import { findMoves } from "../prose/reconcile/find-moves.ts";
import type { StoredChapter } from "./book.ts";
import type { ChapterPlan, Emptied } from "./plan.ts";

/** A chapter whose file is read: what the folder last said of it, and what it says now. */
export interface Party<Key> {
  key: Key;
  stored: StoredChapter | undefined;
  was: StoredProse | undefined;
  /** Its leaves bring whatever ids the file has. */
  now: NewProse;
}

/** A chapter whose file is gone, and what that said; undefined if it is not known any more. */
export interface LostChapter {
  stored: StoredChapter;
  was: () => StoredProse | undefined;
}

/** A paragraph that goes from one chapter to another, whose file is `to`. */
export interface BookMove<Key> {
  blockId: BlockId;
  from: StoredChapter;
  /** The file of the chapter that it leaves; undefined if that is gone. */
  file: Key | undefined;
  to: Key;
  /** The leaf's index among those of the file. */
  at: number;
  isEdited: boolean;
  wordCount: number;
  /** What the manuscript alone has made of it meanwhile: that goes along. */
  edit: { was: SourceBlock; now: SourceBlock } | undefined;
}

/**
 * The paragraphs that files show gone from one chapter of a book and new in another, as long as the manuscript still has them
 * where they were.
 */
export function findBookMoves<Key>(
  parties: readonly Party<Key>[],
  lost: readonly LostChapter[],
): BookMove<Key>[] {
  if (parties.length + lost.length < 2) return [];
  const read = parties.map(({ was, now, ...party }) => ({
    party: { ...party, was, now },
    was: leavesIn(was),
    now: leavesIn(now),
  }));
  if (!read.some(hasMore)) return [];
  const sides = [
    ...read.map(({ party, was, now }) => ({ key: party as Source<Key>, was, now })),
    ...lost.map(({ stored, was }) => ({ key: { stored, key: undefined }, was: leavesIn(was()), now: [] })),
  ];
  const here = new Map<StoredChapter, Map<string | null, Leaf>>();
  const present = (stored: StoredChapter) => {
    const leaves = here.get(stored) ?? new Map(leavesIn(stored.prose()).map((leaf) => [leaf.blockId, leaf]));
    here.set(stored, leaves);
    return leaves;
  };
  return findMoves(sides).flatMap(({ blockId, from, to, was, now, at }) => {
    const leaf = from.stored && present(from.stored).get(blockId);
    if (from.stored === undefined || leaf === undefined) return [];
    // What the manuscript has changed since is not gone with a file that never said it.
    if (from.key === undefined && leaf.text !== was.text) return [];
    const wordCount = countBlockWords(leaf.node);
    const edit = editOf(blockId, { from, to, at });
    const isEdited = edit === undefined && leaf.text !== now.text;
    const file = to.key!; // a chapter without a file takes nothing in
    const move = { blockId: blockId as BlockId, file: from.key, to: file, at, isEdited, wordCount, edit };
    return [{ ...move, from: from.stored }];
  });
}

interface Source<Key> extends Partial<Pick<Party<Key>, "was" | "now">> {
  key: Key | undefined;
  stored: StoredChapter | undefined;
}

/** What the manuscript has made of a paragraph that the folder has moved as it was. */
function editOf<Key>(
  blockId: string,
  { from, to, at }: { from: Source<Key>; to: Source<Key>; at: number },
): BookMove<Key>["edit"] {
  const [was, now] = [from.was, from.stored?.prose()].map(
    (prose) => prose && holdersIn(prose).byId.get(blockId),
  );
  const here = to.now && holdersIn(to.now).inOrder[at];
  if (was === undefined || now === undefined || here?.source !== was.source) return undefined;
  // A link may lead elsewhere in another chapter.
  if (was.source === now.source || now.source.includes("[")) return undefined;
  const [ids, others] = [leafIds([was]), leafIds([now])];
  return ids.length === others.length && ids.every((id, index) => id === others[index])
    ? { was, now }
    : undefined;
}

/** Which block holds each leaf, by the leaf's id and by its index. */
interface Holders {
  byId: ReadonlyMap<string | null, SourceBlock>;
  inOrder: readonly SourceBlock[];
}

// Asked for every paragraph that moves, and a chapter may have thousands: made once for each list of blocks.
const known = new WeakMap<readonly SourceBlock[], Holders>();

function holdersIn({ blocks }: { blocks: readonly SourceBlock[] }): Holders {
  let holders = known.get(blocks);
  if (holders === undefined) {
    const held = blocks.flatMap((block) => leafIds([block]).map((id) => [id, block] as const));
    // Of an id that stands twice the first has it.
    holders = { byId: new Map(held.toReversed()), inOrder: held.map(([, block]) => block) };
    known.set(blocks, holders);
  }
  return holders;
}

/** The prose with other blocks, each for the one that begins with the paragraph of its id. */
export function withBlocks<Prose extends { blocks: readonly SourceBlock[] }>(
  prose: Prose,
  others: ReadonlyMap<unknown, SourceBlock>,
): Prose {
  if (others.size === 0) return prose;
  const blocks = prose.blocks.map((block) => {
    const other = others.get(leafIds([block])[0]);
    return other === undefined ? block : { ...block, node: other.node, source: other.source };
  });
  return { ...prose, blocks };
}

const leavesIn = (prose: { blocks: readonly SourceBlock[] } | undefined): Leaf[] =>
  prose?.blocks.flatMap(({ node }) => readLeaves(node)) ?? [];

/** Whether a chapter has a text that it had not: without one nothing has come from elsewhere. */
function hasMore({ was, now }: { was: readonly Leaf[]; now: readonly Leaf[] }): boolean {
  const known = new Set(was.map(({ text }) => text));
  return now.some(({ text, blockId }) => !known.has(text) || blockId !== null);
}

/** Whether a move comes about by these plans: it is written on both sides, or waits on both for a conflict's end. */
export function isCarried<Key>(move: BookMove<Key>, plans: ReadonlyMap<Key, ChapterPlan>): boolean {
  const { blockId, file, to, edit } = move;
  const there = plans.get(to);
  const here = file === undefined ? undefined : plans.get(file);
  if (there?.kind === "conflict") return here?.kind === "write" || here?.kind === "conflict";
  if (there?.kind !== "write" && there?.kind !== "create") return false;
  const prose = there.kind === "write" ? there.prose : there.read().prose;
  const holder = holdersIn(prose).byId.get(blockId);
  if (holder === undefined || (edit !== undefined && holder.source !== edit.now.source)) return false;
  if (file === undefined) return true;
  if (here?.kind === "conflict") return there.kind === "write";
  return here?.kind === "write" && !holdersIn(here.prose).byId.has(blockId);
}

/** The plans; a chapter that a paragraph comes from or goes to waits for the other where both sides have changed that. */
export function holdTogether<Key>(
  plans: ReadonlyMap<Key, ChapterPlan>,
  moves: readonly BookMove<Key>[],
): Map<Key, ChapterPlan> {
  const held = new Map(plans);
  const wait = (key: Key, { blockId, from }: BookMove<Key>, isThere: boolean): boolean => {
    const plan = held.get(key);
    if (plan?.kind !== "write") return false;
    const { incoming, stored } = plan;
    const holder = isThere ? incoming.prose : from.prose();
    const source = holdersIn(holder).byId.get(blockId)?.source;
    const paragraph = isThere
      ? { incoming: source, stored: undefined }
      : { incoming: undefined, stored: source };
    held.set(key, { kind: "conflict", incoming, stored, fields: [], paragraphs: [paragraph] });
    return true;
  };
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const move of moves) {
      const { file, to } = move;
      if (file === undefined) continue;
      const waits =
        (held.get(file)?.kind === "conflict" && wait(to, move, true)) ||
        (held.get(to)?.kind === "conflict" && wait(file, move, false));
      if (waits) isDone = false;
    }
  }
  return held;
}

/** The chapters without a file that paragraphs leave, with the rest of their prose. */
export function emptiedBy<Key>(moves: readonly BookMove<Key>[]): Emptied[] {
  const lost = new Set(moves.flatMap(({ file, from }) => (file === undefined ? [from] : [])));
  return [...lost].map((stored) => {
    const own = moves.filter(({ from }) => from === stored);
    const left = new Map(own.map(({ blockId, isEdited }) => [blockId as string, { isEdited }]));
    return { stored, left, prose: removeLeaves(stored.prose(), left) };
  });
}
