import { LruCache } from "../../../text/lru-cache.ts";
import type { ModelAnswer } from "./completion.ts";
import { type Complaint, Refused, type Wish } from "./failure.ts";
import { type Deadline, type ModelServer, post } from "./request.ts";

/** One message of a chat. */
export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/** A chat that ends with a question, and the JSON that its answer is to be. */
export interface Chat {
  /** The kind of answer, as the server is told: letters and underscores. */
  name: string;
  messages: readonly Message[];
  schema: object;
  /** The answer is cut off behind so many tokens. */
  answerTokens: number;
}

// Parameters that a model has refused, by its address and name; not sent again while this process runs.
const refused = new LruCache<string, ReadonlySet<Wish>>(100);

// Parameters to leave out where a server does not say which it dislikes: the least important first, at last all.
const GUESSES: readonly (readonly Wish[])[] = [
  [],
  ["temperature"],
  ["schema"],
  ["temperature", "schema"],
  ["temperature", "schema", "length"],
];

/**
 * Returns the model's answer; undefined if that is no completion. A model that refuses a temperature, a schema or a limit is
 * asked without just that, now and from now on. Throws `ModelFailure`.
 */
export async function converse(
  server: ModelServer,
  chat: Chat,
  deadline: Deadline,
): Promise<ModelAnswer | undefined> {
  const named = new Set(refusedBy(server));
  const tried = new Set<string>();
  let last: unknown;
  for (let guess = 0; guess < GUESSES.length; ) {
    const without = new Set([...named, ...(GUESSES[guess] ?? [])]);
    const key = [...without].sort().join(" ");
    if (tried.has(key)) {
      guess++;
      continue;
    }
    tried.add(key);
    try {
      const answer = await post(server, bodyOf(server, chat, without), deadline);
      if (without.size > 0) refused.set(nameOf(server), without);
      return answer;
    } catch (error) {
      if (!(error instanceof Refused) || !error.isOfRequest || error.about === "model") throw error;
      last = error;
      if (isWish(error.about)) named.add(error.about);
    }
  }
  throw last;
}

/** From now on this model may write as long as it likes: one that thinks has spent its limit on thoughts. */
export function liftLimit(server: ModelServer): void {
  refused.set(nameOf(server), new Set([...refusedBy(server), "length"]));
}

/** Returns the parameters that this model is known to refuse. */
export function refusedBy(server: ModelServer): ReadonlySet<Wish> {
  return refused.get(nameOf(server)) ?? new Set();
}

function nameOf({ base, model }: ModelServer): string {
  return `${base}\n${model}`;
}

function isWish(about: Complaint | undefined): about is Wish {
  return about !== undefined && about !== "model";
}

function bodyOf({ model }: ModelServer, chat: Chat, without: ReadonlySet<Wish>): object {
  const json_schema = { name: chat.name, strict: true, schema: chat.schema };
  return {
    model,
    messages: chat.messages,
    stream: false,
    ...(without.has("temperature") ? {} : { temperature: 0 }),
    ...(without.has("length") ? {} : { max_tokens: chat.answerTokens }),
    ...(without.has("schema") ? {} : { response_format: { type: "json_schema", json_schema } }),
  };
}
