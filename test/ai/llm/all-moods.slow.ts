import assert from "node:assert/strict";
import { it } from "node:test";
import { askInMoods } from "./in-moods.ts";
import { MOODS } from "./moods.ts";

it("a model's server answers in many moods, each with a name of its own", () => {
  assert.equal(new Set(MOODS.map(({ name }) => name)).size, MOODS.length);
  assert.ok(MOODS.length >= 46);
});

it("in every mood somebody answers, what is paid for was answered, and the key stays here", async (t) => {
  await askInMoods(
    t,
    MOODS.filter(({ hangsAt }) => hangsAt === undefined),
    3600,
  );
});
