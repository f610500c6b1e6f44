import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importFiles } from "../../src/files/import.ts";
import type { IncomingFact } from "../../src/service/interchange/import-facts.ts";
import { manuscript } from "../support/sandbox.ts";

const asked = (name: string, more: Partial<IncomingFact> = {}): IncomingFact => ({
  name,
  kind: "character",
  aliases: [],
  attributes: [],
  summary: "",
  ...more,
});

describe("facts that files bring without an id", () => {
  it("are created once, however often they are imported", async (t) => {
    const open = manuscript(t);
    const files = { folder: undefined, book: undefined, chapters: [], skipped: [], fallbackTitle: undefined };
    const facts = [asked("Mara", { summary: "Rows." }), asked("Mara", { kind: "place" })];
    const first = await importFiles(open, { ...files, facts }, { title: "Book" });
    assert.deepEqual(
      first.facts.map(({ name, status }) => [name, status]),
      [
        ["Mara", "created"],
        ["Mara", "created"],
      ],
    );
    const again = await importFiles(open, { ...files, facts }, { bookId: first.bookId });
    assert.deepEqual(
      again.facts,
      first.facts.map((fact) => ({ ...fact, status: "same" })),
    );
  });
});
