import * as z from "zod";

// Arguments that several tools take. Their descriptions are what each agent reads in every conversation: few words.

/** The part of a list that is asked for. */
export const PART = {
  from: z.int().min(1).optional(),
  limit: z.int().min(1).max(1000).optional(),
};

/** A chapter, by whatever names it. */
export const CHAPTER_NAME = z.string().describe("Id, number or title");

/** The book, where there are several. */
export const BOOK_NAME = z.string().optional();

/** A paragraph, by its number at the revision that is given, or by its id. */
export const PARAGRAPH = z.string().describe("¶ number or block id");

/** The revision that the agent has read. */
export const REVISION = z.int().min(0).describe("That you read");

const MOST_EDITS = 100;

/** Edits of paragraphs. */
export const EDITS = z
  .array(
    z.strictObject({
      op: z.enum(["replace", "insert_after", "delete"]).optional().describe("Else replace"),
      paragraph: PARAGRAPH.optional(),
      find: z
        .string()
        .optional()
        .describe("Words there, occurring once, that text replaces; else the whole ¶"),
      text: z.string().optional().describe("Markdown"),
    }),
  )
  .min(1)
  .max(MOST_EDITS);
