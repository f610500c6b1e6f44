import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import {
  act,
  attribute,
  cleanText,
  count,
  deletion,
  fact,
  id,
  mention,
  shownAttribute,
  snippet,
  title,
} from "../fields.ts";
import { LENGTHS, LIMITS } from "../limits.ts";

const factName = title(LIMITS.nameCharacters);
const editable = {
  kind: cleanText(LIMITS.kindCharacters).optional().describe("Free text, such as character, place, object."),
  aliases: z.array(factName).max(LENGTHS.aliases).optional(),
  summary: cleanText(LIMITS.summaryCharacters).optional(),
};

const onCreateOnly = z
  .never("attributes are accepted on create only; setAttributes changes single ones")
  .optional();
const setAttributes = z
  .array(attribute.extend({ value: attribute.shape.value.nullable() }))
  .max(LENGTHS.attributes)
  .optional()
  .describe(
    "Sets the value of each key, from its chapter on if it names one, and leaves every other; null removes the key, or what it has from that chapter on.",
  );

export const listFacts = endpoint({
  route: "GET /books/{bookId}/facts",
  tier: "read",
  summary: "List a book's facts (the story map), by name",
  description:
    "Each with its aliases, its attributes and how often it is mentioned; GET /facts/{factId} lists the mentions.",
  answer: z.object({ facts: z.array(fact), total: count }),
});

const pair = z.object({
  factIds: z.tuple([id, id]),
  paragraphs: count.describe("Paragraphs that mention both."),
});

export const readStoryMap = endpoint({
  route: "GET /books/{bookId}/map",
  tier: "read",
  beyond: true,
  summary: "Read the whole story map: which fact is mentioned where, and together with which",
  description:
    "Counts alone, of every fact and chapter of the book in one answer; GET /facts/{factId} gives the mentions themselves. A chapter is told by its place in `chapters`, from 0.",
  answer: z.object({
    chapters: z.array(z.object({ id, title: z.string() })).describe("In reading order."),
    facts: z
      .array(
        fact.pick({ id: true, name: true, kind: true, mentionCount: true }).extend({
          chapters: z
            .array(z.tuple([count, count]))
            .describe("Where it is mentioned: the chapter's place, and how often."),
        }),
      )
      .describe("By name."),
    pairs: z.array(pair).max(LIMITS.mapPairs).describe("Facts that share paragraphs, the most often first."),
    leftOut: z.object({
      pairs: count.describe("Pairs beyond those listed."),
      facts: count.describe(`Facts whose pairs were not counted, for ${LIMITS.mapFacts} are mentioned more.`),
    }),
  }),
  hasEntityTag: true,
});

export const readFact = endpoint({
  route: "GET /facts/{factId}",
  tier: "read",
  summary: "Read a fact and where it is mentioned, in reading order",
  description: "A mention has its chapter and paragraph, its offsets there, and the words around it.",
  answer: z.object({ fact, mentions: z.array(mention) }),
  hasEntityTag: true,
});

export const createFact = endpoint({
  route: "POST /books/{bookId}/facts",
  tier: "write",
  tagged: "fact",
  summary: "Add a fact",
  description: "A second fact of the same name is allowed and warned of: warnings holds same_name.",
  body: {
    json: z.strictObject({
      name: factName,
      ...editable,
      attributes: z.array(attribute).max(LENGTHS.attributes).optional(),
    }),
  },
  answer: z.object({ id, fact, warnings: z.array(z.string()), act }),
  created: { location: "/facts/{id}" },
  example: {
    body: { name: "The Harbour Bell", kind: "object", aliases: ["the bell"], summary: "Rung in fog." },
  },
});

export const updateFact = endpoint({
  route: "PATCH /facts/{factId}",
  tier: "write",
  tagged: "fact",
  summary: "Change a fact's name, kind, aliases, summary or single attributes",
  description:
    "aliases replaces the whole list. attributes are accepted on create only; setAttributes changes single ones.",
  body: {
    json: z.strictObject({ name: factName.optional(), ...editable, setAttributes, attributes: onCreateOnly }),
  },
  answer: z.object({ fact, act }),
  example: { body: { summary: "Rung in fog, and once for a wedding." } },
});

export const mergeFacts = endpoint({
  route: "POST /facts/merge",
  tier: "write",
  cost: "book",
  tagged: "fact",
  summary: "Merge two facts: keepId absorbs dropId",
  description:
    "The dropped fact's name and aliases become aliases, its mentions point to the keeper, its values fill what is blank. Values that the keeper has differently become a note of the book. No prose is rewritten.",
  body: {
    json: z.strictObject({
      keepId: id.describe("The fact that stays."),
      dropId: id.describe("The fact that is absorbed; another one of the same book."),
    }),
  },
  answer: z.object({
    fact,
    mentionsMoved: count,
    aliasesAdded: z.array(z.string()),
    attributesAdded: z.array(shownAttribute),
    snippet: snippet
      .nullable()
      .describe("The note that keeps a kind, attributes and a summary that the keeper has differently."),
    act,
  }),
  refusals: ["not_found"],
  example: { body: { keepId: "{factId}", dropId: "{otherFactId}" } },
});

export const deleteFact = endpoint({
  route: "DELETE /facts/{factId}",
  tier: "write",
  cost: "book",
  beyond: true,
  summary: "Delete a fact and its mentions; the prose stays as it is",
  description: "`mentionsDropped` lists the mentions; undo brings them back with the fact.",
  answer: deletion,
});

export const anchorMentions = endpoint({
  route: "POST /chapters/{chapterId}/mentions",
  tier: "write",
  cost: "chapter",
  tagged: "chapter",
  beyond: true,
  summary: "Anchor mentions: link spans of prose to facts",
  description: "409 where the chapter has moved on from the revision that the offsets were counted in.",
  body: {
    json: z.strictObject({
      revision: count.min(1).describe("The chapter's revision that the offsets were counted in."),
      mentions: z
        .array(z.strictObject({ factId: id, blockId: id, from: count, to: count }))
        .min(1)
        .max(10_000)
        .describe("from and to are UTF-16 offsets in the block's text, from less than to."),
    }),
  },
  answer: z.object({ chapterId: id, revision: count, mentions: z.array(mention), total: count, act }),
  refusals: ["conflict"],
  example: {
    body: { revision: 1, mentions: [{ factId: "{factId}", blockId: "{blockId}", from: 0, to: 3 }] },
  },
});

export const reanchorMentions = endpoint({
  route: "POST /books/{bookId}/mentions/reanchor",
  tier: "write",
  cost: "book",
  beyond: true,
  summary: "Put back the mentions of exact names and aliases, free of charge",
  description: "Only names that belong to one fact alone; the longest name wins; existing mentions stay.",
  answer: z.object({ anchored: count, mentions: z.array(mention), ambiguous: z.array(z.string()), act }),
  example: { query: { dryRun: "1" } },
});
