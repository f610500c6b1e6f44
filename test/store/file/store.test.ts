import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BookId } from "../../../src/ids.ts";
import { readSetting, saveSetting } from "../../../src/store/rows/account.ts";
import { insertBook, listBooks } from "../../../src/store/rows/books.ts";
import { manuscript } from "../../support/sandbox.ts";

describe("a transaction whose function returns a promise", () => {
  const meta = { kind: "trial", source: "cli" } as const;
  const book = { id: "bk_trial" as BookId, title: "Trial", manifest: null, at: 0 };
  // biome-ignore lint/suspicious/noThenProperty: this is what is refused
  const later = { then: () => undefined };

  it("is refused and taken back, as an act", (t) => {
    const { store } = manuscript(t);
    const acts = () => store.all("SELECT * FROM acts");
    const writes = [
      async () => insertBook(store, book),
      () => {
        insertBook(store, book);
        return async () => undefined;
      },
      () => {
        insertBook(store, book);
        return () => later;
      },
    ];
    for (const write of writes) {
      assert.throws(() => store.act(meta, write as () => () => unknown), {
        name: "TypeError",
        message: /returned a promise/,
      });
      assert.deepEqual([listBooks(store), acts()], [[], []]);
    }
    store.act(meta, () => {
      insertBook(store, book);
      return () => listBooks(store);
    });
  });

  it("is refused and taken back, aside of the journal and inside another transaction", (t) => {
    const { store } = manuscript(t);
    const write = async () => saveSetting(store, "trial", "1");
    assert.throws(() => store.setAside(write), /returned a promise/);
    assert.equal(readSetting(store, "trial"), undefined);
    assert.throws(() => store.setAside(() => void store.setAside(write)), /returned a promise/);
    assert.equal(readSetting(store, "trial"), undefined);
  });

  it("is refused as a snapshot, and the next one is taken", (t) => {
    const { store } = manuscript(t);
    assert.throws(() => store.snapshot(async () => listBooks(store)), /returned a promise/);
    assert.throws(() => store.snapshot(() => store.snapshot(() => later)), /returned a promise/);
    assert.deepEqual(
      store.snapshot(() => listBooks(store)),
      [],
    );
  });
});
