import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LruCache } from "../../src/text/lru-cache.ts";

describe("LruCache", () => {
  it("lets go what was used longest ago", () => {
    const cache = new LruCache<string, number>(2);
    cache.set("a", 1);
    cache.set("b", 2);
    assert.equal(cache.get("a"), 1);
    assert.deepEqual(cache.set("c", 3), [2]);
    assert.deepEqual([cache.get("a"), cache.get("b"), cache.get("c")], [1, undefined, 3]);
    cache.clear();
    assert.equal(cache.get("a"), undefined);
  });

  it("drops by size until the rest fits", () => {
    const cache = new LruCache<string, { bytes: number }>(100, ({ bytes }) => bytes);
    const [a, b, c] = [{ bytes: 40 }, { bytes: 40 }, { bytes: 40 }];
    for (const [key, value] of Object.entries({ a, b })) assert.deepEqual(cache.set(key, value), []);
    assert.deepEqual(cache.set("a", a), []);
    assert.deepEqual(cache.set("c", c), [b]);
    assert.equal(cache.isFull, false);
  });

  it("weighs anew what has grown or is gone, and keeps what is used however large", () => {
    const cache = new LruCache<string, { bytes: number }>(100, ({ bytes }) => bytes);
    const [a, b, c] = [{ bytes: 40 }, { bytes: 40 }, { bytes: 40 }];
    for (const [key, value] of Object.entries({ a, b })) cache.set(key, value);
    b.bytes = 500;
    assert.deepEqual(cache.set("b", b), [a]);
    assert.equal(cache.isFull, true);
    b.bytes = 0;
    assert.deepEqual(cache.set("c", c), [b]);
    assert.equal(cache.isFull, false);
  });
});
