import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { SNIPPET_KINDS } from "../enums.ts";
import { act, address, cleanText, count, id, snippet, todo } from "../fields.ts";
import { LENGTHS, LIMITS } from "../limits.ts";

const body = {
  kind: z.enum(SNIPPET_KINDS),
  chapterId: id.nullable().optional(),
  blockId: id.nullable().optional(),
  text: cleanText(LIMITS.noteCharacters).nullable().optional(),
  url: address.nullable().optional().describe("An http, https or mailto address."),
  items: z.array(todo).max(LENGTHS.items).nullable().optional().describe("For kind todo."),
};

export const listSnippets = endpoint({
  route: "GET /books/{bookId}/snippets",
  tier: "read",
  summary: "List a book's marginalia, in chapter order",
  description:
    "Those beside no chapter come first. A note whose paragraph was removed has blockId null, and `detached` quotes that paragraph.",
  query: z.object({ chapterId: id.optional().describe("Only those of this chapter.") }),
  answer: z.object({ snippets: z.array(snippet), total: count }),
});

export const readSnippet = endpoint({
  route: "GET /snippets/{snippetId}",
  tier: "read",
  beyond: true,
  summary: "Read a snippet",
  description: "With what others said of it in `replies`, and in `detached` the paragraph that it lost.",
  answer: z.object({ snippet }),
  hasEntityTag: true,
});

export const createSnippet = endpoint({
  route: "POST /books/{bookId}/snippets",
  tier: "write",
  ownByProposers: true,
  tagged: "snippet",
  summary: "Add a note, reference, to-do list or piece of research beside the prose",
  description:
    "blockId anchors it to a paragraph and alone names its chapter too; chapterId alone sets it beside a chapter. With replyTo it answers another note: it is set beside the same place, and its text begins with a line that quotes that note.",
  body: {
    json: z.strictObject({
      ...body,
      replyTo: id.optional().describe("A note of this book that it answers."),
    }),
  },
  answer: z.object({ id, snippet, act }),
  created: { location: "/snippets/{id}" },
  example: { body: { kind: "note", chapterId: "{chapterId}", text: "Check the tide on this date." } },
});

export const updateSnippet = endpoint({
  route: "PATCH /snippets/{snippetId}",
  tier: "write",
  ownByProposers: true,
  tagged: "snippet",
  summary: "Replace a snippet's content",
  description:
    "text and url that are not sent become null. items are kept when not sent and the kind stays todo; a snippet that leaves todo loses them, and itemsDropped lists them. The anchor stays unless chapterId or blockId is sent; blockId null detaches.",
  body: {
    json: z.strictObject({ ...body, resolved: z.boolean().optional().describe("Kept if not sent.") }),
  },
  answer: z.object({
    snippet,
    itemsDropped: z
      .array(z.object({ text: z.string(), done: z.boolean() }))
      .exactOptional()
      .describe("What a snippet that left todo held; undo brings it back."),
    act,
  }),
  example: { body: { kind: "note", text: "High water was at 6.12." } },
});

export const deleteSnippet = endpoint({
  route: "DELETE /snippets/{snippetId}",
  tier: "write",
  ownByProposers: true,
  summary: "Delete a snippet; it can be undone",
  description: "Its `replies` go with it; notes that answer it stay.",
  answer: z.object({ id, deleted: z.literal(true), act }),
});
