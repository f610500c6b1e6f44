import { test } from "node:test";
import { assertRestores } from "./restore-agrees.ts";

test("a book restored to any of its milestones reads as it did then, and undo is exact", (t) => {
  assertRestores(t, 100);
});
