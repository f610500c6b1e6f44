import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("going anywhere by keys", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("a chapter, a person and what is written are found by typing, and Enter goes there", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    const go = async (text: string, kind: RegExp) => {
      await page.keyboard.press("/");
      await page.getByRole("combobox", { name: "Go to, or search" }).fill(text);
      await page.getByRole("option").filter({ hasText: kind }).first().waitFor();
      await page.keyboard.press("Enter");
    };
    await go("slack", /Chapter/);
    await page.getByRole("heading", { name: "Slack Water" }).waitFor();
    await go("mind the paint", /Being the Soul/);
    await page.getByRole("heading", { name: "Being the Soul" }).waitFor();
    const hash = new URL(page.url()).hash.slice(1);
    assert.match((await page.locator(`[id="${hash}"]`).textContent()) ?? "", /Mind the paint/);
    await go("zoe", /character/i); // Zoë, without her dots
    await page.waitForURL(/\/map\//);
    assert.deepEqual(complaints, []);
  });

  it("commands of the page and of the book are found by name, and done", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    const command = async (text: string, name: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to, or search" }).pressSequentially(text);
      await page.getByRole("option", { name: `${name} Command`, selected: true }).waitFor();
      await page.keyboard.press("Enter");
    };
    await command("dark", "Dark theme");
    await page.locator("html[data-theme=dark]").waitFor();
    await command("print", "Print");
    assert.equal(await page.getByRole("radio", { name: /^PDF/ }).isChecked(), true);
    await command("export as epub", "Export as EPUB");
    await page.getByRole("radio", { name: /^EPUB/, checked: true }).waitFor();
    await command("milestone", "Name this moment");
    await page.getByRole("textbox", { name: /^Name/ }).waitFor();
    await command("back up", "Back up now");
    await page.getByText("Copied and verified").waitFor();
    await command("new chapter", "Add a chapter");
    await page.waitForURL(/\/edit$/);
    assert.deepEqual(complaints, []);
  });

  it("Escape leaves it, and single letters are no shortcuts within its field", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to, or search" }).pressSequentially("guess?");
    assert.equal(await page.getByRole("combobox", { name: "Go to, or search" }).inputValue(), "guess?");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Go to, or search" }).waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).pathname, `/b/${lab.bookId}`);
    assert.deepEqual(complaints, []);
  });

  it("the sheet names every key that works here, and turns single letters off", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keys" });
    for (const does of ["Desk", "Story map", "Settings", "Undo the last change", "This sheet"])
      await sheet.getByText(does, { exact: true }).waitFor();
    await sheet.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.keyboard.press("Control+k"); // goes on working
    await page.getByRole("combobox", { name: "Go to, or search" }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/b/${lab.bookId}`);
    assert.deepEqual(complaints, []);
  });
});
