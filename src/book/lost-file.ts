import type { ChapterId } from "../ids.ts";
import { leafIds } from "../prose/document/leaf.ts";
import type { StoredProse } from "../prose/plan/plan.ts";
import { groupBy } from "../text/group-by.ts";
import type { ChapterFile, StoredChapter } from "./book.ts";
import type { BookBase } from "./book-base.ts";
import type { GoneChapter } from "./book-moves.ts";
import { withoutMoved } from "./elsewhere.ts";
import { type ForwardConflict, type ForwardedEdit, type Forwards, forwardEdits } from "./forward-edits.ts";
import type { LastFile, MatchedChapter } from "./match-chapters.ts";
import type { BookPlan, ChapterPlan } from "./plan.ts";

/** A file whose chapter the manuscript has deleted since. */
export interface LostFile {
  /** The whole file. */
  file: ChapterFile;
  /** It, or what of it is to be made again. */
  match: MatchedChapter;
  id: ChapterId;
  /** Nothing of it is left that is to be made again. */
  isEmpty: boolean;
  /** The file is as it was at some time. */
  isSame: boolean;
  /** What both had; undefined if the file is as it was at some time. */
  was: StoredProse | undefined;
  /** What it says otherwise of paragraphs that stand in other chapters by now. */
  edits: readonly ForwardedEdit[];
  conflicts: readonly ForwardConflict[];
}

/** Whether no chapter is made of such a file: nothing is left of it, or it waits for a conflict's end. */
export const makesNone = ({ isEmpty, conflicts }: LostFile): boolean => isEmpty || conflicts.length > 0;

/**
 * The file of a chapter that the manuscript has deleted since: what somebody has edited is made again, but for paragraphs that
 * stand elsewhere by now. Undefined for any other file.
 */
export function findLost(
  match: MatchedChapter,
  base: BookBase | undefined,
  { chapters, forwards }: { chapters: readonly StoredChapter[]; forwards: Forwards },
): LostFile | undefined {
  const { incoming, stored } = match;
  const { standing, force } = forwards;
  if (stored !== undefined || base === undefined || incoming.file === null) return undefined;
  const last = lastOf(incoming, base, chapters);
  if (last === undefined) return undefined;
  const { id, isSame } = last;
  const nothing = { id, isSame, match, file: incoming, was: undefined, edits: [], conflicts: [] };
  if (isSame && force !== "incoming") return { ...nothing, isEmpty: true };
  const was = base.lastProse(id);
  if (was === undefined) return undefined;
  // Forced, a chapter comes again that was deleted, not one whose paragraphs were only put elsewhere.
  if (force === "incoming" && !leafIds(was.blocks).some((blockId) => standing().has(blockId)))
    return undefined;
  const { before, dropped, ...edited } = forwardEdits({ was, now: incoming.read().prose, stored }, forwards);
  const found = { ...nothing, ...edited, was };
  const rest = withoutMoved(incoming, was, { standing, before, dropped });
  if (rest === undefined) return { ...found, isEmpty: true };
  // Where Markdown cannot say what is left, all of it is made again.
  if (rest === incoming) return { ...nothing, was, isEmpty: false };
  return { ...found, match: { ...match, incoming: rest }, isEmpty: false };
}

/** The chapter that is gone whose file this is, and whether that is as it was at some time. */
function lastOf(
  incoming: ChapterFile,
  base: BookBase,
  chapters: readonly StoredChapter[],
): { id: ChapterId; isSame: boolean } | undefined {
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
  const last = same ?? find(gone);
  return last && { id: last.chapterId, isSame: same !== undefined };
}

/** What these files make of paragraphs in other chapters; nothing of one that waits for a conflict's end. */
export function editsOf(lost: readonly LostFile[]): ForwardedEdit[] {
  return lost.flatMap(({ edits, conflicts }) => (conflicts.length === 0 ? edits : []));
}

/** What a file and the chapters where its paragraphs stand by now say each in its own way. */
export function conflictsOf({ match: { incoming }, conflicts }: LostFile): ChapterPlan[] {
  return [...groupBy(conflicts, ({ at }) => at)].map(([stored, own]) => ({
    kind: "conflict",
    incoming: incoming.read(),
    stored,
    fields: [],
    paragraphs: own.map(({ paragraph }) => paragraph),
  }));
}

/** What the files of chapters that are gone said, and say now, where somebody has edited them since. */
export function goneIn(lost: readonly LostFile[]): GoneChapter[] {
  return lost.flatMap(({ was, file }) =>
    was === undefined ? [] : [{ was: () => was, now: file.read().prose }],
  );
}

/** The chapters that the manuscript has deleted, or joined to others, since the folder last had their files, and those are gone, too. */
export function goneOnBoth(
  chapters: readonly StoredChapter[],
  lost: readonly LostFile[],
  { base, isGone }: { base: BookBase | undefined; isGone: (file: string) => boolean },
): GoneChapter[] {
  if (base === undefined) return [];
  // One that went in an earlier exchange was not listed in the last.
  const listed = new Set(base.description?.order);
  const present = new Set(chapters.map(({ id }) => id));
  const known = new Set(lost.map(({ id }) => id));
  const taken = new Set(chapters.map(({ id }) => base.last.get(id)?.file));
  return [...base.last.values()].flatMap(({ chapterId, file }) =>
    file === null || present.has(chapterId) || known.has(chapterId) || taken.has(file)
      ? []
      : listed.has(file) && isGone(file)
        ? [{ was: () => base.lastProse(chapterId), now: undefined }]
        : [],
  );
}

/** The chapters of which nothing is made again, and the files of theirs that say something else by now. */
export function deletedOf(lost: readonly LostFile[]): BookPlan["deleted"] {
  return lost.flatMap(({ id, match: { incoming }, isEmpty, isSame, conflicts }) =>
    isEmpty && conflicts.length === 0
      ? [{ id, file: incoming.file ?? "", taken: isSame ? undefined : incoming.read() }]
      : [],
  );
}
