import { groupBy } from "../../../../text/group-by.ts";
import type { Outline } from "../../parts/view.tsx";
import type { Snippet } from "../read/snippet.ts";

/** Notes under one heading. */
export interface NoteGroup {
  key: string;
  title: string;
  /** Where the heading leads, below the book's address. */
  to?: string;
  snippets: readonly Snippet[];
}

/** True if an item of a to-do list is not done. */
export function isOpenTodo({ kind, items }: Snippet): boolean {
  return kind === "todo" && items?.some(({ done }) => !done) === true;
}

/** Detached notes first, then those of no chapter, then by chapter in reading order; no group is empty. */
export function groupsOfNotes({ chapters }: Outline, snippets: readonly Snippet[]): NoteGroup[] {
  const ids = new Set(chapters.map(({ id }) => id));
  const groups = groupBy(snippets, ({ detached, chapterId }) => {
    if (detached !== null) return "lost";
    return chapterId !== null && ids.has(chapterId) ? chapterId : "loose";
  });
  const heads = [
    { key: "lost", title: "Without a place" },
    { key: "loose", title: "Beside the whole book" },
    ...chapters.map(({ id, title, position }) => ({
      key: id,
      title: `${position} · ${title}`,
      to: `/c/${id}`,
    })),
  ];
  return heads.flatMap((head) => {
    const own = groups.get(head.key);
    return own === undefined ? [] : [{ ...head, snippets: own }];
  });
}
