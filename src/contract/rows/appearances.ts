import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { count, fact, id } from "../fields.ts";
import { LIMITS } from "../limits.ts";

const speech = {
  words: count.describe("Words in quotation marks."),
  paragraphs: count.describe("Paragraphs that hold them."),
  share: z.number().describe("Of all words in quotation marks, 0 to 1."),
};

export const readAppearances = endpoint({
  route: "GET /books/{bookId}/appearances",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Read who appears where: counts by chapter, first and last, gaps, shared scenes, shares of speech",
  description:
    "Names, aliases and anchored mentions count, a name that facts share only where it is anchored. Speech is a speaker's by what stands beside it (a speech verb, what somebody does there, a pronoun that can mean one alone) or by turn where two alone speak; the rest is unattributed. A chapter is told by its place in `chapters`, from 0. By rules for English; no AI.",
  answer: z.object({
    bookId: id,
    scenesBy: z
      .enum(["breaks", "chapters"])
      .describe("chapters where the book has no scene break: each chapter then counts as one scene."),
    chapters: z
      .array(z.object({ id, title: z.string(), scenes: count, spokenWords: count, unattributedWords: count }))
      .describe("In reading order."),
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
    dialogue: z.object({
      words: count.describe("All words in quotation marks."),
      speakers: z.array(z.object({ factId: id, ...speech })).describe("Who says most first."),
      narrator: z.object(speech).describe("Of a first person who tells the story."),
      unattributed: z.object(speech),
    }),
  }),
});
