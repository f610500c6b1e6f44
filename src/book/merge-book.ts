import type { BookId, ChapterId } from "../ids.ts";
import { leafIds } from "../prose/document/leaf.ts";
import type { Side } from "../three-way.ts";
import { CHAPTER_FIELDS, type ChapterFile, type Description, type StoredChapter } from "./book.ts";
import type { BookBase } from "./book-base.ts";
import { type KnownFolder, type MatchedChapter, matchChapters, placeChapters } from "./match-chapters.ts";
import { mergeDescription, type StoredDescription } from "./merge-description.ts";
import {
  findMoved,
  type MovedParagraph,
  type OpenFile,
  standingIn,
  type WithoutFile,
} from "./moved-paragraphs.ts";
import type { BookPlan } from "./plan.ts";
import { isNothingLeft, openFile, planFiles } from "./plan-files.ts";
import { findRemoved, type RemovedChapter, removedOnBoth } from "./removed-chapters.ts";

/** A book as files bring it, its facts and notes apart. */
export interface IncomingBook {
  /** What its folder's own list says of it. */
  description?: Description | undefined;
  chapters: readonly ChapterFile[];
}

/** The same book as the manuscript has it; `order` of the description is not its own. */
export interface StoredBook extends Omit<StoredDescription, "order"> {
  id: BookId;
  chapters: readonly StoredChapter[];
}

/** What decides besides the three sides. */
export interface MergeOptions {
  /** The new book's title, or the word of the caller that the folder's title does not count. */
  title?: string | undefined;
  force?: Side | undefined;
  /** Whether a file that the folder had is there no more; without it no file is known to be gone. */
  isGone?: ((file: string) => boolean) | undefined;
}

/** A book as files bring it, as the manuscript has it, and as both had it. */
interface Sides {
  base?: BookBase | undefined;
  incoming: IncomingBook;
  stored?: StoredBook | undefined;
}

/**
 * What an import comes to: each file's chapter, the book's description, and the chapters' order. Pure. Without `stored`
 * all is new; without `base` nothing is known to have been in common. A file that is as its folder last had it is never
 * read. Throws `BadRequest`, `PayloadTooLarge`.
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
    deleted: deletedOf(removed, matched),
  };
}

/** True if the folder is of this book, or the book is new. */
function isOfBook({ incoming, stored }: Sides): boolean {
  return stored === undefined || incoming.description?.exportedFrom === stored.id;
}

/** What files are before anything is decided: whose chapters, and where their paragraphs go. */
interface ReadFiles {
  /** Those that are or become chapters. */
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
  // Only the book that the folder is of can have lost a chapter of it.
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

/** Tells which paragraphs the folder has met in another chapter than this, where they stand now. */
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

/** The removed chapters of which nothing is made again, and their files where those say something else by now. */
function deletedOf(removed: readonly RemovedChapter[], made: readonly MatchedChapter[]): BookPlan["deleted"] {
  return removed.flatMap(({ id, match, isSame }) =>
    made.includes(match)
      ? []
      : [{ id, file: match.incoming.file ?? "", taken: isSame ? undefined : match.incoming.read() }],
  );
}

/** What is stored of a book beside its chapters, those of them that have a file in their order. */
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

/** What a file that has not changed since the last exchange comes to; undefined for one that has, or is new. */
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

/** The chapters, those of a part that gets another title with it. */
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

/** The chapters whose files are gone from the folder, and what those said last. */
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
