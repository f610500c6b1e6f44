import * as z from "zod";
import { endpoint, none, writing } from "../endpoint.ts";
import { act, book, chapterMeta, count, day, goal, id, outline, part, status, title } from "../fields.ts";
import { deletion } from "./chapters.ts";

const inBook = z.object({ bookId: id });
const position = count.min(1).describe("Place in reading order, from 1; without it, at the end.");

export const listBooks = endpoint({
  id: "listBooks",
  method: "GET",
  path: "/books",
  tier: "read",
  summary: "List the books",
  params: none,
  query: none,
  answer: z.object({ books: z.array(book), total: count }),
  refusals: [],
  example: {},
});

export const readOutline = endpoint({
  id: "readOutline",
  method: "GET",
  path: "/books/{bookId}",
  tier: "read",
  summary: "Read a book's outline: parts, chapters, goal, recent progress",
  params: inBook,
  query: none,
  answer: outline,
  refusals: ["not_found"],
  example: {},
});

export const createBook = endpoint({
  id: "createBook",
  method: "POST",
  path: "/books",
  tier: "write",
  beyond: true,
  summary: "Make a book",
  params: none,
  query: writing,
  body: { json: z.strictObject({ title: title() }) },
  answer: z.object({ id, book, act }),
  created: { location: "/books/{id}" },
  refusals: [],
  example: { body: { title: "The Second Book" } },
});

export const updateBook = endpoint({
  id: "updateBook",
  method: "PATCH",
  path: "/books/{bookId}",
  tier: "write",
  beyond: true,
  summary: "Rename a book",
  params: inBook,
  query: writing,
  body: { json: z.strictObject({ title: title() }) },
  answer: z.object({ book, act }),
  refusals: ["not_found"],
  example: { body: { title: "A Better Title" } },
});

export const deleteBook = endpoint({
  id: "deleteBook",
  method: "DELETE",
  path: "/books/{bookId}",
  tier: "write",
  beyond: true,
  summary: "Delete a book and all of it; it can be undone",
  params: inBook,
  query: writing,
  answer: deletion,
  refusals: ["not_found"],
  example: {},
});

export const setGoal = endpoint({
  id: "setGoal",
  method: "PUT",
  path: "/books/{bookId}/goal",
  tier: "write",
  beyond: true,
  summary: "Set the book's goal",
  params: inBook,
  query: writing,
  body: {
    json: z.strictObject({
      targetWords: count.min(1),
      deadline: day.nullable().optional().describe("null or left out: none."),
      dailyWords: count.min(1).nullable().optional().describe("null or left out: none."),
    }),
  },
  answer: z.object({ goal, act }),
  refusals: ["not_found"],
  example: { body: { targetWords: 80_000, deadline: "2027-12-31" } },
});

export const deleteGoal = endpoint({
  id: "deleteGoal",
  method: "DELETE",
  path: "/books/{bookId}/goal",
  tier: "write",
  beyond: true,
  summary: "Remove the book's goal",
  params: inBook,
  query: writing,
  answer: deletion,
  refusals: ["not_found"],
  example: {},
});

export const createPart = endpoint({
  id: "createPart",
  method: "POST",
  path: "/books/{bookId}/parts",
  tier: "write",
  beyond: true,
  summary: "Add a part",
  params: inBook,
  query: writing,
  body: { json: z.strictObject({ title: title(), position: position.optional() }) },
  answer: z.object({ id, part, act }),
  created: { location: "/books/{bookId}" },
  refusals: ["not_found"],
  example: { body: { title: "Part Four" } },
});

export const updatePart = endpoint({
  id: "updatePart",
  method: "PATCH",
  path: "/parts/{partId}",
  tier: "write",
  beyond: true,
  summary: "Rename a part, or move it with its chapters",
  params: z.object({ partId: id }),
  query: writing,
  body: { json: z.strictObject({ title: title().optional(), position: position.optional() }) },
  answer: z.object({ part, act }),
  refusals: ["not_found"],
  example: { body: { title: "Part One, again" } },
});

export const deletePart = endpoint({
  id: "deletePart",
  method: "DELETE",
  path: "/parts/{partId}",
  tier: "write",
  beyond: true,
  summary: "Remove a part; its chapters stay where they are, without a part",
  params: z.object({ partId: id }),
  query: writing,
  answer: deletion,
  refusals: ["not_found"],
  example: {},
});

export const createChapter = endpoint({
  id: "createChapter",
  method: "POST",
  path: "/books/{bookId}/chapters",
  tier: "write",
  beyond: true,
  summary: "Add a chapter, with prose or without",
  params: inBook,
  query: writing,
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
  refusals: ["not_found", "payload_too_large"],
  example: { body: { title: "An Afterword", markdown: "It was over.\n" } },
});
