import { write } from "../../api/write.ts";
import type { Outline } from "../../parts/view.tsx";

/** A chapter of an outline. */
export type OutlineChapter = Outline["chapters"][number];

/** The chapters of each part in reading order; those without one come first, under an empty title. */
export function groupsOf(
  book: Outline,
): { id: string | null; title: string; chapters: readonly OutlineChapter[] }[] {
  const within = (partId: string | null) => book.chapters.filter((chapter) => chapter.partId === partId);
  const loose = { id: null, title: "", chapters: within(null) };
  const parts = book.parts.map(({ id, title }) => ({ id, title, chapters: within(id) }));
  return loose.chapters.length > 0 || parts.length === 0 ? [loose, ...parts] : parts;
}

/** Words of the longest chapter, at least 1. */
export function longestOf({ chapters }: Outline): number {
  return chapters.reduce((most, { wordCount }) => Math.max(most, wordCount), 1);
}

/** Saves a chapter's title. */
export function rename({ id }: OutlineChapter, title: string): void {
  if (title !== "")
    void write("updateChapter", { params: { chapterId: id }, body: { title } }, "The chapter is renamed.");
}

/** Saves a chapter's synopsis. */
export function saveSynopsis({ id }: OutlineChapter, synopsis: string): void {
  void write("saveSynopsis", { params: { chapterId: id }, body: { synopsis } }, "The synopsis is saved.");
}

/** Moves a chapter past its neighbour, across the border of a part too. The focus stays with it. */
export function moveBy(book: Outline, chapter: OutlineChapter, by: -1 | 1): void {
  const index = book.chapters.findIndex(({ id }) => id === chapter.id);
  const neighbour = book.chapters[index + by];
  if (neighbour === undefined) return;
  // At a part's border the chapter first changes the part and stays where it is.
  const isWithin = neighbour.partId === chapter.partId;
  moveTo(chapter, neighbour.partId, isWithin ? neighbour.position : chapter.position);
}

/** Moves a chapter to a position in reading order, from 1, and into a part. */
export function moveTo({ id }: OutlineChapter, partId: string | null, position: number): void {
  void write(
    "updateChapter",
    { params: { chapterId: id }, body: { partId, position } },
    "The chapter is moved.",
  ).then(() => document.querySelector<HTMLElement>(`[data-chapter="${id}"]`)?.focus());
}
