import assert from "node:assert/strict";
import { test } from "node:test";
import { endOfDay, streakOf } from "../../src/text/day.ts";

/** Where clocks go forward at the midnight before 28 April 2023, and back at that behind 26 October. */
function inCairo<Result>(run: () => Result): Result {
  const { TZ } = process.env;
  process.env.TZ = "Africa/Cairo";
  try {
    return run();
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
}

for (const [day, end] of [
  ["2023-01-31", "2023-01-31T21:59:59.999Z"],
  ["2023-04-27", "2023-04-27T21:59:59.999Z"],
  ["2023-04-28", "2023-04-28T20:59:59.999Z"],
  ["2023-10-26", "2023-10-26T21:59:59.999Z"],
  ["2023-12-31", "2023-12-31T21:59:59.999Z"],
] as const)
  test(`endOfDay › is the last millisecond of ${day}, also where clocks change at midnight`, () => {
    assert.equal(new Date(inCairo(() => endOfDay(day))).toISOString(), end);
  });

for (const [days, free, streak] of [
  ["xxx", "", 3],
  [".xx", "", 2],
  ["x.x..x", "", 2],
  ["xx..x", "3", 3],
  ["x...x", "13", 2],
  ["..x", "", 1],
  ["...x", "", 0],
  ["...x", "1", 1],
] as const)
  test(`streakOf › ${days} with ${free || "no day"} off, from today back, is ${streak} in a row`, () => {
    const found = streakOf(
      (daysAgo) => days[daysAgo] === "x",
      (daysAgo) => free.includes(String(daysAgo)),
    );
    assert.equal(found, streak);
  });
