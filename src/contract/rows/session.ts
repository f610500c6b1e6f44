import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { count, id, time } from "../fields.ts";

/** What a page keeps, this once. */
const opened = z.object({
  session: z.string().describe("The bearer of every call from now on: mss_…, shown this once."),
  expiresAt: time,
});

const secret = z.string().min(1).max(200);

export const createSession = endpoint({
  route: "POST /session",
  tier: "anyone",
  summary: "Sign in with the one-time token of a link",
  holdsSecret: true,
  description: "From a page of this server alone; a token works once, and for two minutes.",
  body: { json: z.strictObject({ token: secret }) },
  answer: opened,
  refusals: ["gone", "rate_limited"],
});

export const endSession = endpoint({
  route: "DELETE /session",
  tier: "owner",
  summary: "Sign out",
  answer: z.object({ id, ended: z.literal(true) }),
  refusals: ["not_found"],
});

export const createCode = endpoint({
  route: "POST /session/code",
  tier: "anyone",
  summary: "Ask for a code that the owner types into manuscript open --code",
  holdsSecret: true,
  body: { json: z.strictObject({}) },
  answer: z.object({
    code: z.string().describe("For people: 4F7K-9Q2M."),
    secret: z.string().describe("For the page: what it claims its session by."),
    expiresAt: time,
  }),
  refusals: ["unavailable", "rate_limited"],
});

export const claimCode = endpoint({
  route: "POST /session/code/claim",
  tier: "anyone",
  summary: "The session, once the owner has typed the code; 202 until then",
  holdsSecret: true,
  body: { json: z.strictObject({ secret }) },
  answer: z.union([opened, z.object({ pending: z.literal(true), expiresAt: time })]),
  refusals: ["gone", "rate_limited"],
});

export const listSessions = endpoint({
  route: "GET /owner/sessions",
  tier: "owner",
  summary: "List the pages that are signed in",
  answer: z.object({
    sessions: z
      .array(
        z.object({
          id,
          createdAt: time,
          lastUsedAt: time,
          expiresAt: time,
          browser: z.string().describe("How the browser names itself; empty if it does not."),
          isThis: z.boolean().describe("The one that asks."),
        }),
      )
      .describe("Newest first."),
    total: count,
  }),
});

export const revokeSession = endpoint({
  route: "DELETE /owner/sessions/{sessionId}",
  tier: "owner",
  summary: "Sign a page out",
  answer: z.object({ id, ended: z.literal(true) }),
});
