import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { count, fact, id } from "../fields.ts";
import { LIMITS } from "../limits.ts";

export const readAppearances = endpoint({
  route: "GET /books/{bookId}/appearances",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Read who appears where: counts by chapter, first and last, gaps, shared scenes",
  description:
    "Names, aliases and anchored mentions count, a name that facts share only where it is anchored. A chapter is told by its place in `chapters`, from 0. By rules for English; no AI.",
  answer: z.object({
    bookId: id,
    scenesBy: z
      .enum(["breaks", "chapters"])
      .describe("chapters where the book has no scene break: each chapter then counts as one scene."),
    chapters: z.array(z.object({ id, title: z.string(), scenes: count })).describe("In reading order."),
    facts: z
      .array(
        fact.pick({ id: true, name: true, kind: true }).extend({
          total: count,
          scenes: count.describe("Scenes that name it."),
          chapters: z.array(z.tuple([count, count])).describe("The chapter's place, and how often."),
          first: count.nullable().describe("The first chapter's place; null if it is named nowhere."),
          last: count.nullable(),
          gaps: z
            .array(z.tuple([count, count]))
            .describe("First and last place of chapters in a row between those that name it."),
        }),
      )
      .describe("By name."),
    pairs: z
      .array(z.object({ factIds: z.tuple([id, id]), scenes: count }))
      .max(LIMITS.mapPairs)
      .describe("Facts that share scenes, the most often first."),
    pairsLeftOut: count.describe("Pairs beyond those listed."),
  }),
});
