import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { type Shell, withBook } from "../cli/shell.ts";
import { findChromium } from "../support/chromium.ts";
import { suite } from "../support/sandbox.ts";
import { faultsOf } from "./support/axe.ts";
import { SKIP } from "./support/page-lab.ts";

describe("the file for beta readers, in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let browser: Browser;
  let sh: Shell;
  before(async () => {
    browser = await chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox"] }); // else skipped
    scope.after(() => void browser.close());
    sh = await withBook(scope);
    await sh("export", "-f", "review", "-o", "r.review.html");
  });
  after(scope.end);

  it("brings every comment back to its paragraph after others were rewritten, and asks no network", async () => {
    const page = await browser.newPage({ acceptDownloads: true });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    const url = pathToFileURL(join(sh.cwd, "r.review.html")).href;
    await page.goto(url);
    await page.getByLabel("Your name").fill("Ida");
    const paragraphs = page.locator("main p[id^='b_']");
    const ids = await paragraphs.evaluateAll((all) => all.map(({ id }) => id));
    assert.ok(ids.length >= 3);
    const chosen = ids.slice(0, 3);
    for (const [at, id] of chosen.entries()) {
      // By the mouse, or by the keyboard alone.
      if (at === 0) await page.locator(`[id="${id}"]`).click();
      else {
        await page.locator(`[id="${id}"]`).focus();
        await page.keyboard.press("Enter");
      }
      await page.getByLabel("Your comment").fill(`On ${at}`);
      await page.getByRole("button", { name: "Add" }).click();
    }
    assert.deepEqual(await faultsOf(page), []);
    await page.reload(); // what a browser kept
    assert.equal(await page.getByLabel("Your name").inputValue(), "Ida");
    const wait = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save 3 comments" }).click();
    const download = await wait;
    assert.match(download.suggestedFilename(), /-ida\.comments\.json$/);
    writeFileSync(join(sh.cwd, "ida.comments.json"), readFileSync(await download.path()));
    assert.deepEqual(
      asked.filter((one) => !/^(?:file|blob|data):/.test(one)),
      [],
    );
    assert.deepEqual(complaints, []);

    const source = (await sh("show", "1", "--format", "markdown")).stdout;
    const rewritten = sh.with({
      stdin: `Something quite new.\n\n${source.replace(/\b(the|The)\b/g, "that")}`,
    });
    assert.equal((await rewritten("write", "1", "-")).exit, 0);
    await sh("import", "ida.comments.json");
    const { snippets } = (await sh("notes", "list", "--json")).json<{
      snippets: { blockId: string; author: string; text: string }[];
    }>();
    assert.deepEqual(
      snippets.map(({ blockId, author, text }) => [blockId, author, text]).sort(),
      chosen.map((id, at) => [id, "Ida", `On ${at}`]).sort(),
    );
  });

  it("edits and removes comments, and is legible on a phone", async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(pathToFileURL(join(sh.cwd, "r.review.html")).href);
    await page.locator("main p[id^='b_']").first().click();
    await page.getByLabel("Your comment").fill("First");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Your comment").fill("Second");
    await page.getByRole("button", { name: "Add" }).click();
    assert.equal(await page.locator("#list li p").textContent(), "Second");
    await page.getByRole("button", { name: "Remove" }).click();
    assert.ok(await page.getByRole("button", { name: "Nothing to save yet" }).isDisabled());
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
    assert.deepEqual(await faultsOf(page), []);
  });
});
