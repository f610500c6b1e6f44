import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { VARIANT_KINDS } from "../enums.ts";
import { count, id } from "../fields.ts";
import { STYLE_LIMITS } from "../limits.ts";

const place = z.object({ chapterId: id, blockId: id, from: count, to: count });
const places = z.array(place).max(STYLE_LIMITS.places).describe("The first, in reading order.");
const share = z.number().min(0).max(1);
const ofChapter = z.object({
  chapterId: id,
  chapterTitle: z.string(),
  wordCount: count,
  dialogueShare: share.describe("Of its characters, those between quotation marks."),
  sentences: count,
  meanSentence: z.number().min(0).describe("Words."),
  scenes: z.array(count).max(STYLE_LIMITS.scenes).describe("Words of each scene, as scene breaks part them."),
});
const openings = z.object({
  total: count,
  most: z.array(z.object({ word: z.string(), count })).max(STYLE_LIMITS.openings),
  runs: z
    .array(z.object({ word: z.string(), count, place }))
    .max(STYLE_LIMITS.runs)
    .describe("Three in a row or more that begin alike, the longest first."),
});

export const readStyle = endpoint({
  route: "GET /books/{bookId}/style",
  tier: "read",
  cost: "book",
  beyond: true,
  summary:
    "Read what a book's prose repeats, overuses and writes in two ways, and how long its sentences and scenes are",
  description: `Counted, not judged; English. Phrases are of 3 to 6 words, not of function words and names alone; an echo is an uncommon word that comes back within 60 words; a word is overused in a chapter that holds far more of it than its share of the book (log-likelihood over 15.13, one chance in 10,000). At most ${STYLE_LIMITS.phrases} phrases, ${STYLE_LIMITS.echoes} echoes, ${STYLE_LIMITS.overused} overused words (${STYLE_LIMITS.overusedOfChapter} of one chapter), ${STYLE_LIMITS.variants} variants and ${STYLE_LIMITS.chapters} chapters are listed, each with its first ${STYLE_LIMITS.places} places.`,
  query: z.object({
    chapterId: id.optional().describe("Tells of one chapter, its words held against the book."),
  }),
  answer: z.object({
    chapters: z.array(ofChapter).max(STYLE_LIMITS.chapters),
    wordCount: count,
    dialogueShare: share,
    sentences: z.object({
      total: count,
      mean: z.number().min(0).describe("Words."),
      median: count,
      lengths: z
        .array(z.object({ upTo: count.nullable(), count }))
        .describe("Sentences by their words, in classes; null is any longer one."),
      longest: z.array(place.extend({ words: count })).max(STYLE_LIMITS.longest),
    }),
    phrases: z.array(z.object({ text: z.string(), words: count, count, places })).max(STYLE_LIMITS.phrases),
    echoes: z
      .array(
        z.object({
          word: z.string(),
          count,
          nearest: count.describe("Words from one to the next, at the least."),
          places,
        }),
      )
      .max(STYLE_LIMITS.echoes),
    overused: z
      .array(
        z.object({
          chapterId: id,
          word: z.string(),
          count,
          expected: z.number().min(0).describe("If it were spread evenly over the book."),
          inBook: count,
          likelihood: z.number(),
        }),
      )
      .max(STYLE_LIMITS.overused),
    openings: z.object({ sentences: openings, paragraphs: openings }),
    variants: z
      .array(
        z.object({
          kind: z.enum(VARIANT_KINDS),
          forms: z.array(z.object({ text: z.string(), count, places })).describe("The most frequent first."),
        }),
      )
      .max(STYLE_LIMITS.variants),
    leftOut: z
      .object({ phrases: count, echoes: count, variants: count, chapters: count })
      .describe("Beyond those listed."),
  }),
});
