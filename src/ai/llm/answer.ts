import { createHash } from "node:crypto";
import * as z from "zod";

/** What is read of a chat completion; every other key is passed over. */
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().nullish() }).nullish(),
});

/** The text of the answer, and how many tokens the server counted of the prompt, if it tells. */
export interface ModelAnswer {
  text: string;
  promptTokens: number | undefined;
}

/** The answer of `/chat/completions`; undefined if it is none, or was cut off at the server's limit. */
export function readCompletion(body: string): ModelAnswer | undefined {
  const { data } = completion.safeParse(parseJson(body));
  const choice = data?.choices[0];
  const text = choice?.message.content;
  if (typeof text !== "string" || choice?.finish_reason === "length") return undefined;
  return { text, promptTokens: data?.usage?.prompt_tokens ?? undefined };
}

/**
 * The object in the answer: thoughts before it, a code fence or talk around it are taken off. undefined
 * if there is none of the schema's shape.
 */
export function readObject<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): z.output<Schema> | undefined {
  const thought = text.lastIndexOf("</think");
  const rest = thought < 0 ? text : text.slice(text.indexOf(">", thought) + 1);
  const from = rest.indexOf("{");
  const to = rest.lastIndexOf("}");
  if (from < 0 || to < from) return undefined;
  return schema.safeParse(parseJson(rest.slice(from, to + 1))).data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Why a language model gave no answer that can be used: one word or two, safe to show in a header. It holds nothing of
 * the prose, of the server's words or of the key.
 */
export class ModelFailure extends Error {
  /** `timeout`, `unreachable`, `redirect`, `http_STATUS`, `too_large`, `invalid_answer`, `no_quotes`, `short_context`, `not_allowed`. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`the language model failed: ${reason}`, options);
    this.name = "ModelFailure";
    this.reason = reason;
  }
}

/** What the model wrote, as one line of plain text of at most so many characters; "" if it wrote nothing. */
export function plainLine(text: string, characters: number): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, characters);
}

/** An id that is the same for the same content in every run. */
export function contentId(...content: readonly (string | number | null)[]): string {
  return `llm_${createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 24)}`;
}
