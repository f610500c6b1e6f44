import type { BookId, ChapterId } from "../ids.ts";
import { leafIds } from "../prose/document/leaves.ts";
import type { Side } from "../three-way.ts";
import { CHAPTER_FIELDS, type ChapterFile, type Description, type StoredChapter } from "./book.ts";
import type { BookBase } from "./book-base.ts";
import {
  type KnownFolder,
  type MatchedChapter,
  matchChapters,
  placeChapters,
} from "./merge/match-chapters.ts";
import { mergeDescription, type StoredDescription } from "./merge-description.ts";
import {
  findMoved,
  type MovedParagraph,
  type OpenFile,
  standingIn,
  type WithoutFile,
} from "./plan/moved-paragraphs.ts";
import { isNothingLeft, openFile, planFiles } from "./plan/plan-files.ts";
import { findRemoved, type RemovedChapter, removedOnBoth } from "./plan/removed-chapters.ts";
import type { BookPlan } from "./plan.ts";

/** A book as files bring it, its facts and notes apart. */
export interface IncomingBook {
  /** The book's description in the folder's own list. */
  description?: Description | undefined;
  chapters: readonly ChapterFile[];
}

/** The book as the manuscript has it. `order` of the description is derived from its chapters. */
export interface StoredBook extends Omit<StoredDescription, "order"> {
  id: BookId;
  chapters: readonly StoredChapter[];
}

/** Options of a merge besides its three sides. */
export interface MergeOptions {
  /** Title for a new book; for a stored one, a sign that the folder's title does not count. */
  title?: string | undefined;
  force?: Side | undefined;
  /** True if a file that the folder had is missing now. Without it no file counts as missing. */
  isGone?: ((file: string) => boolean) | undefined;
}

/** A book as files bring it, as the manuscript has it, and as both had it. */
interface Sides {
  base?: BookBase | undefined;
  incoming: IncomingBook;
  stored?: StoredBook | undefined;
}

/**
 * Plans an import: each file's chapter, the book's description, and the order of chapters. Pure. Without `stored`
 * everything is new; without `base` no common past is known. A file that its folder had unchanged at the last
 * exchange is never parsed. Throws `BadRequest`, `PayloadTooLarge`.
 */
export function mergeBook(sides: Sides, options: MergeOptions): BookPlan {
  const { base, incoming, stored } = sides;
  const { title, force } = options;
  const isOwn = isOfBook(sides);
  const description = isOwn ? incoming.description : undefined;
  const { matched, removed, gone, files, moved } = readFiles(sides, options);
  const wanted = matched.flatMap((match) =>
    stateOf(match, base) === undefined ? (match.incoming.fields().part ?? []) : [],
  );
  const { plan, outcome } = mergeDescription(
    { base: isOwn ? base?.description : undefined, incoming: description, stored: describe(stored, matched) },
    { wanted, isNamed: title !== undefined, isNew: stored === undefined, force },
  );
  const renamed = inRenamedParts(stored?.chapters ?? [], plan.parts);
  const placed = matched.map((match) => ({
    ...match,
    stored: match.stored && (renamed.get(match.stored) ?? match.stored),
    state: stateOf(match, base),
  }));
  const order = placeChapters([...renamed.values()], placed, plan.order);
  const { byFile, ...planned } = planFiles(placed, { base, force, files, moved });
  return {
    bookId: stored?.id,
    title:
      stored?.title ?? title ?? description?.title ?? incoming.chapters[0]?.read().newTitle ?? "Untitled",
    description: plan,
    outcome,
    ...planned,
    gone: gone.map(({ stored, file }) => ({ stored, file })),
    order: order.flatMap((entry) => ("rank" in entry ? entry : (byFile.get(entry.incoming) ?? []))),
    deleted: deletedOf(removed, byFile),
  };
}

/** True if the folder is of this book, or the book is new. */
function isOfBook({ incoming, stored }: Sides): boolean {
  return stored === undefined || incoming.description?.exportedFrom === stored.id;
}

/** Files matched with chapters, and their moved paragraphs, before any merge is decided. */
interface ReadFiles {
  /** Files that are or become chapters. */
  matched: readonly MatchedChapter[];
  removed: readonly RemovedChapter[];
  gone: readonly LostChapter[];
  files: readonly OpenFile[];
  moved: readonly MovedParagraph[];
}

/** Finds the chapter of each file, and reads those that have changed. */
function readFiles(sides: Sides, { force, isGone = () => false }: MergeOptions): ReadFiles {
  const { base, incoming, stored } = sides;
  const chapters = stored?.chapters ?? [];
  const all = matchChapters(incoming.chapters, chapters, base && knownFolder(base));
  if (stored === undefined) return { matched: all, removed: [], gone: [], files: [], moved: [] };
  // Only the book that the folder belongs to can have lost one of its chapters.
  const mayBeRemoved = (incoming.description?.exportedFrom ?? stored.id) === stored.id;
  const removed = mayBeRemoved ? findRemoved(all, { base, chapters, force }) : [];
  const gone = lostFiles(chapters, all, { base, isGone });
  const removedOf = new Map(removed.map((one) => [one.match, one]));
  const files = all
    .filter((match) => stateOf(match, base) === undefined && removedOf.get(match)?.isSame !== true)
    .map((match) => openFile(match, base, removedOf.get(match)?.id));
  const onBoth = isOfBook(sides) ? removedOnBoth(removed, { base, chapters, isGone }) : [];
  const isMetElsewhere = metElsewhere(chapters, base);
  const moved = findMoved({ files, withoutFile: [...gone, ...onBoth], chapters, isMetElsewhere }, force);
  const isMade = (match: MatchedChapter) => {
    const found = removedOf.get(match);
    return found === undefined || (!found.isSame && !isNothingLeft(match, files, moved));
  };
  return { matched: all.filter(isMade), removed, gone, files, moved };
}

/** Returns a test: true if a paragraph is in another chapter now, and the folder has seen it there already. */
function metElsewhere(chapters: readonly StoredChapter[], base: BookBase | undefined) {
  const standing = standingIn(chapters);
  const met = new Map<StoredChapter, ReadonlySet<string | null>>();
  return (blockId: string | null, own: StoredChapter | undefined) => {
    const chapter = standing().get(blockId)?.chapter;
    if (chapter === undefined || chapter === own) return false;
    const ids = met.get(chapter) ?? new Set(leafIds(base?.lastProse(chapter.id)?.blocks ?? []));
    met.set(chapter, ids);
    return ids.has(blockId);
  };
}

/** Lists the removed chapters that are not made again, with their files if those were edited since. */
function deletedOf(
  removed: readonly RemovedChapter[],
  planned: Pick<ReadonlyMap<ChapterFile, unknown>, "has">,
): BookPlan["deleted"] {
  return removed.flatMap(({ id, match, isSame }) =>
    planned.has(match.incoming)
      ? []
      : [{ id, file: match.incoming.file ?? "", taken: isSame ? undefined : match.incoming.read() }],
  );
}

/** Returns the stored description of a book. Its order lists only chapters that have a file. */
function describe(stored: StoredBook | undefined, matched: readonly MatchedChapter[]): StoredDescription {
  if (stored === undefined) return { title: "", goal: null, manifest: {}, parts: [], order: [] };
  const files = new Map(matched.map(({ stored: chapter, incoming: { file } }) => [chapter, file]));
  const { title, goal, manifest, parts, chapters } = stored;
  return { title, goal, manifest, parts, order: chapters.flatMap((chapter) => files.get(chapter) ?? []) };
}

function knownFolder({ last, proseAt }: BookBase): KnownFolder {
  const lastProse = (id: ChapterId) => {
    const met = last.get(id);
    return met && proseAt(id, met.revision);
  };
  return { last, lastProse };
}

/** Returns the state of a file that has not changed since the last exchange; undefined for a changed or a new one. */
function stateOf(
  { incoming, stored }: MatchedChapter,
  base: BookBase | undefined,
): "same" | "left" | undefined {
  if (stored === undefined) return undefined;
  const last = base?.last.get(stored.id);
  if (last === undefined || last.hash !== incoming.hash || last.file !== incoming.file) return undefined;
  if (CHAPTER_FIELDS.some((key) => incoming.said[key] !== undefined && incoming.said[key] !== last[key]))
    return undefined;
  if (last.isMerged || CHAPTER_FIELDS.some((key) => stored[key] !== last[key])) return "left";
  return last.revision === stored.revision ? "same" : "left";
}

/** Returns the chapters; those of a renamed part get its new title. */
function inRenamedParts(
  chapters: readonly StoredChapter[],
  parts: BookPlan["description"]["parts"],
): Map<StoredChapter, StoredChapter> {
  const titles = new Map(
    parts.flatMap(({ title, was }) => (was === undefined || was === title ? [] : [[was, title]])),
  );
  return new Map(
    chapters.map((chapter) => {
      const part = chapter.part === null ? undefined : titles.get(chapter.part);
      return [chapter, part === undefined ? chapter : { ...chapter, part }];
    }),
  );
}

/** A chapter whose file is gone from the folder. */
interface LostChapter extends WithoutFile {
  stored: StoredChapter;
  file: string;
}

/** Finds the chapters whose files are missing from the folder, with the last prose of those files. */
function lostFiles(
  chapters: readonly StoredChapter[],
  matched: readonly MatchedChapter[],
  { base, isGone }: { base: BookBase | undefined; isGone: (file: string) => boolean },
): LostChapter[] {
  const present = new Set(matched.map(({ stored }) => stored));
  return chapters.flatMap((stored) => {
    const last = base?.last.get(stored.id);
    if (present.has(stored) || last === undefined || last.file === null || !isGone(last.file)) return [];
    return [{ stored, file: last.file, was: () => base?.proseAt(stored.id, last.revision) }];
  });
}
