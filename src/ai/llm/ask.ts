import type * as z from "zod";
import type { RandomBytes } from "../../ids.ts";
import type { ReadingFact } from "../../reading/reading.ts";
import type { LruCache } from "../../text/lru-cache.ts";
import { contentId, type ModelAnswer, ModelFailure, readCompletion, readObject } from "./answer.ts";
import { estimateTokens, type PromptPassage } from "./passage.ts";
import { type FactRefs, type Message, messagesOf, refsOf, repairOf } from "./prompt.ts";
import { type Deadline, isBadRequest, type ModelServer, post } from "./request.ts";
import { jsonSchemaOf } from "./shapes.ts";

/** A language model behind its server, and its latest answers. */
export interface Model {
  server: ModelServer;
  random: RandomBytes;
  /** Its answers by their prompt: a passage that nobody changed is not sent again. */
  answers: LruCache<string, unknown>;
}

/** How long an answer may take, and how much of the chapter is asked about at a time. */
export interface Room {
  deadline: Deadline;
  passageTokens: number;
}

/** What is wanted of a passage. */
export interface ModelQuestion<Schema extends z.ZodType> {
  /** The kind of answer, as the server is told: letters and underscores. */
  name: string;
  task: string;
  shape: Schema;
}

/** The model's answer in the question's shape, and the facts by the refs that it may name. Not verified yet. */
export interface Reply<Schema extends z.ZodType> {
  answer: z.output<Schema>;
  refs: FactRefs;
}

const NONCE_BYTES = 12;
// Below this share of our own estimate the server has cut the passage off, as some do without a word.
const READ_SHARE = 0.6;

/**
 * Asks about one passage; once more if the answer is no such object. Throws `ModelFailure`. Source:
 * docs/decisions/016-reading-engine.md.
 */
export async function ask<Schema extends z.ZodType>(
  model: Model,
  question: ModelQuestion<Schema>,
  about: { passage: PromptPassage; cast: readonly ReadingFact[]; deadline: Deadline },
): Promise<Reply<Schema>> {
  const { passage, cast, deadline } = about;
  const refs = refsOf(cast, passage);
  const request = { ...question, schema: jsonSchemaOf(question.shape) };
  const nonce = Buffer.from(model.random(NONCE_BYTES)).toString("hex");
  const messages = messagesOf(request, { passage, refs }, nonce);
  const key = contentId(JSON.stringify(messagesOf(request, { passage, refs }, "")));
  const known = model.answers.get(key);
  if (known !== undefined) return { answer: known as z.output<Schema>, refs }; // the key holds the schema
  const read = (heard?: ModelAnswer) =>
    heard === undefined ? undefined : readObject(heard.text, question.shape);
  const first = await say(model, request, messages, deadline);
  if (wasCut(first?.promptTokens, passage)) throw new ModelFailure("short_context");
  const answer =
    read(first) ?? read(await say(model, request, repairOf(messages, first?.text ?? ""), deadline));
  if (answer === undefined) throw new ModelFailure("invalid_answer");
  model.answers.set(key, answer);
  return { answer, refs };
}

async function say(
  { server }: Model,
  { name, schema }: { name: string; schema: object },
  messages: readonly Message[],
  deadline: Deadline,
): Promise<ModelAnswer | undefined> {
  const plain = { model: server.model, messages, stream: false };
  const json_schema = { name, strict: true, schema };
  const strict = { ...plain, temperature: 0, response_format: { type: "json_schema", json_schema } };
  try {
    return readCompletion(await post(server, strict, deadline));
  } catch (error) {
    // Some servers know no schemas, some models no temperature; the prompt asks for the same.
    if (!isBadRequest(error)) throw error;
    return readCompletion(await post(server, plain, deadline));
  }
}

function wasCut(promptTokens: number | undefined, passage: PromptPassage): boolean {
  if (promptTokens === undefined || promptTokens <= 0) return false;
  const sent = passage.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return promptTokens < READ_SHARE * sent;
}
