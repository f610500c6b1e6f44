import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const { NODE_V8_COVERAGE, ...env } = process.env; // a coverage run would take the counts away
const { stdout } = await promisify(execFile)(
  process.execPath,
  ["--import", "tsx", fileURLToPath(import.meta.resolve("./growth-steps.ts"))],
  { env },
);
const steps: [name: string, once: number, twice: number][] = JSON.parse(stdout);

/** Twice the input, 2^1.3 times the steps at most: promise 13 of TRUST.md. */
const MOST = 2 ** 1.3;

describe("growth", () => {
  it("of what grew with the square once is counted", () => assert.equal(steps.length, 6));
  for (const [name, once, twice] of steps) {
    it(`is nearly linear: ${name}`, () => {
      assert.ok(once > 0, "nothing was counted");
      assert.ok(twice / once < MOST, `${once} steps, then ${twice}`);
    });
  }
});
