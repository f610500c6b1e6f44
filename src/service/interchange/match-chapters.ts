import { findExchange } from "../../store/exchanges.ts";
import type { Store } from "../../store/file/store.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";
import type { ReadChapter } from "./incoming-chapter.ts";
import { hashOfFile } from "./merge-chapter.ts";

/** A file and the chapter that it is for, if there is one. */
export interface Matched {
  asked: ReadChapter;
  stored: ChapterRow | undefined;
}

/**
 * The chapter of each file, each at most once: the one that its front matter's id names, else the one that had
 * its name last, else, its own file being gone, the one whose file was renamed: by case or Unicode's form alone, or as it
 * was. Of files that say the same id the one that the chapter had last keeps it, the others are copies of it.
 */
export function matchFiles(
  store: Store,
  folder: string | undefined,
  present: readonly ChapterRow[],
  read: readonly ReadChapter[],
): Matched[] {
  const found = new Map<ReadChapter, ChapterRow>();
  const taken = new Set<ChapterRow>();
  const give = (asked: ReadChapter, stored: ChapterRow) => {
    found.set(asked, stored);
    taken.add(stored);
  };
  const claims = claimsOf(read);
  for (const stored of present) {
    const [first, ...others] = claims.get(stored.id) ?? [];
    if (first === undefined) continue;
    const here = others.length > 0 ? lastName(store, folder, stored) : undefined;
    give([first, ...others].find(({ file }) => file === here) ?? first, stored);
  }
  const seek = (
    keyOfFile: (asked: ReadChapter) => string | null,
    keyOf: (chapter: ChapterRow) => string | null,
  ) => {
    const others = read.filter((asked) => !found.has(asked) && asked.file !== null);
    if (others.length === 0) return;
    const left = present.filter((chapter) => !taken.has(chapter));
    // Where two have the same, the first in reading order is meant.
    const byKey = new Map(left.toReversed().map((chapter) => [keyOf(chapter), chapter]));
    for (const asked of others) {
      const key = keyOfFile(asked);
      const stored = key === null ? undefined : byKey.get(key);
      if (stored !== undefined && !taken.has(stored)) give(asked, stored);
    }
  };
  seek(
    ({ file }) => file,
    (chapter) => lastName(store, folder, chapter),
  );
  // A file by itself may be a copy: the one that the chapter has may still be there.
  if (folder !== undefined && read.length > 1) {
    seek(
      ({ file }) => folded(file),
      (chapter) => folded(lastName(store, folder, chapter)),
    );
    seek(hashOfFile, ({ id }) => findExchange(store, { folder, chapterId: id })?.hash ?? null);
  }
  return read.map((asked) => ({ asked, stored: found.get(asked) }));
}

/** The files that say the same id, by that. */
function claimsOf(read: readonly ReadChapter[]): Map<string, ReadChapter[]> {
  const claims = new Map<string, ReadChapter[]>();
  for (const asked of read) {
    const { id } = asked.fields;
    if (id !== undefined) claims.set(id, [...(claims.get(id) ?? []), asked]);
  }
  return claims;
}

/** The file that a chapter had last in the folder, else the one that it was imported from. */
function lastName(store: Store, folder: string | undefined, { id, file }: ChapterRow): string | null {
  const last = folder === undefined ? undefined : findExchange(store, { folder, chapterId: id });
  return last?.file ?? file;
}

/** A name as file systems compare it that mind neither case nor the form of an accent. */
function folded(file: string | null): string | null {
  return file?.normalize("NFC").toLowerCase() ?? null;
}
