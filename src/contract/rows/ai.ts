import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { count, id, name } from "../fields.ts";

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

const spends =
  "Costs max(1, ceil(words / 1000)) credits, from the subscription's monthly allowance first; a call that fails costs nothing, nor does asking again while chapter, facts and engine are the same, nor an empty chapter. X-Credits-Cost and X-Credits-Remaining tell.";

export const draftSynopsis = endpoint({
  route: "POST /chapters/{chapterId}/synopsis",
  tier: "ai",
  summary: "Draft a synopsis; it is not saved",
  description: `${spends} Save it with PUT /chapters/{chapterId}/synopsis.`,
  answer: z.object({ synopsis: z.string() }),
});

export const detectMentions = endpoint({
  route: "POST /chapters/{chapterId}/detect",
  tier: "ai",
  summary: "Propose mentions, facts and aliases; writes nothing",
  description: `${spends} After a prose write it is the way to anchor the story map again.`,
  answer: z.object({ chapterId: id, revision: count, engine: z.string(), proposals: z.array(proposal) }),
});

export const checkConsistency = endpoint({
  route: "POST /chapters/{chapterId}/check",
  tier: "ai",
  summary: "Find contradictions and drifting names; writes nothing",
  description: spends,
  answer: z.object({ chapterId: id, revision: count, engine: z.string(), findings: z.array(finding) }),
});
