import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { act, cleanText, count, id, name, title } from "../fields.ts";
import { LENGTHS, LIMITS } from "../limits.ts";
import { accepted } from "../local-answers.ts";

const confidence = z.number().min(0).max(1);

const occurrence = z.object({ blockId: id, from: count, to: count, text: z.string() });

/** A proposed addition to the story map. */
const proposal = name(
  "Proposal",
  "A proposed addition to the story map; nothing is written until you write it.",
  z.object({
    id,
    type: z.enum(["mention", "new_fact", "new_alias"]),
    factId: id.nullable(),
    name: z.string(),
    kind: z.string(),
    confidence,
    reason: z.string(),
    occurrences: z.array(occurrence),
    candidates: z
      .array(id)
      .exactOptional()
      .describe("The facts that an ambiguous name may mean, the likeliest first."),
    aliases: z.array(z.string()).exactOptional().describe("Other forms of a new fact's name."),
  }),
);

/** A contradiction or a drifting name. */
const finding = name(
  "Finding",
  "A contradiction or a drifting name, with the prose that shows it.",
  z.object({
    id,
    type: z.enum(["contradiction", "name_drift"]),
    severity: z.enum(["info", "warn", "error"]),
    message: z.string(),
    factId: id.nullable(),
    evidence: z.array(occurrence.extend({ chapterId: id })),
    suggestion: z.string().nullable(),
    confidence,
  }),
);

const fallback = z
  .string()
  .exactOptional()
  .describe("Why the language model that is set did not answer: the embedded engine did, free of charge.");

const spends =
  "Costs max(1, ceil(words / 1000)) credits, from the subscription's monthly allowance first; a call that fails costs nothing, nor does asking again while chapter, facts and engine are the same, nor an empty chapter. X-Credits-Cost and X-Credits-Remaining tell.";

export const draftSynopsis = endpoint({
  route: "POST /chapters/{chapterId}/synopsis",
  tier: "ai",
  cost: "book",
  summary: "Draft a synopsis; it is not saved",
  description: `${spends} Save it with PUT /chapters/{chapterId}/synopsis. The embedded engine's is an extract, not a summary: sentences of the chapter, word for word, then who is named and where; it jogs the memory.`,
  answer: z.object({ synopsis: z.string() }),
});

export const detectMentions = endpoint({
  route: "POST /chapters/{chapterId}/detect",
  tier: "ai",
  cost: "book",
  summary: "Propose mentions, facts and aliases; writes nothing",
  description: `${spends} After a prose write it is the way to anchor the story map again.`,
  answer: z.object({
    chapterId: id,
    revision: count,
    engine: z.string(),
    fallback,
    proposals: z.array(proposal),
  }),
});

export const checkConsistency = endpoint({
  route: "POST /chapters/{chapterId}/check",
  tier: "ai",
  cost: "book",
  summary: "Find plain slips and drifting names; writes nothing",
  description: `${spends} The embedded engine compares what the prose says outright (eyes and hair, ages, titles, the hand somebody writes with, brothers and sisters, dates, the dead who speak) and is silent where a reason stands nearby; no finding proves nothing. \`engine\` says "no cast" while no fact is there to compare with. A confidence of 0.9 means nine right of ten.`,
  answer: z.object({
    chapterId: id,
    revision: count,
    engine: z.string(),
    fallback,
    findings: z.array(finding),
  }),
});

const proposedName = title(LIMITS.nameCharacters);

/** A proposal as it is sent back: what detection alone has to say is not read. */
const chosen = z.strictObject({
  id: id.max(LIMITS.nameCharacters),
  type: z.enum(["mention", "new_fact", "new_alias"]),
  factId: id
    .nullable()
    .optional()
    .describe("The fact that is meant; of an ambiguous name one of `candidates`."),
  name: proposedName,
  kind: cleanText(LIMITS.kindCharacters).optional(),
  occurrences: z.array(z.strictObject({ blockId: id, from: count, to: count, text: z.string().optional() })),
  aliases: z.array(proposedName).max(LENGTHS.aliases).optional(),
  candidates: z.array(id).optional(),
  confidence: confidence.optional(),
  reason: z.string().optional(),
});

export const acceptProposals = endpoint({
  route: "POST /chapters/{chapterId}/proposals",
  tier: "write",
  cost: "chapter",
  beyond: true,
  summary: "Write detection proposals into the story map, in one act",
  description:
    "Send those of POST /chapters/{chapterId}/detect that you accept, as they came, with the answer's revision: 409 if the chapter has changed since. Makes the facts, adds the aliases and anchors the mentions; of overlapping spans the longer is anchored, and anchors that are there stay.",
  body: { json: z.strictObject({ revision: count, proposals: z.array(chosen).min(1) }) },
  answer: accepted.extend({ act }),
  refusals: ["conflict"],
  example: {
    body: {
      revision: 1,
      proposals: [
        {
          id: "pr_0",
          type: "new_fact",
          name: "The Bell",
          kind: "object",
          occurrences: [{ blockId: "{blockId}", from: 48, to: 52 }],
        },
      ],
    },
  },
});

export const dismissFindings = endpoint({
  route: "POST /books/{bookId}/dismissals",
  tier: "write",
  tagged: "book",
  beyond: true,
  summary: "Dismiss findings, proposals and marks of language: the book's reports no longer return them",
  description:
    "By the ids that they came with. A finding's or a mark's is the same wherever its paragraph moves; a proposal's as long as its name, for a mention its place, stays. Undo brings them back.",
  body: {
    json: z.strictObject({
      ids: z.array(cleanText(LIMITS.nameCharacters).min(1)).min(1).max(LIMITS.actsMaximum),
    }),
  },
  answer: z.object({ bookId: id, dismissed: z.array(id), act }),
  example: { body: { ids: ["fi_0123456789abcdef"] } },
});
