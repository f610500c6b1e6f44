import type { ChapterRow } from "../store/chapters.ts";
import { findExchange } from "../store/exchanges.ts";
import type { Store } from "../store/store.ts";
import type { ReadChapter } from "./import-chapter.ts";

/** A file and the chapter that it is for, if there is one. */
export interface Matched {
  asked: ReadChapter;
  stored: ChapterRow | undefined;
}

/**
 * The chapter of each file, each at most once: the one that its front matter's id names, else the one that had
 * its name last. Of files that say the same id the one that the chapter had last keeps it, the others are copies of it.
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
  const claims = new Map<string, ReadChapter[]>();
  for (const asked of read) {
    const { id } = asked.fields;
    if (id !== undefined) claims.set(id, [...(claims.get(id) ?? []), asked]);
  }
  for (const stored of present) {
    const [first, ...others] = claims.get(stored.id) ?? [];
    if (first === undefined) continue;
    const here = others.length > 0 ? lastName(store, folder, stored) : undefined;
    give([first, ...others].find(({ file }) => file === here) ?? first, stored);
  }
  const others = read.filter((asked) => !found.has(asked) && asked.file !== null);
  const left = others.length === 0 ? [] : present.filter((chapter) => !taken.has(chapter));
  // Where two had a name, the first in reading order is meant.
  const byName = new Map(left.toReversed().map((chapter) => [lastName(store, folder, chapter), chapter]));
  for (const asked of others) {
    const stored = byName.get(asked.file);
    if (stored !== undefined && !taken.has(stored)) give(asked, stored);
  }
  return read.map((asked) => ({ asked, stored: found.get(asked) }));
}

/** The file that a chapter had last in the folder, else the one that it was imported from. */
function lastName(store: Store, folder: string | undefined, { id, file }: ChapterRow): string | null {
  const last = folder === undefined ? undefined : findExchange(store, { folder, chapterId: id });
  return last?.file ?? file;
}
