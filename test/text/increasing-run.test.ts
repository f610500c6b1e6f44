import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { longestIncreasing, lowerBound } from "../../src/text/increasing-run.ts";

/** Length of the longest increasing run, by trying every choice. */
function lengthOf(values: readonly number[], above = -1): number {
  const [first, ...rest] = values;
  if (first === undefined) return 0;
  return Math.max(lengthOf(rest, above), first > above ? 1 + lengthOf(rest, first) : 0);
}

test("longestIncreasing › finds as long a run as there is, and nothing that is none", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 6 }), { maxLength: 9 }), (values) => {
      const run = longestIncreasing(values, -1);
      assert.equal(run.length, lengthOf(values));
      for (const [step, at] of run.entries()) {
        assert.notEqual(values[at], -1);
        const next = run[step + 1];
        if (next !== undefined) assert.ok(at < next && Number(values[at]) < Number(values[next]));
      }
    }),
    { numRuns: 400, seed: 3 },
  );
});

test("lowerBound › is where a value would be put", () => {
  assert.deepEqual(
    ["a", "b", "c", "d"].map((value) => lowerBound(["b", "b", "c"], value)),
    [0, 0, 2, 3],
  );
});
