import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { suite } from "../support/sandbox.ts";
import { faultsInLooks, LOOKS } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP, type Tab } from "./support/page-lab.ts";
import { makeProposed, type Proposed } from "./support/proposed.ts";

const FIRST = "Edith came to the pier at seven.";
const RAIN = "She waited in the rain.";
const LAST = "Somebody came.";

describe("the proposals in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  let book: Proposed;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);
  const open = async (options = {}): Promise<Tab> => {
    const tab = await lab.open(`/b/${book.bookId}/proposals`, options);
    await tab.page.locator("main h1").waitFor();
    return tab;
  };
  const edit = (page: Page, words: string): Locator => page.locator("[data-edit]", { hasText: words });
  const undo = async (page: Page, told: string) => {
    await page.locator(".toast", { hasText: told }).getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
  };

  it("the desk says how many wait, and leads there: by chapter, the newest first, with who, why, where and the cost", async () => {
    book = await makeProposed(lab);
    const { page, complaints } = await lab.open(`/b/${book.bookId}`);
    await page.getByRole("link", { name: "2 proposals to review" }).click();
    await edit(page, "He lit it").waitFor();
    assert.deepEqual(await page.locator("main h2").allTextContents(), ["One", "Two"]);
    const cards = await page.locator(".proposed").allTextContents();
    assert.match(cards[0] ?? "", /^First Reader.*Louder\./);
    assert.match(cards[1] ?? "", /^First Reader.*less weather\..*Accept all \(4\)/);
    assert.match((await edit(page, "pier").textContent()) ?? "", /¶ 1.*would cost 1 mention \(Edith\)/);
    assert.match(
      (await edit(page, RAIN).textContent()) ?? "",
      /¶ 3.*to be deleted.*cost the place of 1 note/,
    );
    assert.match((await edit(page, "bell").textContent()) ?? "", /after ¶ 4.*new/);
    assert.deepEqual(await edit(page, "ferry").locator("del").allTextContents(), [", and nobody knew why"]);
    await edit(page, "ferry").getByRole("link", { name: "¶ 2" }).click();
    await page.locator(".prose [data-block]").first().waitFor();
    assert.match(page.url(), new RegExp(`/c/${book.one}#.`));
    assert.deepEqual(complaints, []);
  });

  it("a chapter says beside its paragraph that somebody proposes a change, and leads to that", async () => {
    book = await makeProposed(lab);
    const { page, complaints } = await lab.open(`/b/${book.bookId}/c/${book.one}`);
    const noted = page.locator(".noted", { hasText: "The ferry was late" });
    await noted.getByRole("link", { name: "First Reader proposes a change" }).click();
    await page.waitForURL(/\/proposals#prop_/);
    const id = new URL(page.url()).hash.slice(1);
    await page.locator(`[id="${id}"]`, { hasText: "less weather" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a stale edit says why and what stands there now, and cannot be accepted as it is", async () => {
    book = await makeProposed(lab);
    const { page } = await open();
    const stale = edit(page, "No one");
    await stale.locator("q", { hasText: LAST }).waitFor();
    assert.match((await stale.textContent()) ?? "", /Stale: the paragraph has changed since.*reads now/);
    assert.equal(await stale.getByRole("button", { name: "Accept" }).count(), 0);
    await stale.getByRole("button", { name: "Reword ¶ 4" }).click();
    assert.equal(await stale.locator("textarea").inputValue(), "No one came at all.");
    await stale.locator("textarea").fill("Somebody came, and left.");
    await stale.getByRole("button", { name: "Accept in these words" }).click();
    await stale.waitFor({ state: "detached" });
    assert.match(await book.markdown(book.one), /rain\.\n\nSomebody came, and left\.$/);
  });

  it("one edit is accepted, one rejected, one accepted in other words, each taken back by its toast", async () => {
    book = await makeProposed(lab);
    const whole = await book.markdown(book.one);
    const { page, complaints } = await open();
    await edit(page, "ferry").getByRole("button", { name: "Accept ¶ 2" }).click();
    await edit(page, "¶ 2 · accepted").first().waitFor();
    const without = whole.replace(", and nobody knew why", "");
    assert.equal(await book.markdown(book.one), without);
    await undo(page, "Accepted: “One”, ¶ 2.");
    await edit(page, "ferry").getByRole("button", { name: "Accept ¶ 2" }).waitFor();
    assert.equal(await book.markdown(book.one), whole);
    await edit(page, "pier").getByRole("button", { name: "Reject ¶ 1" }).click();
    await edit(page, "¶ 1 · rejected").waitFor();
    assert.equal(await book.markdown(book.one), whole);
    await edit(page, "He lit it").getByRole("button", { name: "Reword ¶ 2" }).click();
    const field = page.locator("textarea");
    assert.equal(await field.inputValue(), "He lit it once more.");
    await field.fill("He lit it *twice*.");
    await field.press("Control+Enter");
    await page.locator("main h2", { hasText: "Two" }).waitFor({ state: "detached" });
    assert.equal(await book.markdown(book.two), "The lamp was out.\n\nHe lit it *twice*.");
    await undo(page, "In “Two” as you worded it.");
    await edit(page, "He lit it").waitFor();
    assert.equal(await book.markdown(book.two), "The lamp was out.\n\nHe lit it again.");
    assert.deepEqual(complaints, []);
  });

  it("a whole proposal is accepted as one act, or rejected as one", async () => {
    book = await makeProposed(lab);
    const whole = await book.markdown(book.one);
    const { page } = await open();
    await page.getByRole("button", { name: "Accept all (4)" }).click();
    await edit(page, "bell").waitFor({ state: "detached" });
    assert.equal(
      await book.markdown(book.one),
      `She came to the pier at seven.\n\nThe ferry was late.\n\n${LAST}\n\nThen the bell rang.`,
    );
    await undo(page, "Accepted: 4 edits of “One”.");
    await edit(page, "bell").waitFor();
    await page.getByRole("button", { name: "Reject all (4)" }).click();
    await edit(page, "bell").waitFor({ state: "detached" });
    assert.equal(await book.markdown(book.one), whole);
  });

  it("what another program writes shows by itself; a wording keeps what it changed", async () => {
    book = await makeProposed(lab);
    const { page } = await open();
    await book.propose(book.two, "Brighter.", [{ op: "replace", at: 0, markdown: "The lamp was bright." }]);
    await page.getByText("Brighter.").waitFor();
    const { body } = await lab.script("GET", `/chapters/${book.one}?format=doc`);
    const { blockId } = body.doc.content[1].attrs;
    await lab.script("PATCH", `/chapters/${book.one}/paragraphs/${blockId}`, {
      markdown: "The last ferry was late, and nobody knew why.",
    });
    await edit(page, "The last ferry").getByRole("button", { name: "Reword" }).click();
    assert.equal(await page.locator("textarea").inputValue(), "The last ferry was late.");
    await page.route("**/acts?*", () => undefined); // from here on the page hears of nothing
    const written = "The very last ferry was late, and nobody knew why.";
    await lab.script("PATCH", `/chapters/${book.one}/paragraphs/${blockId}`, { markdown: written });
    await page.getByRole("button", { name: "Accept in these words" }).click();
    await page.locator(".toast.problem").waitFor();
    await page.locator(".wording [role=status]").waitFor();
    assert.ok((await book.markdown(book.one)).includes(written));
    await page.getByRole("button", { name: "Accept in these words" }).click();
    await edit(page, "¶ 2 · accepted").waitFor();
    assert.ok((await book.markdown(book.one)).includes("\n\nThe last ferry was late.\n\n"));
  });

  it("is worked by keys: j and k go, a accepts, e words, x rejects what has the focus", async () => {
    book = await makeProposed(lab);
    const { page } = await open();
    await edit(page, "He lit it").getByRole("button", { name: "Accept" }).waitFor();
    await page.keyboard.press("a"); // nothing has the focus
    for (const key of ["j", "j", "x"]) await page.keyboard.press(key);
    await edit(page, "¶ 1 · rejected").waitFor();
    for (const key of ["j", "a"]) await page.keyboard.press(key);
    await edit(page, "¶ 2 · accepted").waitFor();
    for (const key of ["j", "j", "e"]) await page.keyboard.press(key);
    assert.equal(await page.locator("textarea").inputValue(), "Then the bell rang.");
    await page.keyboard.press("Escape");
    await page.locator("textarea").waitFor({ state: "detached" });
    const [first, , rain, last] = (await book.markdown(book.one)).split("\n\n");
    assert.deepEqual([first, rain, last], [FIRST, RAIN, LAST]);
  });

  it("says what a proposal is where there is none, and shows so many at once", async () => {
    book = await makeProposed(lab);
    const empty = await lab.open(`/b/${lab.bookId}/proposals`);
    await empty.page.getByText("A proposal is a change to your prose that somebody else suggests").waitFor();
    for (let count = 0; count < 20; count++)
      await book.propose(book.two, `No. ${count}`, [
        { op: "insert_after", at: 1, markdown: `Line ${count}.` },
      ]);
    const { page } = await open();
    await page.getByText("No. 19", { exact: true }).waitFor();
    assert.equal(await page.locator(".proposed").count(), 20);
    await edit(page, "Line 12.").getByRole("button", { name: "Accept" }).waitFor();
    for (let count = 0; count < 10; count++) {
      await page.keyboard.press("j");
      const below = await page.evaluate(
        "innerHeight - document.activeElement.getBoundingClientRect().bottom",
      );
      assert.ok(Number(below) > 280, "the edit stands where four toasts would cover it");
    }
    await page.getByRole("button", { name: "Show more of 23" }).click();
    await edit(page, "He lit it").waitFor();
    assert.equal(await page.locator(".proposed").count(), 23);
  });

  it("nothing serious is found by axe, light and dark, wide and narrow", async () => {
    book = await makeProposed(lab);
    const { page } = await open();
    await edit(page, "He lit it").getByRole("button", { name: "Reword" }).click();
    await edit(page, "pier").getByRole("button", { name: "Reject" }).waitFor();
    assert.deepEqual(await faultsInLooks(page, [...LOOKS, { scheme: "light", width: 360 }]), []);
  });
});
