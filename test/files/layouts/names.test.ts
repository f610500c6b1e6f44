import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LAYOUT_NAMES } from "../../../src/files/layout-names.ts";

describe("layouts", () => {
  it("have a test each, by its name; that of exported folders is what export and import are tried with", () => {
    const untried = LAYOUT_NAMES.filter((name) => !existsSync(join(import.meta.dirname, `${name}.test.ts`)));
    assert.deepEqual(untried, ["manuscript"]);
  });
});
