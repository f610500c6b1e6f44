import type { Answer } from "../../api/operations.ts";

/** A book with its parts, chapters, goal and progress. */
export type Outline = Answer<"readOutline">;
/** A chapter of it. */
export type OutlineChapter = Outline["chapters"][number];

/** The chapters of each part in reading order; those without one come first, under an empty title. */
export function groupsOf(
  book: Outline,
): { id: string | null; title: string; chapters: readonly OutlineChapter[] }[] {
  const byPart = new Map<string | null, OutlineChapter[]>();
  for (const chapter of book.chapters) {
    const own = byPart.get(chapter.partId);
    if (own === undefined) byPart.set(chapter.partId, [chapter]);
    else own.push(chapter);
  }
  const loose = { id: null, title: "", chapters: byPart.get(null) ?? [] };
  const parts = book.parts.map(({ id, title }) => ({ id, title, chapters: byPart.get(id) ?? [] }));
  return loose.chapters.length > 0 || parts.length === 0 ? [loose, ...parts] : parts;
}

/** Words of the longest chapter, at least 1. */
export function longestOf({ chapters }: Outline): number {
  return chapters.reduce((most, { wordCount }) => Math.max(most, wordCount), 1);
}
