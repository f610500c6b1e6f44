import assert from "node:assert/strict";
import { it } from "node:test";
import { createAssistant } from "../../../src/ai/assistant.ts";
import type { ReadingChapter } from "../../../src/reading/reading.ts";
import { seeded } from "../../support/sandbox.ts";
import { embedded } from "./answers.ts";
import { fakeModel } from "./fake-model.ts";

const blocks = Array.from({ length: 5 }, (_, index) => ({
  blockId: `b_${index}`,
  text: `Night ${index}. ${"The tide went out and the lamp burned on, down to the ferry. ".repeat(80)}`,
}));
const chapter: ReadingChapter = { chapterId: "ch_1", revision: 1, title: "Nights", blocks };
const book = { bookId: "bk_1", cast: [], chapters: [] };

it("a passage that hangs costs itself alone: those before and behind it are kept, and it is asked once", async (t) => {
  let asked = 0;
  const fake = await fakeModel(t, ({ user }) => {
    const number = Number(/^\[(\d+)\]/m.exec(user)?.[1]);
    if (number === 2) {
      asked++;
      return () => {};
    }
    const item = { type: "new_fact", fact: "", kind: "thing", name: "ferry", paragraph: number };
    return JSON.stringify({ items: [{ ...item, quote: "down to the ferry" }] });
  });
  const model = createAssistant({ base: fake.url, model: "late", key: undefined, fetch }, seeded());
  const { answer, missed, engine } = await model.detect(embedded, { chapter, book, timeoutMs: 4000 });
  assert.equal(asked, 1);
  assert.deepEqual([missed, engine], [{ passages: 1, of: 5, reason: "timeout" }, "llm/late"]);
  assert.deepEqual(
    answer.find(({ name }) => name === "ferry")?.occurrences.map(({ blockId }) => blockId),
    ["b_0", "b_2", "b_3", "b_4"],
  );
});
