import type { BlockId } from "../ids.ts";
import { type Leaf, leafIds, readLeaves } from "../prose/document/leaf.ts";
import { sameNode } from "../prose/document/same-node.ts";
import type { SourceBlock } from "../prose/document/types.ts";
import { countBlockWords } from "../prose/document/words.ts";
import { saysSameIn } from "../prose/markdown/reads-as.ts";
import type { NewProse, StoredProse } from "../prose/plan/plan.ts";
import { removeLeaves } from "../prose/plan/remove-leaf.ts";
import { type FoundMove, findMoves, type MovingSide } from "../prose/reconcile/find-moves.ts";
import { judge, type Side } from "../three-way.ts";
import type { StoredChapter } from "./book.ts";
import type { BookBase } from "./book-base.ts";
import type { Standing } from "./forward-edits.ts";
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

/** A chapter that is gone: what its file said last, if that is known, and what it says now; undefined if that is gone, too. */
export interface GoneChapter {
  was: () => StoredProse | undefined;
  now: NewProse | undefined;
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

/** A paragraph that files have moved and the manuscript, too, which has put it into a chapter of its own choice, or taken it out. */
export interface CrossedMove<Key> {
  blockId: string;
  /** The file of the chapter that it leaves; undefined if that is gone. */
  file: Key | undefined;
  to: Key;
  /** The leaf's index among those of the file that it goes to. */
  at: number;
  /** The blocks that hold it, as both had it and as that file has it. */
  old: SourceBlock;
  block: SourceBlock;
  /** Its words and their marks are as they were. */
  isSame: boolean;
}

/** What files show gone from one chapter and new in another. */
export interface BookMoves<Key> {
  /** Those paragraphs that the manuscript still has where they were. */
  moves: BookMove<Key>[];
  /** Those that it has in another chapter by now, or nowhere. */
  crossed: CrossedMove<Key>[];
}

/** What is known besides the chapters whose files are read. */
interface Elsewhere {
  gone?: readonly GoneChapter[];
  standing?: Standing;
  base?: BookBase | undefined;
  force?: Side | undefined;
}

/** The paragraphs that files show gone from one chapter of a book and new in another. */
export function findBookMoves<Key>(
  parties: readonly Party<Key>[],
  lost: readonly LostChapter[],
  { gone = [], standing = () => new Map(), base, force }: Elsewhere = {},
): BookMoves<Key> {
  const found: BookMoves<Key> = { moves: [], crossed: [] };
  if (parties.length + lost.length + gone.length < 2) return found;
  const read = parties.map(({ was, now, ...party }) => ({
    party: { ...party, was, now },
    was: leavesIn(was),
    now: leavesIn(now),
  }));
  if (!read.some(hasMore)) return found;
  const sides = [
    ...read.map(({ party, was, now }) => ({ key: party as Source<Key>, was, now })),
    ...withoutParty<Key>(lost, gone, metElsewhere(standing, base)),
  ];
  const present = leavesByChapter();
  for (const move of findMoves(sides)) {
    const { blockId, from, to, was, now, at } = move;
    const { stored } = from;
    const leaf = stored && present(stored, blockId);
    const file = to.key!; // a chapter without a file takes nothing in
    if (stored === undefined || leaf === undefined) {
      takeElsewhere(found, move, { lost, standing, force });
      continue;
    }
    const edit = editOf(blockId, { from, to, at, force });
    // What the manuscript has changed since is not gone with a file that never said it, unless that goes along.
    if (from.key === undefined && edit === undefined && leaf.text !== was.text) continue;
    const isEdited = edit === undefined && leaf.text !== now.text;
    const ids = { blockId: blockId as BlockId, from: stored, file: from.key, to: file, at };
    found.moves.push({ ...ids, isEdited, wordCount: countBlockWords(leaf.node), edit });
  }
  return found;
}

/** Takes a move of a paragraph that the manuscript has in another chapter by now, or nowhere. */
function takeElsewhere<Key>(
  found: BookMoves<Key>,
  move: FoundMove<Source<Key>>,
  { lost, standing, force }: { lost: readonly LostChapter[]; standing: Standing; force: Side | undefined },
): void {
  const { blockId, from, to, was, now, at } = move;
  const place = standing().get(blockId);
  // Its chapter goes with the file where the folder is to win: the paragraph is not to go with it.
  const home = force === "incoming" ? lost.find((one) => one.stored.id === place?.chapter.id) : undefined;
  if (home !== undefined)
    found.moves.push(moveHome({ blockId, to: to.key!, was, now, at }, home.stored)); // a chapter without a file takes nothing in
  else {
    const crossed = crossedMove(move);
    if (crossed && (place || staysOut(crossed, from.stored, force))) found.crossed.push(crossed);
  }
}

/** A chapter's leaf by its id, each chapter read once. */
function leavesByChapter(): (stored: StoredChapter, blockId: string) => Leaf | undefined {
  const read = new Map<StoredChapter, Map<string | null, Leaf>>();
  return (stored, blockId) => {
    const leaves = read.get(stored) ?? new Map(leavesIn(stored.prose()).map((leaf) => [leaf.blockId, leaf]));
    read.set(stored, leaves);
    return leaves.get(blockId);
  };
}

/** A move from a chapter whose file is gone. */
function moveHome<Key>(
  { blockId, was, now, ...move }: Pick<FoundMove<Key>, "blockId" | "to" | "was" | "now" | "at">,
  from: StoredChapter,
): BookMove<Key> {
  const here = from.prose().blocks.flatMap(({ node }) => readLeaves(node));
  const leaf = here.find((one) => one.blockId === blockId) ?? was;
  const wordCount = countBlockWords(leaf.node);
  const [file, edit] = [undefined, undefined];
  return {
    ...move,
    blockId: blockId as BlockId,
    from,
    file,
    edit,
    isEdited: leaf.text !== now.text,
    wordCount,
  };
}

function crossedMove<Key>({
  blockId,
  from,
  to,
  was,
  now,
  at,
}: Omit<FoundMove<Source<Key>>, "isEdited">): CrossedMove<Key> | undefined {
  const old = from.was && holdersIn(from.was).byId.get(blockId);
  const block = to.now && holdersIn(to.now).inOrder[at];
  if (old === undefined || block === undefined || to.key === undefined) return undefined;
  return { blockId, file: from.key, to: to.key, at, old, block, isSame: sameNode(was.node, now.node) };
}

/** Whether a paragraph that the manuscript has taken out of its chapter stays out: the folder has only put it elsewhere, or is not to win. */
function staysOut<Key>(
  { isSame }: CrossedMove<Key>,
  chapter: StoredChapter | undefined,
  force: Side | undefined,
): boolean {
  return chapter !== undefined && (isSame || force === "stored");
}

/** Whether a paragraph stands in another chapter than this, and the folder has seen it there. */
type MetElsewhere = (blockId: string | null, own: StoredChapter | undefined) => boolean;

function metElsewhere(standing: Standing, base: BookBase | undefined): MetElsewhere {
  const met = new Map<StoredChapter, ReadonlySet<string | null>>();
  return (blockId, own) => {
    const chapter = standing().get(blockId)?.chapter;
    if (chapter === undefined || chapter === own) return false;
    const ids = met.get(chapter) ?? new Set(leafIds(base?.lastProse(chapter.id)?.blocks ?? []));
    met.set(chapter, ids);
    return ids.has(blockId);
  };
}

/**
 * The chapters whose files are gone, and those that are gone themselves. What was known of one then is not known any more of
 * paragraphs that have gone to another since: a file that is gone is not recorded anew.
 */
function withoutParty<Key>(
  lost: readonly LostChapter[],
  gone: readonly GoneChapter[],
  isMetElsewhere: MetElsewhere,
): MovingSide<Source<Key>>[] {
  const side = (was: StoredProse | undefined, stored: StoredChapter | undefined) => ({
    key: { stored, key: undefined, was },
    was: leavesIn(was).filter(({ blockId }) => !isMetElsewhere(blockId, stored)),
  });
  const chapters = lost.map(({ stored, was }) => ({ ...side(was(), stored), now: [] }));
  const files = gone.map(({ was, now }) => {
    const known = side(was(), undefined);
    return { ...known, now: stillIn(known.was, leavesIn(now)) };
  });
  return [...chapters, ...files];
}

interface Source<Key> extends Partial<Pick<Party<Key>, "was" | "now">> {
  key: Key | undefined;
  stored: StoredChapter | undefined;
}

/** What the manuscript has made of a paragraph that the folder has moved as it was, or otherwise if the manuscript is to win. */
function editOf<Key>(
  blockId: string,
  { from, to, at, force }: { from: Source<Key>; to: Source<Key>; at: number; force: Side | undefined },
): BookMove<Key>["edit"] {
  const [was, now] = [from.was, from.stored?.prose()].map(
    (prose) => prose && holdersIn(prose).byId.get(blockId),
  );
  const here = to.now && holdersIn(to.now).inOrder[at];
  if (was === undefined || now === undefined || here === undefined) return undefined;
  if (judge({ base: was.source, incoming: here.source, stored: now.source }, { force }) !== "stored")
    return undefined;
  if (to.now && !saysSameIn(now, to.now)) return undefined;
  const [ids, others] = [leafIds([was]), leafIds([now])];
  const isWhole = leafIds([here]).length === ids.length && ids.join() === others.join();
  return isWhole ? { was, now } : undefined;
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

/** Those leaves that were there: of a file whose chapter is gone the others come to no chapter that is there. */
function stillIn(was: readonly Leaf[], now: readonly Leaf[]): Leaf[] {
  const texts = new Set(was.map(({ text }) => text));
  const ids = new Set(was.map(({ blockId }) => blockId));
  return now.filter(({ text, blockId }) => (blockId === null ? texts.has(text) : ids.has(blockId)));
}

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
  if (here?.kind === "conflict") return true;
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
    if (plan?.kind !== "write" && plan?.kind !== "create") return false;
    // What is not there yet waits with the chapter that its paragraphs are in.
    const { incoming, stored } = plan.kind === "write" ? plan : { incoming: plan.read(), stored: from };
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
