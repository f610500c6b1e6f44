import type { BlockId } from "../../ids.ts";
import { definitionsOf } from "../../prose/definitions.ts";
import { type Leaf, leafIds, readLeaves } from "../../prose/document/leaves.ts";
import { sameNode } from "../../prose/document/same-node.ts";
import type { DocNode, SourceBlock } from "../../prose/document/types.ts";
import { type FoundMove, findMoves, type MovingSide } from "../../prose/find-moves.ts";
import { type FollowedSide, followSide } from "../../prose/merge.ts";
import { saysSameIn } from "../../prose/parse.ts";
import type { NewProse, StoredProse } from "../../prose/plan.ts";
import { withNode } from "../../prose/rewrite-leaf.ts";
import { groupBy } from "../../text/group-by.ts";
import { once } from "../../text/once.ts";
import { judge, type Side, type Verdict } from "../../three-way.ts";
import type { BaseChapter, IncomingChapter, StoredChapter } from "../book.ts";
import type { MatchedChapter } from "../merge/match-chapters.ts";
import { holdersIn, withIdsAt } from "./prose-edits.ts";

/** A chapter's file that was read. */
export interface OpenFile {
  match: MatchedChapter;
  /** The chapter with every id that its leaves bring. */
  read: IncomingChapter;
  /** The chapter with only the ids that are its own. */
  incoming: IncomingChapter;
  base: BaseChapter | undefined;
  /** Base prose; undefined if it is not known. */
  was: StoredProse | undefined;
}

/** A chapter without a file here, and the last prose of that file. */
export interface WithoutFile {
  /** Undefined if the manuscript has removed the chapter, too. */
  stored: StoredChapter | undefined;
  was: () => StoredProse | undefined;
}

/** A paragraph that does not stand in the same chapter on all three sides. */
export interface MovedParagraph {
  blockId: BlockId;
  /** Its block in the base. */
  old: SourceBlock;
  /** The file that it was in; undefined if that is gone. */
  from: OpenFile | undefined;
  /** Its place in the files; undefined if they have removed it. */
  incoming: IncomingPlace | undefined;
  /** Its place in the manuscript; undefined if the manuscript has removed it. */
  stored: StoredPlace | undefined;
  /** The side that decides its chapter. */
  place: Side;
  /** Its block after the merge; undefined if it goes. */
  block: SourceBlock | undefined;
  /** True if it is alone in its block on every side. */
  isWhole: boolean;
  /** A block of the file that had absorbed this paragraph, and is restored. */
  restored?: { file: OpenFile; index: number; block: SourceBlock } | undefined;
  /** True if both sides have edited it, or its place cannot be decided. Nothing of it is written. */
  isConflict: boolean;
}

interface IncomingPlace {
  file: OpenFile;
  /** Indexes of the leaf among the file's leaves, and of its block among the blocks. */
  at: number;
  index: number;
  block: SourceBlock;
  /** Ids of all the paragraphs in the block; null for one that is new or not known yet. */
  ids: readonly (string | null)[];
  /** Pieces that the file has cut off it, as indexes of leaves. */
  cutOff: readonly number[];
}

interface StoredPlace {
  chapter: StoredChapter;
  block: SourceBlock;
}

/** Three sides of a book's prose, for the files that are read. */
interface BookSides {
  files: readonly OpenFile[];
  /** Chapters whose files are gone, including chapters that neither side has any more. */
  withoutFile: readonly WithoutFile[];
  chapters: readonly StoredChapter[];
  /** True if a paragraph is in another chapter now, and the folder has seen it there already. */
  isMetElsewhere: (blockId: string | null, own: StoredChapter | undefined) => boolean;
}

/**
 * Matches the paragraphs of all files with the base over the whole book, and decides place and text of each paragraph
 * that is not in the same chapter on all sides. Place and text are judged separately. A paragraph that both sides
 * moved stays where the manuscript has it.
 */
export function findMoved(sides: BookSides, force: Side | undefined): MovedParagraph[] {
  const moves = movesOf(sides);
  const places = { standing: standingIn(sides.chapters), force, sides, arrivals: arrivalsOf(moves) };
  const moved = moves.flatMap((move) => movedByFiles(move, places) ?? []);
  const others = sides.files.flatMap((file) => movedByManuscript(file, moves, places));
  return [...moved, ...others];
}

/** Maps each leaf's id to its place in these chapters. They are read on the first call. */
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
  arrivals: Arrivals;
}

/** The paragraphs that come to each file from others, by the index of their leaf. */
type Arrivals = ReadonlyMap<OpenFile | undefined, ReadonlyMap<number, string>>;

function arrivalsOf(moves: readonly Move[]): Arrivals {
  return new Map(
    [...groupBy(moves, ({ to }) => to.file)].map(([file, own]) => [
      file,
      new Map(own.map(({ at, blockId }) => [at, blockId])),
    ]),
  );
}

/** A file, or a chapter without one, that paragraphs may leave or join. */
interface Source {
  file: OpenFile | undefined;
  stored: StoredChapter | undefined;
  was: StoredProse | undefined;
}

type Move = FoundMove<Source>;

/** Finds the paragraphs that left one chapter and are new in another, going by the files. */
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
    const isMet = (blockId: string | null) => stored !== undefined && isMetElsewhere(blockId, stored);
    const own = leavesIn(prose).filter(({ blockId }) => !known.has(blockId) && !isMet(blockId));
    return { key: { file: undefined, stored, was: prose }, was: own, now: [] };
  });
  return findMoves([...read, ...others]);
}

/** True if a chapter gained a text. Otherwise nothing can have come from another chapter. */
function hasMore({ was, now }: MovingSide<Source>): boolean {
  const known = new Set(was.map(({ text }) => text));
  return now.some(({ text, blockId }) => !known.has(text) || blockId !== null);
}

const leavesIn = (prose: { blocks: readonly SourceBlock[] } | undefined): Leaf[] =>
  prose?.blocks.flatMap(({ node }) => readLeaves(node)) ?? [];

/** Returns a paragraph that files have moved; undefined for one whose chapter the manuscript does not have. */
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
  // Its chapter goes with its file because the folder wins, so the paragraph must not go with it.
  const isHomeless = force === "incoming" && sides.withoutFile.some((one) => one.stored === stored?.chapter);
  const place = here !== undefined || isHomeless ? "incoming" : "stored";
  const index = file.read.prose.blocks.indexOf(block);
  const first = firstLeafOf({ file, at });
  const ids = leafIds([block]).map((id, count) => places.arrivals.get(file)?.get(first + count) ?? id);
  const incoming = { file, at, index, block, ids, cutOff: [] };
  return decide({ blockId: blockId as BlockId, old, from: from.file, incoming, stored, place }, force);
}

type Undecided = Omit<MovedParagraph, "block" | "isConflict" | "isWhole">;

/** Decides the text of a moved paragraph. */
function decide(moved: Undecided, force: Side | undefined): MovedParagraph {
  const { old, incoming, stored } = moved;
  const held = leafIds([old]).join();
  const isWhole = [incoming?.ids, stored && leafIds([stored.block])].every(
    (ids) => ids === undefined || ids.join() === held,
  );
  const verdict = judgeText(moved, isWhole, force);
  const known = { ...moved, isWhole, isConflict: false };
  const said = (verdict === "incoming" ? incoming : stored)?.block;
  if (verdict === "conflict") return { ...known, block: stored?.block, isConflict: true };
  if (said === undefined) return { ...known, block: undefined };
  if (moved.place === "incoming" && verdict !== "stored") return { ...known, block: incoming?.block };
  if (moved.place === "stored" && verdict !== "incoming") return { ...known, block: stored?.block };
  return bringTo({ ...known, block: said }, said, force);
}

/**
 * Brings one side's words to the other side's chapter. Waits for `force` if the words would read differently there.
 */
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

/** Decides who has changed a paragraph's words. Compares its block, or its own text where it shares its block. */
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

/** Returns the index of the first leaf of a paragraph's block in its file. */
export function firstLeafOf({ file, at }: Pick<IncomingPlace, "file" | "at">): number {
  const { inOrder } = holdersIn(file.read.prose);
  let first = at;
  while (first > 0 && inOrder[first - 1] === inOrder[at]) first--;
  return first;
}

/** Returns a block's leaf with this index, else with this id. */
function leafIn(block: SourceBlock, blockId: string, at?: number) {
  const leaves = readLeaves(block.node);
  return (at === undefined ? leaves.find((leaf) => leaf.blockId === blockId) : leaves[at])?.node;
}

/**
 * Returns a block as another chapter can have it: unchanged, or rewritten if `force` is given; undefined if it would
 * read differently there.
 */
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

/** Finds a file's paragraphs that only the manuscript moved to other chapters, and that the file changed. */
function movedByManuscript(
  file: OpenFile,
  moves: readonly Move[],
  { standing, force, arrivals }: Deciding,
): MovedParagraph[] {
  const { was, read, match } = file;
  const left = new Map(
    moves.flatMap(({ blockId, from }) => (from.file === file ? [[blockId, NOT_EDITED]] : [])),
  );
  const away = awayFrom(file, left, standing);
  if (was === undefined || away.length === 0) return [];
  const come = arrivals.get(file) ?? new Map<number, string>();
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
    // Waits for `force`.
    const restored = into && restoredIn(file, was, side, into);
    return [{ ...moved, block: one.stored.block, restored, isConflict: force === undefined }];
  });
  return match.stored === undefined ? [...others, ...deletedIn(file, side, standing)] : others;
}

/**
 * Finds the paragraphs of a file's base that the manuscript has in other chapters, except those that files have
 * moved.
 */
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

/**
 * Finds paragraphs of a removed chapter's file that are unchanged and that the manuscript deleted. They are not made
 * again if the rest stands in other chapters.
 */
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

/**
 * True if a file has a paragraph unchanged, in a chapter that still exists: that chapter's own merge takes it away.
 */
function isUntouched({ incoming, old, isWhole, from }: MovedParagraph): boolean {
  return isWhole && from?.match.stored !== undefined && incoming?.block.source === old.source;
}

/** Maps each block that was joined to another to the block that absorbed it. */
function joinsOf({ blocks }: StoredProse, side: FollowedSide): Map<SourceBlock, SourceBlock> {
  const present = new Set(side.blocks.map(({ row }) => row));
  return new Map(
    blocks.flatMap((block) => {
      const into = present.has(block.row) ? undefined : side.joinedTo(block.row);
      return into === undefined ? [] : [[block, into] as const];
    }),
  );
}

/** Returns the file's block that absorbed another, as it was before. */
function restoredIn(
  file: OpenFile,
  { blocks }: StoredProse,
  side: FollowedSide,
  into: SourceBlock,
): MovedParagraph["restored"] {
  const followed: readonly SourceBlock[] = side.blocks;
  const index = followed.indexOf(into);
  const block = blocks.find(({ row }) => row === side.blocks[index]?.row);
  return block && { file, index, block };
}

/** Returns the place of a paragraph in a file. */
function placeIn(file: OpenFile, at: number, side: FollowedSide, old: SourceBlock): IncomingPlace {
  const followed = holdersIn(side).inOrder[at]!; // it was found there
  const index = side.blocks.indexOf(followed);
  const block = file.read.prose.blocks[index]!; // as many
  const pieces = block.source === old.source ? [] : side.piecesOf(followed.row);
  const isBehind = pieces.every((piece, count) => piece === side.blocks[index + 1 + count]);
  const first = leafIds(side.blocks.slice(0, index + 1)).length;
  const cutOff = leafIds(pieces).map((_, count) => (isBehind ? first + count : -1));
  return { file, at, index, block, ids: leafIds([followed]), cutOff };
}

/** True if others were joined to a paragraph in its file, or pieces were cut off it. */
function isTornIn(
  { index, cutOff }: IncomingPlace,
  { blocks }: FollowedSide,
  joins: ReadonlyMap<SourceBlock, SourceBlock>,
): boolean {
  return cutOff.length > 0 || [...joins.values()].some((into) => into === blocks[index]);
}
