import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { act, count, id, name, time } from "../fields.ts";
import { LIMITS } from "../limits.ts";

/** One entry of the change feed. */
const actEntry = name(
  "Act",
  "One write, and the records that it touched.",
  z.object({
    id,
    at: time,
    kind: z.string().describe("The operation, such as replaceProse."),
    source: z.string().describe("Who asked: api, cli, import, restore or undo."),
    undoes: id.nullable(),
    undoneBy: id.nullable(),
    touched: z.object({
      books: z.array(id),
      parts: z.array(id),
      chapters: z.array(id),
      facts: z.array(id),
      snippets: z.array(id),
    }),
  }),
);

export const listActs = endpoint({
  route: "GET /acts",
  tier: "read",
  beyond: true,
  summary: "List the writes, newest last: the change feed",
  description: "Start without after, then send the last id that you have seen.",
  query: z.object({
    after: id.optional().describe("Only acts after this one."),
    before: id.optional().describe("Only acts before this one: an earlier page."),
    limit: z.int().min(1).optional().meta({
      description: "Acts at most; without after, the newest. More than the maximum is read as the maximum.",
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
  beyond: true,
  summary: "Undo a write: put back everything that it changed",
  description:
    "In one transaction, or 409 conflict naming in standing what has changed since, and in later the acts to undo first, newest first. An undo is an act itself, so it can be undone.",
  answer: z.object({ act, undone: id, chapters: z.array(z.object({ id, revision: count })) }),
  refusals: ["conflict"],
});
