import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { cleanText, count, id, status } from "../fields.ts";
import { LIMITS } from "../limits.ts";

const score = z.number().describe("Higher is better; comparable within one answer.");

export const searchBook = endpoint({
  route: "GET /books/{bookId}/search",
  tier: "read",
  cost: "book",
  summary: "Search prose and cast by keywords; no AI",
  description:
    'Words, "phrases", -word, word*. Chapters and facts that hold every word come first; when nothing holds them all, any word counts and relaxed is true. A chapter that holds them far apart does not count as holding them all where a paragraph holds as many of them near each other. limit caps chapters and facts together and is clamped to 50.',
  query: z.object({
    q: cleanText(LIMITS.queryCharacters)
      .refine((value) => value.trim() !== "", "must not be blank")
      .describe("What to look for; must not be blank."),
    limit: z.int().min(1).optional().meta({
      description: "Chapters and facts at most, together. More than the maximum is read as the maximum.",
      default: LIMITS.searchDefault,
      maximum: LIMITS.searchMaximum,
    }),
  }),
  answer: z.object({
    query: z.string(),
    limit: count.describe("The limit that was applied."),
    total: count.describe("All matches, before the limit."),
    relaxed: z
      .boolean()
      .describe(
        "True where nothing holds every word together, so that any word counts: some answers lack one.",
      ),
    ignored: z.array(z.string()).describe("Words beyond the 16th."),
    unread: z
      .array(id)
      .optional()
      .describe(
        "Chapters whose prose is damaged in the file: not searched from there on. Absent if none is.",
      ),
    chapters: z.array(
      z.object({
        chapterId: id,
        title: z.string(),
        partId: id.nullable(),
        status,
        score,
        matchCount: count,
        excerpts: z.array(
          z.object({
            blockId: id.nullable().describe("null where the title or the synopsis matched."),
            text: z.string(),
            highlights: z.array(z.tuple([count, count])).describe("UTF-16 offsets in text."),
          }),
        ),
      }),
    ),
    facts: z.array(
      z.object({
        id,
        name: z.string(),
        kind: z.string(),
        aliases: z.array(z.string()),
        summary: z.string(),
        score,
        matchedOn: z.array(z.enum(["name", "aliases", "kind", "summary", "attributes"])),
      }),
    ),
  }),
  example: { query: { q: "ferry", limit: "5" } },
});
