import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { once } from "../../../src/text/once.ts";

const source = once(() =>
  readFileSync(join(import.meta.dirname, "../../../node_modules/axe-core/axe.min.js"), "utf8"),
);

/** What axe finds serious or critical in what the page shows, one line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(source());
  return page.evaluate(`axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ")))`);
}
