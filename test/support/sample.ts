import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { createFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook, setGoal } from "../../src/service/books/books.ts";
import { saveSynopsis } from "../../src/service/books/chapter-fields.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { createPart } from "../../src/service/books/parts.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { createMilestone } from "../../src/service/history/milestones.ts";
import type { Caller, Manuscript, Surroundings } from "../../src/service/manuscript.ts";
import { once } from "../../src/text/once.ts";
import { manuscript, seeded, ticking } from "./sandbox.ts";

/** Ids of a small book that holds one of everything. */
export interface Sample {
  bookId: string;
  partId: string;
  otherPartId: string;
  chapterId: string;
  otherChapterId: string;
  /** The first paragraph of the first chapter: it carries a mention and a note. */
  blockId: string;
  factId: string;
  otherFactId: string;
  snippetId: string;
  todoId: string;
  milestoneId: string;
}

export const MARKDOWN = `# The Ferry

Mara came down to the *ferry* before light, and the bell was already ringing.

“You are late,” said old Tobit.

* * *

> The tide waits for nobody,\\
> and nobody waits for the tide.

- rope
- lamp
`;

const OTHER = "# The Lamp\n\nMara lit the lamp. Tobit[^1] did not look up.\n\n[^1]: He never did.\n";

export const OWNER: Caller = { source: "cli" };

/** Writes the sample into a manuscript. */
export function writeSample(manuscript: Manuscript): Sample {
  const { id: bookId } = createBook(manuscript, { title: "The Ferry Book" }, OWNER);
  const { id: partId } = createPart(manuscript, bookId, { title: "Out" }, OWNER);
  const { id: otherPartId } = createPart(manuscript, bookId, { title: "Back" }, OWNER);
  const { id: chapterId } = createChapter(
    manuscript,
    bookId,
    { title: "The Ferry", partId, markdown: MARKDOWN },
    OWNER,
  );
  const other = { title: "The Lamp", partId: otherPartId, markdown: OTHER, status: "revising" } as const;
  const { id: otherChapterId } = createChapter(manuscript, bookId, other, OWNER);
  saveSynopsis(manuscript, chapterId, { synopsis: "Mara is late." }, OWNER);
  const mara = {
    name: "Mara",
    kind: "character",
    summary: "She keeps the lamp.",
    attributes: [{ key: "eyes", value: "grey" }],
  };
  const { id: factId } = createFact(manuscript, bookId, mara, OWNER);
  const tobit = { name: "Tobit", kind: "character", aliases: ["old Tobit"] };
  const { id: otherFactId } = createFact(manuscript, bookId, tobit, OWNER);
  reanchorMentions(manuscript, bookId, OWNER);
  const blockId = firstParagraph(manuscript, chapterId);
  const { id: snippetId } = createSnippet(
    manuscript,
    bookId,
    { kind: "note", blockId, text: "Too dark?" },
    OWNER,
  );
  const todo = { kind: "todo", chapterId, items: [{ text: "tide table", done: false }] } as const;
  const { id: todoId } = createSnippet(manuscript, bookId, { ...todo, items: [...todo.items] }, OWNER);
  setGoal(manuscript, bookId, { targetWords: 1000, deadline: "2026-06-30" }, OWNER);
  const { id: milestoneId } = createMilestone(manuscript, bookId, { name: "First draft" }, OWNER);
  return {
    bookId,
    partId,
    otherPartId,
    chapterId,
    otherChapterId,
    blockId,
    factId,
    otherFactId,
    snippetId,
    todoId,
    milestoneId,
  };
}

const sampleFile = once(() => {
  const ends: (() => unknown)[] = [];
  const clock = ticking();
  const own = manuscript({ after: (end) => ends.push(end as () => unknown) }, { clock });
  const sample = writeSample(own);
  const [removeFolder, close] = ends;
  close?.();
  const bytes = readFileSync(own.store.path);
  removeFolder?.();
  return { bytes, sample, now: clock() };
});

/** A manuscript that holds the sample: written once, then copied. Its ids and its time go on behind the sample's. */
export function withSample(
  t: Pick<TestContext, "after">,
  surroundings: Surroundings = {},
): { own: Manuscript; sample: Sample } {
  const { bytes, sample, now } = sampleFile();
  const own = manuscript(t, { clock: ticking(now), random: seeded(2), ...surroundings }, bytes);
  return { own, sample: { ...sample } };
}

interface Block {
  type: string;
  attrs?: { blockId?: string };
}

/** The `blockId` of a chapter's first paragraph. */
export function firstParagraph(manuscript: Manuscript, chapterId: string): string {
  const answer = readChapterAnswer(manuscript, chapterId, { format: "doc" });
  const content = ("doc" in answer ? answer.doc.content : []) as Block[];
  const blockId = content.find(({ type }) => type === "paragraph")?.attrs?.blockId;
  if (blockId === undefined) throw new Error("the chapter has no paragraph");
  return blockId;
}
