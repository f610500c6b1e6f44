import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP, signIn } from "./support/page-lab.ts";
import { addressesOf } from "./support/views.ts";

/** What is pressed, but for the ticks, whose words can be pressed as well. */
const PRESSED = "button, select, summary, .btn, .field:not(textarea)";
const LEAST_PX = 40;

describe("the page under a finger", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("has every button, menu and field as large as a finger, in every view", async () => {
    const context = await lab.browser.newContext({
      viewport: { width: 390, height: 860 },
      hasTouch: true,
      isMobile: true,
    });
    const session = await signIn(lab.own, lab.url);
    await context.addInitScript({ content: `localStorage.setItem("manuscript.session", "${session}")` });
    const faults: string[] = [];
    for (const [name, address] of Object.entries(await addressesOf(lab))) {
      const page = await context.newPage();
      await page.goto(lab.url + address);
      await page.locator("#content > :not(.loading)").first().waitFor({ state: "attached" });
      await page.waitForLoadState("networkidle");
      const small: string[] = await page.evaluate(`[...document.querySelectorAll(${JSON.stringify(PRESSED)})]
        .map((one) => [one, one.getBoundingClientRect()])
        .filter(([one, { width, height }]) => width > 1 && Math.min(width, height) < ${LEAST_PX})
        .map(([one, { width, height }]) => one.outerHTML.slice(0, 90) + " " + width.toFixed() + " × " + height.toFixed())`);
      const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (over !== 0) small.push(`${over} px wider than the window`);
      faults.push(...new Set(small.map((fault) => `${name}: ${fault}`)));
      await page.close();
    }
    assert.deepEqual(faults, []);
  });
});
