import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { openChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

const TWO = "It rained all day.\n\nNobody came.";
const LONG = Array.from({ length: 40 }, (_, at) => `Day ${at + 1}. ${"It rained all day. ".repeat(12)}End.`);

const CARET_SHOWN =
  "(({ top, bottom }) => top > 0 && bottom < innerHeight)(getSelection().getRangeAt(0).getBoundingClientRect())";

describe("the habits of a writer's hands", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("Tab stays in the text, and Escape leaves it", async () => {
    const { page, at, save, markdown, complaints } = await openChapter(lab, TWO);
    await at("Nobody came.", -1);
    await page.keyboard.press("Tab");
    await page.keyboard.type(" Nor went.");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type(" At all.");
    await save();
    assert.equal(await markdown(), `${TWO} Nor went. At all.`);
    await page.getByRole("button", { name: /^Search or go to/ }).focus();
    await page.keyboard.press("?");
    await page.getByText("Done writing; Tab goes on from there").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await at("It rained all day.", 3);
    await page.keyboard.press("Escape");
    await page.locator(".text").waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate("document.activeElement.tagName"), "BODY");
    assert.deepEqual(complaints, []);
  });

  it("Ctrl+End and Ctrl+Home go to the very end and the very start, with Shift they select", async () => {
    const { page, save, markdown, complaints } = await openChapter(lab, LONG.join("\n\n"));
    await page.locator(".text p").first().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" The last.");
    await page.evaluate(CARET_SHOWN).then((isShown) => assert.ok(isShown, "the end is not in the window"));
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("The first. ");
    await save();
    const written = await markdown();
    assert.ok(written.startsWith("The first. Day 1. It"), written.slice(0, 40));
    assert.ok(written.endsWith("End. The last."), written.slice(-40));
    await page.keyboard.press("Control+Shift+End");
    await page.keyboard.type("All gone.");
    await save();
    assert.equal(await markdown(), "The first. All gone.");
    assert.deepEqual(complaints, []);
  });

  for (const width of [390, 1100, 1280, 1600])
    it(`the form of a note is wide enough to write in, ${width} wide`, async () => {
      const tab = await openChapter(lab, TWO, { width });
      await tab.at("It rained all day.", 3);
      await tab.page.keyboard.press("Control+Alt+m");
      const wide = async () =>
        (await tab.page.locator(".note.form textarea").first().boundingBox())?.width ?? 0;
      assert.ok((await wide()) >= 180, `${await wide()} while writing`);
      await tab.page.goto(`${lab.url}/b/${tab.bookId}/c/${tab.chapterId}`);
      await tab.page.getByText("Nobody came.").waitFor();
      await tab.page.keyboard.press("n");
      assert.ok((await wide()) >= 180, `${await wide()} while reading`);
    });

  it("three stars, three dashes or a hash and Enter are a scene break, and nothing else", async () => {
    const { page, at, save, markdown, complaints } = await openChapter(lab, TWO);
    await at("Nobody came.", -1);
    for (const sign of ["***", "* * *", "---", "#"]) {
      await page.keyboard.press("Enter");
      await page.keyboard.type(sign);
      await page.keyboard.press("Enter");
      await page.keyboard.type("Later.");
    }
    await save();
    assert.equal(await markdown(), TWO + "\n\n***\n\nLater.".repeat(4));
    assert.deepEqual(complaints, []);
  });

  it("text that is dictated with line ends keeps its order", async () => {
    const { page, at, save, markdown, complaints } = await openChapter(lab, TWO);
    await at("Nobody came.", -1);
    await page.keyboard.insertText(" One.\nTwo.\nThree.");
    await page.keyboard.type(" Four.");
    await save();
    assert.deepEqual((await markdown()).match(/One|Two|Three|Four/g), ["One", "Two", "Three", "Four"]);
    await at("It rained all day.", 2);
    await page.keyboard.insertText(" always\nrains and");
    await save();
    assert.match(await markdown(), /^It always\s+rains and rained all day\./);
    assert.deepEqual(complaints, []);
  });
});
