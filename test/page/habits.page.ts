import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { makeChapter, openChapter } from "./support/editor-lab.ts";
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

  it("a chapter opens where one was: the cursor, and what was in sight", async () => {
    const tab = await openChapter(lab, LONG.join("\n\n"));
    const { page, at, save, complaints } = tab;
    const top = (day: number) =>
      page.evaluate<number>(
        `[...document.querySelectorAll(".text p")][${day - 1}].getBoundingClientRect().top`,
      );
    await at(LONG[30] ?? "", 7);
    await page.keyboard.type("Here");
    await page.mouse.wheel(0, 430);
    await save();
    await page.waitForTimeout(300);
    const before = await top(33);
    assert.ok(before > 0 && before < 860, `it is at ${before}`);
    await page.locator(".strip-status").getByText("Done").click();
    await page.getByText("Day 1.").waitFor();
    await page.keyboard.press("e");
    const isThere = async (last: string) => {
      await page.locator(".strip-status").waitFor();
      assert.ok(Math.abs((await top(33)) - before) < 40, `${await top(33)} and not ${before}`);
      await page.keyboard.type(last);
      await page.getByText(`Here${last}`, { exact: false }).waitFor();
    };
    await isThere("!");
    await save();
    await page.mouse.wheel(0, before - 300);
    await page.reload();
    await page.locator(".strip-status").waitFor();
    await page.keyboard.type("?");
    await page.getByText("Here!?").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("Escape in a menu closes the menu alone", async () => {
    const { page, chapterId, at } = await openChapter(lab, TWO);
    await at("Nobody came.", 3);
    await page.getByText("Text", { exact: true }).click();
    await page.getByText("Numbered list").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Numbered list").waitFor({ state: "hidden" });
    assert.ok(page.url().endsWith(`/c/${chapterId}/edit`), page.url());
    await page.getByRole("button", { name: "Books" }).click();
    await page.getByText("New book or import").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("New book or import").waitFor({ state: "detached" });
    assert.ok(page.url().endsWith(`/c/${chapterId}/edit`), page.url());
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.ok(page.url().endsWith(`/c/${chapterId}/edit`), page.url());
  });

  it("a title runs from right to left where its letters do", async () => {
    const place = await makeChapter(lab, "שלום.");
    await lab.script("PATCH", `/chapters/${place.chapterId}`, { title: "פרק ראשון" });
    const { page } = await openChapter(lab, "", { place });
    await page.locator(".prose h1", { hasText: "פרק" }).waitFor(); // an empty one has no direction
    assert.equal(
      await page.evaluate(`getComputedStyle(document.querySelector(".prose h1")).direction`),
      "rtl",
    );
  });
});
