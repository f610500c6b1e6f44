import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { count, id } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { replaced } from "../local-answers.ts";

const pattern = z.string().max(LIMITS.patternCharacters);

const place = z.strictObject({
  blockId: id,
  from: count.describe("As in the `edits` of a dry run."),
});

export const replaceInBook = endpoint({
  route: "POST /books/{bookId}/replace",
  tier: "write",
  cost: "book",
  tagged: "book",
  beyond: true,
  summary: "Replace words in all prose of a book, or in chosen chapters or places",
  description:
    "Whole words in any case, straight quotes for curly ones, too; what is put there takes the case of what it replaces. Code, tables, HTML and addresses stay. Paragraphs keep their ids and marginalia; a mention is dropped only where its own text was replaced. A dry run lists every place; send those that are meant as `only`, and 409 tells of one that no longer holds what is searched for.",
  body: {
    json: z.strictObject({
      find: pattern.describe("Words, or with `regex` a JavaScript regular expression; one line."),
      with: pattern.describe('"" takes the words out; with `regex` it may hold $1, $<name>, $& and $$.'),
      regex: z.boolean().optional(),
      matchCase: z.boolean().optional().describe("Only where the case is as in `find`, and put in as typed."),
      only: z
        .array(z.strictObject({ chapterId: id, places: z.array(place).min(1).optional() }))
        .min(1)
        .optional()
        .describe("The chapters to replace in, and of each the places; without `places` all of them."),
    }),
  },
  answer: replaced,
  refusals: ["conflict", "payload_too_large"],
  example: { query: { dryRun: "1" }, body: { find: "ferry", with: "boat" } },
});
