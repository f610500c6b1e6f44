import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { CallId } from "../../src/ids.ts";
import { InsufficientCredits } from "../../src/refusals.ts";
import { changeAccount, readAccount } from "../../src/service/account/account.ts";
import { chargeHold, creditsLeft, hold, refund } from "../../src/service/account/credits.ts";
import { manuscript } from "../support/sandbox.ts";

type Step =
  | { do: "hold"; words: number }
  | { do: "settle" | "refund" }
  | { do: "set"; allowance: number | null; credits: number; subscription: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("hold" as const), words: fc.nat(4000) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("settle" as const, "refund" as const) }) },
  fc.record({
    do: fc.constant("set" as const),
    allowance: fc.option(fc.nat(6)),
    credits: fc.nat(6),
    subscription: fc.boolean(),
  }),
);

describe("the account", () => {
  it("is never below 0 and moves by the price alone, whatever is held, settled, refunded and set", (t) => {
    const own = manuscript(t);
    const { store } = own;
    const open: CallId[] = [];
    const take = (one: Step): void => {
      if (one.do === "set") changeAccount(own, one);
      else if (one.do === "hold") {
        const before = creditsLeft(store).available;
        const call = { operation: "check", chapterId: "ch_1", words: one.words, engine: "test" };
        try {
          const { id, cost } = hold(store, call, 3_600_000);
          assert.ok(before === null || before >= cost);
          assert.equal(creditsLeft(store).available, before === null ? null : before - cost);
          open.push(id);
        } catch (error) {
          assert.ok(error instanceof InsufficientCredits);
          assert.ok(before !== null && before < Math.max(1, Math.ceil(one.words / 1000)));
        }
      } else {
        const call = open.shift();
        const end = one.do === "settle" ? chargeHold : refund;
        if (call !== undefined) assert.deepEqual([end(store, call), end(store, call)], [true, false]);
      }
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        for (const one of steps) {
          take(one);
          const { credits, allowance } = readAccount(own);
          const { available } = creditsLeft(store);
          assert.ok(credits >= 0 && allowance.used >= 0 && (available === null || available >= 0));
        }
        for (const call of open.splice(0)) refund(store, call);
      }),
      { numRuns: 25 },
    );
  });
});
