import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { converse } from "../../../src/ai/llm/server/converse.ts";
import { ModelFailure } from "../../../src/ai/llm/server/failure.ts";
import { deadlineIn } from "../../../src/ai/llm/server/request.ts";
import { type Behave, type FakeModel, fakeModel, json, status } from "./fake-model.ts";

const messages = [
  { role: "system", content: "Answer." },
  { role: "user", content: "What is it?" },
] as const;

/** Asks a model of a server of its own so many times; gives what each request held beside the messages. */
async function ask(t: TestContext, times: number, behave: Behave): Promise<string[]> {
  const fake: FakeModel = await fakeModel(t, behave);
  const server = { base: fake.url, model: "m", key: undefined, fetch };
  const chat = { name: "x", messages, schema: {}, answerTokens: 9 };
  for (let time = 0; time < times; time++)
    await converse(server, chat, deadlineIn(50_000)).catch((error) =>
      assert.ok(error instanceof ModelFailure),
    );
  const parts = { temperature: "t", max_tokens: "l", response_format: "s" };
  return fake.requests.map(({ body }) =>
    Object.entries(parts)
      .flatMap(([name, letter]) => (name in body ? letter : []))
      .join(""),
  );
}

describe("what a model refuses", () => {
  it("is left out at once if the server names it, and never sent to that model again", async (t) => {
    const words = { error: { message: "'temperature' is deprecated for this model." } };
    const refusing: Behave = ({ body }) => ("temperature" in body ? json(400, words) : "yes");
    assert.deepEqual(await ask(t, 3, refusing), ["tls", "ls", "ls", "ls"]);
    const two: Behave = ({ body }) =>
      "max_tokens" in body
        ? json(400, { error: { param: "max_tokens" } })
        : "temperature" in body
          ? json(422, words)
          : "yes";
    assert.deepEqual(await ask(t, 2, two), ["tls", "ts", "s", "s"]);
  });

  it("is guessed if the server does not: the temperature first, and no more is left out than need be", async (t) => {
    const without = (part: string): Behave => {
      return ({ body }) => (part in body ? status(400) : "yes");
    };
    assert.deepEqual(await ask(t, 2, without("temperature")), ["tls", "ls", "ls"]);
    assert.deepEqual(await ask(t, 2, without("response_format")), ["tls", "ls", "tl", "tl"]);
    assert.deepEqual(await ask(t, 2, without("max_tokens")), ["tls", "ls", "tl", "l", "", ""]);
  });

  it("is not remembered where nothing helped, and a model that is not there is not guessed at", async (t) => {
    const all = ["tls", "ls", "tl", "l", ""];
    assert.deepEqual(await ask(t, 2, () => status(400)), [...all, ...all]);
    const missing = { error: { code: "model_not_found", message: "The model `m` does not exist" } };
    assert.deepEqual(await ask(t, 1, () => json(400, missing)), ["tls"]);
  });
});
