import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { calibrated, calibratedDrift, calibratedName } from "../../src/ai/embedded/calibration.ts";
import type { Finding, Proposal } from "../../src/ai/reader.ts";

const SCORES = Array.from({ length: 100 }, (_, at) => at / 100);
const proposal = (type: Proposal["type"], confidence: number) => ({ type, confidence }) as Proposal;
const finding = (one: Pick<Finding, "type" | "severity" | "confidence">) => one as Finding;

describe("calibrated confidence", () => {
  it("never falls while the score rises, and stays between 0 and 1", () => {
    const maps = [(score: number) => calibratedName(proposal("new_fact", score)).confidence, calibratedDrift];
    for (const map of maps) {
      const stated = SCORES.map(map);
      assert.deepEqual(
        stated,
        stated.toSorted((a, b) => a - b),
      );
      assert.ok(stated.every((one) => one > 0 && one < 1));
    }
  });

  it("says 0.9 and more of the best alone, and less of a score of 0.7", () => {
    const worth = (score: number) => calibratedName(proposal("new_fact", score)).confidence;
    assert.ok(worth(0.96) > 0.95 && worth(0.9) < 0.9 && worth(0.7) < 0.6);
  });

  it("leaves known names and remarks alone, and believes a colour more than a title", () => {
    assert.equal(calibratedName(proposal("mention", 0.97)).confidence, 0.97);
    assert.equal(
      calibrated(finding({ type: "name_drift", severity: "info", confidence: 0.5 })).confidence,
      0.5,
    );
    const contradiction = (score: number) =>
      calibrated(finding({ type: "contradiction", severity: "warn", confidence: score })).confidence;
    assert.ok(contradiction(0.6) < 0.8 && contradiction(0.8) > 0.85);
  });
});
