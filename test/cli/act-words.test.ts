import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kindInWords } from "../../src/cli/output/act-words.ts";
import { endpoints, siblings } from "../../src/contract/index.ts";

describe("kindInWords", () => {
  it("names every write in plain words, and a snippet a note", () => {
    const kinds = [...endpoints, ...siblings]
      .filter(({ tier }) => tier === "write" || tier === "propose")
      .map(({ id }) => id);
    for (const kind of kinds) {
      const words = kindInWords({ kind, source: "cli" });
      assert.match(words, /^[a-z]+( [a-z]+)+$/, kind);
      assert.doesNotMatch(words, /snippet/, kind);
    }
    assert.equal(kindInWords({ kind: "createSnippet", source: "api" }), "create note");
  });

  it("tells a sync from an import by who asked", () => {
    assert.equal(kindInWords({ kind: "importBook", source: "import" }), "import book");
    assert.equal(kindInWords({ kind: "importBook", source: "cli" }), "sync");
  });
});
