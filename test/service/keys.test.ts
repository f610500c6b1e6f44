import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { crc32 } from "node:zlib";
import { createKey, findHolder, listKeys, revokeKey, writerOf } from "../../src/service/account/keys.ts";
import { manuscript } from "../support/sandbox.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const START = Date.UTC(2026, 2, 1, 12);

describe("a key", () => {
  it("is noted as used once a minute at most, and holds up to its last millisecond", (t) => {
    let now = START;
    const own = manuscript(t, { clock: () => now });
    const { key, record } = createKey(own, { name: "desk", allow: ["read"], expiresAt: START + 120_000 });
    const usedAfter = (milliseconds: number) => {
      now = START + milliseconds;
      const holder = findHolder(own, key);
      return [holder, listKeys(own).keys[0]?.lastUsedAt];
    };
    const holder = { keyId: record.id, allow: ["read"] };
    assert.equal(record.lastUsedAt, null);
    assert.deepEqual(usedAfter(0), [holder, "2026-03-01T12:00:00.000Z"]);
    assert.deepEqual(usedAfter(59_999), [holder, "2026-03-01T12:00:00.000Z"]);
    assert.deepEqual(usedAfter(60_000), [holder, "2026-03-01T12:01:00.000Z"]);
    assert.deepEqual(usedAfter(119_999), [holder, "2026-03-01T12:01:00.000Z"]);
    assert.deepEqual(usedAfter(120_000), [undefined, "2026-03-01T12:01:00.000Z"]);
  });

  it("opens nothing once it is revoked, which happens once, nor with one character changed", (t) => {
    const own = manuscript(t);
    const [{ key, record }, other] = [createKey(own), createKey(own)];
    assert.equal(writerOf(key), own.writer);
    const mistyped = `${key.slice(0, -10)}${key.at(-10) === "x" ? "y" : "x"}${key.slice(-9)}`;
    for (const wrong of [mistyped, ` ${key}`, `${key}0`, key.slice(1)]) {
      assert.equal(writerOf(wrong), undefined, wrong);
      assert.equal(findHolder(own, wrong), undefined, wrong);
    }
    assert.notEqual(revokeKey(own, record.id).revokedAt, null);
    assert.equal(findHolder(own, key), undefined);
    assert.throws(() => revokeKey(own, record.id), /living key/);
    assert.equal(findHolder(own, other.key)?.keyId, other.record.id);
    assert.equal(revokeKey(own, other.record.id).id, other.record.id);
  });

  it("says all of its random bytes, and their checksum", (t) => {
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => 251 - 7 * at);
    const own = manuscript(t, { random: (count) => bytes.slice(0, count) });
    const [, writer, rest = ""] = createKey(own).key.split("_");
    const read = (text: string) =>
      [...text].reduce((value, letter) => value * 62n + BigInt(BASE62.indexOf(letter)), 0n);
    assert.equal(writer, own.writer);
    assert.equal(read(rest.slice(0, 43)).toString(16), Buffer.from(bytes).toString("hex"));
    assert.equal(read(rest.slice(43)), BigInt(crc32(`msk_${writer}_${rest.slice(0, 43)}`)));
  });

  it("allows something", (t) => {
    const own = manuscript(t);
    assert.throws(() => createKey(own, { allow: [] }), /must allow something/);
    assert.deepEqual(listKeys(own), { keys: [], total: 0 });
  });
});
