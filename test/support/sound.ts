import assert from "node:assert/strict";
import { examine } from "../../src/service/health/examine.ts";
import type { Store } from "../../src/store/file/store.ts";

/** Asserts that a file's rows fit together: prose, counts, anchors, places and history. */
export function assertSound(store: Store): void {
  assert.deepEqual(Object.values(examine(store).flaws).flat(), []);
}
