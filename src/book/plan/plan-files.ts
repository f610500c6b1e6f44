import { dirname } from "node:path/posix";
import type { BlockId, ChapterId } from "../../ids.ts";
import { leafIds } from "../../prose/document/leaves.ts";
import { countBlockWords } from "../../prose/document/words.ts";
import { bareMarkdown } from "../../prose/join-chapter.ts";
import type { MergeConflict } from "../../prose/merge.ts";
import type { NewProse } from "../../prose/plan.ts";
import type { Side } from "../../three-way.ts";
import { CHAPTER_FIELDS, type ChapterFile, type IncomingChapter, type StoredChapter } from "../book.ts";
import type { BookBase, LastChapter } from "../book-base.ts";
import { withOwnIds } from "../incoming-prose.ts";
import type { MatchedChapter } from "../merge/match-chapters.ts";
import { mergeChapter } from "../merge/merge-chapter.ts";
import type { BookPlan, ChapterPlan, Emptied, Moved } from "../plan.ts";
import {
  editsOf,
  incomingText,
  type MovesInFile,
  type MovesOfChapter,
  meantProse,
  restOf,
  storedLeaf,
  withMovesIn,
} from "./moved-edits.ts";
import type { MovedParagraph, OpenFile } from "./moved-paragraphs.ts";
import { withoutLeavesAt } from "./prose-edits.ts";

/** A matched file and its state before it is read; undefined for one that has to be read. */
export type PlacedChapter = MatchedChapter & { state: "same" | "left" | undefined };

/** Everything that decides besides files and chapters. */
interface Deciding {
  base: BookBase | undefined;
  force: Side | undefined;
  files: readonly OpenFile[];
  moved: readonly MovedParagraph[];
}

/** Plans each file, and the moves of paragraphs between chapters with their ids, notes and mentions. */
export function planFiles(
  placed: readonly PlacedChapter[],
  { base, force, files, moved }: Deciding,
): Pick<BookPlan, "chapters" | "moves" | "emptied"> & { byFile: ReadonlyMap<ChapterFile, ChapterPlan> } {
  const opened = new Map(files.map((file) => [file.match.incoming, file]));
  const all = moved.length === 0 ? NOTHING_MOVED : editsOf(moved);
  const merged = new Map(
    placed.flatMap((match) => {
      const file = opened.get(match.incoming);
      const own = match.stored && all.chapters.get(match.stored.id);
      return file === undefined
        ? []
        : [[file, planOpen(file, match, { edits: all.files.get(file) ?? NO_MOVES, own, base, force })]];
    }),
  );
  const held = heldFiles(merged, moved);
  const done = moved.filter((one) => !filesOf(one, files).some((file) => held.has(file)));
  const { chapters: received } = done.length === 0 ? NOTHING_MOVED : editsOf(done);
  const plans = new Map<ChapterFile, ChapterPlan>();
  for (const match of placed) {
    const file = opened.get(match.incoming);
    const plan = file && merged.get(file);
    if (file === undefined) plans.set(match.incoming, unread(match, base, received));
    else if (held.has(file)) plans.set(match.incoming, waiting(file, match, plan, moved));
    else if (plan !== undefined) plans.set(match.incoming, plan);
  }
  // A file whose paragraphs wait elsewhere makes no chapter, and must not count as taken in.
  for (const file of held)
    if (!plans.has(file.match.incoming))
      plans.set(file.match.incoming, waiting(file, { ...file.match, state: undefined }, undefined, moved));
  const filed = new Set(placed.map(({ stored }) => stored?.id));
  return {
    byFile: plans,
    chapters: foreignFirst([...plans.values()], placed),
    moves: done.flatMap((one) => describeMove(one, plans) ?? []),
    emptied: [...received.values()].filter(({ stored }) => !filed.has(stored.id)).map(emptiedBy),
  };
}

/**
 * Sorts the plans. A file that waits for another file's chapter comes before that chapter's own plan, which decides.
 */
function foreignFirst(plans: readonly ChapterPlan[], placed: readonly PlacedChapter[]): ChapterPlan[] {
  const fileOf = new Map(placed.map(({ stored, incoming }) => [stored?.id, incoming.file]));
  const waits = new Set(plans.flatMap((plan) => (plan.kind === "conflict" ? [plan.incoming.file] : [])));
  const isForeign = (plan: ChapterPlan) => {
    if (plan.kind !== "conflict") return false;
    const own = fileOf.get(plan.stored.id);
    return own !== plan.incoming.file && !waits.has(own ?? "");
  };
  return [...plans.filter(isForeign), ...plans.filter((plan) => !isForeign(plan))];
}

/** Finds the files in which a paragraph in conflict waits. */
function filesOf(moved: MovedParagraph, files: readonly OpenFile[]): OpenFile[] {
  const { from, incoming, stored, place, block } = moved;
  const isWritten = place === "incoming" || block !== stored?.block;
  const there = isWritten ? files.find(({ match }) => match.stored?.id === stored?.chapter.id) : undefined;
  return [from, incoming?.file, stored && there].filter((file) => file !== undefined);
}

/** Finds the paragraphs that wait in this file, if it has a conflict. */
function touchingOf(file: OpenFile, moved: readonly MovedParagraph[]): MovedParagraph[] {
  return moved.filter((one) => filesOf(one, [file]).includes(file));
}

/** Finds the files with a conflict, and those that exchange paragraphs with them. */
function heldFiles(
  merged: ReadonlyMap<OpenFile, ChapterPlan>,
  moved: readonly MovedParagraph[],
): ReadonlySet<OpenFile> {
  const files = [...merged.keys()];
  const held = new Set(files.filter((file) => merged.get(file)?.kind === "conflict"));
  const groups = moved.map((one) => filesOf(one, files));
  for (const [at, { isConflict }] of moved.entries())
    if (isConflict) for (const file of groups[at] ?? []) held.add(file);
  for (let size = -1; size < held.size; ) {
    size = held.size;
    for (const group of groups)
      if (group.some((file) => held.has(file))) for (const file of group) held.add(file);
  }
  return held;
}

/** Returns the plan of a file that waits, with everything that it waits for. */
function waiting(
  file: OpenFile,
  match: PlacedChapter,
  plan: ChapterPlan | undefined,
  moved: readonly MovedParagraph[],
): ChapterPlan {
  const own = plan?.kind === "conflict" ? plan : undefined;
  const touching = touchingOf(file, moved);
  const conflicts = touching.filter(({ isConflict }) => isConflict);
  const told = conflicts.length > 0 || own !== undefined ? conflicts : touching;
  const stored = match.stored ?? touching.find((one) => one.stored)?.stored?.chapter;
  if (stored === undefined) throw new Error("a new file waits for no chapter");
  return {
    kind: "conflict",
    incoming: own?.incoming ?? file.incoming,
    stored,
    fields: own?.fields ?? [],
    paragraphs: withoutTwins([...(own?.paragraphs ?? []), ...told.map((one) => waitingIn(file, one))]),
  };
}

/** Returns both sides of a moved paragraph that waits in this file for a conflict to be resolved. */
function waitingIn(file: OpenFile, { incoming, stored, from, isConflict }: MovedParagraph): MergeConflict {
  const isHere = incoming?.file === file;
  const isLeft = from === file || stored?.chapter.id === file.match.stored?.id;
  return {
    incoming: isHere ? incoming.block.source : undefined,
    stored: isConflict || (isLeft && !isHere) ? stored?.block.source : undefined,
  };
}

const withoutTwins = (paragraphs: readonly MergeConflict[]): MergeConflict[] => [
  ...new Map(paragraphs.map((one) => [JSON.stringify([one.incoming, one.stored]), one])).values(),
];

const NO_MOVES: MovesInFile = { ids: new Map(), blocks: new Map(), dropped: new Set(), away: new Set() };

const NOTHING_MOVED: ReturnType<typeof editsOf> = { files: new Map(), chapters: new Map() };

interface OpenDeciding {
  edits: MovesInFile;
  own: MovesOfChapter | undefined;
  base: BookBase | undefined;
  force: Side | undefined;
}

/** Plans a file that was read. */
function planOpen(
  { read, base: met, ...open }: OpenFile,
  { incoming: file, stored }: PlacedChapter,
  { edits, own, base, force }: OpenDeciding,
): ChapterPlan {
  const { ids, blocks, dropped, away } = edits;
  const arrived = new Set(ids.values());
  const incoming = arrived.size === 0 ? open.incoming : withOwnIds(read, stored, [...arrived] as BlockId[]);
  const taken = edits === NO_MOVES ? incoming : withMovesIn(incoming, edits);
  const isMore = blocks.size + dropped.size > 0;
  if (stored === undefined)
    return {
      kind: "create",
      incoming: file,
      read: () => taken,
      arrived,
      isMerged: isMore || file.isPart === true,
    };
  const left = own?.left ?? new Map();
  const prose = () => (own === undefined ? stored.prose() : meantProse(own));
  const gone = new Map([...left, ...[...away].map((id) => [id, { isEdited: false }] as const)]);
  const sides = { base: met, incoming: taken, stored: { ...stored, prose } };
  const verdict = mergeChapter(sides, { force, arrived, left: gone });
  if (verdict.kind === "conflict") return { ...verdict, incoming, stored };
  const isReceiving = own !== undefined && own.blocks.size + own.removed.size > 0;
  const isMerged = isMore || isReceiving;
  if (verdict.kind === "write")
    return {
      ...verdict,
      prose: withoutLeft(verdict.prose, left),
      incoming,
      stored,
      arrived,
      left,
      isMerged: verdict.isMerged || isMerged,
    };
  if (own !== undefined && (isReceiving || left.size > 0)) return written(incoming, own);
  return {
    kind: "left",
    incoming: file,
    stored,
    isRenamed: isNewName(file, stored, base?.last.get(stored.id)),
  };
}

/** Returns a merged chapter without the paragraphs that leave it: one in a list may be left by `force`. */
function withoutLeft(prose: NewProse, left: Pick<ReadonlySet<string>, "has">): NewProse {
  const places = leafIds(prose.blocks).flatMap((id, at) => (id !== null && left.has(id) ? [at] : []));
  return (places.length > 0 && withoutLeavesAt(prose, new Set(places))) || prose;
}

/** Plans a chapter that only other files have changed. */
function written(incoming: IncomingChapter, own: MovesOfChapter): ChapterPlan {
  const { stored, left } = own;
  const none = { fields: {}, arrived: new Set<string>(), hasBase: true, isMerged: true };
  return { kind: "write", incoming, stored, ...none, left, prose: restOf(own) };
}

/** Returns a chapter without a file here, and the rest of its prose. */
function emptiedBy(edits: MovesOfChapter): Emptied {
  return { stored: edits.stored, left: edits.left, prose: restOf(edits) };
}

function describeMove(
  moved: MovedParagraph,
  plans: ReadonlyMap<ChapterFile, ChapterPlan>,
): Moved | undefined {
  const { blockId, incoming, stored, place } = moved;
  const to = place === "incoming" && incoming ? plans.get(incoming.file.match.incoming) : undefined;
  const leaf = storedLeaf(moved);
  if (stored === undefined || to === undefined || leaf === undefined) return undefined;
  const isEdited = leaf.text !== incomingText(moved);
  return { blockId, from: stored.chapter, to, isEdited, wordCount: countBlockWords(leaf.node) };
}

/** Reads a chapter's file. */
export function openFile(
  match: MatchedChapter,
  bookBase: BookBase | undefined,
  removed: ChapterId | undefined,
): OpenFile {
  const { stored } = match;
  const last = stored && bookBase?.last.get(stored.id);
  const read = withOwnPart(match.incoming.read(), stored, last);
  const incoming = withOwnIds(read, stored);
  const base = stored && bookBase?.chapter(stored, incoming);
  const was = removed === undefined ? base?.prose() : bookBase?.lastProse(removed);
  return { match, read, incoming, base, was };
}

/** True if all paragraphs of a removed chapter's file are in other chapters, and none is in conflict. */
export function isNothingLeft(
  { incoming }: MatchedChapter,
  files: readonly OpenFile[],
  moved: readonly MovedParagraph[],
): boolean {
  const file = files.find(({ match }) => match.incoming === incoming);
  if (file === undefined) return false;
  const own = touchingOf(file, moved);
  if (own.some(({ isConflict }) => isConflict)) return false;
  const edits = editsOf(own).files.get(file);
  return (
    edits !== undefined &&
    edits.dropped.size > 0 &&
    withMovesIn(file.incoming, edits).prose.blocks.length === 0
  );
}

/** Plans a file that need not be read. */
function unread(
  { incoming, stored, state }: PlacedChapter,
  base: BookBase | undefined,
  received: ReadonlyMap<ChapterId, MovesOfChapter>,
): ChapterPlan {
  if (stored === undefined) return newChapter(incoming);
  if (state === undefined) throw new Error("a file that has changed was not read");
  const own = received.get(stored.id);
  if (own !== undefined) return written(withOwnIds(incoming.read(), stored), { ...own, stored });
  const last = base?.last.get(stored.id);
  const kind = state === "left" && isAsBefore(incoming, stored, last, base) ? "same" : state;
  return { kind, incoming, stored, isRenamed: isNewName(incoming, stored, last) };
}

/** Plans a chapter of a new book. Nothing can come to it from another. */
function newChapter(incoming: ChapterFile): ChapterPlan {
  const read = () => withOwnIds(incoming.parse(), undefined);
  return { kind: "create", incoming, read, arrived: new Set(), isMerged: incoming.isPart === true };
}

/** True if a file's name differs from the chapter's, both in its folder and at its import. */
function isNewName({ file }: ChapterFile, stored: StoredChapter, last: LastChapter | undefined): boolean {
  return file !== null && stored.file !== null && file !== stored.file && file !== last?.file;
}

/** True if a chapter that has changed since equals its file again, for example after an undo. */
function isAsBefore(
  file: ChapterFile,
  stored: StoredChapter,
  last: LastChapter | undefined,
  base: BookBase | undefined,
): boolean {
  if (last === undefined || last.isMerged) return false;
  if (CHAPTER_FIELDS.some((key) => stored[key] !== last[key])) {
    const { fields } = withOwnPart(file.read(), stored, last);
    if (CHAPTER_FIELDS.some((key) => fields[key] !== undefined && fields[key] !== stored[key])) return false;
  }
  const before = base?.proseAt(stored.id, last.revision);
  return before !== undefined && bareMarkdown(before) === bareMarkdown(stored.prose());
}

/**
 * Returns the file without a part if it was only renamed in its folder. A file that moved to another folder does name
 * its part.
 */
function withOwnPart(
  incoming: IncomingChapter,
  stored: StoredChapter | undefined,
  last: LastChapter | undefined,
): IncomingChapter {
  if (!incoming.isFound || stored === undefined || incoming.file === null || last?.file == null)
    return incoming;
  if (dirname(last.file) !== dirname(incoming.file)) return incoming;
  const { part: _, ...fields } = incoming.fields;
  return { ...incoming, fields };
}
