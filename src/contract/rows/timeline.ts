import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { TIME_KINDS } from "../enums.ts";
import { count, id } from "../fields.ts";
import { TIMELINE_LIMITS } from "../limits.ts";

const words = z.object({ from: count, to: count, text: z.string() });

const told = z.object({
  number: count.min(1).describe("Its place among all times of the book."),
  chapterId: id,
  chapterTitle: z.string(),
  blockId: id,
  from: count,
  to: count,
  text: z
    .string()
    .describe(
      `The sentence; of a long one ${TIMELINE_LIMITS.sentenceCharacters} characters around the words.`,
    ),
  words: words.describe("The words that tell the time."),
  kind: z.enum(TIME_KINDS),
  quoted: z.boolean().describe("Somebody says or writes it; then the story is not there."),
  value: z
    .string()
    .nullable()
    .describe("The date, as far as it is known: 1893-05-12, --05-12, 1893-05, --05 or 1893."),
  weekday: z.string().nullable().describe("Told, or counted: Friday."),
  time: z
    .string()
    .nullable()
    .describe("Of the day: morning, 21:30; 9:30 if it is not said which half of the day."),
  days: z.int().nullable().describe("Days from the anchor to it; null if that cannot be said."),
  anchor: count
    .min(1)
    .nullable()
    .describe("The number of the time that days are counted from; null: the beginning of the book."),
  years: count.nullable().describe("An age."),
  differs: z.string().nullable().describe("Why what is told is not what is counted."),
  unplaced: z.string().nullable().describe("Why it has no day."),
});

export const readTimeline = endpoint({
  route: "GET /books/{bookId}/timeline",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Read a book's timeline: every time that the prose tells, each counted from those before it",
  description: `In reading order; English. "Three days later" after Friday 12 May is Monday 15 May, and a weekday or date that is told of the same day is held against it (differs). What somebody says, and "until", "ago" or "had left on Friday", moves no day; nor does a time of day. The first ${TIMELINE_LIMITS.times} are listed, at most ${TIMELINE_LIMITS.ofChapter} of one chapter are counted.`,
  query: z.object({
    chapterId: id
      .optional()
      .describe("Lists those of one chapter; days are counted through the whole book all the same."),
  }),
  answer: z.object({
    times: z.array(told).max(TIMELINE_LIMITS.times),
    total: count.describe("Of the book, or of the chapter asked for."),
    unplaced: count.describe("How many of them have no day."),
    leftOut: count.describe("Beyond those listed."),
  }),
});
