import assert from "node:assert/strict";
import { it } from "node:test";
import { askInMoods } from "./in-moods.ts";
import { MOODS } from "./moods.ts";

const DEADLINE_SECONDS = 3;

it("a model that hangs, however it does, is given up on within a second of its deadline", async (t) => {
  const ended = await askInMoods(
    t,
    MOODS.filter(({ hangs }) => hangs),
    DEADLINE_SECONDS,
  );
  for (const { mood, operation, milliseconds } of ended)
    assert.ok(milliseconds < 1000 * (DEADLINE_SECONDS + 1), `${mood.name}: ${operation} ${milliseconds}`);
});
