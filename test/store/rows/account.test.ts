import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KeyId } from "../../../src/ids.ts";
import {
  dropSetting,
  findKeyByHash,
  findKeyEnds,
  findKeyName,
  insertKey,
  type KeyRow,
  listKeys,
  listSettings,
  readPlan,
  readSetting,
  revokeKey,
  savePlan,
  saveSetting,
  touchKey,
} from "../../../src/store/rows/account.ts";
import { manuscript } from "../../support/sandbox.ts";

describe("keys", () => {
  it("are kept, found by their hash, used and ended once", (t) => {
    const { store } = manuscript(t);
    const times = { lastUsedAt: null, expiresAt: null, revokedAt: null };
    const one: KeyRow = {
      id: "key_1" as KeyId,
      name: "One",
      prefix: "ms_1",
      hash: "h1",
      allow: ["read", "write"],
      createdAt: 5,
      ...times,
    };
    const two: KeyRow = {
      ...one,
      id: "key_2" as KeyId,
      name: "Two",
      hash: "h2",
      allow: [],
      createdAt: 4,
      expiresAt: 9,
    };
    for (const key of [one, two]) insertKey(store, key);
    assert.deepEqual(listKeys(store), [two, one]);
    const { name: _, prefix: __, createdAt: ___, ...checked } = one;
    assert.deepEqual(findKeyByHash(store, "h1"), checked);
    assert.equal(findKeyByHash(store, "h3"), undefined);
    assert.deepEqual([findKeyName(store, two.id), findKeyName(store, "key_3" as KeyId)], ["Two", undefined]);
    touchKey(store, one.id, 77);
    assert.equal(findKeyByHash(store, "h1")?.lastUsedAt, 77);
    assert.deepEqual([revokeKey(store, one.id, 88), revokeKey(store, one.id, 99)], [true, false]);
    assert.deepEqual(findKeyEnds(store, one.id), { expiresAt: null, revokedAt: 88 });
    assert.deepEqual(findKeyEnds(store, two.id), { expiresAt: 9, revokedAt: null });
    assert.equal(findKeyEnds(store, "key_3" as KeyId), undefined);
  });
});

describe("settings", () => {
  it("are written over, listed by how they begin, and taken away", (t) => {
    const { store } = manuscript(t);
    for (const [name, value] of [
      ["trial:b", "1"],
      ["trial:a", "2"],
      ["trial", "3"],
      ["trial:b", "4"],
    ] as const)
      saveSetting(store, name, value);
    assert.deepEqual(listSettings(store, "trial:"), [
      { name: "trial:a", value: "2" },
      { name: "trial:b", value: "4" },
    ]);
    assert.deepEqual([dropSetting(store, "trial:b"), dropSetting(store, "trial:b")], [true, false]);
    assert.deepEqual([readSetting(store, "trial"), readSetting(store, "trial:b")], ["3", undefined]);
    assert.deepEqual(readPlan(store), { active: true, until: null, allowance: null });
    savePlan(store, { active: false, until: "2027-01", allowance: 7 });
    assert.deepEqual(readPlan(store), { active: false, until: "2027-01", allowance: 7 });
  });
});
