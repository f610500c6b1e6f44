import type { BookId } from "../../../src/ids.ts";
import { BLANK } from "../../../src/service/books/chapters.ts";
import { planNew } from "../../../src/service/books/plan-new-chapter.ts";
import { createMilestone } from "../../../src/service/history/milestones.ts";
import { write } from "../../../src/service/manuscript.ts";
import { insertNew } from "../../../src/service/prose/apply-plan.ts";
import { requestMarkdown } from "../../../src/service/prose/replace-prose.ts";
import { replaceInBook } from "../../../src/service/prose/replace-text.ts";
import { ranksBetween } from "../../../src/store/rows/rank.ts";
import { insertSnippet } from "../../../src/store/rows/snippets.ts";
import type { Ground, Line } from "./lines.ts";

const OWNER = { source: "cli" } as const;
/** Of 50 words: with two of them a chapter, 10,000 chapters are a million words. */
const PARAGRAPH = "The harbour lamp went out at nine, and nobody kept it lit. ".repeat(4);
const post = (path: string, body: unknown) =>
  ({ method: "POST", path, type: "application/json", body: JSON.stringify(body) }) as const;

/** Adds so many chapters of two paragraphs, as one act. */
function addChapters({ manuscript, bookId }: Pick<Ground, "manuscript" | "bookId">, count: number): void {
  const { store } = manuscript;
  const ranks = ranksBetween(undefined, undefined, count);
  const plans = ranks.map((rank, at) => {
    const { prose } = requestMarkdown(`${at}. ${PARAGRAPH}\n\n${PARAGRAPH}\n`);
    return { rank, title: `Chapter ${at}`, planned: planNew(store, prose) };
  });
  write(manuscript, "importBook", OWNER, (act) => {
    for (const { rank, title, planned } of plans)
      insertNew(
        store,
        act,
        { ...BLANK, bookId, partId: null, rank, title, status: "draft", createdAt: act.at },
        planned,
      );
    return () => ({});
  });
}

function ofChapters(name: string, asked: (ground: Ground, bookId: BookId) => ReturnType<Line["lay"]>): Line {
  return {
    name: `chapters of a book: ${name}`,
    size: 2500,
    lay: (ground, n) => {
      addChapters(ground, n);
      return asked(ground, ground.bookId);
    },
  };
}

/** Requests to a book of very many chapters, and to a paragraph of very many notes. */
export const BOOKS: readonly Line[] = [
  ofChapters("POST milestones", (_, bookId) => post(`/books/${bookId}/milestones`, { name: "First draft" })),
  ofChapters("POST a first chapter", (_, bookId) =>
    post(`/books/${bookId}/chapters`, { title: "New", position: 1 }),
  ),
  ofChapters("POST replace", (_, bookId) =>
    post(`/books/${bookId}/replace`, { find: "lamp", with: "light" }),
  ),
  ofChapters("POST restore", ({ manuscript }, bookId) => {
    const { id: to } = createMilestone(manuscript, bookId, { name: "First draft" }, OWNER);
    replaceInBook(manuscript, bookId, { find: "lamp", with: "light" }, OWNER);
    return post(`/books/${bookId}/restore`, { to });
  }),
  {
    name: "notes of a paragraph: DELETE it",
    size: 2500,
    lay: (ground, n) => {
      const { manuscript, bookId } = ground;
      const { store } = manuscript;
      addChapters(ground, 1);
      const [leaf] = store.all<{ id: string; chapterId: string }>(
        "SELECT id, chapter_id AS chapterId FROM leaves ORDER BY id",
      );
      const { id: blockId, chapterId } = leaf!; // it has two
      write(manuscript, "createSnippet", OWNER, ({ at: createdAt }) => {
        const anchor = {
          bookId,
          chapterId,
          blockId,
          kind: "note",
          url: null,
          items: null,
          detached: null,
        } as const;
        for (let at = 0; at < n; at++)
          insertSnippet(store, { ...anchor, id: store.mint("snippet"), text: `Note ${at}`, createdAt });
        return () => ({});
      });
      return { method: "DELETE", path: `/chapters/${chapterId}/paragraphs/${blockId}` };
    },
  },
];
