import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { act, count, id, name, source, time } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { undoneActs } from "../local-answers.ts";

/** One entry of the change feed. */
const actEntry = name(
  "Act",
  "One write, and the records that it touched.",
  z.object({
    id,
    at: time,
    kind: z.string().describe("The operation, such as replaceProse."),
    source,
    by: z
      .string()
      .nullable()
      .describe("The name of the key, or of the program, that asked; null for the owner."),
    undoes: id.nullable(),
    undoneBy: id.nullable(),
    bookIds: z
      .array(id)
      .describe("The books of all that it touched, deleted records too; none if it changed nothing."),
    touched: z.object({
      books: z.array(id),
      parts: z.array(id),
      chapters: z.array(id),
      facts: z.array(id),
      snippets: z.array(id),
      proposals: z.array(id),
      milestones: z.array(id),
    }),
    names: z
      .record(id, z.string())
      .describe(
        "What the touched books, parts, chapters, facts, snippets and milestones are called, by id; of a snippet the beginning of its text. A deleted one has its last name.",
      ),
    sitting: z
      .object({
        first: id,
        from: time,
        count: count.min(1),
        added: count.describe("Words added by all of them."),
        removed: count.describe("Words removed."),
        acts: z.array(id).describe("Oldest first; the last is this act."),
      })
      .optional()
      .describe("With group=sitting: the acts that this entry, the newest of them, stands for."),
  }),
);

export const listActs = endpoint({
  route: "GET /acts",
  tier: "read",
  beyond: true,
  summary: "List the writes, newest last: the change feed",
  description:
    "Start without after, then send the last id that you have seen. With group=sitting acts of one source, or one API key, on the prose of one chapter are one entry as long as no more than 10 minutes pass between them; those that were undone are apart from those that stand.",
  query: z.object({
    after: id.optional().describe("Only acts after this one."),
    before: id.optional().describe("Only acts before this one: an earlier page."),
    group: z.enum(["sitting"]).optional().describe("sitting: one entry for all acts of a sitting."),
    limit: z.int().min(1).optional().meta({
      description:
        "Entries at most; without after, the newest. More than the maximum is read as the maximum.",
      default: LIMITS.actsDefault,
      maximum: LIMITS.actsMaximum,
    }),
  }),
  answer: z.object({
    acts: z.array(actEntry),
    total: count.describe("All acts after `after` and before `before`."),
  }),
  refusals: ["not_found"],
  example: { query: { limit: "10" } },
});

export const undoAct = endpoint({
  route: "POST /acts/{act}/undo",
  tier: "write",
  cost: "book",
  beyond: true,
  summary: "Undo a write: put back everything that it changed",
  description:
    "In one transaction, or 409 conflict naming in standing what has changed since, and in later the acts to undo first, newest first. An undo is an act itself, so it can be undone.",
  answer: z.object({ act, undone: id, chapters: z.array(z.object({ id, revision: count })) }),
  refusals: ["conflict"],
});

export const undoActs = endpoint({
  route: "POST /acts/undo",
  tier: "write",
  cost: "book",
  beyond: true,
  summary: "Undo several writes, newest first, all or none",
  description:
    "`acts` names them, such as those of a sitting, in any order; `since` means that act and every later one that stands, of whatever book: try that with dryRun=1 and send the `undone` that you agree to as `acts`. Without either it is the newest act that stands. 409 conflict as for one. Each undo is an act: to redo, undo these.",
  body: {
    json: z.union([
      z.strictObject({ acts: z.array(id).min(1).max(LIMITS.sittingActs) }),
      z.strictObject({ since: id }),
      z.strictObject({}),
    ]),
  },
  answer: undoneActs,
  refusals: ["not_found", "conflict"],
  example: { body: { acts: ["{act}"] } },
});

export const streamActs = endpoint({
  route: "GET /acts/stream",
  tier: "read",
  beyond: true,
  isStream: true,
  summary: "Follow the writes as they are made, by whatever program: the live feed",
  description:
    "Server-sent events. The first says where it begins: `id` alone, the act of `after`, else the newest. Then each act, an undo too, comes exactly once and in order as `event: act`, its id as `id`; a comment each 30 s says that the stream lives. Whenever it ends, by whichever side, ask again with the last `id` as `Last-Event-ID`, which goes before `after`: what was written meanwhile comes first, from the history itself. `event: error` with an error body comes before the end where asking again at once is no use: a key that was revoked or has expired, a file that was moved. A client that leaves 256 kB unread is cut off, as is one that takes nothing for 60 s. An act that is not known, such as one that a restored copy has not, is 404: read anew what you keep, and go on from the newest act. EventSource sends no key; read the answer of `fetch`.",
  query: z.object({
    after: id
      .optional()
      .describe("Begin after this act; 0: with the first. Without it, with what is written from now on."),
  }),
  answer: actEntry,
  refusals: ["not_found", "unavailable"],
});
