import type { ChapterId } from "../../../ids.ts";
import { NotFound } from "../../../refusals.ts";

/** What a report of a book may be narrowed to, and who waits for it. */
export interface Narrowed {
  chapterId?: string | undefined;
  gone?: AbortSignal | undefined;
}

/** Whether a chapter is asked for: the one of this id, or any without one. Throws `NotFound` if the book has no such. */
export function narrowed(
  chapters: readonly { chapterId: ChapterId }[],
  asked: string | undefined,
): (chapter: { chapterId: ChapterId }) => boolean {
  if (asked === undefined) return () => true;
  if (chapters.every(({ chapterId }) => chapterId !== asked)) throw new NotFound("chapter");
  return ({ chapterId }) => chapterId === asked;
}
