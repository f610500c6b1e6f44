import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { goldens, REGENERATE } from "../golden.ts";

const written = await goldens();

describe("goldens", () => {
  for (const [path, text] of written) {
    it(`${basename(path)} is what the contract and the commands say`, () => {
      const stored = readFileSync(path, "utf8");
      assert.ok(
        stored === text,
        `${path} is out of date; run "${REGENERATE}", read what changed and commit it`,
      );
    });
  }
});
