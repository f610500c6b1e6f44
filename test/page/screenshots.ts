import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { suite } from "../support/sandbox.ts";
import { pageLab, SKIP } from "./support/page-lab.ts";
import { addressesOf } from "./support/views.ts";

// A picture of every view, light and dark, wide and narrow: `npm run screenshots [-- FOLDER]`.
if (SKIP !== undefined) throw new Error(SKIP);
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../../bench-results/screenshots"));
mkdirSync(folder, { recursive: true });
const scope = suite();
try {
  const lab = await pageLab(scope);
  const views = await addressesOf(lab);
  for (const scheme of ["light", "dark"] as const)
    for (const width of [1280, 390])
      for (const [name, address] of Object.entries(views)) {
        const { page, context } = await lab.open(address, { scheme, width });
        await page.locator("main").waitFor();
        await page.evaluate("document.fonts.ready");
        await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`) });
        await context.close();
      }
  console.log(`${4 * Object.keys(views).length} pictures in ${folder}`);
} finally {
  await scope.end();
}
