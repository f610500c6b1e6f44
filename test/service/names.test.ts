import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { coverOf, findFactNames, namesOfFacts } from "../../src/service/annotations/names/match-names.ts";

describe("findNames", () => {
  const { names } = namesOfFacts([
    { id: "f1", name: "Mara Hale", aliases: ["Mara"] },
    { id: "f2", name: "Hale Orr", aliases: [] },
  ]);

  it("lets the longer name win, and takes whole words only", () => {
    const text = "Mara Hale Orr, Mara, Maralin";
    assert.deepEqual(findFactNames({ text, breaks: [] }, names), [
      { factId: "f1", from: 0, to: 9 },
      { factId: "f1", from: 15, to: 19 },
    ]);
  });

  it("is not quadratic in one long paragraph", () => {
    const text = "Mara saw Mara Hale and Hale Orr. ".repeat(20_000);
    const start = process.cpuUsage();
    assert.equal(findFactNames({ text, breaks: [] }, names).length, 60_000);
    assert.ok(process.cpuUsage(start).user < 2_000_000, "60,000 names take some 50 ms");
  });

  it("knows which spans are clear of others", () => {
    const { isFree } = coverOf(20, [{ from: 5, to: 9 }]);
    assert.deepEqual(
      [
        [0, 5],
        [8, 10],
        [9, 12],
        [4, 12],
      ].map(([from = 0, to = 0]) => isFree({ from, to })),
      [true, false, true, false],
    );
  });
});
