import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { faultsOf } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("milestones, in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  let chapterId: string;
  before(async () => {
    lab = await pageLab(scope);
    const { body } = await lab.script("GET", `/books/${lab.bookId}`);
    chapterId = body.chapters.find(({ title }: { title: string }) => title === "Stamps").id;
  });
  after(scope.end);

  const text = async () => (await lab.script("GET", `/chapters/${chapterId}`)).body.text;

  it("a moment is named, compared with now word by word, and a chapter or the book is put back", async () => {
    const original = await text();
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/milestones`);
    await page.getByText("None yet.").waitFor();
    await page.getByRole("button", { name: "Name this moment" }).click();
    await page.keyboard.type("First draft");
    await page.keyboard.press("Enter");
    await page.getByText("“First draft” is named.").waitFor();
    assert.deepEqual(await faultsOf(page), []);

    const { body } = await lab.script("GET", `/chapters/${chapterId}?format=doc`);
    const leaf = body.doc.content.filter(({ type }: { type: string }) => type === "paragraph")[20];
    const change = () =>
      lab.script("PATCH", `/chapters/${chapterId}/paragraphs/${leaf.attrs.blockId}`, {
        markdown: "Nobody asked.",
      });
    await change();
    await lab.script("POST", `/books/${lab.bookId}/chapters`, { title: "An Afterword" });
    await page.getByRole("link", { name: "Compare with now" }).click();
    await page.getByText(/in 2 chapters\./).waitFor();
    const row = page.locator("li", { has: page.getByRole("link", { name: "Stamps" }) });
    await row.getByRole("button", { name: "Word by word" }).click();
    await row.locator("ins", { hasText: "Nobody asked" }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await row.getByRole("button", { name: "Put this chapter back" }).click();
    await page.getByText("“Stamps” has its words of then.").waitFor();
    assert.equal(await text(), original);

    await change();
    await page.getByRole("button", { name: "Put the book back…" }).click();
    await page.getByText("One undo brings all of it back.").waitFor();
    assert.notEqual(await text(), original, "nothing is written yet");
    await page.getByRole("button", { name: "Put it back", exact: true }).click();
    await page.getByText("The book is as in “First draft”.").waitFor();
    await page.getByText("Nothing differs.").waitFor();
    assert.equal(await text(), original);
    await page.locator(".toast", { hasText: "as in" }).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "An Afterword" }).waitFor();
    assert.notEqual(await text(), original);
    assert.deepEqual(complaints, []);
  });

  it("is renamed where it stands, and its name taken away", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/milestones`);
    await page.getByRole("button", { name: "Name: First draft. Change" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("For Ruth");
    await page.keyboard.press("Enter");
    await page.getByText("It is “For Ruth” now.").waitFor();
    await page.getByRole("button", { name: "More for For Ruth" }).click();
    await page.getByRole("button", { name: "Take the name away" }).click();
    await page.getByText("None yet.").waitFor();
    const { body } = await lab.script("GET", `/books/${lab.bookId}/milestones`);
    assert.equal(body.total, 0);
    assert.deepEqual(complaints, []);
  });
});
