import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { serve } from "../support/client.ts";

describe("an attribute that holds from a chapter on", () => {
  it("is created, set, dropped and merged beside what held before", async (t) => {
    const lab = await serve(t);
    const { bookId, chapterId, otherChapterId } = lab.sample;
    const red = { key: "hair", value: "red" };
    const black = { key: "hair", value: "black", fromChapterId: chapterId };
    const facts = `/books/${bookId}/facts`;
    const made = await lab.ask("POST", facts, { body: { name: "Wren", attributes: [red, black] } });
    assert.deepEqual(made.body.fact.attributes, [red, black]);
    const path = `/facts/${made.body.id}`;
    const set = async (...setAttributes: object[]) =>
      (await lab.ask("PATCH", path, { body: { setAttributes } })).body.fact.attributes;
    const grey = { ...black, value: "grey" };
    assert.deepEqual(await set(grey), [red, grey]);
    const white = { key: "hair", value: "white", fromChapterId: otherChapterId };
    assert.deepEqual(await set(white, { ...grey, value: null }), [red, white]);
    const other = await lab.ask("POST", facts, {
      body: { name: "Birdie", attributes: [black, { ...red, value: "fair" }] },
    });
    const merged = await lab.ask("POST", "/facts/merge", {
      body: { keepId: made.body.id, dropId: other.body.id },
    });
    assert.deepEqual(merged.body.attributesAdded, [black]);
    assert.deepEqual(await set({ key: "hair", value: null }), []);
  });

  it("names a chapter of the same book, or nothing is written", async (t) => {
    const lab = await serve(t);
    const attributes = [{ key: "hair", value: "red", fromChapterId: "ch_none" }];
    const before = (await lab.ask("GET", `/books/${lab.sample.bookId}/facts`)).body.total;
    const made = await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, {
      body: { name: "Wren", attributes },
    });
    assert.equal(made.status, 404);
    assert.match(made.body.message, /chapter/);
    assert.equal((await lab.ask("GET", `/books/${lab.sample.bookId}/facts`)).body.total, before);
  });
});
