import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { doneOf } from "../../src/contract/act-words.ts";
import { endpoints, siblings } from "../../src/contract/index.ts";

describe("doneOf", () => {
  it("says of every write what it did, in plain words, and calls a snippet a note", () => {
    const kinds = [...endpoints, ...siblings]
      .filter(({ tier }) => tier === "write" || tier === "propose")
      .map(({ id }) => id);
    for (const kind of kinds) {
      const words = doneOf({ kind, source: "cli" });
      assert.match(words, /^[a-z']+( [a-z']+)*$/, kind);
      assert.doesNotMatch(words, /snippet/, kind);
    }
    assert.equal(doneOf({ kind: "createSnippet", source: "api" }), "added a note");
  });

  it("tells a sync from an import by who asked", () => {
    assert.equal(doneOf({ kind: "importBook", source: "import" }), "imported the book");
    assert.equal(doneOf({ kind: "importBook", source: "cli" }), "synced a folder");
  });
});
