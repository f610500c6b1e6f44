import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { type OpenChapter, openChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

const START =
  "The ferry was late that night.\n\nNobody had asked why it was.\n\nRain came in from the sea. It stayed.";
const [FERRY = "", NOBODY = "", RAIN = ""] = START.split("\n\n");

describe("what stands around a text that is written", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);
  const notes = async ({ bookId }: OpenChapter) =>
    (await lab.script("GET", `/books/${bookId}/snippets`)).body.snippets;

  it("a note is written, ticked, changed and deleted beside its paragraph, by keys, and comes back", async () => {
    const open = await openChapter(lab, START);
    const { page, at, ids, complaints } = open;
    await at(NOBODY, 3);
    await page.keyboard.press("Control+Alt+m");
    await page.getByLabel("Kind").selectOption("todo");
    await page.getByLabel("Text", { exact: true }).fill("Ask.");
    await page.getByLabel("To do, one a line").fill("the captain\nthe clerk");
    await page.keyboard.press("Control+Enter");
    await page.locator(".note").getByText("the clerk").click();
    await page.locator(".note li.done").waitFor();
    const [note] = await notes(open);
    assert.deepEqual(
      [note.blockId, note.items.map(({ done }: { done: boolean }) => done)],
      [ids[1], [false, true]],
    );
    const top = (selector: string) =>
      page.locator(selector).evaluate((one) => one.getBoundingClientRect().top);
    assert.ok(
      Math.abs((await top(".margin > div")) - (await top(`[data-block="${ids[1]}"]`))) < 2,
      "not level",
    );
    await page.locator(".note").hover();
    await page.locator(".note").getByRole("button", { name: "Delete" }).click();
    await page.locator(".note").waitFor({ state: "detached" });
    const toast = page.locator(".toast").filter({ hasText: "The note is deleted." });
    await toast.getByRole("button", { name: "Undo" }).click();
    await page.locator(".note").getByText("the clerk").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a note of several lines has them in the margin, where one reads and where one writes", async () => {
    const open = await openChapter(lab, START);
    const { page, at, ids, bookId, chapterId } = open;
    const text = "The tide turns at six.\n\nAsk:\n- the captain\n- the clerk";
    await at(NOBODY, 3);
    await page.keyboard.press("Control+Alt+m");
    await page.getByLabel("Text", { exact: true }).pressSequentially(text);
    await page.keyboard.press("Control+Enter");
    const shown = async () => {
      await page.locator(".note p", { hasText: "the clerk" }).waitFor();
      return page.evaluate("document.querySelector('.note p').innerText"); // has the lines that are seen
    };
    assert.equal(await shown(), text);
    await page.goto(`${lab.url}/b/${bookId}/c/${chapterId}#${ids[1]}`);
    assert.equal(await shown(), text);
    const note = (await page.locator(".note").boundingBox())!; // it is shown
    const tray = (await page.locator(".tray").boundingBox())!; // likewise
    assert.ok(
      note.y + note.height <= tray.y,
      `the note ends at ${note.y + note.height}, the tray begins at ${tray.y}`,
    );
  });

  it("a save that takes a note's paragraph says so, and Undo brings both back", async () => {
    const open = await openChapter(lab, START);
    const { page, at, ids, save, markdown, bookId, complaints } = open;
    await lab.script("POST", `/books/${bookId}/snippets`, {
      kind: "note",
      blockId: ids[1],
      text: "Mind this.",
    });
    await at(NOBODY, 0, -1);
    await page.keyboard.press("Delete");
    await page.keyboard.press("Backspace");
    await save();
    const toast = page.locator(".toast").filter({ hasText: "lost the paragraph" });
    assert.match((await toast.textContent()) ?? "", /“Nobody had asked why it was\.”/);
    assert.equal((await notes(open))[0].blockId, null);
    await toast.getByRole("button", { name: "Undo" }).click();
    await save();
    assert.equal(await markdown(), START);
    assert.equal((await notes(open))[0].blockId, ids[1]);
    assert.deepEqual(complaints, []);
  });

  it("a ring fills with the words that one sitting is to bring", async () => {
    const { page, at, save, complaints } = await openChapter(lab, START);
    assert.equal(await page.locator(".ring").count(), 0);
    await page.getByRole("button", { name: "Text menu" }).click();
    await page.getByLabel("Words a sitting").fill("4");
    await page.keyboard.press("Escape");
    await page.getByRole("img", { name: /^\d+ of 4 words this sitting$/ }).waitFor();
    await at(RAIN, -1);
    const said = async () => (await page.locator(".ring").getAttribute("aria-label")) ?? "";
    const before = Number.parseInt(await said(), 10);
    await page.keyboard.type(" Three more words.");
    await save();
    await page.getByRole("img", { name: `${before + 3} of 4 words this sitting` }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("finds in the chapter, goes on and back, and leads to replacing in the whole book", async () => {
    const { page, at, complaints } = await openChapter(lab, START);
    await at(FERRY, 0);
    await page.keyboard.press("Control+f");
    await page.getByLabel("Find in this chapter").fill("WAS");
    const status = page.locator(".find-bar [role=status]");
    assert.equal(await status.textContent(), "1 of 2");
    await page.keyboard.press("Enter");
    assert.equal(await status.textContent(), "2 of 2");
    await page.keyboard.press("Shift+Enter");
    assert.equal(await status.textContent(), "1 of 2");
    assert.equal(await page.locator(".match.current").textContent(), "was");
    assert.match(
      (await page.getByText("Replace in the whole book").first().getAttribute("href")) ?? "",
      /replace\?find=WAS$/,
    );
    await page.keyboard.press("Escape");
    await page.keyboard.type("is");
    await page.getByText("The ferry is late").waitFor();
    assert.equal(await page.locator(".match").count(), 0);
    assert.deepEqual(complaints, []);
  });

  it("scrolls to what is found", async () => {
    const { page } = await openChapter(
      lab,
      Array.from({ length: 80 }, (_, n) => `Paragraph ${n}.`).join("\n\n"),
    );
    await page.keyboard.press("Control+f");
    await page.getByLabel("Find in this chapter").fill("ph 70");
    const top = await page.locator(".match.current").evaluate((one) => one.getBoundingClientRect().top);
    assert.ok(top > 60 && top < 800, `it is at ${top}`);
  });

  it("paragraph or sentence stands out, as long as one likes", async () => {
    const { page, at } = await openChapter(lab, START);
    await at(RAIN, 30);
    await page.keyboard.press("Control+.");
    assert.equal(await page.locator(".here").textContent(), RAIN);
    await page.keyboard.press("Control+.");
    assert.equal(await page.locator(".sentence").textContent(), "It stayed.");
    await page.reload();
    await page.locator('.write[data-focus="sentence"]').waitFor();
    await at(RAIN, 3);
    assert.equal((await page.locator(".sentence").textContent())?.trim(), "Rain came in from the sea.");
    await page.keyboard.press("Control+.");
    assert.equal(await page.locator(".here").count(), 0);
  });

  it("title and synopsis are changed where they stand; Escape ends writing", async () => {
    const { page, at, chapterId, bookId, complaints } = await openChapter(lab, START);
    await page.getByRole("button", { name: "Title: One. Change" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Two");
    await page.keyboard.press("Enter");
    await page.getByText("The title is changed.").waitFor();
    await page.getByRole("button", { name: /^Synopsis/ }).click();
    await page.keyboard.type("A ferry, late.");
    await page.keyboard.press("Enter");
    await page.getByText("The synopsis is saved.").waitFor();
    const { body } = await lab.script("GET", `/chapters/${chapterId}`);
    assert.deepEqual([body.title, body.synopsis], ["Two", "A ferry, late."]);
    await at(FERRY, -1);
    await page.keyboard.type(" Yes.");
    await page.keyboard.press("Escape");
    await page.waitForURL(`**/b/${bookId}/c/${chapterId}`);
    await page.getByText("that night. Yes.").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("typewriter: the line that is written stays where it is", async () => {
    const { page, at } = await openChapter(
      lab,
      Array.from({ length: 60 }, (_, n) => `Paragraph ${n}.`).join("\n\n"),
    );
    await page.getByRole("button", { name: "Typewriter" }).click();
    await at("Paragraph 40.", -1);
    const caret = () =>
      page.evaluate("getSelection().getRangeAt(0).getBoundingClientRect().top") as Promise<number>;
    await page.keyboard.type(" a");
    const first = await caret();
    for (let count = 0; count < 5; count++) {
      await page.keyboard.press("Enter");
      await page.keyboard.type("more");
    }
    assert.ok(Math.abs((await caret()) - first) < 40, "it moved");
  });

  it("a page full of scripts and strange letters is text", async () => {
    const odd = "<script>alert(1)</script> `<img src=x onerror=alert(1)>`\n\nשלום *עולם* \\<b>";
    const { page, at, save, markdown, complaints } = await openChapter(lab, odd);
    await at((await page.locator(".text p").last().textContent()) ?? "", -1);
    await page.keyboard.type("!");
    await save();
    assert.equal(await markdown(), `${odd}!`);
    assert.deepEqual(complaints, []);
  });
});
