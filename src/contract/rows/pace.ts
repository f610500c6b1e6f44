import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { count, id } from "../fields.ts";
import { PACE_LIMITS } from "../limits.ts";

const measured = {
  wordCount: count,
  dialogueShare: z.number().min(0).max(1).describe("Of the characters, those between quotation marks."),
  sentences: count,
  meanSentence: z.number().min(0).describe("Words."),
  readability: z
    .number()
    .nullable()
    .describe("Automated Readability Index: higher is harder; null without a sentence."),
};

export const readPace = endpoint({
  route: "GET /books/{bookId}/pace",
  tier: "read",
  cost: "book",
  beyond: true,
  summary:
    "Read how long a book's chapters, scenes and sentences are, how much is speech and how hard it reads",
  description: `Numbers for a picture. At most ${PACE_LIMITS.chapters} chapters are listed.`,
  answer: z.object({
    ...measured,
    lengths: z
      .array(z.object({ upTo: count.nullable(), count }))
      .describe("Sentences by their words, in classes; null is any longer one."),
    medianSentence: count.describe("Words."),
    longest: z
      .array(z.object({ chapterId: id, blockId: id, from: count, to: count, words: count }))
      .max(PACE_LIMITS.longest),
    chapters: z
      .array(
        z.object({
          chapterId: id,
          chapterTitle: z.string(),
          ...measured,
          scenes: z
            .array(count)
            .max(PACE_LIMITS.scenes)
            .describe("Words of each scene, as scene breaks part them."),
        }),
      )
      .max(PACE_LIMITS.chapters),
    leftOut: count.describe("Chapters beyond those listed."),
  }),
});
