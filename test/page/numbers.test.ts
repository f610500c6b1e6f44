import assert from "node:assert/strict";
import { it } from "node:test";
import { clock, day, localDay, number, shortDay } from "../../src/web/client/parts/numbers.ts";

it("numbers and days are written as a reader of English expects them", () => {
  for (const value of [0, 7, 999, 1000, 16_376, 1_234_567, -1234])
    assert.equal(number(value), new Intl.NumberFormat("en").format(value));
  const inFull = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
  for (let month = 1; month <= 12; month++) {
    const date = new Date(2027, month - 1, month * 2, 9, 4);
    assert.equal(day(localDay(date)), inFull.format(date));
  }
  assert.deepEqual(["2027-10-23T08:00:00Z", "2027-09-05"].map(shortDay), ["23 Oct", "5 Sep"]);
  assert.equal(clock(new Date(2027, 5, 30, 9, 4).toISOString()), "09:04");
});
