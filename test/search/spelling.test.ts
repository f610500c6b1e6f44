import assert from "node:assert/strict";
import { test } from "node:test";
import { bookOf, chaptersOf } from "./book.ts";
import { PAIRS } from "./spelling-pairs.ts";

for (const [written, typed] of PAIRS) {
  test(`find › ${JSON.stringify(typed)} finds ${JSON.stringify(written)}`, () => {
    const book = bookOf([["Nothing of the kind."], [`Here it is: ${written} as the author wrote it.`]]);
    assert.deepEqual(chaptersOf(book.find(typed, 20)), ["c2"]);
  });
}

const STRANGERS: readonly (readonly [string, string])[] = [
  ["I’ll", "ill"],
  ["we’re", "were"],
  ["がっこう", "かっこう"],
  ["東西京都", "東京"],
  ["कि", "क"],
];

for (const [written, typed] of STRANGERS) {
  test(`find › ${JSON.stringify(typed)} does not find ${JSON.stringify(written)}`, () => {
    const book = bookOf([[`Here it is: ${written} as the author wrote it.`]]);
    assert.deepEqual(chaptersOf(book.find(`"${typed}"`, 20)), []);
  });
}
