import type { ChapterId } from "../ids.ts";
import type { StoredProse } from "../prose/plan/plan.ts";
import { groupBy } from "../text/group-by.ts";
import type { ChapterFile, StoredChapter } from "./book.ts";
import { inOrder } from "./merge-description.ts";

/** A file and the chapter that it is for, if there is one. */
export interface MatchedChapter {
  incoming: ChapterFile;
  stored: StoredChapter | undefined;
}

/** What a folder is known to have had. */
export interface KnownFolder {
  /** What it had of each chapter. */
  last: ReadonlyMap<ChapterId, LastFile>;
  /** The prose that a chapter had when the two last met; undefined if that is not known any more. */
  lastProse: (id: ChapterId) => StoredProse | undefined;
}

/** What a folder had of a chapter when the two last met. */
export interface LastFile {
  chapterId: ChapterId;
  /** Relative to the folder; null if no file of its own held it. */
  file: string | null;
  hash: string;
}

/**
 * The chapter of each file, each at most once: the one whose file it was, unchanged; the one that its front matter's id
 * names; the one that had its name last; or, its own file being gone, the one whose file was renamed: by case or Unicode's
 * form alone, as it was, or with the same prose and no id. Of files that say the same id the one that the chapter had last
 * keeps it, the others are copies of it. `folder` is undefined if none is known. O(chapters).
 */
export function matchChapters(
  incoming: readonly ChapterFile[],
  stored: readonly StoredChapter[],
  folder: KnownFolder | undefined,
): MatchedChapter[] {
  const last = folder?.last;
  const pairs = new ChapterPairs();
  const lastName = ({ id, file }: StoredChapter) => last?.get(id)?.file ?? file;
  pairUnchangedAndNamed(pairs, { incoming, stored, last, lastName });
  const seek = (
    keyOfFile: (file: ChapterFile) => string | null,
    keyOf: (chapter: StoredChapter) => string | null,
  ) => seekByKey(pairs, { incoming, stored }, { keyOfFile, keyOf });
  seek(({ file }) => file, lastName);
  // A file by itself may be a copy: the one that the chapter has may still be there.
  if (last !== undefined && incoming.length > 1) {
    seek(
      ({ file }) => folded(file),
      (chapter) => folded(lastName(chapter)),
    );
    seek(
      ({ hash }) => hash,
      ({ id }) => last.get(id)?.hash ?? null,
    );
    seek(
      (file) => (file.fields().id === undefined ? textOf(file.read().prose) : null),
      ({ id }) => (last.get(id)?.file == null ? null : textOf(folder?.lastProse(id))),
    );
  }
  return incoming.map((file) => ({ incoming: file, stored: pairs.found.get(file) }));
}

/** The chapters of files, each given once. */
class ChapterPairs {
  readonly found = new Map<ChapterFile, StoredChapter>();
  readonly taken = new Set<StoredChapter>();

  give(file: ChapterFile, chapter: StoredChapter): void {
    this.found.set(file, chapter);
    this.taken.add(chapter);
  }
}

interface Matching {
  incoming: readonly ChapterFile[];
  stored: readonly StoredChapter[];
  last: ReadonlyMap<ChapterId, LastFile> | undefined;
  lastName: (chapter: StoredChapter) => string | null;
}

/** Pairs the files that are as they were, and those whose front matter names their chapter. */
function pairUnchangedAndNamed(pairs: ChapterPairs, { incoming, stored, last, lastName }: Matching): void {
  const named = new Map(incoming.map((file) => [file.file, file]));
  const unchanged = new Map(
    stored.flatMap((chapter) => {
      const known = last?.get(chapter.id);
      const file = known === undefined || known.file === null ? undefined : named.get(known.file);
      return file !== undefined && file.hash === known?.hash ? [[chapter, file] as const] : [];
    }),
  );
  const still = new Set(unchanged.values());
  const claims = groupBy(
    incoming.filter((file) => !still.has(file)),
    (file) => file.fields().id,
  );
  for (const chapter of stored) {
    const [first, ...others] = claims.get(chapter.id) ?? [];
    const same = unchanged.get(chapter);
    // An unchanged file gives way only to one that says the chapter's id if it does not say that itself.
    const staysSame = same !== undefined && !pairs.found.has(same);
    if (staysSame && (first === undefined || same.fields().id === chapter.id)) {
      pairs.give(same, chapter);
      continue;
    }
    if (first === undefined) continue;
    const here = others.length > 0 ? lastName(chapter) : undefined;
    pairs.give([first, ...others].find(({ file }) => file === here) ?? first, chapter);
  }
}

/** Pairs files and chapters that are left and have one key; of two chapters that have it the first in reading order is meant. */
function seekByKey(
  pairs: ChapterPairs,
  { incoming, stored }: Pick<Matching, "incoming" | "stored">,
  {
    keyOfFile,
    keyOf,
  }: { keyOfFile: (file: ChapterFile) => string | null; keyOf: (chapter: StoredChapter) => string | null },
): void {
  const others = incoming.filter((file) => !pairs.found.has(file) && file.file !== null);
  if (others.length === 0) return;
  const left = stored.filter((chapter) => !pairs.taken.has(chapter));
  if (left.length === 0) return;
  const byKey = new Map(left.toReversed().map((chapter) => [keyOf(chapter), chapter]));
  for (const file of others) {
    const key = keyOfFile(file);
    const chapter = key === null ? undefined : byKey.get(key);
    if (chapter !== undefined && !pairs.taken.has(chapter)) pairs.give(file, chapter);
  }
}

/** The paragraphs of a prose; null if there is none by which it could be known. */
function textOf(prose: { blocks: readonly { source: string }[] } | undefined): string | null {
  return prose?.blocks.map(({ source }) => source).join("\n\n") || null;
}

/** A name as file systems compare it that mind neither case nor the form of an accent. */
function folded(file: string | null): string | null {
  return file?.normalize("NFC").toLowerCase() ?? null;
}

/**
 * The book's chapters in the order that they are to have: what is there keeps its place, unless `order`, the files of the
 * folder's list, puts it into another; a new one stands behind the chapter of the file before it, and if there is none,
 * at the end of its part, else of the book. O(chapters²) for new chapters alone.
 */
export function placeChapters(
  stored: readonly StoredChapter[],
  matched: readonly MatchedChapter[],
  order: readonly string[] | undefined,
): (StoredChapter | MatchedChapter)[] {
  const files = new Map(matched.map((match) => [match.stored, match.incoming.file ?? undefined]));
  const list: (StoredChapter | MatchedChapter)[] =
    order === undefined ? [...stored] : inOrder(stored, (chapter) => files.get(chapter), order);
  let before = -1;
  for (const match of matched) {
    if (match.stored !== undefined) {
      before = list.indexOf(match.stored);
      continue;
    }
    before = before >= 0 ? before + 1 : endOfPart(list, match.incoming.fields().part);
    list.splice(before, 0, match);
  }
  return list;
}

function endOfPart(
  list: readonly (StoredChapter | MatchedChapter)[],
  part: string | null | undefined,
): number {
  const last = part == null ? -1 : list.findLastIndex((entry) => "rank" in entry && entry.part === part);
  return last >= 0 ? last + 1 : list.length;
}
