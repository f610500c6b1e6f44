import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "../test/support/chromium.ts";

// Draws the page's icon in the sizes that a desktop wants. It is run by hand when the icon has changed: the pictures are kept,
// for a browser is not everywhere, and no two draw the same bytes.
const svg = readFileSync(join(import.meta.dirname, "../src/web/client/style/icon.svg"), "utf8");
const browser = await chromium.launch({ executablePath: findChromium() ?? "" });
const page = await browser.newPage();
for (const side of [16, 32, 48, 128, 256, 512]) {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${svg}`);
  const png = await page.screenshot({ omitBackground: true });
  writeFileSync(join(import.meta.dirname, `bundle/icons/${side}.png`), png);
}
await browser.close();
