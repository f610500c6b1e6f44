import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";

/** Far more than anything takes on a machine that is busy; what never comes ends the test, with its name. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 20;

/** Waits until this holds, `what` in words. Between two looks, `meanwhile`. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
  meanwhile: () => unknown = () => wait(LOOK_MS),
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `waited for ${what} in vain`);
    await meanwhile();
  }
}
