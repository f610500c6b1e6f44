import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { InsufficientCredits, RateLimited } from "../../src/refusals.ts";
import { counted, withArticle } from "../../src/text/columns.ts";

describe("a number of things", () => {
  it("is one thing, or several of them, as English spells them", () => {
    for (const [count, noun, said] of [
      [1, "credit", "1 credit"],
      [0, "word", "0 words"],
      [2194, "word", "2,194 words"],
      [2, "entry", "2 entries"],
      [2, "day", "2 days"],
      [1, "match", "1 match"],
      [3, "match", "3 matches"],
      [3, "new alias", "3 new aliases"],
    ] as const)
      assert.equal(counted(count, noun), said);
  });

  it("has the article that its noun takes", () => {
    assert.deepEqual(["ordered list", "table", "entry"].map(withArticle), [
      "an ordered list",
      "a table",
      "an entry",
    ]);
  });

  it("is counted so in refusals", () => {
    assert.match(new InsufficientCredits(1, 1).message, /costs 1 credit and 1 is left/);
    assert.match(new InsufficientCredits(2, 0).message, /costs 2 credits and 0 are left/);
    assert.match(new RateLimited(1).message, /wait 1 second and/);
  });
});
