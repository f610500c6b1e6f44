import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("insight", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  async function openPage(name: string) {
    const tab = await lab.open(`/b/${lab.bookId}`);
    await tab.page.keyboard.press("g");
    await tab.page.keyboard.press("i");
    await tab.page.getByRole("button", { name }).click();
    return tab;
  }
  const report = async (name: string) => (await lab.script("GET", `/books/${lab.bookId}/${name}`)).body;

  it("shows who appears where, each mark a way to the mentions of that chapter", async () => {
    const { page, complaints } = await openPage("Who appears where");
    const { facts, chapters } = await report("appearances");
    const { name, id, chapters: own } = facts.find(({ first }: { first: number }) => first === 1);
    const marks = page.getByRole("group", { name, exact: true }).getByRole("link");
    await marks.first().waitFor();
    assert.equal(await marks.count(), own.length);
    await marks.first().click();
    await page.waitForURL(`${lab.url}/b/${lab.bookId}/map/${id}#in-${chapters[own[0][0]].id}`);
    assert.deepEqual(complaints, []);
  });

  it("lists the times in the book's order, those that do not fit first, each a way to its paragraph", async () => {
    const { page, complaints } = await openPage("The book’s time");
    const { times } = await report("timeline");
    await page.getByRole("heading", { name: "Does not fit" }).waitFor();
    const clash = times.find(({ differs }: { differs: string | null }) => differs !== null);
    await page.getByText(clash.differs).first().waitFor();
    const link = page.getByRole("link", { name: times[0].text }).first();
    assert.equal(
      await link.getAttribute("href"),
      `/b/${lab.bookId}/c/${times[0].chapterId}#${times[0].blockId}`,
    );
    assert.equal(await page.getByText(/^--\d/).count(), 0);
    const days = page.locator(".days > li");
    const places = times.map(
      (one: { chapterId: string; blockId: string }) => `${one.chapterId}#${one.blockId}`,
    );
    assert.ok((await days.count()) > 1);
    const mark = days.first().getByRole("link").first();
    assert.ok(places.includes((await mark.getAttribute("href"))?.split("/").at(-1)));
    assert.deepEqual(complaints, []);
  });

  it("marks the words themselves, not their letters within others, and each of two in a sentence", async () => {
    const { body: book } = await lab.script("POST", "/books", { title: "Tired" });
    const markdown = "Every man was very tired, and every boy very cold. Mayor Ann left in May.";
    await lab.script("POST", `/books/${book.id}/chapters`, { title: "One", markdown });
    const { page } = await lab.open(`/b/${book.id}/insight`);
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("button", { name: "Intensifiers" }).click();
    await page.locator("mark").nth(1).waitFor();
    const before = () =>
      page.locator("mark").evaluateAll((all) => all.map((mark) => mark.previousSibling?.textContent));
    assert.deepEqual(await before(), ["Every man was ", "Every man was very tired, and every boy "]);
    await page.getByRole("button", { name: "The book’s time" }).click();
    await page.locator("mark").getByText("May", { exact: true }).waitFor();
    assert.deepEqual(await before(), ["Mayor Ann left in "]);
  });

  it("shows what a line editor would mark, each a way to its place, and dismisses a word and a place for good", async () => {
    const { page, complaints } = await openPage("Language");
    const { kinds } = await report("language");
    const { kind, count, words } = kinds.find(({ kind: one }: { kind: string }) => one === "filter");
    const row = page.locator(".marks > li", { hasText: "Filter words" });
    await row.getByRole("button").click();
    const { findings } = await report(`language?kind=${kind}`);
    assert.equal(findings.length, count);
    const place = row.locator(".rows > li").first();
    await place.waitFor();
    assert.equal(await place.locator("mark").first().textContent(), findings[0].text);
    assert.equal(
      await place.getByRole("link").getAttribute("href"),
      `/b/${lab.bookId}/c/${findings[0].chapterId}#${findings[0].blockId}`,
    );
    await place.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("This place is not marked any more.").waitFor();
    const left = await report(`language?kind=${kind}`);
    assert.deepEqual(
      left.findings.map(({ id }: { id: string }) => id),
      findings.slice(1).map(({ id }: { id: string }) => id),
    );
    await row.getByRole("button", { name: `Never mark “${words[0].word}”` }).click();
    await page.getByText(`“${words[0].word}” is not marked any more.`).waitFor();
    const after = await report(`language?kind=${kind}`);
    assert.ok(after.findings.every(({ word }: { word: string }) => word !== words[0].word));
    assert.deepEqual(complaints, []);
  });

  it("counts sentences by length, and chapters by words, scenes and speech", async () => {
    const { page, complaints } = await openPage("Pace");
    const { sentences, chapters } = await report("pace");
    const counts = page.locator(".sentences small");
    await counts.first().waitFor();
    const told = (await counts.allTextContents()).map((text) => Number(text.replace(",", "")));
    assert.equal(
      told.reduce((sum, count) => sum + count, 0),
      sentences,
    );
    await page.locator(".pace li").first().waitFor();
    assert.equal(await page.locator(".pace li").count(), chapters.length);
    for (const [index, { scenes, dialogueShare }] of chapters.entries()) {
      const row = page.locator(".pace li").nth(index);
      assert.equal(await row.locator("rect:not(.speech)").count(), scenes.length);
      assert.match(
        (await row.textContent()) ?? "",
        new RegExp(`${Math.round(100 * dialogueShare)} % speech`),
      );
    }
    assert.deepEqual(complaints, []);
  });

  it("says so where there is nothing to count", async () => {
    const { body: book } = await lab.script("POST", "/books", { title: "Empty" });
    const { page, complaints } = await lab.open(`/b/${book.id}/insight`);
    for (const [name, said] of [
      ["Who appears where", "names nobody"],
      ["The book’s time", "tells no day"],
      ["Language", "Nothing is marked"],
      ["Pace", "0 sentences"],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await page.getByText(said).waitFor();
    }
    assert.deepEqual(complaints, []);
  });
});
