import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { suite } from "../support/sandbox.ts";
import { faultsInLooks, type LOOKS } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";
import { addressesOf } from "./support/views.ts";

/** How the second paragraph of the first chapter is set. */
interface Setting {
  face: string;
  size: number;
  /** Height of a line, in sizes of the letter. */
  lead: number;
  /** Width of a column of this size of letter, as far as the window lets it, in px. */
  width: number;
  indent: number;
  below: number;
}

const BOOK = { face: "Literata", lead: 1.62, indent: 1.6, below: 0 };

describe("how prose is set", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  let addresses: Readonly<Record<string, string>>;
  before(async () => {
    lab = await pageLab(scope);
    addresses = await addressesOf(lab);
  });
  after(scope.end);

  for (const width of [390, 1280])
    it(`is chosen with keys, at once, for reading and writing alike, at ${width} px`, async () => {
      const tab = await lab.open("/settings", { width });
      const { page, complaints } = tab;
      const sample = () => settingOf(page);
      const first = await sample();
      await choose(page, "Typeface", "Source Sans");
      assert.equal((await sample()).face, "Source Sans 3");
      await choose(page, "Size", "Larger");
      assert.ok((await sample()).size > 1.3 * first.size);
      if (width > 390) await choose(page, "Line length", "Short");
      else assert.ok(await page.getByRole("group", { name: "Line length" }).isHidden());
      await choose(page, "Line height", "Open");
      assert.equal((await sample()).lead, 1.85);
      await choose(page, "Paragraphs", "Spaced");
      const chosen = await sample();
      assert.deepEqual([chosen.indent, chosen.below], [0, 0.8]);
      assert.deepEqual(await faultsInLooks(page, lookAt(width)), []);
      await page.reload();
      await page.getByRole("group", { name: "Typeface" }).waitFor();
      assert.deepEqual(await sample(), chosen, "kept");

      for (const view of ["chapter", "editor", "read"]) {
        const beside = await lab.open(addresses[view] ?? "", { beside: tab });
        await beside.page.setViewportSize({ width, height: 860 });
        const there = await settingOf(beside.page);
        assert.deepEqual({ ...there, width: chosen.width }, chosen, view);
        assert.ok(there.width <= 28 * 16 * 1.37, `${view}: ${there.width} px wide`);
        assert.deepEqual(await faultsInLooks(beside.page, lookAt(width)), [], view);
        assert.deepEqual(beside.complaints, [], view);
        await beside.page.close();

        const other = await lab.open(addresses[view] ?? "", { width });
        const { face, size, lead, indent, below } = await settingOf(other.page);
        assert.deepEqual({ face, lead, indent, below }, { ...BOOK, lead: width > 390 ? 1.62 : 1.6 }, view);
        assert.equal(size, first.size, `${view}, elsewhere`);
        await other.context.close();
      }
      await choose(page, "Typeface", "Literata");
      await choose(page, "Paragraphs", "Indented");
      assert.deepEqual([(await sample()).face, (await sample()).indent], ["Literata", 1.6]);
      assert.deepEqual(complaints, []);
    });

  it("a synopsis in Hebrew runs from the right, read and written", async () => {
    const { body: book } = await lab.script("GET", `/books/${lab.bookId}`);
    const chapter = `/chapters/${book.chapters[0].id}`;
    const { status } = await lab.script("PUT", `${chapter}/synopsis`, { synopsis: "ספר אחד, ולא יותר." });
    assert.equal(status, 200);
    const { page } = await lab.open(addresses.desk ?? "");
    const directionOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).direction`);
    assert.equal(await directionOf(".syn .in-place"), "rtl");
    await page.locator(".syn .in-place").first().click();
    assert.equal(await directionOf(".in-place-field"), "rtl");
  });

  it("is so from the first letter that is seen", async () => {
    const tab = await lab.open("/settings");
    await choose(tab.page, "Size", "Large");
    const { page } = await lab.open("/settings", { beside: tab });
    await page.addInitScript(
      `window.sizes = new Set();
      new MutationObserver(() => {
        const one = document.querySelector(".prose p.b");
        if (one !== null) window.sizes.add(getComputedStyle(one).fontSize);
      }).observe(document, { childList: true, subtree: true });`,
    );
    await page.goto(lab.url + addresses.chapter);
    await page.locator(".prose p.b").first().waitFor();
    assert.deepEqual(await page.evaluate("[...window.sizes]"), ["22.04px"]);
  });
});

function lookAt(width: number): typeof LOOKS {
  return [
    { scheme: "light", width },
    { scheme: "dark", width },
  ];
}

/** Goes to a choice with the Tab key, and makes it with the space bar. */
async function choose(page: Page, of: string, name: string): Promise<void> {
  const button = page.getByRole("group", { name: of }).getByRole("button", { name, exact: true });
  const isThere = () => button.evaluate((one) => one === one.ownerDocument.activeElement);
  await page.locator("#content").evaluate((main) => main.ownerDocument.activeElement?.blur?.());
  for (let presses = 0; presses < 60 && !(await isThere()); presses++) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.equal(await button.getAttribute("aria-pressed"), "true", `${of}: ${name}`);
}

/** How a paragraph in the middle of prose is set there. */
async function settingOf(page: Page): Promise<Setting> {
  await page.locator(".prose p.b").nth(1).waitFor();
  return page.evaluate(`(() => {
    const paragraph = document.querySelectorAll(".prose p.b")[1];
    const { fontFamily, fontSize, lineHeight, textIndent, marginBottom } = getComputedStyle(paragraph);
    const size = parseFloat(fontSize);
    const inSizes = (length) => Number((parseFloat(length) / size).toFixed(2));
    return {
      face: fontFamily.split(",")[0].replaceAll('"', ""),
      size,
      lead: inSizes(lineHeight),
      width: paragraph.clientWidth,
      indent: inSizes(textIndent),
      below: inSizes(marginBottom),
    };
  })()`);
}
