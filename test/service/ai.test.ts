import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Reader } from "../../src/ai/reader.ts";
import { changeAccount, readAccount } from "../../src/service/account.ts";
import { serve } from "../support/client.ts";

/** An engine that answers what it is told to. */
function engine(answer: () => string): Reader {
  return {
    engine: "test",
    synopsis: async ({ title }) => `${answer()} ${title}`,
    detect: async ({ blocks }, { cast }) => [
      {
        id: "p1",
        type: "mention",
        factId: cast[0]?.id ?? null,
        name: cast[0]?.name ?? "",
        kind: "character",
        confidence: 0.9,
        reason: answer(),
        occurrences: [
          { blockId: blocks[0]?.blockId ?? "", from: 0, to: 3, text: blocks[0]?.text.slice(0, 3) ?? "" },
        ],
      },
    ],
    check: async () => [],
  };
}

describe("the AI tier", () => {
  it("answers through the engine, in the contract's shapes, at the price of the chapter's words", async (t) => {
    const lab = await serve(t);
    Object.assign(lab.manuscript, { reader: engine(() => "About") });
    changeAccount(lab.manuscript, { allowance: 1, credits: 2 });
    const path = `/chapters/${lab.sample.chapterId}`;
    const synopsis = await lab.ask("POST", `${path}/synopsis`);
    assert.deepEqual(synopsis.body, { synopsis: "About The Ferry" });
    assert.deepEqual(
      [synopsis.headers.get("x-credits-cost"), synopsis.headers.get("x-credits-remaining")],
      ["1", "2"],
    );
    assert.equal((await lab.ask("POST", `${path}/detect`)).body.proposals[0].name, "Mara");
    assert.deepEqual((await lab.ask("POST", `${path}/check`)).body.findings, []);
    assert.equal((await lab.ask("POST", `${path}/check`)).status, 402);
    assert.deepEqual(readAccount(lab.manuscript).allowance, { perMonth: 1, used: 1 });
    assert.equal(readAccount(lab.manuscript).credits, 0);
  });

  it("gives the price back where the engine fails", async (t) => {
    const lab = await serve(t, { write: () => {} });
    Object.assign(lab.manuscript, {
      reader: engine(() => {
        throw new Error("the engine broke");
      }),
    });
    changeAccount(lab.manuscript, { allowance: 0, credits: 5 });
    const failed = await lab.ask("POST", `/chapters/${lab.sample.chapterId}/synopsis`);
    assert.deepEqual([failed.status, failed.body.error], [500, "internal"]);
    assert.doesNotMatch(failed.text, /the engine broke/);
    assert.equal(readAccount(lab.manuscript).credits, 5);
  });

  it("counts the allowance only while the subscription is active", async (t) => {
    const lab = await serve(t);
    Object.assign(lab.manuscript, { reader: engine(() => "About") });
    changeAccount(lab.manuscript, { subscription: false, allowance: 100, credits: 1 });
    const path = `/chapters/${lab.sample.chapterId}/synopsis`;
    assert.equal((await lab.ask("POST", path)).status, 200);
    assert.equal((await lab.ask("POST", path)).status, 402);
  });
});
