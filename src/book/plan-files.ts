import { dirname } from "node:path/posix";
import type { ChapterId } from "../ids.ts";
import { leafIds, withLeafIds } from "../prose/document/leaf.ts";
import type { SourceBlock } from "../prose/document/types.ts";
import { bareMarkdown } from "../prose/markdown/join-chapter.ts";
import type { MergeConflict } from "../prose/merge/merge.ts";
import { groupBy } from "../text/group-by.ts";
import type { Side } from "../three-way.ts";
import {
  type BaseChapter,
  CHAPTER_FIELDS,
  type ChapterFile,
  type IncomingChapter,
  type StoredChapter,
} from "./book.ts";
import type { BookBase, LastChapter } from "./book-base.ts";
import {
  type BookMove,
  type CrossedMove,
  emptiedBy,
  findBookMoves,
  type GoneChapter,
  holdTogether,
  isCarried,
  type LostChapter,
  type Party,
  withBlocks,
} from "./book-moves.ts";
import { takenInPart, withoutLeavesAt } from "./elsewhere.ts";
import {
  type ForwardedEdit,
  type Forwarding,
  type Forwards,
  forwardBlock,
  forwardEdits,
  withBlocksAt,
} from "./forward-edits.ts";
import { withOwnIds } from "./incoming-prose.ts";
import type { MatchedChapter } from "./match-chapters.ts";
import { mergeChapter } from "./merge-chapter.ts";
import type { BookPlan, ChapterPlan, Emptied } from "./plan.ts";

/** A file and its chapter, and what is known of it unread; undefined for one that is to be read. */
export type PlacedChapter = MatchedChapter & { state: "same" | "left" | undefined };

/** What decides besides files and chapters. */
interface Deciding {
  base: BookBase | undefined;
  force: Side | undefined;
  lost: readonly LostChapter[];
  forwards: Forwards;
  /** What the files of chapters that are gone say of paragraphs in others. */
  edits: readonly ForwardedEdit[];
  gone: readonly GoneChapter[];
}

/** What files come to; `waiting` are the edits of paragraphs in other chapters that do not come about by it. */
type PlannedFiles = Pick<BookPlan, "chapters" | "moves" | "emptied"> & { waiting: readonly ForwardedEdit[] };

/** What each file comes to, and which paragraphs go from one chapter to another: with their ids, notes and mentions. */
export function planFiles(placed: readonly PlacedChapter[], deciding: Deciding): PlannedFiles {
  const { base, force, lost, edits } = deciding;
  if (lost.length + edits.length === 0 && placed.every(({ stored }) => stored === undefined))
    return { chapters: placed.map(newChapter), moves: [], emptied: [], waiting: [] };
  const { open, sent, ...found } = openFiles(placed, deciding);
  let { moves } = found;
  for (;;) {
    const plans = new Map(
      placed.map((match) => {
        const chapter = open.get(match);
        const plan =
          chapter === undefined
            ? unread(match, base)
            : planOpen(chapter, { ...movesOf(match, moves), received: receivedBy(match, sent) }, force);
        return [match, plan] as const;
      }),
    );
    const held = holdTogether(plans, moves);
    // One that waits for another may be where a paragraph goes to, or comes from.
    const kept = moves.filter((move) => isCarried(move, plans) && isCarried(move, held));
    if (kept.length < moves.length) {
      moves = kept;
      continue;
    }
    const done = moves.flatMap(({ to, ...move }) => {
      const plan = held.get(to)!; // every file has one
      return plan.kind === "conflict" ? [] : [{ ...move, to: plan }];
    });
    const emptied = withoutFile(emptiedBy(moves), sent, placed);
    const waiting = waitingOf(sent, open, { plans: held, emptied });
    return { chapters: [...held.values()], moves: done, emptied, waiting };
  }
}

/** The chapters whose files are read, what goes from one to another, and what is sent to each chapter. */
function openFiles(
  placed: readonly PlacedChapter[],
  { base, lost, forwards, edits, gone }: Deciding,
): { open: ReadonlyMap<PlacedChapter, OpenChapter>; moves: BookMove<PlacedChapter>[]; sent: Sent } {
  const opened = (match: PlacedChapter) => [match, openChapter(match, base, forwards)] as const;
  const open = new Map(placed.filter(({ state }) => state === undefined).map(opened));
  const parties = [...open].map(([match, chapter]) => partyOf(match, chapter));
  const { crossed, moves } = findBookMoves(parties, lost, { gone, base, ...forwards });
  for (const move of crossed) cross(move, open, forwards);
  const own = [...open.values()].flatMap((chapter) => chapter.edits);
  const sent = groupBy([...edits, ...own], ({ to }) => to.id);
  const isSentTo = (match: PlacedChapter) => match.stored !== undefined && sent.has(match.stored.id);
  const more = placed.filter((match) => isSentTo(match) && !open.has(match)).map(opened);
  return { open: new Map([...open, ...more]), moves, sent };
}

type Sent = ReadonlyMap<ChapterId, readonly ForwardedEdit[]>;

/** What other files make of paragraphs that a chapter has now, by their ids. */
function receivedBy({ stored }: PlacedChapter, sent: Sent): ReadonlyMap<unknown, SourceBlock> {
  const own = stored === undefined ? [] : (sent.get(stored.id) ?? []);
  return blocksOf(own);
}

const blocksOf = (edits: readonly ForwardedEdit[]): ReadonlyMap<unknown, SourceBlock> =>
  new Map(edits.map(({ blockId, block }) => [blockId, block]));

/** The chapters without a file whose paragraphs leave or are edited in other files, with all that they come to. */
function withoutFile(emptied: readonly Emptied[], sent: Sent, placed: readonly PlacedChapter[]): Emptied[] {
  const filed = new Set(placed.map(({ stored }) => stored?.id));
  const all = new Map(emptied.map((chapter) => [chapter.stored.id, chapter]));
  for (const [id, edits] of sent) {
    const [{ to: stored }] = edits as [ForwardedEdit]; // none is empty
    const { prose, left } = all.get(id) ?? { prose: stored.prose(), left: new Map() };
    if (!filed.has(id)) all.set(id, { stored, left, prose: withBlocks(prose, blocksOf(edits)) });
  }
  return [...all.values()];
}

/** Takes a paragraph that both sides have moved, or that the manuscript has taken out, off the file: where the manuscript has put it, it gets the file's edit. */
function cross(
  { blockId, file, to, at, isSame, ...blocks }: CrossedMove<PlacedChapter>,
  open: ReadonlyMap<PlacedChapter, OpenChapter>,
  forwards: Forwards,
): void {
  const [leaves, others] = [leafIds([blocks.old]), leafIds([blocks.block])];
  const isAlone = leaves.length === others.length;
  const isSettled = isSame || !forwards.standing().has(blockId);
  const found = isSettled ? { edit: undefined } : forwardBlock({ ...blocks, isAlone }, forwards);
  const chapter = open.get(to)!; // it was found there
  if (file !== undefined) open.get(file)?.away.add(blockId);
  if (!("paragraph" in found)) {
    chapter.dropped.add(at);
    if (found.edit !== undefined) chapter.edits.push(found.edit);
    return;
  }
  // What is made of a new file cannot wait.
  if (to.stored === undefined) return;
  chapter.crossed.push(found.paragraph);
  // Its base is what tells where the paragraph came from.
  if (file !== undefined) open.get(file)?.crossed.push({ ...found.paragraph, incoming: undefined });
}

/** The edits of a file that waits for a conflict's end, or of a chapter that does. */
function waitingOf(
  sent: Sent,
  open: ReadonlyMap<PlacedChapter, OpenChapter>,
  { plans, emptied }: { plans: ReadonlyMap<PlacedChapter, ChapterPlan>; emptied: readonly Emptied[] },
): ForwardedEdit[] {
  const held = [...open].flatMap(([match, { edits }]) =>
    plans.get(match)?.kind === "conflict" ? edits : [],
  );
  const written = [...[...plans.values()].filter((plan) => plan.kind === "write"), ...emptied];
  const proses = new Map(written.map(({ stored, prose }) => [stored.id, prose]));
  const isWritten = ({ to, block: { source } }: ForwardedEdit) =>
    proses.get(to.id)?.blocks.some((block) => block.source === source) === true;
  return [...sent.values()].flat().filter((edit) => held.includes(edit) || !isWritten(edit));
}

/** A chapter of a book that has none yet: nothing comes to it from another. */
function newChapter({ incoming }: PlacedChapter): ChapterPlan {
  const read = () => withOwnIds(incoming.parse(), undefined);
  return { kind: "create", incoming, read, arrived: new Set(), isMerged: incoming.isPart === true };
}

/** A chapter whose file is read. */
interface OpenChapter {
  match: PlacedChapter;
  /** With every id that its leaves bring. */
  read: IncomingChapter;
  /** With those of its own alone. */
  incoming: IncomingChapter;
  base: BaseChapter | undefined;
  isRenamed: boolean;
  /** What the file says of paragraphs that stand in other chapters by now, and what it would say without these edits. */
  edits: ForwardedEdit[];
  before: ReadonlyMap<number, SourceBlock>;
  conflicts: Forwarding["conflicts"];
  /** The leaves, by their indexes, that go to no chapter of this file's: the manuscript has moved them, too, or keeps them whole. */
  dropped: Set<number>;
  /** Those of them that both sides have edited. */
  crossed: MergeConflict[];
  /** Paragraphs that this file has put elsewhere, and the manuscript, too: nothing here is in their place. */
  away: Set<string>;
}

function openChapter(match: PlacedChapter, bookBase: BookBase | undefined, forwards: Forwards): OpenChapter {
  const { stored } = match;
  const last = stored && bookBase?.last.get(stored.id);
  const read = withOwnPart(match.incoming.read(), stored, last);
  const incoming = withOwnIds(read, stored);
  const isRenamed = stored !== undefined && isNewName(match.incoming, stored, last);
  const base = stored && bookBase?.chapter(stored, incoming);
  const was = base?.prose();
  const forwarding =
    was === undefined
      ? { edits: [], before: new Map(), conflicts: [], dropped: [] }
      : forwardEdits({ was, now: read.prose, stored }, forwards);
  const edits = [...forwarding.edits];
  const dropped = new Set(forwarding.dropped);
  return {
    match,
    read,
    incoming,
    base,
    isRenamed,
    ...forwarding,
    edits,
    dropped,
    crossed: [],
    away: new Set(),
  };
}

function partyOf(match: PlacedChapter, { base, read, before }: OpenChapter): Party<PlacedChapter> {
  const { stored } = match;
  const was = stored === undefined ? undefined : (base?.prose() ?? stored.prose());
  return { key: match, stored, was, now: withBlocksAt(read.prose, before) };
}

/** Paragraphs that come to a chapter, by their ids, and those that leave it. */
interface OwnMoves {
  come: readonly BookMove<PlacedChapter>[];
  left: ReadonlyMap<string, { isEdited: boolean }>;
  /** What those that leave were before the manuscript edited them. */
  before: ReadonlyMap<unknown, SourceBlock>;
}

function movesOf(match: PlacedChapter, moves: readonly BookMove<PlacedChapter>[]): OwnMoves {
  const left = moves.filter(({ from }) => from === match.stored);
  return {
    come: moves.filter(({ to }) => to === match),
    left: new Map(left.map(({ blockId, isEdited }) => [blockId, { isEdited }])),
    before: new Map(
      left.flatMap(({ edit }) => (edit === undefined ? [] : [[leafIds([edit.was])[0], edit.was]])),
    ),
  };
}

function planOpen(
  { match: { incoming: file, stored }, base, isRenamed, ...chapter }: OpenChapter,
  { come, left, before, received }: OwnMoves & { received: ReadonlyMap<unknown, SourceBlock> },
  force: Side | undefined,
): ChapterPlan {
  const arrived = new Set(come.map(({ blockId }) => blockId as string));
  const incoming = come.length === 0 ? chapter.incoming : withArrived(chapter.read, stored, come);
  const taken = withoutDropped(
    { ...incoming, prose: withBlocksAt(incoming.prose, chapter.before) },
    chapter.dropped,
  );
  const isMore =
    come.some(({ edit }) => edit !== undefined) ||
    received.size + chapter.before.size + chapter.dropped.size > 0;
  if (stored === undefined)
    return {
      ...{ kind: "create", incoming: file, read: () => taken, arrived },
      isMerged: isMore || file.isPart === true,
    };
  // What other files make of its paragraphs counts as the manuscript's edit.
  const prose = () => withBlocks(withBlocks(stored.prose(), before), received);
  const sides = { base, incoming: taken, stored: { ...stored, prose } };
  const gone = new Map([...left, ...[...chapter.away].map((id) => [id, { isEdited: false }] as const)]);
  const verdict = mergeChapter(sides, { force, arrived, left: gone });
  if (chapter.crossed.length > 0) {
    const { fields, paragraphs } = verdict.kind === "conflict" ? verdict : { fields: [], paragraphs: [] };
    return { kind: "conflict", incoming, stored, fields, paragraphs: [...paragraphs, ...chapter.crossed] };
  }
  if (verdict.kind === "conflict")
    return { ...verdict, paragraphs: withTheirs(verdict.paragraphs, chapter.conflicts), incoming, stored };
  if (verdict.kind === "write")
    return { ...verdict, incoming, stored, arrived, left, isMerged: verdict.isMerged || isMore };
  if (received.size === 0) return { kind: "left", incoming: file, stored, isRenamed };
  const written = { fields: {}, prose: prose(), hasBase: true, isMerged: true };
  return { kind: "write", ...written, incoming, stored, arrived, left };
}

/** The file without those paragraphs. */
function withoutDropped(incoming: IncomingChapter, dropped: ReadonlySet<number>): IncomingChapter {
  const prose = dropped.size === 0 ? undefined : withoutLeavesAt(incoming.prose, dropped);
  return prose === undefined ? incoming : takenInPart({ ...incoming, prose }, dropped.size);
}

/** The conflicts, each with what the manuscript says of the paragraph where it has put it. */
function withTheirs(
  paragraphs: readonly MergeConflict[],
  conflicts: OpenChapter["conflicts"],
): readonly MergeConflict[] {
  const theirs = new Map(conflicts.map(({ paragraph }) => [paragraph.incoming, paragraph]));
  return paragraphs.map((one) => (one.stored === undefined && theirs.get(one.incoming)) || one);
}

/** The chapter with the ids of paragraphs that come to it. */
function withArrived(
  incoming: IncomingChapter,
  stored: StoredChapter | undefined,
  come: OwnMoves["come"],
): IncomingChapter {
  const blockIds = come.map(({ blockId }) => blockId);
  const read = withOwnIds(incoming, stored, blockIds);
  const ids = leafIds(read.prose.blocks);
  for (const { at, blockId } of come) if (ids.length > at && !ids.includes(blockId)) ids[at] = blockId;
  const edits = come.flatMap(({ edit }) =>
    edit === undefined ? [] : [[leafIds([edit.now])[0], edit.now] as const],
  );
  const prose = { ...read.prose, blocks: withLeafIds(read.prose.blocks, ids) };
  return { ...read, prose: withBlocks(prose, new Map<unknown, SourceBlock>(edits)) };
}

/** What a file that is not read comes to. */
function unread({ incoming, stored, state }: PlacedChapter, base: BookBase | undefined): ChapterPlan {
  if (stored === undefined || state === undefined) throw new Error("a file that has changed was not read");
  const last = base?.last.get(stored.id);
  const kind = state === "left" && isAsBefore(incoming, stored, last, base) ? "same" : state;
  return { kind, incoming, stored, isRenamed: isNewName(incoming, stored, last) };
}

/** Whether a file has another name than its chapter had, in its folder or when it was imported. */
function isNewName({ file }: ChapterFile, stored: StoredChapter, last: LastChapter | undefined): boolean {
  return file !== null && stored.file !== null && file !== stored.file && file !== last?.file;
}

/** Whether a chapter that has changed since says what its file does: by an edit that was taken back, say. */
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

/** A file that got another name in its folder says nothing of its part by that; one that was moved does. */
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
