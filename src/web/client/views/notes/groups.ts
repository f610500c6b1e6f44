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
  const lost: Snippet[] = [];
  const loose: Snippet[] = [];
  const byChapter = new Map<string, Snippet[]>(chapters.map(({ id }) => [id, []]));
  for (const snippet of snippets) {
    const own = snippet.chapterId === null ? loose : byChapter.get(snippet.chapterId);
    (snippet.detached !== null ? lost : (own ?? loose)).push(snippet);
  }
  return [
    { key: "lost", title: "Without a place", snippets: lost },
    { key: "loose", title: "Beside the whole book", snippets: loose },
    ...chapters.map(({ id, title, position }) => ({
      key: id,
      title: `${position} · ${title}`,
      to: `/c/${id}`,
      snippets: byChapter.get(id) ?? [],
    })),
  ].filter((group) => group.snippets.length > 0);
}
