import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP, signIn } from "./support/page-lab.ts";

const LONG = Array.from({ length: 12 }, (_, at) => `Line ${at + 1}. ${"It rained all day. ".repeat(9)}End.`);

describe("the whole book as one text to write in", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  /** A book of three chapters, open as one text. */
  async function openBook() {
    const book = await lab.script("POST", "/books", { title: "A Trial" });
    const texts = {
      One: LONG.join("\n\n"),
      Two: "Nobody came.\n\nNobody went.",
      Three: "# Three\n\nThe end.",
    };
    const chapterIds: string[] = [];
    for (const [title, markdown] of Object.entries(texts)) {
      const made = await lab.script("POST", `/books/${book.body.id}/chapters`, { title, markdown });
      chapterIds.push(made.body.id);
    }
    const tab = await lab.open(`/b/${book.body.id}/read`, { width: 1280 });
    await tab.page.getByText("The end.").waitFor();
    const markdown = async (index: number) =>
      (await lab.script("GET", `/chapters/${chapterIds[index]}?format=markdown`)).body.markdown.trimEnd();
    return { ...tab, bookId: book.body.id as string, markdown };
  }

  /** Clicks before the last five characters of the paragraph that begins so. */
  async function clickBeforeEnd(page: Page, paragraph: string) {
    const place = (await page.evaluate(`(() => {
      const block = [...document.querySelectorAll("[data-block]")].find(({ textContent }) => textContent.startsWith(${JSON.stringify(paragraph)}));
      block.scrollIntoView({ block: "center" });
      const range = document.createRange();
      const text = block.firstChild;
      range.setStart(text, text.length - 5);
      range.setEnd(text, text.length - 4);
      const { left, top, height } = range.getBoundingClientRect();
      return [left + 1, top + height / 2];
    })()`)) as [number, number];
    await page.mouse.click(...place);
  }

  const save = async (page: Page) => {
    await page.keyboard.press("Control+s");
    await page.locator(".strip-status .how.saved").waitFor();
  };

  it("puts the cursor where a text is clicked, in one chapter after the other", async () => {
    const { page, complaints, markdown } = await openBook();
    await page.getByRole("button", { name: "Write" }).click();
    await page.locator("[data-chapter]:nth-of-type(1) .text:focus").waitFor();
    await clickBeforeEnd(page, "Line 9.");
    await page.locator(".awake .text:focus").waitFor();
    await page.keyboard.type(", all");
    await clickBeforeEnd(page, "Nobody came.");
    await page.locator("[data-chapter]:nth-of-type(2) .text:focus").waitFor();
    await page.keyboard.type("once ");
    await save(page);
    assert.equal(await markdown(1), "Nobody once came.\n\nNobody went.");
    await page.getByRole("button", { name: "Done" }).click();
    await page.locator(".whole:not(:has(.text))").getByText("Nobody once came.").waitFor();
    await page.getByText(", all End.").waitFor();
    assert.equal(await markdown(0), LONG.join("\n\n").replace(/(Line 9\..*) End\./, "$1, all End."));
    assert.deepEqual(complaints, []);
  });

  it("goes on by the arrows from a chapter into the next, and back", async () => {
    const { page, complaints, markdown } = await openBook();
    await page.keyboard.press("e");
    await page.locator("[data-chapter]:nth-of-type(1) .text:focus").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("ArrowDown");
    await page.locator("[data-chapter]:nth-of-type(2) .text:focus").waitFor();
    await page.keyboard.type("Two: ");
    await page.keyboard.press("Control+End");
    await page.keyboard.press("ArrowDown");
    await page.locator("[data-chapter]:nth-of-type(3) .text:focus").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("Three: ");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.locator("[data-chapter]:nth-of-type(2) .text:focus").waitFor();
    await page.keyboard.type(" At all.");
    await save(page);
    assert.equal(await markdown(1), "Two: Nobody came.\n\nNobody went. At all.");
    await page.locator("[data-chapter]:nth-of-type(3) .text").click();
    await save(page);
    assert.equal(await markdown(2), "# Three\n\nThree: The end.");
    assert.equal(await markdown(0), LONG.join("\n\n"));
    await page.keyboard.press("Escape");
    await page.locator(".whole:not(:has(.text))").getByText("Nobody went. At all.").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("shows a chapter's title once, and does not move it when it wakes", async () => {
    const { page } = await openBook();
    await page.getByRole("button", { name: "Write" }).click();
    await page.locator("[data-chapter]:nth-of-type(1) .text:focus").waitFor();
    const top = async () => (await page.getByText("The end.").boundingBox())?.y;
    await page.getByText("The end.").scrollIntoViewIfNeeded();
    const before = await top();
    await page.getByText("The end.").click();
    await page.locator("[data-chapter]:nth-of-type(3) .text:focus").waitFor();
    assert.ok(Math.abs((await top())! - before!) < 2, `${before} became ${await top()}`);
    assert.equal(await page.getByRole("heading", { name: "Three" }).count(), 1);
  });

  it("a session that ends leaves the text open, and signing in beside it saves all", async () => {
    const { page, markdown, bookId } = await openBook();
    const bearer = await signIn(lab.own, lab.url);
    await page.addInitScript({ content: `localStorage.setItem("manuscript.session", "${bearer}")` });
    await page.goto(`${lab.url}/b/${bookId}/read?write`);
    await page.getByText("Line 1.").click();
    await page.locator(".text:focus").waitFor();
    const headers = { Authorization: `Bearer ${bearer}`, Origin: lab.url };
    assert.equal((await fetch(`${lab.url}/api/v1/session`, { method: "DELETE", headers })).status, 200);
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Before.");
    await page.locator(".offline").waitFor();
    await page.keyboard.type(" After.");
    const next = await signIn(lab.own, lab.url);
    await page.evaluate(
      `(localStorage.setItem("manuscript.session", "${next}"), dispatchEvent(new StorageEvent("storage", { key: "manuscript.session", newValue: "${next}" })))`,
    );
    await page.locator(".offline").waitFor({ state: "detached" });
    await save(page);
    assert.match(await markdown(0), /End\. Before\. After\.$/);
  });
});
