import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMint, mintAscending } from "../src/ids.ts";
import { seeded } from "./support/sandbox.ts";

describe("mintAscending", () => {
  it("returns ids of its kind, none twice, each batch in ascending order", () => {
    const next = mintAscending(createMint(seeded()), "block");
    const ids = Array.from({ length: 16 + 32 + 64 }, next);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => /^b_[0-9a-z]{16}$/.test(id)));
    for (const batch of [ids.slice(0, 16), ids.slice(16, 48), ids.slice(48)])
      assert.deepEqual(batch, batch.toSorted());
  });
});
