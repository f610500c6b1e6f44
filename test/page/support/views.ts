import type { PageLab } from "./page-lab.ts";

/** The address of every view on the novel, by its name. */
export async function addressesOf(lab: PageLab): Promise<Readonly<Record<string, string>>> {
  const { body: outline } = await lab.script("GET", `/books/${lab.bookId}`);
  const { body: made } = await lab.script("POST", `/books/${lab.bookId}/milestones`, { name: "First draft" });
  const { body: list } = await lab.script("GET", `/books/${lab.bookId}/facts`);
  const book = `/b/${lab.bookId}`;
  const chapter = `${book}/c/${outline.chapters[0].id}`;
  return {
    desk: book,
    read: `${book}/read`,
    chapter,
    editor: `${chapter}/edit`,
    older: `${chapter}?r=1`,
    history: `${chapter}/history`,
    map: `${book}/map`,
    fact: `${book}/map/${list.facts[0].id}`,
    insight: `${book}/insight`,
    review: `${book}/review`,
    proposals: `${book}/proposals`,
    notes: `${book}/notes`,
    replace: `${book}/replace`,
    acts: `${book}/acts`,
    export: `${book}/export`,
    milestones: `${book}/milestones?from=${made.id}`,
    settings: "/settings",
    shelf: "/?new",
  };
}
