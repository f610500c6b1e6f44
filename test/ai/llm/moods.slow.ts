import assert from "node:assert/strict";
import { it } from "node:test";
import { askInMoods } from "./in-moods.ts";
import { MOODS } from "./moods.ts";

const DEADLINE_SECONDS = 3;

it("a model that hangs, however it does, is given up on at its deadline, and asked no more behind it", async (t) => {
  const ended = await askInMoods(
    t,
    MOODS.filter(({ hangsAt }) => hangsAt !== undefined),
    DEADLINE_SECONDS,
  );
  for (const { mood, operation, asked } of ended)
    assert.ok(asked > 0 && asked <= (mood.hangsAt ?? 0), `${mood.name}: ${operation} asked ${asked} times`);
});
