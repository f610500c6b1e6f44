import { write } from "../../api/write.ts";
import type { Outline, OutlineChapter } from "./outline.ts";

/** Moves a chapter before or behind its neighbour, across the border of parts too. The focus stays with it. */
export function moveBy(book: Outline, chapter: OutlineChapter, by: -1 | 1): void {
  const index = book.chapters.findIndex(({ id }) => id === chapter.id);
  const neighbour = book.chapters[index + by];
  if (neighbour === undefined) return;
  // At a part's border the chapter first changes the part and stays where it is.
  const isWithin = neighbour.partId === chapter.partId;
  moveTo(chapter, neighbour.partId, isWithin ? neighbour.position : chapter.position);
}

/** Moves a chapter to a place in reading order, from 1, and into a part. */
export function moveTo({ id }: OutlineChapter, partId: string | null, position: number): void {
  void write(
    "updateChapter",
    { params: { chapterId: id }, body: { partId, position } },
    "The chapter is moved.",
  ).then(() => document.querySelector<HTMLElement>(`[data-chapter="${id}"]`)?.focus());
}
