import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { changeAccount } from "../../src/service/account/account.ts";
import { suite } from "../support/sandbox.ts";
import { faultsInLooks } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP, type Tab } from "./support/page-lab.ts";

// Somebody whom the story map lacks.
const PROSE =
  "“Mrs. Quillfeather is late,” said Edith Pask. Mrs. Quillfeather nodded at Mrs. Quillfeather’s sister.\n";

describe("the review in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  let chapterIds: string[];
  before(async () => {
    lab = await pageLab(scope);
    const add = async (title: string) =>
      (await lab.script("POST", `/books/${lab.bookId}/chapters`, { title, markdown: PROSE })).body.id;
    chapterIds = [await add("<b>Late</b>"), await add("Later")];
  });
  after(scope.end);
  const facts = async (): Promise<{ id: string; name: string; mentionCount: number }[]> =>
    (await lab.script("GET", `/books/${lab.bookId}/facts`)).body.facts;
  const look = async ({ page }: Tab, button: string, chapterId = "") => {
    await page.getByLabel("In which chapters").selectOption(chapterId);
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByText(chapterId === "" ? /\d chapters searched/ : "1 chapter searched.").waitFor();
  };

  it("says what it costs, looks through every chapter, and one name is one new fact", async () => {
    const tab = await lab.open(`/b/${lab.bookId}/review`);
    const { page, complaints } = tab;
    const { chapters } = (await lab.script("GET", `/books/${lab.bookId}`)).body;
    const cost = chapters.reduce(
      (sum: number, { wordCount }: { wordCount: number }) => sum + Math.max(1, Math.ceil(wordCount / 1000)),
      0,
    );
    await page.getByText(`Each costs at most ${cost} credits`).waitFor();
    await look(tab, "Look for more");
    const card = page.locator(".proposal", {
      has: page.getByRole("heading", { name: "Mrs. Quillfeather" }),
    });
    assert.match((await card.textContent()) ?? "", /New character/);
    await card.locator(".passage mark").first().waitFor();
    await card.getByRole("button", { name: /^Accept/ }).click();
    await page.getByText("“Mrs. Quillfeather” is on the map").waitFor();
    await card.waitFor({ state: "detached" });
    const made = (await facts()).filter(({ name }) => name.includes("Quillfeather"));
    assert.equal(made.length, 1);
    assert.equal(made[0]?.mentionCount, 6);
    await page.locator(".toast", { hasText: "on the map" }).getByRole("button", { name: "Undo" }).click();
    await card.waitFor();
    assert.ok(!(await facts()).some(({ name }) => name.includes("Quillfeather")));
    await card.getByRole("button", { name: /^Dismiss/ }).click();
    await card.waitFor({ state: "detached" });
    await look(tab, "Look for more", chapterIds[0]);
    assert.equal(await card.count(), 0, "what was dismissed is not proposed again");
    assert.deepEqual(complaints, []);
  });

  it("all proposals are accepted at once, and taken back at once", async () => {
    const tab = await lab.open(`/b/${lab.bookId}/review`);
    const { page, complaints } = tab;
    const before = await facts();
    await look(tab, "Look for more");
    await page.locator(".proposal").first().waitFor();
    await page.getByRole("button", { name: /^Accept all/ }).click();
    const toast = page.locator(".toast", { hasText: "linked" });
    await toast.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    await page.locator(".proposal").first().waitFor();
    assert.deepEqual(
      (await facts()).map(({ name, mentionCount }) => [name, mentionCount]),
      before.map(({ name, mentionCount }) => [name, mentionCount]),
    );
    assert.deepEqual(complaints, []);
  });

  it("a drifting name is shown in its sentence, to be replaced, or is another person", async () => {
    const { chapters } = (await lab.script("GET", `/books/${lab.bookId}`)).body;
    const { id } = chapters.find(({ title }: { title: string }) => title === "Slack Water");
    const tab = await lab.open(`/b/${lab.bookId}/review`);
    const { page, complaints } = tab;
    await look(tab, "Check", id);
    const card = page.locator(".finding", { hasText: "Garroway" });
    await card.locator(".passage mark").first().waitFor();
    const href = await card.getByRole("link", { name: "Replace…" }).getAttribute("href");
    assert.match(href ?? "", /\/replace\?find=Garroway&with=Garraway$/);
    await card.getByRole("button", { name: "Another person" }).click();
    await card.waitFor({ state: "detached" });
    const { findings } = (await lab.script("POST", `/chapters/${id}/check`)).body;
    assert.deepEqual(findings, []);
    assert.deepEqual(complaints, []);
  });

  it("a run is stopped on its way, and what was found is kept", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/review`);
    let count = 0;
    await page.route("**/check", (route) => (++count < 14 ? route.continue() : undefined)); // the last ones hang
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText(/^14 of 16/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped. What was found is kept.").waitFor();
    await page.locator(".finding", { hasText: "brown eyes" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a refusal is told in words", async () => {
    const { body } = await lab.script("POST", `/books/${lab.bookId}/chapters`, {
      title: "Last",
      markdown: PROSE,
    });
    changeAccount(lab.own, { subscription: false, credits: 0 });
    const { page } = await lab.open(`/b/${lab.bookId}/review`);
    await page.getByText("so it would stop before the end").waitFor();
    await page.getByLabel("In which chapters").selectOption(body.id);
    await page.getByRole("button", { name: "Look for more", exact: true }).click();
    await page.getByText("There are not enough credits: the next chapter costs 1, and you have 0.").waitFor();
    changeAccount(lab.own, { subscription: true });
  });

  it("says that a language model did not answer, and why", async () => {
    changeAccount(lab.own, { llm: { url: "http://127.0.0.1:9", model: "gone" } });
    const tab = await lab.open(`/b/${lab.bookId}/review`);
    await look(tab, "Check", chapterIds[0]);
    await tab.page.getByText("The language model did not answer in 1 of them (unreachable)").waitFor();
    changeAccount(lab.own, { llm: { url: null } });
  });

  it("nothing serious is found by axe, light and dark, wide and narrow", async () => {
    const tab = await lab.open(`/b/${lab.bookId}/review`);
    await look(tab, "Check");
    await look(tab, "Look for more");
    await tab.page.locator(".proposal .passage mark").first().waitFor();
    assert.deepEqual(await faultsInLooks(tab.page), []);
  });
});
