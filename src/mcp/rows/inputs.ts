import * as z from "zod";
import { PROPOSAL_FILTERS, SNIPPET_KINDS, STATUSES } from "../../contract/enums.ts";

// Arguments that several tools take. Their descriptions are what each agent reads in every conversation: few words.

/** The part of a list that is asked for. */
const PART = {
  from: z.int().min(1).optional(),
  limit: z.int().min(1).max(1000).optional(),
};

/** A chapter, by whatever names it. */
const CHAPTER_NAME = z.string().describe("Id, number or title");

/** The book, where there are several. */
const BOOK_NAME = z.string().optional();

/** A paragraph, by its number at the revision that is given, or by its id. */
const PARAGRAPH = z.string().describe("¶ number or block id");

/** The revision that the agent has read. */
const REVISION = z.int().min(0).describe("That you read");

const MOST_EDITS = 100;

/** Edits of paragraphs. */
const EDITS = z
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

/** The arguments of every tool. */
export const INPUTS = {
  read_outline: z.strictObject({ ...PART, book: BOOK_NAME }),
  read_chapter: z.strictObject({
    chapter: CHAPTER_NAME,
    ...PART,
    notes: z.boolean().optional().describe("Show notes too"),
    revision: z.int().min(0).optional().describe("An older one"),
    book: BOOK_NAME,
  }),
  search: z.strictObject({
    query: z.string(),
    chapter: CHAPTER_NAME.optional(),
    ...PART,
    book: BOOK_NAME,
  }),
  read_cast: z.strictObject({
    name: z.string().optional().describe("Name, alias or id"),
    ...PART,
    book: BOOK_NAME,
  }),
  appearances: z.strictObject({ chapter: CHAPTER_NAME.optional(), ...PART, book: BOOK_NAME }),
  list_notes: z.strictObject({ chapter: CHAPTER_NAME.optional(), ...PART, book: BOOK_NAME }),
  history: z.strictObject({
    chapter: CHAPTER_NAME.optional(),
    before: z.string().optional().describe("Act or revision"),
    limit: PART.limit,
    book: BOOK_NAME,
  }),
  list_proposals: z.strictObject({
    id: z.string().optional(),
    status: z.enum(PROPOSAL_FILTERS).optional(),
    chapter: CHAPTER_NAME.optional(),
    ...PART,
    book: BOOK_NAME,
  }),
  add_note: z.strictObject({
    text: z.string(),
    chapter: CHAPTER_NAME.optional(),
    revision: REVISION.optional(),
    paragraph: PARAGRAPH.optional(),
    kind: z.enum(SNIPPET_KINDS).optional(),
    replyTo: z.string().optional().describe("Note that it answers"),
    book: BOOK_NAME,
  }),
  resolve: z.strictObject({ id: z.string() }),
  propose_edits: z.strictObject({
    chapter: CHAPTER_NAME,
    revision: REVISION,
    edits: EDITS,
    reason: z.string().optional().describe("One sentence for the writer"),
    book: BOOK_NAME,
  }),
  apply_edits: z.strictObject({
    chapter: CHAPTER_NAME,
    revision: REVISION,
    edits: EDITS,
    dryRun: z.boolean().optional(),
    book: BOOK_NAME,
  }),
  set_chapter: z.strictObject({
    chapter: CHAPTER_NAME,
    status: z.enum(STATUSES).optional(),
    synopsis: z.string().optional(),
    book: BOOK_NAME,
  }),
  save_fact: z.strictObject({
    fact: z.string().optional().describe("Name or id"),
    name: z.string().optional(),
    kind: z.string().optional(),
    aliases: z.array(z.string()).optional(),
    summary: z.string().optional(),
    attributes: z.record(z.string(), z.string().nullable()).optional(),
    book: BOOK_NAME,
  }),
  undo: z.strictObject({ act: z.string().optional() }),
} as const;

/** What a tool is called with, once it is checked. */
export type ToolInput<Name extends keyof typeof INPUTS> = z.output<(typeof INPUTS)[Name]>;
