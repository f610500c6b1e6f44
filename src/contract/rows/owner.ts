import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { TIERS } from "../enums.ts";
import { cleanText, count, day, time } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { LOCAL_ANSWERS } from "../local-answers.ts";

export const listKeys = endpoint({
  route: "GET /owner/keys",
  tier: "owner",
  summary: "List the API keys, never the keys themselves",
  answer: LOCAL_ANSWERS.keys,
});

export const createKey = endpoint({
  route: "POST /owner/keys",
  tier: "owner",
  summary: "Make an API key; it is shown this once",
  body: {
    json: z.strictObject({
      name: cleanText(LIMITS.nameCharacters).optional(),
      allow: z.array(z.enum(TIERS)).min(1).optional().describe("What it may do; all of it if not sent."),
      expiresAt: time.nullable().optional().describe("When it ends; null or nothing: never."),
    }),
  },
  answer: LOCAL_ANSWERS.keyCreated,
  created: { location: "/owner/keys" },
});

export const revokeKey = endpoint({
  route: "DELETE /owner/keys/{keyId}",
  tier: "owner",
  summary: "End an API key for good",
  answer: LOCAL_ANSWERS.key,
});

export const readAccount = endpoint({
  route: "GET /owner/account",
  tier: "owner",
  summary: "The plan and what is left of it, and the language model",
  answer: LOCAL_ANSWERS.account,
});

export const changeAccount = endpoint({
  route: "PATCH /owner/account",
  tier: "owner",
  summary: "Change what is sent of the plan and the language model",
  body: {
    json: z
      .strictObject({
        subscription: z.boolean().optional(),
        until: day.nullable().optional().describe("Its last day; null for no end."),
        allowance: count.nullable().optional().describe("Credits a month; null is unlimited."),
        credits: count.optional().describe("The balance."),
        llm: z
          .strictObject({
            url: z.string().max(LIMITS.urlCharacters).optional(),
            model: z.string().optional(),
            timeoutSeconds: z.number().optional(),
            allowRemote: z.boolean().optional().describe("Consent to send prose to another machine."),
          })
          .refine((change) => Object.keys(change).length > 0, "give at least one of its keys")
          .nullable()
          .optional()
          .describe("Null switches it off."),
      })
      .refine((change) => Object.keys(change).length > 0, "give at least one key"),
  },
  answer: LOCAL_ANSWERS.account,
});

export const readFileState = endpoint({
  route: "GET /owner/file",
  tier: "owner",
  summary: "The manuscript's file: where it is and how large",
  answer: LOCAL_ANSWERS.file,
});
