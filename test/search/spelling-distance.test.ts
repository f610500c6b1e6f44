import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isWithin, lettersOf, mayBeWithin } from "../../src/search/spelling-distance.ts";

/** Levenshtein's distance by his own recursion. */
function distance(left: string, right: string): number {
  if (left === "" || right === "") return left.length + right.length;
  const change = left[0] === right[0] ? 0 : 1;
  return Math.min(
    distance(left.slice(1), right.slice(1)) + change,
    distance(left.slice(1), right) + 1,
    distance(left, right.slice(1)) + 1,
  );
}

test("isWithin › knows the distance of any two words, and mayBeWithin rules out none that are near", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 2 }), (left, right, most) => {
      const near = distance(left, right) <= most;
      assert.equal(isWithin(left, right, most), near);
      if (near) assert.ok(mayBeWithin(lettersOf(left), lettersOf(right), most));
    }),
    { numRuns: 400, seed: 3 },
  );
});
