import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { costs } from "./edits-costs.ts";

const { NODE_V8_COVERAGE, ...env } = process.env; // a coverage run would take the counts away
const { stdout } = await promisify(execFile)(
  process.execPath,
  ["--import", "tsx", fileURLToPath(import.meta.resolve("./count-steps.ts"))],
  { env },
);
const steps = new Map<string, number>(JSON.parse(stdout));

describe("reconcile › cost", () => {
  for (const { name, mostSteps } of costs()) {
    it(`takes at most ${mostSteps} steps: ${name}`, () => {
      const taken = steps.get(name) ?? 0;
      assert.ok(taken > 0, "nothing was counted");
      assert.ok(taken <= mostSteps, `${taken} steps`);
    });
  }
});
