import { dirname } from "node:path/posix";
import { leafIds, withLeafIds } from "../prose/document/leaf.ts";
import type { SourceBlock } from "../prose/document/types.ts";
import { bareMarkdown } from "../prose/markdown/join-chapter.ts";
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
  emptiedBy,
  findBookMoves,
  holdTogether,
  isCarried,
  type LostChapter,
  type Party,
  withBlocks,
} from "./book-moves.ts";
import { withOwnIds } from "./incoming-prose.ts";
import type { MatchedChapter } from "./match-chapters.ts";
import { mergeChapter } from "./merge-chapter.ts";
import type { BookPlan, ChapterPlan } from "./plan.ts";

/** A file and its chapter, and what is known of it unread; undefined for one that is to be read. */
export type PlacedChapter = MatchedChapter & { state: "same" | "left" | undefined };

/** What decides besides files and chapters. */
interface Deciding {
  base: BookBase | undefined;
  force: Side | undefined;
  lost: readonly LostChapter[];
}

/** What each file comes to, and which paragraphs go from one chapter to another: with their ids, notes and mentions. */
export function planFiles(
  placed: readonly PlacedChapter[],
  { base, force, lost }: Deciding,
): Pick<BookPlan, "chapters" | "moves" | "emptied"> {
  if (lost.length === 0 && placed.every(({ stored }) => stored === undefined))
    return { chapters: placed.map(newChapter), moves: [], emptied: [] };
  const open = new Map(
    placed.flatMap((match) =>
      match.state === undefined ? [[match, openChapter(match, base)] as const] : [],
    ),
  );
  const parties = [...open].map(([match, chapter]) => partyOf(match, chapter));
  let moves = findBookMoves(parties, lost);
  for (;;) {
    const plans = new Map(
      placed.map((match) => {
        const chapter = open.get(match);
        const plan =
          chapter === undefined ? unread(match, base) : planOpen(chapter, movesOf(match, moves), force);
        return [match, plan] as const;
      }),
    );
    const kept = moves.filter((move) => isCarried(move, plans));
    if (kept.length < moves.length) {
      moves = kept;
      continue;
    }
    const held = holdTogether(plans, moves);
    const done = moves.flatMap(({ to, ...move }) => {
      const plan = held.get(to)!; // every file has one
      return plan.kind === "conflict" ? [] : [{ ...move, to: plan }];
    });
    return { chapters: [...held.values()], moves: done, emptied: emptiedBy(moves) };
  }
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
}

function openChapter(match: PlacedChapter, base: BookBase | undefined): OpenChapter {
  const { stored } = match;
  const last = stored && base?.last.get(stored.id);
  const read = withOwnPart(match.incoming.read(), stored, last);
  const incoming = withOwnIds(read, stored);
  const isRenamed = stored !== undefined && isNewName(match.incoming, stored, last);
  return { match, read, incoming, base: stored && base?.chapter(stored, incoming), isRenamed };
}

function partyOf(match: PlacedChapter, { base, read }: OpenChapter): Party<PlacedChapter> {
  const { stored } = match;
  const was = stored === undefined ? undefined : (base?.prose() ?? stored.prose());
  return { key: match, stored, was, now: read.prose };
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
  { come, left, before }: OwnMoves,
  force: Side | undefined,
): ChapterPlan {
  const arrived = new Set(come.map(({ blockId }) => blockId as string));
  const incoming = come.length === 0 ? chapter.incoming : withArrived(chapter.read, stored, come);
  const isMore = come.some(({ edit }) => edit !== undefined);
  if (stored === undefined)
    return {
      ...{ kind: "create", incoming: file, read: () => incoming, arrived },
      isMerged: isMore || file.isPart === true,
    };
  const unedited = { ...stored, prose: () => withBlocks(stored.prose(), before) };
  const verdict = mergeChapter({ base, incoming, stored: unedited }, { force, arrived, left });
  if (verdict.kind === "leave") return { kind: "left", incoming: file, stored, isRenamed };
  return verdict.kind === "write"
    ? { ...verdict, incoming, stored, arrived, left, isMerged: verdict.isMerged || isMore }
    : { ...verdict, incoming, stored };
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
