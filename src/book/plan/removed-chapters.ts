import type { ChapterId } from "../../ids.ts";
import type { Side } from "../../three-way.ts";
import type { ChapterFile, StoredChapter } from "../book.ts";
import type { BookBase } from "../book-base.ts";
import type { LastFile, MatchedChapter } from "../merge/match-chapters.ts";
import type { WithoutFile } from "./moved-paragraphs.ts";

/** A file whose chapter the manuscript has deleted, or joined to another, since the last exchange. */
export interface RemovedChapter {
  id: ChapterId;
  match: MatchedChapter;
  /** True if the file equals an earlier state of itself, so that it brings nothing new. */
  isSame: boolean;
}

/** Input for finding removed chapters. */
interface Removing {
  base: BookBase | undefined;
  chapters: readonly StoredChapter[];
  force: Side | undefined;
}

/** Finds the files whose chapters the manuscript has removed since the folder last had them. */
export function findRemoved(
  matches: readonly MatchedChapter[],
  { base, chapters, force }: Removing,
): RemovedChapter[] {
  if (base === undefined) return [];
  return matches.flatMap((match) => {
    const { incoming, stored } = match;
    const last = stored || incoming.file === null ? undefined : lastOf(incoming, base, chapters);
    if (last === undefined) return [];
    if (last.isSame && force !== "incoming") return [{ match, ...last }];
    return base.lastProse(last.id) === undefined ? [] : [{ match, ...last, isSame: false }];
  });
}

/** Returns the removed chapter of this file, and whether the file equals an earlier state. */
function lastOf(
  incoming: ChapterFile,
  base: BookBase,
  chapters: readonly StoredChapter[],
): { id: ChapterId; isSame: boolean } | undefined {
  const present = new Set(chapters.map(({ id }) => id));
  const removed = [...base.last.values()].filter(({ chapterId }) => !present.has(chapterId));
  const isSame = ({ chapterId, hash }: LastFile) =>
    hash === incoming.hash || base.hasHad(chapterId, incoming.hash);
  // A renamed file still names its chapter.
  const isOf = [
    ({ file }: LastFile) => file === incoming.file,
    ({ chapterId }: LastFile) => chapterId === incoming.fields().id,
  ];
  const find = (all: typeof removed) => isOf.map((is) => all.find(is)).find((one) => one !== undefined);
  const same = find(removed.filter(isSame));
  const last = same ?? find(removed);
  return last && { id: last.chapterId, isSame: same !== undefined };
}

/** Finds the chapters that both sides have removed since they last met. */
export function removedOnBoth(
  removed: readonly RemovedChapter[],
  { base, chapters, isGone }: Omit<Removing, "force"> & { isGone: (file: string) => boolean },
): WithoutFile[] {
  if (base === undefined) return [];
  // A chapter that went before the last exchange was not listed there.
  const listed = new Set(base.description?.order);
  const present = new Set(chapters.map(({ id }) => id));
  const known = new Set(removed.map(({ id }) => id));
  const taken = new Set(chapters.map(({ id }) => base.last.get(id)?.file));
  return [...base.last.values()].flatMap(({ chapterId, file }) =>
    file === null || present.has(chapterId) || known.has(chapterId) || taken.has(file)
      ? []
      : listed.has(file) && isGone(file)
        ? [{ stored: undefined, was: () => base.lastProse(chapterId) }]
        : [],
  );
}
