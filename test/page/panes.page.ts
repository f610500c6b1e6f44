import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { makeChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("two panes", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("show a chapter beside the notes, are written in, and keep what was beside", async () => {
    const { bookId, chapterId } = await makeChapter(lab, "It rained all day.");
    const at = `/b/${bookId}/c/${chapterId}`;
    const { page, complaints } = await lab.open(at, { width: 1600 });
    await page.getByText("It rained all day.").waitFor();
    await page.keyboard.press("\\");
    const [left, right] = [page.frameLocator("[title=Left]"), page.frameLocator("[title=Right]")];
    await left.getByText("It rained all day.").waitFor();
    await right.getByRole("heading", { name: "Notes" }).waitFor();
    await page.keyboard.press("e"); // the left one has the focus
    await left.locator(".text").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Nobody came.");
    await page.keyboard.press("Control+s");
    await left.locator(".how.saved").waitFor();
    await right.getByRole("heading", { name: "Notes" }).click();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await right.getByRole("heading", { name: "A Trial" }).waitFor();
    await page.reload();
    await left.getByText("Nobody came.").waitFor();
    await right.getByRole("heading", { name: "A Trial" }).waitFor();
    await right.getByRole("heading", { name: "A Trial" }).click();
    await page.keyboard.press("\\");
    await page.waitForURL(`${lab.url}/b/${bookId}`);
    await page.getByRole("heading", { name: "A Trial" }).waitFor();
    await page.goBack();
    await left.getByText("Nobody came.").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("stand one above the other where the window is narrow", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/panes`, { width: 390 });
    const boxes = await Promise.all(
      ["Left", "Right"].map((side) => page.locator(`[title=${side}]`).boundingBox()),
    );
    assert.deepEqual(
      boxes.map((box) => [box?.x, box?.width]),
      [
        [0, 390],
        [0, 390],
      ],
    );
    assert.deepEqual(complaints, []);
  });
});
