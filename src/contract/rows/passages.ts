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
  times: count.describe("How often the book says the same."),
});

export const readPassages = endpoint({
  route: "GET /facts/{factId}/passages",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Read what the book says of a fact, grouped by trait, each statement where it is told first",
  description:
    'A sentence is here only if it states the trait and it is sure whose it is: by name, pronoun, possessive, or "I" of whoever speaks. What is told again in other words comes once more; eyes, hair and ages that cannot both be so are `differs`, and come first. By rules for English; no AI.',
  answer: z.object({
    factId: id,
    name: z.string(),
    total: count.describe("Passages in all groups."),
    groups: z.array(
      z.object({
        attribute: z.enum(PASSAGE_ATTRIBUTES),
        differs: z.boolean().describe("Two of them cannot both be so, unless something has changed."),
        passages: z.array(passage).describe("In reading order."),
      }),
    ),
  }),
});
