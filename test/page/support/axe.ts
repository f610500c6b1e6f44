import axe from "axe-core";
import type { Page } from "playwright-core";
import { ALL_CASES } from "../../prose/rewrite.ts";
import { layoutFaultsOf } from "./layout.ts";

/** What axe finds in what the page shows, one line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  // Of what holds axe tells no more than that: half of its time went into it.
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
    .map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ")))`);
}

/** How a page can be looked at: its colours, and the width of its window. */
interface Look {
  scheme: "light" | "dark";
  width: number;
}

/** Light and dark, as wide as a desk's window and as a telephone's: each once, and with `MANUSCRIPT_CASES=all` each with each. */
export const LOOKS: readonly Look[] = [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 390 },
  ...(ALL_CASES
    ? ([
        { scheme: "light", width: 390 },
        { scheme: "dark", width: 1280 },
      ] as const)
    : []),
];

/** Further widths at which only the layout is looked at. */
const WIDTHS = [1100, 1600];

/** What axe finds in each look of one page, where it is wider than its window, and what is laid out badly. It follows both by its styles, and is not loaded again. */
export async function faultsInLooks(page: Page, looks = LOOKS): Promise<string[]> {
  const faults: string[] = [];
  for (const width of looks === LOOKS ? WIDTHS : []) {
    await page.setViewportSize({ width, height: 860 });
    faults.push(...(await layoutFaultsOf(page)).map((fault) => `${width} wide: ${fault}`));
  }
  for (const { scheme, width } of looks) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 860 });
    const over = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
    const found = [...(await faultsOf(page)), ...(await layoutFaultsOf(page))];
    if (over > 0) found.push(`${over} px wider than the window`);
    faults.push(...found.map((fault) => `${scheme}, ${width} wide: ${fault}`));
  }
  return faults;
}
