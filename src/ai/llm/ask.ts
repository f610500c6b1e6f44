import type * as z from "zod";
import type { RandomBytes } from "../../ids.ts";
import type { LruCache } from "../../text/lru-cache.ts";
import { contentId } from "./answer.ts";
import { type Items, readItems } from "./items.ts";
import { tokensIn } from "./passage.ts";
import { messagesOf, type PromptTask, repairOf, type Shown } from "./prompt.ts";
import type { ModelAnswer } from "./server/completion.ts";
import { converse, liftLimit, type Message, refusedBy } from "./server/converse.ts";
import { ModelFailure, ShortContext } from "./server/failure.ts";
import type { Deadline, ModelServer } from "./server/request.ts";
import { listSchema } from "./shapes.ts";

/** A language model behind its server, and its latest answers. */
export interface Model {
  server: ModelServer;
  random: RandomBytes;
  /** Its answers by their prompt: a passage that nobody changed is not sent again. */
  answers: LruCache<string, Items<unknown>>;
}

/** A question about a passage that is answered by a list of items. */
export interface ModelQuestion<Schema extends z.ZodType> extends PromptTask {
  /** The kind of answer, as the server is told: letters and underscores. */
  name: string;
  /** The name of the list in the answer. */
  list: string;
  item: Schema;
  /** How long an answer may be. Prompt and answer fit 4,096 tokens: what a server with little memory reads at once. */
  answerTokens: number;
}

const NONCE_BYTES = 12;
const MOST_ITEMS = 100;
// Below this share of our own estimate the server has cut the passage off, as some do without a word.
const READ_SHARE = 0.6;

/**
 * Returns the usable items of the model's answer to one passage. It is asked once more if it answers with no
 * such list. Throws `ModelFailure`, `no_quotes` if there are items and none can be used. Source:
 * docs/decisions/016-reading-engine.md.
 */
export async function ask<Schema extends z.ZodType, Used>(
  model: Model,
  question: ModelQuestion<Schema>,
  { shown, deadline }: { shown: Shown; deadline: Deadline },
  use: (item: z.output<Schema>) => Used | undefined,
): Promise<Used[]> {
  const key = contentId(JSON.stringify([question.name, messagesOf(question, shown, "")]));
  const known = model.answers.get(key) as Items<z.output<Schema>> | undefined; // the key holds the question
  const { items, bad } = known ?? (await listen(model, question, { shown, deadline }));
  const used = items.slice(0, MOST_ITEMS).flatMap((item) => use(item) ?? []);
  if (used.length === 0 && items.length + bad > 0) throw new ModelFailure("no_quotes");
  model.answers.set(key, { items, bad });
  return used;
}

async function listen<Schema extends z.ZodType>(
  model: Model,
  question: ModelQuestion<Schema>,
  { shown, deadline }: { shown: Shown; deadline: Deadline },
): Promise<Items<z.output<Schema>>> {
  const { name, list, item, answerTokens } = question;
  const schema = listSchema(list, item);
  const nonce = Buffer.from(model.random(NONCE_BYTES)).toString("hex");
  const messages = messagesOf(question, shown, nonce);
  const say = (said: readonly Message[]) =>
    converse(model.server, { name, messages: said, schema, answerTokens }, deadline);
  const read = (heard?: ModelAnswer) =>
    heard && (readItems(heard.text, list, item) ?? readItems(heard.thoughts, list, item));
  const first = await say(messages);
  if (wasCut(first, shown)) throw new ShortContext();
  const answer = read(first) ?? read(await say(againAfter(model.server, first, messages)));
  if (answer === undefined) throw new ModelFailure("invalid_answer");
  return answer;
}

/** The messages of the second try. A model that had no room left behind its thoughts is asked the same without a limit. */
function againAfter(
  server: ModelServer,
  heard: ModelAnswer | undefined,
  messages: readonly Message[],
): readonly Message[] {
  const hasThought = heard !== undefined && (heard.thoughts !== "" || heard.text.includes("<think"));
  if (!heard?.isCut || !hasThought || refusedBy(server).has("length"))
    return repairOf(messages, heard?.text ?? "");
  liftLimit(server);
  return messages;
}

function wasCut(heard: ModelAnswer | undefined, { passage }: Shown): boolean {
  const promptTokens = heard?.promptTokens ?? 0;
  return promptTokens > 0 && promptTokens < READ_SHARE * tokensIn(passage);
}
