import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import {
  act,
  count,
  deletion,
  id,
  mentionDropped,
  name,
  POINTS,
  pointName,
  snippetDetached,
  time,
  title,
} from "../fields.ts";
import { LIMITS } from "../limits.ts";

const milestoneName = title(LIMITS.nameCharacters);

const milestone = name(
  "Milestone",
  "A name for the book as it was after an act.",
  z.object({
    id,
    bookId: id,
    name: z.string(),
    act: id,
    at: time.describe("When the act was."),
    wordCount: count.describe("Of the book then."),
    chapterCount: count,
    createdAt: time,
  }),
);

const warnings = z.array(z.string()).describe("same_name: another milestone of the book is called so.");

export const listMilestones = endpoint({
  route: "GET /books/{bookId}/milestones",
  tier: "read",
  beyond: true,
  summary: "List a book's milestones, oldest first",
  description:
    "By the moments that they name, each with the length of the book then. Their names and ids serve wherever a moment is asked for.",
  answer: z.object({ milestones: z.array(milestone), total: count }),
});

export const createMilestone = endpoint({
  route: "POST /books/{bookId}/milestones",
  tier: "write",
  beyond: true,
  summary: "Name the book as it is: a milestone",
  description:
    "Or as it was after an act, by `act`. It costs nothing: the history holds every state already, and nothing of it is ever pruned.",
  body: {
    json: z.strictObject({
      name: milestoneName,
      act: id.optional().describe("The newest act without it."),
    }),
  },
  answer: z.object({ id, milestone, warnings, act }),
  created: { location: "/books/{bookId}/milestones" },
  example: { body: { name: "First draft" } },
});

export const updateMilestone = endpoint({
  route: "PATCH /milestones/{milestoneId}",
  tier: "write",
  beyond: true,
  summary: "Rename a milestone",
  description: "It goes on naming the same moment.",
  body: { json: z.strictObject({ name: milestoneName }) },
  answer: z.object({ milestone, warnings, act }),
  example: { body: { name: "Second draft" } },
});

export const deleteMilestone = endpoint({
  route: "DELETE /milestones/{milestoneId}",
  tier: "write",
  beyond: true,
  summary: "Delete a milestone: its name alone, the history keeps the state",
  description: "Undo brings the name back.",
  answer: deletion,
});

const side = z.object({
  title: z.string(),
  position: count,
  partId: id.nullable(),
  partTitle: z.string().nullable(),
  wordCount: count,
});
const words = z.object({ added: count, removed: count });
const paragraphs = z
  .object({ kept: count, edited: count, moved: count, new: count, removed: count })
  .describe("A paragraph that went to another chapter counts as moved, in the one that it stands in.");
const length = z.object({ wordCount: count, chapterCount: count });
const point = name(
  "Point",
  "A moment of a book's history: after an act; null before there was any.",
  z.object({
    act: id.nullable(),
    at: time.nullable(),
    milestone: z.object({ id, name: z.string() }).nullable(),
  }),
);

const bookComparison = {
  title: z.object({ from: z.string().nullable(), to: z.string().nullable() }).describe("The book's."),
  goalChanged: z.boolean(),
  chapters: z
    .array(
      z.object({
        chapterId: id,
        change: z.enum(["same", "changed", "new", "removed"]),
        changes: z.array(z.enum(["prose", "title", "part", "status", "synopsis", "place"])),
        from: side.nullable(),
        to: side.nullable(),
        words,
        paragraphs,
      }),
    )
    .describe("Every chapter of either, in the order of `to`; removed ones where they stood."),
  parts: z
    .array(
      z.object({
        partId: id,
        from: z.object({ title: z.string(), position: count }).nullable(),
        to: z.object({ title: z.string(), position: count }).nullable(),
      }),
    )
    .describe("Those that came, went, moved or were renamed."),
  totals: z.object({
    from: length,
    to: length,
    words,
    paragraphs,
    chapters: z.object({ changed: count, new: count, removed: count, moved: count, retitled: count }),
  }),
};

export const compareBooks = endpoint({
  route: "GET /books/{bookId}/compare",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Compare a book with what it was, chapter by chapter",
  description: `Any two moments of its history, each named as ${POINTS}. Chapters and paragraphs go on by their ids; GET /chapters/{chapterId}/diff takes the same names and shows the words.`,
  query: z.object({
    from: pointName
      .optional()
      .describe(`${POINTS}; without it the newest milestone, else the book as it was first written.`),
    to: pointName.optional().describe(`${POINTS}; without it now.`),
  }),
  answer: z.object({ from: point, to: point, ...bookComparison }),
  example: { query: { from: "First draft" } },
});

export const restoreBook = endpoint({
  route: "POST /books/{bookId}/restore",
  tier: "write",
  cost: "book",
  tagged: "book",
  beyond: true,
  summary: "Put a whole book back as it was at a moment of its history, as one act",
  description: `\`to\` is ${POINTS}. Prose, titles, order, parts, statuses, synopses and the goal are as then; chapters deleted since come back with their ids, chapters made since are deleted; undo brings all of it back. Notes are never deleted: those on paragraphs that go are detached, those on paragraphs that come back are attached again. Facts and notes keep what they say today. The answer compares the book as it was just before with what it is now: try it with dryRun=1.`,
  body: { json: z.strictObject({ to: pointName }) },
  answer: z.object({
    to: point,
    changed: z.boolean(),
    ...bookComparison,
    mentionsDropped: z.array(mentionDropped),
    mentionsRestored: count.describe("Mentions that came back with their paragraphs."),
    snippetsDetached: z.array(snippetDetached),
    snippetsAttached: z.array(z.object({ id, chapterId: id, blockId: id.nullable() })),
    act,
  }),
  example: { body: { to: "First draft" } },
});
