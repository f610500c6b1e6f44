import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { PASSAGE_ATTRIBUTES } from "../enums.ts";
import { count, id } from "../fields.ts";

const passage = z.object({
  chapterId: id,
  chapterTitle: z.string(),
  blockId: id,
  from: count,
  to: count.describe("The sentence's UTF-16 offsets in the block's text."),
  text: z.string().describe("The sentence."),
  highlights: z
    .array(z.tuple([count, count]))
    .describe("The words that tell of the attribute: UTF-16 offsets in text."),
});

export const readPassages = endpoint({
  route: "GET /facts/{factId}/passages",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Read every sentence that describes a fact, grouped by what it tells of",
  description:
    "Whom a sentence is about is told by names, aliases, anchored mentions, pronouns and the sentences before; where two people may be meant, both have it: it shows, and judges nothing. By rules for English; no AI.",
  answer: z.object({
    factId: id,
    name: z.string(),
    total: count.describe("Passages in all groups; a sentence that tells of two attributes is in both."),
    groups: z.array(
      z.object({
        attribute: z.enum(PASSAGE_ATTRIBUTES),
        passages: z.array(passage).describe("In reading order."),
      }),
    ),
  }),
});
