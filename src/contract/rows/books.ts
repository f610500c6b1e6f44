import * as z from "zod";
import { PICTURE_TYPES } from "../../picture-type.ts";
import { endpoint } from "../endpoint.ts";
import { PUBLISH_FORMATS, PUBLISHED, SNIPPET_KINDS } from "../enums.ts";
import {
  act,
  book,
  bookOutline,
  chapterMeta,
  count,
  day,
  deletion,
  goal,
  id,
  metadata,
  part,
  status,
  title,
} from "../fields.ts";
import { LIMITS } from "../limits.ts";

const position = count.min(1).describe("Place in reading order, from 1; without it, at the end.");

export const listBooks = endpoint({
  route: "GET /books",
  tier: "read",
  summary: "List the books",
  description: "In the order in which they were made, each with its words and chapters counted.",
  answer: z.object({ books: z.array(book), total: count }),
});

export const readOutline = endpoint({
  route: "GET /books/{bookId}",
  tier: "read",
  summary: "Read a book's outline: parts, chapters, goal, recent progress",
  description:
    "`chapters` is flat, in reading order, and `partId` names the part of each. `progress` has an entry for every local day, oldest first; words that were imported or restored are not `added`.",
  query: z.object({
    days: z.int().min(1).max(LIMITS.progressDaysMaximum).optional().meta({
      description: "Days of progress, today the last of them.",
      default: LIMITS.progressDays,
    }),
  }),
  answer: bookOutline,
  hasEntityTag: true,
});

export const exportBook = endpoint({
  route: "GET /books/{bookId}/export",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Export a book as one document",
  description:
    "A Word document in standard manuscript format, whose hidden bookmarks bring edits and comments back; an EPUB 3; one HTML file; or one in which beta readers comment. Notes are left out unless their kinds are named, and only a Word document shows them. `Content-Disposition` names the file.",
  query: z.object({
    format: z.enum(PUBLISH_FORMATS).describe("What to make."),
    chapters: z
      .string()
      .regex(/^\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*$/)
      .optional()
      .describe("Numbers of chapters and ranges of them: `3-5` or `1,4-6`. All without it."),
    notes: z
      .string()
      .regex(new RegExp(`^(?:all|(?:${SNIPPET_KINDS.join("|")})(?:,(?:${SNIPPET_KINDS.join("|")}))*)$`))
      .optional()
      .describe("Kinds of notes to show as comments, with commas between, or `all`."),
    style: z
      .enum(["manuscript", "plain"])
      .optional()
      .meta({ description: "How a Word document looks.", default: "manuscript" }),
  }),
  // Bytes, in one of these types.
  answer: z.object({ document: z.string() }),
  mediaTypes: [...new Set(Object.values(PUBLISHED).map(([type]) => type.replace(/;.*/, "")))],
  example: { query: { format: "epub" } },
});

export const readBookPicture = endpoint({
  route: "GET /books/{bookId}/pictures/{path}",
  tier: "read",
  beyond: true,
  summary: "Read a picture that a book keeps",
  description:
    "`path` is its place in the book's folder, such as `images/map.png`; its slashes may be percent-encoded. With `chapterId` it is a path as that chapter's prose names it. The type is told by the picture's first bytes. An SVG is sent so that no script in it runs.",
  query: z.object({ chapterId: id.optional().describe("The chapter whose prose names the path.") }),
  // Bytes, of one of these types.
  answer: z.object({ picture: z.string() }),
  mediaTypes: Object.values(PICTURE_TYPES).map(({ media }) => media),
  hasEntityTag: true,
});

export const createBook = endpoint({
  route: "POST /books",
  tier: "write",
  tagged: "book",
  beyond: true,
  summary: "Make a book",
  description: "It has no chapters yet: add them with POST /books/{bookId}/chapters.",
  body: { json: z.strictObject({ title: title(), ...metadata }) },
  answer: z.object({ id, book, act }),
  created: { location: "/books/{id}" },
  example: { body: { title: "The Second Book" } },
});

export const updateBook = endpoint({
  route: "PATCH /books/{bookId}",
  tier: "write",
  tagged: "book",
  beyond: true,
  summary: "Rename a book, or say who wrote it, in which language and so on",
  description: "What is not sent stays as it is; null removes anything but the title.",
  body: { json: z.strictObject({ title: title().optional(), ...metadata }) },
  answer: z.object({ book, act }),
  example: { body: { title: "A Better Title", author: "Ada North" } },
});

export const deleteBook = endpoint({
  route: "DELETE /books/{bookId}",
  tier: "write",
  cost: "book",
  beyond: true,
  summary: "Delete a book and all of it; it can be undone",
  description: "Chapters, facts, marginalia and milestones go with it; `mentionsDropped` lists the mentions.",
  answer: deletion,
});

export const setGoal = endpoint({
  route: "PUT /books/{bookId}/goal",
  tier: "write",
  tagged: "book",
  beyond: true,
  summary: "Set the book's goal",
  description:
    "It takes the place of the goal that there is. With a deadline, `wordsPerDay` says how many words a day reach it.",
  body: {
    json: z.strictObject({
      targetWords: count.min(1),
      deadline: day.nullable().optional().describe("null or left out: none."),
      dailyWords: count.min(1).nullable().optional().describe("null or left out: none."),
    }),
  },
  answer: z.object({ goal, act }),
  example: { body: { targetWords: 80_000, deadline: "2027-12-31" } },
});

export const deleteGoal = endpoint({
  route: "DELETE /books/{bookId}/goal",
  tier: "write",
  tagged: "book",
  beyond: true,
  summary: "Remove the book's goal",
  description: "404 where the book has none.",
  answer: deletion,
});

export const createPart = endpoint({
  route: "POST /books/{bookId}/parts",
  tier: "write",
  tagged: "part",
  beyond: true,
  summary: "Add a part",
  description: "It is empty: chapters are put into it by their `partId`.",
  body: { json: z.strictObject({ title: title(), position: position.optional() }) },
  answer: z.object({ id, part, act }),
  created: { location: "/books/{bookId}" },
  example: { body: { title: "Part Four" } },
});

export const updatePart = endpoint({
  route: "PATCH /parts/{partId}",
  tier: "write",
  tagged: "part",
  beyond: true,
  summary: "Rename a part, or move it with its chapters",
  description: "`position` is its place among the parts; its chapters keep their order.",
  body: { json: z.strictObject({ title: title().optional(), position: position.optional() }) },
  answer: z.object({ part, act }),
  example: { body: { title: "Part One, again" } },
});

export const deletePart = endpoint({
  route: "DELETE /parts/{partId}",
  tier: "write",
  beyond: true,
  summary: "Remove a part; its chapters stay where they are, without a part",
  description: "No prose changes; the outline shows them with `partId` null.",
  answer: deletion,
});

export const createChapter = endpoint({
  route: "POST /books/{bookId}/chapters",
  tier: "write",
  cost: "chapter",
  tagged: "chapter",
  beyond: true,
  summary: "Add a chapter, with prose or without",
  description:
    "At the end of its part, or of the book, unless `position` says where. It is a draft unless `status` says otherwise.",
  body: {
    json: z.strictObject({
      title: title(),
      partId: id.nullable().optional(),
      position: position.optional(),
      markdown: z.string().optional().describe("The prose; empty without it."),
      status: status.optional(),
    }),
    document: true,
  },
  answer: z.object({ id, chapter: chapterMeta, act }),
  created: { location: "/chapters/{id}" },
  refusals: ["payload_too_large"],
  example: { body: { title: "An Afterword", markdown: "It was over.\n" } },
});
