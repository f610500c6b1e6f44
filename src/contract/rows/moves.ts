import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { act, chapterMeta, id, ifRevision, snippet, status, title } from "../fields.ts";
import { MOVE_LIMIT } from "../limits.ts";

export const splitChapter = endpoint({
  route: "POST /chapters/{chapterId}/split",
  tier: "write",
  cost: "book",
  tagged: "chapter",
  beyond: true,
  summary: "Split a chapter in two",
  description:
    "What begins with `blockId` becomes a chapter of its own, right behind, in the same part and with the same status. Paragraphs, mentions and marginalia keep their ids and go with their text; no word counts as written. Without a title it is called as the heading that it begins with, else as the chapter.",
  body: {
    json: z.strictObject({
      blockId: id.describe("The second chapter's first paragraph; not one inside a list or quote."),
      title: title().optional(),
      ifRevision,
    }),
  },
  answer: z.object({
    id,
    chapter: chapterMeta.describe("The new one."),
    first: chapterMeta.describe("The one that was split."),
    act,
  }),
  created: { location: "/chapters/{id}" },
  example: { body: { blockId: "{blockId}", title: "Before Light" } },
});

export const joinChapters = endpoint({
  route: "POST /chapters/{chapterId}/join",
  tier: "write",
  cost: "book",
  tagged: "chapter",
  beyond: true,
  summary: "Join a chapter with the next one of its book, or another",
  description:
    "The prose of the next chapter, or of `chapterId`, goes behind this one's; paragraphs, mentions and marginalia keep their ids, its synopsis is added, and only its title and status go. Its front matter, and a synopsis that would be too long together, become a note on its first paragraph. One act: undo makes two of it again.",
  body: {
    json: z.strictObject({
      chapterId: id
        .optional()
        .describe("The one that goes behind this one, of the same book; else the next."),
      ifRevision,
    }),
  },
  answer: z.object({
    chapter: chapterMeta,
    joined: z.object({ id, title: z.string(), status }).describe("The chapter that is gone."),
    snippet: snippet
      .nullable()
      .describe("The note that keeps its front matter and a synopsis that is too long; null if it had none."),
    act,
  }),
  refusals: ["payload_too_large"],
  example: { body: {} },
});

export const moveParagraphs = endpoint({
  route: "POST /chapters/{chapterId}/move",
  tier: "write",
  cost: "book",
  tagged: "chapter",
  beyond: true,
  summary: "Move paragraphs to another place, in their chapter or in another of the book",
  description:
    "They arrive in the order in which they are named and keep their ids, mentions and marginalia; no word counts as written. A list, quote or footnote stays whole and is named by its first paragraph. A footnote goes along if no number of it stays; link definitions stay, and a link that would lose its own is spelt out. One act for both chapters.",
  body: {
    json: z.strictObject({
      blockIds: z.array(id).min(1).max(MOVE_LIMIT).describe("The paragraphs, each once."),
      toChapterId: id.describe("Where they go; this chapter itself to change their order."),
      after: id
        .nullable()
        .optional()
        .describe("The paragraph there that they go behind; null for the start. Left out: the end."),
      ifRevision,
    }),
  },
  answer: z.object({
    chapter: chapterMeta.describe("The one that they were in."),
    to: chapterMeta.describe("The one that they are in."),
    moved: z
      .array(id)
      .describe(
        "Every paragraph with another place: those within a list, and of footnotes that went along, too.",
      ),
    act,
  }),
  refusals: ["payload_too_large"],
  example: { body: { blockIds: ["{blockId}"], toChapterId: "{chapterId}", after: null } },
});
