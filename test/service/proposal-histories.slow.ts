import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomly } from "../prose/rewrite.ts";
import { randomFrom } from "../support/random.ts";
import { manuscript } from "../support/sandbox.ts";
import { History } from "./proposal-history.ts";

const HISTORIES = 500;
/** Orders in which the proposals of one history are accepted. */
const ORDERS = 3;

describe("proposals against edits made meanwhile", () => {
  it("come to the same text in any order or are stale, never reach another paragraph, and are undone exactly", (t) => {
    const { seed, numRuns = HISTORIES } = randomly(HISTORIES);
    const random = randomFrom(seed ?? 1);
    const count = { histories: 0, accepted: 0, merged: 0, stale: 0, ordersThatAgree: 0, compared: 0 };
    for (let run = 0; run < numRuns; run++) {
      const own = manuscript(t);
      const history = new History(own, random);
      history.live();
      const outcomes = new Map<string, string>();
      for (let order = 0; order < ORDERS; order++) {
        const { accepted, merged, stale, text } = history.acceptAll();
        count.accepted += accepted.length;
        count.merged += merged;
        count.stale += stale;
        const name = accepted.toSorted().join(" ");
        const other = outcomes.get(name);
        if (other !== undefined) {
          count.compared++;
          assert.equal(text, other, `run ${run}: ${name} came to another text in another order`);
          count.ordersThatAgree++;
        }
        outcomes.set(name, text);
      }
      count.histories++;
      own.close();
    }
    t.diagnostic(`seed ${seed}: ${JSON.stringify(count)}`);
    assert.ok(count.merged > numRuns / 10 && count.stale > numRuns / 10, "the histories are too tame");
  });
});
