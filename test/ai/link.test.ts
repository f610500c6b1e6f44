import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLinker } from "../../src/reading/cast-names.ts";
import { tokenize } from "../../src/reading/tokens.ts";
import { factOf } from "./book.ts";

const cast = [
  factOf("f1", "Mara Hale", ["Mara", "the Ferrywoman"]),
  factOf("f2", "Orr", ["O’Hara"]),
  factOf("f3", "the low light", ["Hale"]),
];

function linksIn(text: string): string[] {
  return createLinker(cast)(tokenize(text)).map(
    ({ from, to, factIds }) => `${factIds.join("/")}: ${text.slice(from, to)}`,
  );
}

describe("createLinker", () => {
  it("finds whole names, the longest one, within possessives and hyphens, with any apostrophe", () => {
    assert.deepEqual(linksIn("Mara Hale's Hale, an Orr-like Orrery, O'Hara’s"), [
      "f1: Mara Hale",
      "f3: Hale",
      "f2: Orr",
      "f2: O'Hara",
    ]);
  });

  it("needs a capital where the name has one, and takes either where a sentence begins", () => {
    assert.deepEqual(
      linksIn("The low light. mara saw the low light and the Ferrywoman. The Ferrywoman went."),
      ["f3: The low light", "f3: the low light", "f1: the Ferrywoman", "f1: The Ferrywoman"],
    );
  });
});
