import type { ChapterId } from "../../ids.ts";
import type { StoredProse } from "../../prose/plan.ts";
import { groupBy } from "../../text/group-by.ts";
import type { ChapterFile, StoredChapter } from "../book.ts";
import { inOrder } from "../merge-description.ts";

/** A file and the chapter that it is for, if there is one. */
export interface MatchedChapter {
  incoming: ChapterFile;
  stored: StoredChapter | undefined;
}

/** Files that a folder is known to have had. */
export interface KnownFolder {
  /** The last file of each chapter. */
  last: ReadonlyMap<ChapterId, LastFile>;
  /** Returns a chapter's prose at the last exchange; undefined if it is not known any more. */
  lastProse: (id: ChapterId) => StoredProse | undefined;
}

/** A chapter's file in a folder at the last exchange. */
export interface LastFile {
  chapterId: ChapterId;
  /** Relative to the folder; null if no file of its own held it. */
  file: string | null;
  hash: string;
}

/**
 * Finds the chapter of each file, each at most once: the chapter whose unchanged file it is; else the one that its
 * front matter's id names; else the one that had its name last; else, if that chapter's own file is gone, the one
 * whose file was renamed (only by case or Unicode form, unchanged, or with the same prose and no id). Of several
 * files with the same id, the chapter's last file keeps it and the others are copies. `folder` is undefined if none
 * is known. O(chapters).
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
  // A single file may be a copy: the chapter's own file may still be there.
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

/** Pairs of files and chapters; a chapter is given to one file only. */
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

/** Pairs unchanged files, and files whose front matter names their chapter. */
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
    // An unchanged file gives way to one that names the chapter's id, but only if it does not name the id itself.
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

/**
 * Pairs the remaining files and chapters that have the same key. If two chapters have it, the first in reading order
 * counts.
 */
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

/** Returns the text of the paragraphs; null if there is too little to recognize the prose by. */
function textOf(prose: { blocks: readonly { source: string }[] } | undefined): string | null {
  return prose?.blocks.map(({ source }) => source).join("\n\n") || null;
}

/** Returns a name as case-insensitive and normalizing file systems compare it. */
function folded(file: string | null): string | null {
  return file?.normalize("NFC").toLowerCase() ?? null;
}

/**
 * Returns the book's chapters in their new order. Stored chapters keep their places unless `order`, the files of the
 * folder's list, changes them. A new chapter goes behind the chapter of the file before it, else to the end of its
 * part, else to the end of the book. O(chapters²) for new chapters only.
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
