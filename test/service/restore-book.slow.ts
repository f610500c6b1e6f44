import { test } from "node:test";
import { assertRestores } from "./restore-agrees.ts";

test("two hundred histories: a book restored to any of its milestones reads as it did then, and undo is exact", (t) => {
  assertRestores(t, 200);
});
