import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { PROPOSAL_FILTERS, PROPOSAL_OPS, PROPOSAL_STATES, STALE_REASONS } from "../enums.ts";
import {
  act,
  cleanText,
  count,
  documentNode,
  id,
  mentionDropped,
  name,
  snippetDetached,
  snippetMoved,
  time,
} from "../fields.ts";
import { LENGTHS, LIMITS } from "../limits.ts";
import { change } from "../local-answers.ts";
import { acceptProposals } from "./ai.ts";

const state = z.enum(PROPOSAL_STATES);
const index = count.describe("Its place in `edits`, counted from 0.");

const edits = z.array(index).min(1).max(LENGTHS.edits).optional();

/** A proposal without its edits. */
const proseProposal = name(
  "ProseProposal",
  "Changes of a chapter's prose that somebody proposes; nothing of it is written before it is accepted.",
  z.object({
    id,
    bookId: id,
    chapterId: id,
    chapterTitle: z.string(),
    revision: count.describe("Of the chapter: what the proposal was made of."),
    author: z.string().describe("The name of the key or of the program that made it; you for the owner."),
    reason: z.string(),
    createdAt: time,
    status: state.describe(
      "open while an edit can be accepted; stale where all that is undecided is stale; else accepted if any edit was, rejected if none.",
    ),
    counts: z.object({ open: count, stale: count, accepted: count, rejected: count }),
    blockIds: z.array(id).describe("Paragraphs that its open edits touch, or would stand behind."),
  }),
);

/** One edit of a proposal, and what it would do now. */
const proposedEdit = name(
  "ProposedEdit",
  "One edit of a proposal, as it stands now.",
  z.object({
    index,
    op: z.enum(PROPOSAL_OPS),
    blockId: id.nullable(),
    before: z
      .string()
      .describe("The Markdown of the paragraph, or of the one that it goes behind, when it was proposed."),
    markdown: z.string().nullable().describe("What is proposed; null to delete."),
    status: state,
    why: z
      .enum(STALE_REASONS)
      .nullable()
      .describe(
        "Of a stale one: gone, the paragraph is no longer there; changed, its text is another and the two do not merge; crowded, something else was put there; unwritable, Markdown cannot say it there.",
      ),
    changes: z
      .array(change)
      .describe(
        "The paragraph's Markdown word by word: as it is now and as accepting would leave it, the edits of both merged; of an edit that is stale or decided, as it was and as proposed.",
      ),
    mentionsDropped: z.array(mentionDropped).describe("What accepting would cost."),
    snippetsDetached: z.array(snippetDetached).describe("Marginalia that would lose its paragraph."),
  }),
);

const wholeProposal = proseProposal.extend({ edits: z.array(proposedEdit) });

const made = {
  revision: count.describe("Of the chapter: what the edits are made of. Any that it had."),
  reason: cleanText(LIMITS.reasonCharacters).optional(),
};

const sentEdit = z.strictObject({
  op: z.enum(PROPOSAL_OPS),
  blockId: id.nullable().describe("A paragraph; null with insert_after is the chapter's start."),
  before: z
    .string()
    .optional()
    .describe("What you take the paragraph to say, its text or its Markdown: 400 if it says something else."),
  markdown: z
    .string()
    .optional()
    .describe("One paragraph for replace, one or more for insert_after; none for delete."),
});

export const propose = endpoint({
  route: "POST /chapters/{chapterId}/proposals",
  tier: "propose",
  cost: "book",
  beyond: true,
  summary: "Propose changes of a chapter's prose; nothing is written before they are accepted",
  description:
    "As `edits` of paragraphs, one `replace` or `delete` each, or as the whole `markdown` or `doc`, which becomes edits by comparing it with the chapter at that revision: what only moved is deleted and inserted, mention marks are not read, front matter cannot be proposed. Paragraphs must stand in the chapter. A body with the key `proposals` is one of `acceptProposals`, which needs the write tier.",
  body: {
    json: z.union([
      z.strictObject({ ...made, edits: z.array(sentEdit).min(1).max(LENGTHS.edits) }),
      z.strictObject({ ...made, markdown: z.string() }),
      z.strictObject({ ...made, doc: documentNode }),
    ]),
    document: true,
  },
  sibling: { key: "proposals", row: acceptProposals },
  answer: z.object({ id, proposal: wholeProposal, act }),
  created: { location: "/proposals/{id}" },
  refusals: ["payload_too_large"],
  example: {
    body: {
      revision: 1,
      reason: "Shorter.",
      edits: [{ op: "replace", blockId: "{blockId}", markdown: "The ferry was late again." }],
    },
  },
});

export const listProposals = endpoint({
  route: "GET /books/{bookId}/proposals",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "List the proposals for a book's prose, in chapter order, oldest first",
  description:
    "Decided ones too, unless `status` chooses; GET /proposals/{proposalId} shows the words of each edit.",
  query: z.object({
    status: z.enum(PROPOSAL_FILTERS).optional().meta({
      description: "Only those that are open, stale, accepted or rejected now.",
      default: "all",
    }),
    chapterId: id.optional().describe("Only those for this chapter."),
  }),
  answer: z.object({ proposals: z.array(proseProposal), total: count }),
  example: { query: { status: "open" } },
});

export const readProposal = endpoint({
  route: "GET /proposals/{proposalId}",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Read a proposal: each edit with a word diff, and what accepting it would cost",
  description:
    "An edit is stale while the text that it was made of has changed so that the two do not merge; once that is undone it is open again.",
  answer: wholeProposal,
});

export const acceptProposal = endpoint({
  route: "POST /proposals/{proposalId}/accept",
  tier: "write",
  cost: "book",
  beyond: true,
  summary: "Accept a proposal, or some of its edits, in one act",
  description:
    "Without `edits` all that are undecided. What has changed since in other words of a paragraph stays; where an edit is stale, or decided already, the answer is 409 with their indexes in `stale` and those that can be accepted in `edits`, and nothing is written. Mentions stay on paragraphs whose text does not change. `markdown` is your own wording for the one edit that `edits` names: it is written even if the text has changed.",
  body: {
    json: z.strictObject({
      edits,
      markdown: z.string().optional(),
      ifRevision: count.optional().describe("Refuse with 412 unless the chapter is at this revision."),
    }),
    document: true,
  },
  answer: z.object({
    proposal: wholeProposal,
    accepted: z.array(index),
    chapters: z.array(z.object({ id, revision: count, wordCount: count, title: z.string() })),
    mentionsDropped: z.array(mentionDropped),
    snippetsDetached: z.array(snippetDetached),
    snippetsMoved: z.array(snippetMoved),
    act,
  }),
  refusals: ["conflict", "payload_too_large"],
  example: { body: { edits: [0] } },
});

export const rejectProposal = endpoint({
  route: "POST /proposals/{proposalId}/reject",
  tier: "write",
  cost: "book",
  ownByProposers: true,
  beyond: true,
  summary: "Reject a proposal, or some of its edits",
  description:
    "Without `edits` all that are undecided, stale ones too. 409 for one that is decided already. Whoever made a proposal withdraws it this way.",
  body: { json: z.strictObject({ edits }) },
  answer: z.object({ proposal: wholeProposal, rejected: z.array(index), act }),
  refusals: ["conflict"],
  example: { body: { edits: [0] } },
});
