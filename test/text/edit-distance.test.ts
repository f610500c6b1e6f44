import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { editDistance, lettersOf, mayBeWithin } from "../../src/text/edit-distance.ts";
import { randomly } from "../prose/rewrite.ts";

/** Levenshtein's distance by his own recursion; with swaps Damerau's, no letter being swapped and changed. */
function distance(left: string, right: string, swaps: boolean): number {
  if (left === "" || right === "") return left.length + right.length;
  const isSwap = swaps && left.length > 1 && left[0] === right[1] && left[1] === right[0];
  return Math.min(
    distance(left.slice(1), right.slice(1), swaps) + (left[0] === right[0] ? 0 : 1),
    distance(left.slice(1), right, swaps) + 1,
    distance(left, right.slice(1), swaps) + 1,
    isSwap ? distance(left.slice(2), right.slice(2), swaps) + 1 : Number.POSITIVE_INFINITY,
  );
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), maxLength: 6 });
const most = fc.integer({ min: 0, max: 7 });

for (const swaps of [false, true]) {
  test(`editDistance › knows the distance of any two words${swaps ? ", swaps counted once" : ""}`, () => {
    fc.assert(
      fc.property(word, word, most, (left, right, most) => {
        assert.equal(
          editDistance(left, right, most, swaps),
          Math.min(distance(left, right, swaps), most + 1),
        );
      }),
      { ...randomly(400), seed: 3 },
    );
  });
}

test("mayBeWithin › rules out no words that are near", () => {
  fc.assert(
    fc.property(word, word, most, (left, right, most) => {
      if (editDistance(left, right, most) <= most)
        assert.ok(mayBeWithin(lettersOf(left), lettersOf(right), most));
    }),
    { ...randomly(400), seed: 3 },
  );
});
