import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { changeAccount, readAccount } from "../../../src/service/account/account.ts";
import { checkConsistency, detectMentions, draftSynopsis } from "../../../src/service/ai/metered-call.ts";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { writeSample } from "../../support/sample.ts";
import { folder, seeded } from "../../support/sandbox.ts";
import { EMBEDDED, embedded } from "./answers.ts";
import { fakeModel } from "./fake-model.ts";
import { KEY, type Mood } from "./moods.ts";

const OPERATIONS = { synopsis: draftSynopsis, detect: detectMentions, check: checkConsistency } as const;
const CREDITS = 1000;

interface Ended {
  mood: Mood;
  operation: string;
  /** How often the model was asked. */
  asked: number;
  paid: Awaited<ReturnType<(typeof OPERATIONS)[keyof typeof OPERATIONS]>>;
}

/**
 * Asks all three questions of a model in each mood, all at once, and holds what comes to the table: who answered, that
 * exactly what the model answered is paid for, that everything quoted stands there, and that the key is nowhere.
 */
export async function askInMoods(
  t: TestContext,
  moods: readonly Mood[],
  timeoutSeconds: number,
): Promise<Ended[]> {
  const counts = new Map<string, number>();
  const fake = await fakeModel(t, (request) => {
    const mood = moods[Number(request.body.model)];
    assert.ok(mood !== undefined);
    const key = `${request.body.model} ${request.asked}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return mood.behave(request, count);
  });
  const cwd = folder(t);
  const own = openManuscript(join(cwd, "own.manuscript"), {
    create: true,
    reader: embedded,
    network: { key: KEY },
    random: seeded(),
  });
  t.after(() => own.close());
  const { chapterId } = writeSample(own);
  changeAccount(own, { allowance: 0, credits: CREDITS });
  const asked = moods.flatMap((mood, index) => {
    changeAccount(own, { llm: { url: fake.url, model: String(index), timeoutSeconds } });
    return Object.entries(OPERATIONS).map(async ([operation, ask]): Promise<Ended> => {
      const paid = await ask(own, chapterId);
      return { mood, operation, asked: counts.get(`${index} ${operation}`) ?? 0, paid };
    });
  });
  const ended = await Promise.all(asked);
  for (const one of ended) assertEnded(one);
  const paidFor = ended.reduce((sum, { paid }) => sum + paid.spent.cost, 0);
  assert.equal(readAccount(own).credits, CREDITS - paidFor);
  assert.ok(!JSON.stringify(ended.map(({ paid }) => paid)).includes(KEY), "the key is in an answer");
  for (const name of readdirSync(cwd)) assert.ok(!readFileSync(join(cwd, name)).includes(KEY), name);
  return ended;
}

function assertEnded({ mood, operation, paid }: Ended): void {
  const { name, outcome } = mood;
  const told = `${name}: ${operation}`;
  const expected = typeof outcome === "string" ? outcome : outcome[operation];
  assert.equal(paid.fallback ?? "model", expected, told);
  assert.equal(paid.missed, undefined, told);
  assert.equal(paid.spent.cost, expected === "model" ? 1 : 0, told);
  const { answer } = paid;
  assert.doesNotMatch(JSON.stringify(answer), /\\u00[01]/, told);
  if ("synopsis" in answer) {
    if (expected !== "model") assert.equal(answer.synopsis, EMBEDDED, told);
    else assert.match(answer.synopsis, /^Mara comes .{0,2}early ?, and late\.$/, told);
  } else if ("proposals" in answer) {
    const names = answer.proposals.map(({ name: proposed }) => proposed);
    assert.deepEqual(names, expected === "model" ? ["The", "Mara", "bell"] : ["The"], told);
    assert.equal(answer.fallback, paid.fallback, told);
  }
}
