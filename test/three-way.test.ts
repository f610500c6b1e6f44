import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judge, type Side, type Sides, type Verdict } from "../src/three-way.ts";

/** Every row of the table: the sides, and the verdict without force, with the folder's and with the manuscript's. */
const TABLE: readonly [string, Sides<string | undefined>, Verdict, Verdict, Verdict][] = [
  ["all agree", { base: "a", incoming: "a", stored: "a" }, "same", "same", "same"],
  ["both changed alike", { base: "a", incoming: "b", stored: "b" }, "same", "same", "same"],
  ["they agree, base unknown", { incoming: "a", stored: "a" }, "same", "same", "same"],
  ["base unknown", { incoming: "a", stored: "b" }, "incoming", "incoming", "stored"],
  ["only stored changed", { base: "a", incoming: "a", stored: "b" }, "stored", "stored", "stored"],
  ["only incoming changed", { base: "a", incoming: "b", stored: "a" }, "incoming", "incoming", "incoming"],
  ["both changed", { base: "a", incoming: "b", stored: "c" }, "conflict", "incoming", "stored"],
  [
    "incoming took it out",
    { base: "a", incoming: undefined, stored: "a" },
    "incoming",
    "incoming",
    "incoming",
  ],
  ["stored took it out", { base: "a", incoming: "a", stored: undefined }, "stored", "stored", "stored"],
  [
    "one took out what the other changed",
    { base: "a", incoming: undefined, stored: "b" },
    "conflict",
    "incoming",
    "stored",
  ],
  [
    "a base that is known to be nothing",
    { base: undefined, incoming: "a", stored: "b" },
    "conflict",
    "incoming",
    "stored",
  ],
  [
    "only incoming has it, and never both",
    { base: undefined, incoming: "a", stored: undefined },
    "incoming",
    "incoming",
    "incoming",
  ],
];

describe("judge", () => {
  for (const [name, sides, free, incoming, stored] of TABLE) {
    it(`${name}: ${free}`, () => {
      assert.equal(judge(sides), free);
      const forced = (force: Side) => judge(sides, { force });
      assert.deepEqual([forced("incoming"), forced("stored")], [incoming, stored]);
    });
  }

  it("is the mirror of itself if the sides change places", () => {
    const mirror: Record<Verdict, Verdict> = {
      same: "same",
      conflict: "conflict",
      incoming: "stored",
      stored: "incoming",
    };
    for (const [name, sides] of TABLE) {
      if (!("base" in sides)) continue;
      const { base, incoming, stored } = sides;
      assert.equal(judge({ base, incoming: stored, stored: incoming }), mirror[judge(sides)], name);
    }
  });

  it("compares as it is told to, and by value otherwise", () => {
    assert.equal(judge({ base: { a: 1 }, incoming: { a: 1 }, stored: { a: 2 } }), "stored");
    const same = (one: string, other: string) => one.trim() === other.trim();
    assert.equal(judge({ base: "a", incoming: " a", stored: "b" }, { same }), "stored");
  });
});
