import type { BookId, ChapterId } from "../ids.ts";
import type { Side } from "../three-way.ts";
import { CHAPTER_FIELDS, type ChapterFile, type Description, type StoredChapter } from "./book.ts";
import type { BookBase } from "./book-base.ts";
import type { LostChapter } from "./book-moves.ts";
import { type ForwardedEdit, type Forwards, standingIn, textsIn } from "./forward-edits.ts";
import {
  conflictsOf,
  deletedOf,
  editsOf,
  findLost,
  goneIn,
  goneOnBoth,
  type LostFile,
  makesNone,
} from "./lost-file.ts";
import { type KnownFolder, type MatchedChapter, matchChapters, placeChapters } from "./match-chapters.ts";
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
export function mergeBook(sides: Sides, options: MergeOptions): BookPlan {
  const chapters = sides.stored?.chapters ?? [];
  const refused = new Set<string>();
  const known = { standing: standingIn(chapters), isKnown: textsIn(chapters, sides.base) };
  for (;;) {
    const { plan, waiting } = mergeOnce(sides, options, { ...known, force: options.force, refused });
    if (waiting.length === 0) return plan;
    for (const { blockId } of waiting) refused.add(blockId);
  }
}

/** The plan, and the edits of paragraphs in other chapters that do not come about by it. */
function mergeOnce(
  { base, incoming, stored }: Sides,
  { title, force, isGone = () => false }: MergeOptions,
  forwards: Forwards,
): { plan: BookPlan; waiting: readonly ForwardedEdit[] } {
  const isOwn = stored === undefined || incoming.description?.exportedFrom === stored.id;
  const description = isOwn ? incoming.description : undefined;
  const { all, lost } = matchFiles({ base, incoming, stored }, forwards);
  const matched = all.filter((match) => !lost.some((one) => one.match === match && makesNone(one)));
  const states = new Map(matched.map((match) => [match, stateOf(match, base)]));
  const wanted = matched.flatMap((match) =>
    states.get(match) === undefined ? (match.incoming.fields().part ?? []) : [],
  );
  const { plan, outcome } = mergeDescription(
    { base: isOwn ? base?.description : undefined, incoming: description, stored: describe(stored, matched) },
    { wanted, isNamed: title !== undefined, isNew: stored === undefined, force },
  );
  const renamed = inRenamedParts(stored?.chapters ?? [], plan.parts);
  const placed = matched.map((match) => ({
    ...match,
    stored: match.stored && (renamed.get(match.stored) ?? match.stored),
    state: states.get(match),
  }));
  const order = placeChapters([...renamed.values()], placed, plan.order);
  const gone = stored === undefined ? [] : lostFiles(stored.chapters, all, { base, isGone });
  const { chapters, moves, emptied, waiting } = planFiles(placed, {
    ...{ base, force, forwards },
    edits: editsOf(lost),
    gone: [...goneIn(lost), ...(isOwn ? goneOnBoth(stored?.chapters ?? [], lost, { base, isGone }) : [])],
    lost: gone,
  });
  const plans = new Map(placed.map((match, index) => [match as MatchedChapter, chapters[index]]));
  const merged: BookPlan = {
    bookId: stored?.id,
    title:
      stored?.title ?? title ?? description?.title ?? incoming.chapters[0]?.read().newTitle ?? "Untitled",
    description: plan,
    outcome,
    // Of a chapter that has a file the file's own plan, which comes last, says what becomes of it.
    chapters: [...lost.flatMap(conflictsOf), ...chapters],
    moves,
    emptied,
    gone: gone.map(({ stored, file }) => ({ stored, file })),
    order: order.flatMap((entry) => ("rank" in entry ? entry : (plans.get(entry) ?? []))),
    deleted: deletedOf(lost),
  };
  return { plan: merged, waiting };
}

/** What is stored of a book beside its chapters, those of them that have a file in their order. */
function describe(stored: StoredBook | undefined, matched: readonly MatchedChapter[]): StoredDescription {
  if (stored === undefined) return { title: "", goal: null, manifest: {}, parts: [], order: [] };
  const files = new Map(matched.map(({ stored: chapter, incoming: { file } }) => [chapter, file]));
  const { title, goal, manifest, parts, chapters } = stored;
  return { title, goal, manifest, parts, order: chapters.flatMap((chapter) => files.get(chapter) ?? []) };
}

/** The chapter of each file, and the files of those that are gone. */
function matchFiles({ base, incoming, stored }: Sides, forwards: Forwards) {
  const matches = matchChapters(incoming.chapters, stored?.chapters ?? [], base && knownFolder(base));
  // Only the book that the folder is of can have lost a chapter of it.
  const isOfBook = stored !== undefined && (incoming.description?.exportedFrom ?? stored.id) === stored.id;
  const lost: LostFile[] = [];
  const all = matches.map((match) => {
    const found = isOfBook ? findLost(match, base, { chapters: stored.chapters, forwards }) : undefined;
    if (found !== undefined) lost.push(found);
    return found?.match ?? match;
  });
  return { all, lost };
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

/** The chapters whose files are gone from the folder, and what those said last. */
function lostFiles(
  chapters: readonly StoredChapter[],
  matched: readonly MatchedChapter[],
  { base, isGone }: { base: BookBase | undefined; isGone: (file: string) => boolean },
): (LostChapter & { file: string })[] {
  const present = new Set(matched.map(({ stored }) => stored));
  return chapters.flatMap((stored) => {
    const last = base?.last.get(stored.id);
    if (present.has(stored) || last === undefined || last.file === null || !isGone(last.file)) return [];
    return [{ stored, file: last.file, was: () => base?.proseAt(stored.id, last.revision) }];
  });
}
