import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";

describe("Redocly", () => {
  it("finds no error and no warning in openapi.json", () => {
    const cli = join(import.meta.dirname, "../node_modules/@redocly/cli/bin/cli.js");
    const golden = join(import.meta.dirname, "../../fixtures/golden/openapi.json");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { stdout, stderr } = spawnSync(process.execPath, [cli, "lint", golden, "--format", "json"], {
      encoding: "utf8",
      env,
    });
    assert.match(stdout, /^\{/, stderr);
    const { totals, problems } = JSON.parse(stdout) as {
      totals: { errors: number; warnings: number };
      problems: unknown;
    };
    assert.deepEqual(
      { ...totals, ignored: 0 },
      { errors: 0, warnings: 0, ignored: 0 },
      JSON.stringify(problems, null, 2),
    );
  });
});
