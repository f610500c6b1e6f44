import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { clickStill, type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("reading in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  let chapterId: string;
  before(async () => {
    lab = await pageLab(scope);
    const { body } = await lab.script("GET", `/books/${lab.bookId}`);
    chapterId = body.chapters[0].id;
  });
  after(scope.end);
  const open = () => lab.open(`/b/${lab.bookId}/c/${chapterId}`);
  const snippets = async () =>
    (await lab.script("GET", `/books/${lab.bookId}/snippets?chapterId=${chapterId}`)).body.snippets;

  it("every word of the chapter is on the page, in order", async () => {
    const { page, complaints } = await open();
    const { body } = await lab.script("GET", `/chapters/${chapterId}?format=text`);
    // Not as it is rendered: paragraphs that are far from what is seen are not.
    const texts = (await page.evaluate(`[...document.querySelectorAll(".prose :is(h1, .b)")].map((block) => {
      const copy = block.cloneNode(true);
      for (const line of copy.querySelectorAll("br")) line.replaceWith(" ");
      return copy.textContent;
    })`)) as string[];
    const shown = texts.join("\n");
    const words = (text: string) => text.replaceAll("⁂", " ").match(/[\p{L}\p{N}]+/gu) ?? [];
    const wanted = words(body.text);
    const seen = words(shown);
    let at = 0;
    for (const word of seen) if (word === wanted[at]) at++;
    assert.equal(at, wanted.length, `from “${wanted.slice(at, at + 8).join(" ")}” on it is missing`);
    assert.deepEqual(complaints, []);
  });

  for (const width of [390, 1280])
    it(`title, synopsis and text stand where they are written, to the pixel, ${width} wide`, async () => {
      const { page } = await lab.open(`/b/${lab.bookId}/c/${chapterId}`, { width });
      const tops = () =>
        page.evaluate(
          `[".where", ".synopsis", "h1", "p[data-block]"].map((part) => document.querySelector(".prose " + part).getBoundingClientRect().top)`,
        ) as Promise<number[]>;
      await page.locator(".prose p[data-block]").first().waitFor();
      const read = await tops();
      await page.getByRole("link", { name: "Write", exact: true }).click();
      await page.locator(".text").waitFor();
      const written = await tops();
      for (const [part, top] of read.entries())
        assert.ok(Math.abs(top - written[part]!) < 1, `${read} became ${written}`);
    });

  it("a mention shows who is meant, and Escape goes back to it", async () => {
    const { page, complaints } = await open();
    await page.getByRole("link", { name: "Captain Catchpole" }).first().click();
    const card = page.getByRole("dialog");
    await card.getByRole("heading").waitFor();
    assert.match((await card.textContent()) ?? "", /mentions/i);
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Captain Catchpole");
    assert.deepEqual(complaints, []);
  });

  it("a note is written by keyboard, beside its paragraph, and taken back", async () => {
    const { page, complaints } = await open();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("n");
    await page.getByLabel("Text").fill("Is it <i>always</i> a Tuesday?");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Is it <i>always</i> a Tuesday?").waitFor();
    const [note] = (await snippets()).filter(({ text }: { text: string }) => text.startsWith("Is it"));
    const second = await page.locator(".prose [data-block]").nth(1).getAttribute("data-block");
    assert.equal(note.blockId, second);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Is it <i>always</i> a Tuesday?").waitFor({ state: "detached" });
    assert.deepEqual(complaints, []);
  });

  it("a note whose paragraph a script took out is put back by pointing", async () => {
    const noted = (await snippets()).find(({ blockId }: { blockId: string | null }) => blockId !== null);
    await lab.script("DELETE", `/chapters/${chapterId}/paragraphs/${noted.blockId}`);
    const { page, complaints } = await open();
    await clickStill(page.getByRole("button", { name: "Choose a paragraph" }));
    await page.getByRole("button", { name: "Now choose a paragraph" }).waitFor();
    await clickStill(page.getByText("“Mind the paint.”"));
    await page.getByText("The note stands beside that paragraph.").waitFor();
    const after = (await snippets()).find(({ id }: { id: string }) => id === noted.id);
    const { body } = await lab.script("GET", `/chapters/${chapterId}?format=doc`);
    const paint = body.doc.content.find((node: object) => JSON.stringify(node).includes("Mind the paint"));
    assert.equal(after.blockId, paint.attrs.blockId);
    assert.equal(after.text, noted.text);
    assert.deepEqual(complaints, []);
  });

  it("the rail shows the chapter that is read, however many stand before it", async () => {
    const { body: book } = await lab.script("POST", "/books", { title: "Many" });
    const ids: string[] = [];
    for (let count = 1; count <= 60; count++)
      ids.push(
        (await lab.script("POST", `/books/${book.id}/chapters`, { title: `Chapter ${count}` })).body.id,
      );
    const { page } = await lab.open(`/b/${book.id}/c/${ids[49]}`, { width: 1280 });
    const here = page.locator(".contents [aria-current]");
    await here.waitFor();
    const box = await here.boundingBox();
    assert.ok(box !== null && box.y > 60 && box.y < 860, `at ${box?.y} px`);
    assert.equal(await page.evaluate("scrollY"), 0);
  });

  it("the whole book is one text, and loads what comes near", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/read`);
    await page.getByText("On any day when nobody wanted to leave").waitFor();
    assert.equal(await page.locator(".whole h2").count(), 14);
    await page.getByRole("link", { name: "Rule Eight" }).last().scrollIntoViewIfNeeded();
    await page.locator(".whole > section").last().locator("p.b").first().waitFor();
    assert.deepEqual(complaints, []);
  });
});
