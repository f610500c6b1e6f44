import type { BookId, ChapterId } from "../ids.ts";
import type { Side } from "../three-way.ts";
import { CHAPTER_FIELDS, type ChapterFile, type Description, type StoredChapter } from "./book.ts";
import type { BookBase } from "./book-base.ts";
import type { LostChapter } from "./book-moves.ts";
import { withoutMoved } from "./elsewhere.ts";
import {
  type KnownFolder,
  type LastFile,
  type MatchedChapter,
  matchChapters,
  placeChapters,
} from "./match-chapters.ts";
import { mergeDescription, type StoredDescription } from "./merge-description.ts";
import type { BookPlan } from "./plan.ts";
import { planFiles } from "./plan-files.ts";

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
export function mergeBook(
  { base, incoming, stored }: Sides,
  { title, force, isGone }: MergeOptions,
): BookPlan {
  const isOwn = stored === undefined || incoming.description?.exportedFrom === stored.id;
  const description = isOwn ? incoming.description : undefined;
  const { all, deleted } = matchFiles({ base, incoming, stored }, force);
  const gone = new Set(deleted.map(({ match }) => match));
  const matched = all.filter((match) => !gone.has(match));
  const states = new Map(matched.map((match) => [match, stateOf(match, base)]));
  const wanted = matched.flatMap((match) =>
    states.get(match) === undefined ? (match.incoming.fields().part ?? []) : [],
  );
  const files = new Map(matched.map(({ stored: chapter, incoming: file }) => [chapter, file.file]));
  const present: StoredDescription = {
    title: stored?.title ?? "",
    goal: stored?.goal ?? null,
    manifest: stored?.manifest ?? {},
    parts: stored?.parts ?? [],
    order: (stored?.chapters ?? []).flatMap((chapter) => files.get(chapter) ?? []),
  };
  const { plan, outcome } = mergeDescription(
    { base: isOwn ? base?.description : undefined, incoming: description, stored: present },
    { wanted, isNamed: title !== undefined, isNew: stored === undefined, force },
  );
  const renamed = inRenamedParts(stored?.chapters ?? [], plan.parts);
  const placed = matched.map((match) => ({
    ...match,
    stored: match.stored && (renamed.get(match.stored) ?? match.stored),
    state: states.get(match),
  }));
  const order = placeChapters([...renamed.values()], placed, plan.order);
  const { chapters, moves, emptied } = planFiles(placed, {
    ...{ base, force },
    lost: stored === undefined ? [] : lostFiles(stored.chapters, all, base, isGone),
  });
  const plans = new Map(placed.map((match, index) => [match as MatchedChapter, chapters[index]]));
  return {
    bookId: stored?.id,
    title:
      stored?.title ?? title ?? description?.title ?? incoming.chapters[0]?.read().newTitle ?? "Untitled",
    description: plan,
    outcome,
    chapters,
    moves,
    emptied,
    order: order.flatMap((entry) => ("rank" in entry ? entry : (plans.get(entry) ?? []))),
    deleted: deleted.map(({ id, match }) => ({ id, file: match.incoming.file ?? "" })),
  };
}

/** The chapter of each file, and those that are gone with all that their files say. */
function matchFiles({ base, incoming, stored }: Sides, force: Side | undefined) {
  const matches = matchChapters(incoming.chapters, stored?.chapters ?? [], base && knownFolder(base));
  // Only the book that the folder is of can have lost a chapter of it.
  const isOfBook = stored !== undefined && (incoming.description?.exportedFrom ?? stored.id) === stored.id;
  const isLosing = isOfBook && force !== "incoming";
  const found = matches.map(
    (match): Lost => (isLosing && lostChapter(match, base, stored.chapters)) || { match },
  );
  const deleted = found.flatMap(({ id, match }) => (id === undefined ? [] : [{ id, match }]));
  return { all: found.map(({ match }) => match), deleted };
}

function knownFolder({ last, proseAt }: BookBase): KnownFolder {
  const lastProse = (id: ChapterId) => {
    const met = last.get(id);
    return met && proseAt(id, met.revision);
  };
  return { last, lastProse };
}

/** A file whose chapter the manuscript has deleted since. */
interface Lost {
  match: MatchedChapter;
  /** Of the chapter, if nothing of it is to be made again. */
  id?: ChapterId;
}

/**
 * The file of a chapter that the manuscript has deleted since: what somebody has edited is made again, but for paragraphs that
 * stand elsewhere by now. Undefined for any other file.
 */
function lostChapter(
  match: MatchedChapter,
  base: BookBase | undefined,
  chapters: readonly StoredChapter[],
): Lost | undefined {
  const { incoming, stored } = match;
  if (stored !== undefined || base === undefined || incoming.file === null) return undefined;
  const present = new Set(chapters.map(({ id }) => id));
  const gone = [...base.last.values()].filter(({ chapterId }) => !present.has(chapterId));
  const isSame = ({ chapterId, hash }: LastFile) =>
    hash === incoming.hash || base.hasHad(chapterId, incoming.hash);
  // A file that got another name still says whose it is.
  const isOf = [
    ({ file }: LastFile) => file === incoming.file,
    ({ chapterId }: LastFile) => chapterId === incoming.fields().id,
  ];
  const find = (all: typeof gone) => isOf.map((is) => all.find(is)).find((one) => one !== undefined);
  const same = find(gone.filter(isSame));
  if (same !== undefined) return { id: same.chapterId, match };
  const last = find(gone);
  if (last === undefined) return undefined;
  const rest = withoutMoved(incoming, base.proseAt(last.chapterId, last.revision), chapters);
  return rest === undefined ? { id: last.chapterId, match } : { match: { ...match, incoming: rest } };
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

/** The chapters whose files are gone from the folder, and what those said last. */
function lostFiles(
  chapters: readonly StoredChapter[],
  matched: readonly MatchedChapter[],
  base: BookBase | undefined,
  isGone: MergeOptions["isGone"] = () => false,
): LostChapter[] {
  const present = new Set(matched.map(({ stored }) => stored));
  return chapters.flatMap((stored) => {
    const last = base?.last.get(stored.id);
    if (present.has(stored) || last === undefined || last.file === null || !isGone(last.file)) return [];
    return [{ stored, was: () => base?.proseAt(stored.id, last.revision) }];
  });
}
