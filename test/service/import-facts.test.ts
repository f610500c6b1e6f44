import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importBook } from "../../src/service/interchange/import-book.ts";
import type { AskedFact } from "../../src/service/interchange/import-facts.ts";
import { manuscript } from "../support/sandbox.ts";

const asked = (name: string, more: Partial<AskedFact> = {}): AskedFact => ({
  name,
  kind: "character",
  aliases: [],
  attributes: [],
  summary: "",
  ...more,
});

describe("facts that files bring without an id", () => {
  it("are created once, however often they are imported", (t) => {
    const open = manuscript(t);
    const facts = [asked("Mara", { summary: "Rows." }), asked("Mara", { kind: "place" })];
    const first = importBook(open, { title: "Book", chapters: [], facts });
    assert.deepEqual(
      first.facts.map(({ name, status }) => [name, status]),
      [
        ["Mara", "created"],
        ["Mara", "created"],
      ],
    );
    const again = importBook(open, { bookId: first.bookId, chapters: [], facts });
    assert.deepEqual(
      again.facts,
      first.facts.map((fact) => ({ ...fact, status: "same" })),
    );
  });
});
