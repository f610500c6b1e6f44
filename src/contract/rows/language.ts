import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { LANGUAGE_KINDS } from "../enums.ts";
import { count, id } from "../fields.ts";
import { LANGUAGE_LIMITS } from "../limits.ts";

const kind = z.enum(LANGUAGE_KINDS);
const perThousand = z.number().min(0).describe("In 1,000 words.");
const dismissible = z.string().describe("Dismisses them with POST /books/{bookId}/dismissals.");

export const readLanguage = endpoint({
  route: "GET /books/{bookId}/language",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Read what a line editor would mark in a book's prose, by kind, by word and by chapter",
  description: `English; of the narration, not of what is said. \`filter\`: could see, felt, seemed to, began to. \`intensifier\`: very, quite, suddenly. \`tag\`: showy verbs of speech, and deeds by which nobody speaks; \`tag_adverb\`: "said softly". \`padding\`: the fact that, nodded his head. \`repeat\`: a word that comes back by accident within two sentences. \`opening\`: four sentences in a row with the same first word. \`tic\`: a gesture or filler that is thick in the chapter or the book. \`spelling\`: the rarer of two. \`tense\` and \`viewpoint\` are questions. At most ${LANGUAGE_LIMITS.findings} findings, ${LANGUAGE_LIMITS.words} words of a kind and ${LANGUAGE_LIMITS.chapters} chapters are listed. Dismiss the id of a finding, a word or a kind, and it is not marked again.`,
  query: z.object({
    chapterId: id.optional().describe("Only in this chapter."),
    kind: kind.optional().describe("Only findings of this kind."),
  }),
  answer: z.object({
    wordCount: count,
    kinds: z.array(
      z.object({
        kind,
        id: dismissible,
        count,
        perThousand,
        words: z.array(z.object({ word: z.string(), id: dismissible, count })).max(LANGUAGE_LIMITS.words),
      }),
    ),
    chapters: z
      .array(z.object({ chapterId: id, chapterTitle: z.string(), wordCount: count, count, perThousand }))
      .max(LANGUAGE_LIMITS.chapters),
    findings: z
      .array(
        z.object({
          id: dismissible,
          kind,
          word: z.string(),
          chapterId: id,
          blockId: id,
          from: count,
          to: count,
          text: z.string(),
          sentence: z.string().describe("Around it."),
          highlights: z.array(z.tuple([count, count])).describe("The words: UTF-16 offsets in the sentence."),
        }),
      )
      .max(LANGUAGE_LIMITS.findings)
      .describe("In reading order."),
    leftOut: count.describe("Findings beyond those listed."),
  }),
});
