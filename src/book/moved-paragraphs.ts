import type { BlockId } from "../ids.ts";
import { type Leaf, leafIds, readLeaves } from "../prose/document/leaf.ts";
import { sameNode } from "../prose/document/same-node.ts";
import type { DocNode, SourceBlock } from "../prose/document/types.ts";
import { definitionsOf } from "../prose/markdown/definitions.ts";
import { saysSameIn } from "../prose/markdown/reads-as.ts";
import { type FollowedSide, followSide, type MergeConflict } from "../prose/merge/merge.ts";
import type { NewProse, StoredProse } from "../prose/plan/plan.ts";
import { withNode } from "../prose/plan/rewrite-leaf.ts";
import { type FoundMove, findMoves, type MovingSide } from "../prose/reconcile/find-moves.ts";
import { once } from "../text/once.ts";
import { judge, type Side, type Verdict } from "../three-way.ts";
import type { BaseChapter, IncomingChapter, StoredChapter } from "./book.ts";
import type { MatchedChapter } from "./match-chapters.ts";
import { holdersIn, withIdsAt } from "./prose-edits.ts";

/** A chapter's file that is read. */
export interface OpenFile {
  match: MatchedChapter;
  /** With every id that its leaves bring. */
  read: IncomingChapter;
  /** With those of its own chapter alone. */
  incoming: IncomingChapter;
  base: BaseChapter | undefined;
  /** What both had of it; undefined if that is not known. */
  was: StoredProse | undefined;
}

/** A chapter without a file here: what that said last. */
export interface WithoutFile {
  /** Undefined if the manuscript has not got it any more, either. */
  stored: StoredChapter | undefined;
  was: () => StoredProse | undefined;
}

/** A paragraph that does not stand in the same chapter on all three sides. */
export interface MovedParagraph {
  blockId: BlockId;
  /** Its block as both had it. */
  old: SourceBlock;
  /** The file that it was in; undefined if that is gone. */
  from: OpenFile | undefined;
  /** Where files have it now; undefined if they have taken it out. */
  incoming: IncomingPlace | undefined;
  /** Where the manuscript has it now; undefined if that has taken it out. */
  stored: StoredPlace | undefined;
  /** The side whose chapter it stands in from now on. */
  place: Side;
  /** Its block from now on; undefined if it goes. */
  block: SourceBlock | undefined;
  /** Nothing but itself is in its block, on any side. */
  isWhole: boolean;
  /** A block of the file that counts as it was: it has taken this one in, which stays whole. */
  restored?: { file: OpenFile; index: number; block: SourceBlock } | undefined;
  /** Both sides have edited it, or it cannot be said where it is to stand: nothing of it is written. */
  isConflict: boolean;
}

interface IncomingPlace {
  file: OpenFile;
  /** The leaf's index among the file's leaves, and its block's among the blocks. */
  at: number;
  index: number;
  block: SourceBlock;
  /** What the file has cut off it, as indexes of leaves. */
  cutOff: readonly number[];
}

interface StoredPlace {
  chapter: StoredChapter;
  block: SourceBlock;
}

/** The three sides of a book's prose, as far as files are read. */
interface BookSides {
  files: readonly OpenFile[];
  /** Chapters whose files are gone, and those that neither side has any more. */
  withoutFile: readonly WithoutFile[];
  chapters: readonly StoredChapter[];
  /** Whether the folder has met a paragraph in another chapter than this. */
  isMetElsewhere: (blockId: string | null, own: StoredChapter | undefined) => boolean;
}

/**
 * Matches the paragraphs of all files with those that both sides had, over the whole book, and decides where each one stands that
 * is not in one chapter on all sides, and what it says: place and text are judged apart. Where both sides have moved it, it stays
 * where the manuscript has it.
 */
export function findMoved(sides: BookSides, force: Side | undefined): MovedParagraph[] {
  const places = { standing: standingIn(sides.chapters), force, sides };
  const moves = movesOf(sides);
  const moved = moves.flatMap((move) => movedByFiles(move, places) ?? []);
  const others = sides.files.flatMap((file) => movedByManuscript(file, moves, places));
  return [...moved, ...others];
}

/** Where each leaf of these chapters stands, by its id; they are read when that is first asked. */
export function standingIn(chapters: readonly StoredChapter[]): Standing {
  return once(
    () =>
      new Map(
        chapters.flatMap((chapter) =>
          [...holdersIn(chapter.prose()).byId].map(([id, block]) => [id, { chapter, block }] as const),
        ),
      ),
  );
}

type Standing = () => ReadonlyMap<string | null, StoredPlace>;

interface Deciding {
  standing: Standing;
  force: Side | undefined;
  sides: BookSides;
}

/** A file, or a chapter without one, whose paragraphs may go and come. */
interface Source {
  file: OpenFile | undefined;
  stored: StoredChapter | undefined;
  was: StoredProse | undefined;
}

type Move = FoundMove<Source>;

/** What files show gone from one chapter and new in another. */
function movesOf({ files, withoutFile, isMetElsewhere }: BookSides): Move[] {
  if (files.length + withoutFile.length < 2) return [];
  const read = files.map((file): MovingSide<Source> => {
    const { stored } = file.match;
    const was = file.was ?? stored?.prose();
    return { key: { file, stored, was }, was: leavesIn(was), now: leavesIn(file.read.prose) };
  });
  if (!read.some(hasMore)) return [];
  const met = read.flatMap(({ was }) => was.map(({ blockId }) => blockId));
  const known = new Set(met);
  const others = withoutFile.map(({ stored, was }): MovingSide<Source> => {
    const prose = was();
    const own = leavesIn(prose).filter(
      ({ blockId }) => !known.has(blockId) && !isMetElsewhere(blockId, stored),
    );
    return { key: { file: undefined, stored, was: prose }, was: own, now: [] };
  });
  return findMoves([...read, ...others]);
}

/** Whether a chapter has a text that it had not: without one nothing has come from elsewhere. */
function hasMore({ was, now }: MovingSide<Source>): boolean {
  const known = new Set(was.map(({ text }) => text));
  return now.some(({ text, blockId }) => !known.has(text) || blockId !== null);
}

const leavesIn = (prose: { blocks: readonly SourceBlock[] } | undefined): Leaf[] =>
  prose?.blocks.flatMap(({ node }) => readLeaves(node)) ?? [];

/** A paragraph that files have moved; undefined for one that is new to a manuscript without its chapter. */
function movedByFiles({ blockId, from, to, at }: Move, places: Deciding): MovedParagraph | undefined {
  const { force, sides } = places;
  const { file } = to; // a chapter without a file takes nothing in
  const old = from.was && holdersIn(from.was).byId.get(blockId);
  const block = file && holdersIn(file.read.prose).inOrder[at];
  if (file === undefined || old === undefined || block === undefined) return undefined;
  const own = from.stored;
  const here = own && holdersIn(own.prose()).byId.get(blockId);
  const stored = own && here ? { chapter: own, block: here } : places.standing().get(blockId);
  if (stored === undefined && own === undefined) return undefined;
  // Its chapter goes with its file where the folder is to win: the paragraph is not to go with it.
  const isHomeless = force === "incoming" && sides.withoutFile.some((one) => one.stored === stored?.chapter);
  const place = here !== undefined || isHomeless ? "incoming" : "stored";
  const index = file.read.prose.blocks.indexOf(block);
  const incoming = { file, at, index, block, cutOff: [] };
  return decide({ blockId: blockId as BlockId, old, from: from.file, incoming, stored, place }, force);
}

type Undecided = Omit<MovedParagraph, "block" | "isConflict" | "isWhole">;

/** Decides what a paragraph says from now on. */
function decide(moved: Undecided, force: Side | undefined): MovedParagraph {
  const { old, incoming, stored } = moved;
  const isWhole = holdsSame(old, incoming?.block) && holdsSame(old, stored?.block, true);
  const verdict = judgeText(moved, isWhole, force);
  const known = { ...moved, isWhole, isConflict: false };
  const said = (verdict === "incoming" ? incoming : stored)?.block;
  if (verdict === "conflict") return { ...known, block: stored?.block, isConflict: true };
  if (said === undefined) return { ...known, block: undefined };
  if (moved.place === "incoming" && verdict !== "stored") return { ...known, block: incoming?.block };
  if (moved.place === "stored" && verdict !== "incoming") return { ...known, block: stored?.block };
  return bringTo({ ...known, block: said }, said, force);
}

/** Brings one side's words to the other side's chapter: that waits where they read otherwise there, until one side is to win. */
function bringTo(moved: MovedParagraph, said: SourceBlock, force: Side | undefined): MovedParagraph {
  const { incoming, stored, place, isWhole } = moved;
  const chapter = place === "incoming" ? incoming?.file.read.prose : stored?.chapter.prose();
  if (chapter === undefined) return { ...moved, place: "incoming" };
  const mayRewrite = place === "incoming" ? force !== undefined : force === "incoming";
  const block = isWhole ? spelt(said, chapter, mayRewrite) : undefined;
  if (block !== undefined) return { ...moved, block };
  const isForced = force === "incoming" && (place === "incoming" || !isWhole);
  if (isForced) return { ...moved, place: "incoming", block: incoming?.block };
  return { ...moved, block: stored?.block, isConflict: true };
}

/** Decides who has changed a paragraph's words: those of its block, or where others stand in that, too, its own. */
function judgeText(
  { blockId, old, incoming, stored }: Undecided,
  isWhole: boolean,
  force: Side | undefined,
): Verdict {
  type Said = string | DocNode | undefined;
  const says = (block: SourceBlock | undefined, at?: number): Said =>
    isWhole ? block?.source : block && leafIn(block, blockId, at);
  const same = (one: Said, other: Said) =>
    typeof one === "object" && typeof other === "object" ? sameNode(one, other) : one === other;
  const sides = {
    base: says(old),
    incoming: says(incoming?.block, incoming && incoming.at - firstLeafOf(incoming)),
    stored: says(stored?.block),
  };
  return judge<Said>(sides, { force, same });
}

/** The index of the first leaf of a paragraph's block in its file. */
export function firstLeafOf({ file, index }: Pick<IncomingPlace, "file" | "index">): number {
  return leafIds(file.read.prose.blocks.slice(0, index)).length;
}

/** Whether a block has as many leaves as another; `byId`: the very same ones. */
function holdsSame(old: SourceBlock, block: SourceBlock | undefined, byId = false): boolean {
  if (block === undefined) return true;
  const [ids, others] = [leafIds([old]), leafIds([block])];
  return byId ? ids.join() === others.join() : ids.length === others.length;
}

/** A block's leaf of this index, or else of this id. */
function leafIn(block: SourceBlock, blockId: string, at?: number) {
  const leaves = readLeaves(block.node);
  return (at === undefined ? leaves.find((leaf) => leaf.blockId === blockId) : leaves[at])?.node;
}

/** A block as another chapter can have it: as it is, or written afresh if one side is to win; undefined where it reads otherwise there. */
function spelt(
  block: SourceBlock,
  chapter: StoredProse | NewProse,
  mayRewrite: boolean,
): SourceBlock | undefined {
  if (saysSameIn(block, chapter)) return block;
  if (!mayRewrite) return undefined;
  const afresh = withNode(block, block.node, definitionsOf(chapter));
  return saysSameIn(afresh, chapter) ? afresh : undefined;
}

/** The paragraphs of a file that the manuscript alone has put into other chapters, and that the file does not leave as they were. */
function movedByManuscript(
  file: OpenFile,
  moves: readonly Move[],
  { standing, force }: Deciding,
): MovedParagraph[] {
  const { was, read, match } = file;
  const left = new Map(
    moves.flatMap(({ blockId, from }) => (from.file === file ? [[blockId, NOT_EDITED]] : [])),
  );
  const away = awayFrom(file, left, standing);
  if (was === undefined || away.length === 0) return [];
  const come = new Map(moves.flatMap(({ blockId, to, at }) => (to.file === file ? [[at, blockId]] : [])));
  const side = followSide(was, withIdsAt(read.prose, come), { arrived: new Set(come.values()), left });
  const indexOf = new Map(leafIds(side.blocks).map((id, at) => [id, at]));
  const joins = joinsOf(was, side);
  const others = away.flatMap((one) => {
    const at = indexOf.get(one.blockId);
    const incoming = at === undefined ? undefined : placeIn(file, at, side, one.old);
    const into = joins.get(one.old);
    const moved = decide({ ...one, from: file, incoming, place: "stored" }, force);
    const isTorn = into !== undefined || (incoming !== undefined && isTornIn(incoming, side, joins));
    if (!isTorn) return isUntouched(moved) ? [] : [moved];
    if (force === "incoming") return [moved];
    // It waits until one side is to win.
    const restored = into && restoredIn(file, was, side, into);
    return [{ ...moved, block: one.stored.block, restored, isConflict: force === undefined }];
  });
  return match.stored === undefined ? [...others, ...deletedIn(file, side, standing)] : others;
}

/** The paragraphs of a file, as both had it, that the manuscript has in other chapters; none of those that files have moved. */
function awayFrom(
  { was, match }: OpenFile,
  left: Pick<ReadonlyMap<string, unknown>, "has">,
  standing: Standing,
): { blockId: BlockId; old: SourceBlock; stored: StoredPlace }[] {
  const here = match.stored && holdersIn(match.stored.prose()).byId;
  return [...(was === undefined ? [] : holdersIn(was).byId)].flatMap(([id, old]) => {
    if (id === null || here?.has(id) || left.has(id)) return [];
    const stored = standing().get(id);
    return stored === undefined ? [] : [{ blockId: id as BlockId, old, stored }];
  });
}

/** What a removed chapter's file has as it was, and the manuscript nowhere: that is not made again where the rest stands elsewhere. */
function deletedIn(file: OpenFile, side: FollowedSide, standing: Standing): MovedParagraph[] {
  const ids = leafIds(side.blocks);
  const known = file.was && holdersIn(file.was).byId;
  return ids.flatMap((id, at) => {
    const old = id === null || standing().has(id) ? undefined : known?.get(id);
    const incoming = old && placeIn(file, at, side, old);
    if (old === undefined || incoming?.block.source !== old.source) return [];
    const gone = {
      stored: undefined,
      place: "stored",
      block: undefined,
      isWhole: true,
      isConflict: false,
    } as const;
    return [{ ...gone, blockId: id as BlockId, old, from: file, incoming }];
  });
}

const NOT_EDITED = { isEdited: false };

/** Whether a file has a paragraph as both had it, in a chapter that is still there: its merge takes it off. */
function isUntouched({ incoming, old, isWhole, from }: MovedParagraph): boolean {
  return isWhole && from?.match.stored !== undefined && incoming?.block.source === old.source;
}

/** The blocks that have taken in others, by what was joined to them. */
function joinsOf({ blocks }: StoredProse, side: FollowedSide): Map<SourceBlock, SourceBlock> {
  const present = new Set(side.blocks.map(({ row }) => row));
  return new Map(
    blocks.flatMap((block) => {
      const into = present.has(block.row) ? undefined : side.joinedTo(block.row);
      return into === undefined ? [] : [[block, into] as const];
    }),
  );
}

/** The block of a file that has taken another in, as it was. */
function restoredIn(
  file: OpenFile,
  { blocks }: StoredProse,
  side: FollowedSide,
  into: SourceBlock,
): MovedParagraph["restored"] {
  const index = side.blocks.findIndex((block) => block === into);
  const block = blocks.find(({ row }) => row === side.blocks[index]?.row);
  return block && { file, index, block };
}

/** Where a file has a paragraph of its own. */
function placeIn(file: OpenFile, at: number, side: FollowedSide, old: SourceBlock): IncomingPlace {
  const followed = holdersIn(side).inOrder[at]!; // it was found there
  const index = side.blocks.indexOf(followed);
  const block = file.read.prose.blocks[index]!; // as many
  const pieces = block.source === old.source ? [] : side.piecesOf(followed.row);
  const isBehind = pieces.every((piece, count) => piece === side.blocks[index + 1 + count]);
  const first = leafIds(side.blocks.slice(0, index + 1)).length;
  const cutOff = leafIds(pieces).map((_, count) => (isBehind ? first + count : -1));
  return { file, at, index, block, cutOff };
}

/** Whether others were joined to a paragraph in its file, or pieces were cut off it. */
function isTornIn(
  { index, cutOff }: IncomingPlace,
  { blocks }: FollowedSide,
  joins: ReadonlyMap<SourceBlock, SourceBlock>,
): boolean {
  return cutOff.length > 0 || [...joins.values()].some((into) => into === blocks[index]);
}

/** What a file has of a moved paragraph, and the manuscript, where those are to wait for a conflict's end. */
export function waitingIn(
  file: OpenFile,
  { incoming, stored, from, isConflict }: MovedParagraph,
): MergeConflict {
  const isHere = incoming?.file === file;
  const isLeft = from === file || stored?.chapter.id === file.match.stored?.id;
  return {
    incoming: isHere ? incoming.block.source : undefined,
    stored: isConflict || (isLeft && !isHere) ? stored?.block.source : undefined,
  };
}
