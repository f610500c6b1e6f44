import * as z from "zod";
import { count } from "./fields.ts";

/** The language model that AI calls are sent to. */
export const languageModel = z.object({
  url: z.string().describe("The base of its OpenAI-compatible API."),
  model: z.string(),
  remote: z.boolean().describe("Whether prose leaves this machine; only by explicit consent."),
  timeoutSeconds: z.number().positive().describe("After so long the embedded engine answers alone."),
});

/** What a language model's server is and what it can, as far as it tells. */
export const modelServer = z.object({
  kind: z
    .enum(["Ollama", "llama.cpp", "LM Studio", "OpenAI-compatible"])
    .nullable()
    .describe("Null if nothing there answers as a server of language models does."),
  version: z.string().nullable(),
  models: z.array(z.string()).describe("Those that it lists."),
  hasModel: z
    .boolean()
    .nullable()
    .describe("Whether the one that is set is among them; null if that is not known."),
  contextTokens: count.nullable().describe("How many tokens it reads at once."),
  schema: z.boolean().nullable().describe("Whether it takes a JSON schema; null if that is not known."),
  failure: z
    .string()
    .nullable()
    .describe("Why it did not answer a question, in a word or two; null if it did."),
});
