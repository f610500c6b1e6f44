import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("the desk in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("the front leads to the book that was worked on last, without a complaint", async () => {
    const { page, complaints } = await lab.open("/");
    await page.getByRole("heading", { name: "Fare Not Taken" }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/b/${lab.bookId}`);
    assert.equal(await page.locator(".row").count(), 14);
    assert.deepEqual(complaints, []);
  });

  it("what a script writes is seen without a reload", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.getByRole("link", { name: "Lisbon" }).waitFor();
    const outline = await lab.script("GET", `/books/${lab.bookId}`);
    const { id } = outline.body.chapters.find(({ title }: { title: string }) => title === "Lisbon");
    await lab.script("PUT", `/chapters/${id}/synopsis`, { synopsis: "A postcard from <b>far</b> away." });
    await page.getByText("A postcard from <b>far</b> away.").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("signed out it says how to get in, and shows nothing else", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`, { isSignedOut: true });
    await page.getByText("manuscript open").waitFor();
    assert.equal(await page.getByText("Fare Not Taken").count(), 0);
    assert.deepEqual(complaints, []);
  });
});
