import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Cost, costs } from "./edits-costs.ts";

/** Other test files run beside this one; `test/bench/reconcile.ts` holds the times to the bars themselves. */
const SLACK = 4;

describe("reconcile › cost", () => {
  for (const { name, mostMs, run } of costs()) {
    it(`stays within ${SLACK} times ${mostMs} ms: ${name}`, () => {
      const bestMs = timeBest(run, SLACK * mostMs);
      assert.ok(bestMs <= SLACK * mostMs, `${bestMs.toFixed(2)} ms at best`);
    });
  }
});

/** Milliseconds of the first of five runs that is quick enough, or of the best. */
function timeBest(run: Cost["run"], enoughMs: number): number {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5 && bestMs > enoughMs; turn++) {
    const start = performance.now();
    run();
    bestMs = Math.min(bestMs, performance.now() - start);
  }
  return bestMs;
}
