import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { faultsOf } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

// Runs in the page: nothing is drawn between what it waits for and the key.
const PRESS_WHEN_SHOWN = `(shown, key) => {
  const seeing = new MutationObserver(() => {
    if (document.querySelector(shown) === null) return;
    seeing.disconnect();
    document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  });
  seeing.observe(document.body, { childList: true, subtree: true });
}`;

describe("the story map in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);
  const facts = async () => (await lab.script("GET", `/books/${lab.bookId}/facts`)).body.facts;
  const idOf = async (name: string) =>
    (await facts()).find((fact: { name: string }) => fact.name === name)?.id as string;
  const openFact = async (name: string) => lab.open(`/b/${lab.bookId}/map/${await idOf(name)}`);

  it("tells the numbers of every fact and chapter, by kind and by first mention", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/map`);
    const map = (await lab.script("GET", `/books/${lab.bookId}/map`)).body;
    const rows = page.locator(".heat tbody tr");
    assert.equal(await rows.count(), map.facts.length);
    for (const name of ["Edith Pask", "Tolsey"]) {
      const fact = map.facts.find((one: { name: string }) => one.name === name);
      const shown = await rows.filter({ hasText: name }).locator("td").allTextContents();
      const counts = new Map<number, number>(fact.chapters);
      assert.deepEqual(
        shown,
        map.chapters.map((_: unknown, place: number) => String(counts.get(place) ?? "")),
      );
    }
    await page.getByRole("button", { name: /^Place / }).click();
    assert.equal(
      await rows.count(),
      map.facts.filter(({ kind }: { kind: string }) => kind === "place").length,
    );
    await page.getByRole("button", { name: "By first mention" }).click();
    assert.equal(await rows.count(), map.facts.length);
    assert.notEqual(await rows.first().locator("td").first().textContent(), "");
    await page.locator(".graph a").first().waitFor();
    assert.deepEqual(complaints, []);
  });

  it("names in the graph stand on no other", async () => {
    const { page } = await lab.open(`/b/${lab.bookId}/map`);
    await page.locator(".graph text").first().waitFor();
    const clashes = await page.evaluate(`(() => {
      const boxes = [...document.querySelectorAll(".graph text")].map((text) => text.getBoundingClientRect());
      return boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4)).length;
    })()`);
    assert.equal(clashes, 0);
  });

  it("a key works from the moment that the names are shown", async () => {
    const { page } = await lab.open(`/b/${lab.bookId}`);
    await page.evaluate(`(${PRESS_WHEN_SHOWN})(".heat a", "j")`);
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await page.locator(".heat th[scope=row] a:focus").waitFor();
  });

  it("a fact has every mention in its sentence, each a way to its paragraph", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/map`);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Winifred Dunnage" }).waitFor();
    const id = await idOf("Winifred Dunnage");
    const { mentions } = (await lab.script("GET", `/facts/${id}`)).body;
    const lines = page.locator(".concordance li a");
    assert.equal(await lines.count(), mentions.length);
    await lines.first().click();
    await page.locator(`[id="${mentions[0].blockId}"]`).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a fact has what the book says of it once that is asked for, each sentence a way to its paragraph", async () => {
    const id = await idOf("Winifred Dunnage");
    const [{ id: chapterId, title }] = (await lab.script("GET", `/books/${lab.bookId}`)).body.chapters.slice(
      -1,
    );
    await lab.script("PATCH", `/facts/${id}`, {
      setAttributes: [{ key: "hair", value: "grey", fromChapterId: chapterId }],
    });
    const asked: string[] = [];
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/map/${id}`, {
      onResponse: async (url) => {
        if (url.endsWith("/passages")) asked.push(url);
      },
    });
    await page.locator("dt", { hasText: `hair, from ${title}` }).waitFor();
    assert.deepEqual(asked, []);
    await page.getByRole("button", { name: "What the book says" }).click();
    const { groups } = (await lab.script("GET", `/facts/${id}/passages`)).body;
    await page.locator(".concordance h3").first().waitFor();
    const heads = await page.locator(".concordance h3 small").allTextContents();
    assert.deepEqual(
      heads,
      groups.map(({ passages }: { passages: unknown[] }) => String(passages.length)),
    );
    const [first] = groups[0].passages;
    const sentence = page.locator(".concordance p a").first();
    assert.equal(await sentence.textContent(), first.text);
    assert.deepEqual(await faultsOf(page), []);
    await sentence.click();
    await page.locator(`[id="${first.blockId}"]`).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("every word of a fact is changed where it stands, and taken back", async () => {
    const { page, complaints } = await openFact("Winifred Dunnage");
    const id = await idOf("Winifred Dunnage");
    const fact = async () => (await lab.script("GET", `/facts/${id}`)).body.fact;
    const before = await fact();
    await page.getByRole("button", { name: /^Summary:/ }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("She shuts at <script>alert(5)</script>.");
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "summary" }).waitFor();
    assert.equal((await fact()).summary, "She shuts at <script>alert(5)</script>.");
    await page.locator(".toast", { hasText: "summary" }).getByRole("button", { name: "Undo" }).click();
    await page.getByText(before.summary).waitFor();
    await page.getByRole("button", { name: "Add a name" }).click();
    await page.keyboard.type("Lady, of the Stamps");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove the name Lady, of the Stamps" }).waitFor();
    await page.getByRole("button", { name: "Add a detail" }).click();
    await page.getByLabel("A property").fill("link");
    await page.getByLabel("Value").fill("javascript:alert(1)");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove link" }).click();
    await page.getByText("link is removed.").waitFor();
    const changed = await fact();
    assert.deepEqual(changed.aliases, [...before.aliases, "Lady, of the Stamps"]);
    assert.deepEqual(changed.attributes, before.attributes);
    assert.deepEqual(complaints, []);
  });

  it("what a script changed meanwhile is not written over, and that is said", async () => {
    const { page } = await openFact("Tolsey");
    const id = await idOf("Tolsey");
    await page.getByRole("button", { name: /^Summary:/ }).click();
    await lab.script("PATCH", `/facts/${id}`, { summary: "By a script." });
    await page.keyboard.press("Control+a");
    await page.keyboard.type("By hand.");
    await page.keyboard.press("Enter");
    await page.getByText("Somebody else has changed this in the meantime").waitFor();
    await page.getByRole("button", { name: /^Summary: By a script/ }).waitFor();
    assert.equal((await lab.script("GET", `/facts/${id}`)).body.fact.summary, "By a script.");
  });

  it("a fact is added, merged after a look at what that does, deleted, and brought back", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/map`);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.keyboard.type("Bunty Pask");
    await page.getByLabel("Kind").fill("character");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Bunty Pask" }).waitFor();
    await page.getByRole("button", { name: "Merge…" }).click();
    await page.getByLabel("Merge with").selectOption({ label: "Edith Pask (character)" });
    await page.getByLabel("Keep the name “Edith Pask”").check();
    await page.getByText("Added names: Bunty Pask.").waitFor();
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByRole("heading", { name: "Edith Pask" }).waitFor();
    assert.equal(await idOf("Bunty Pask"), undefined);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("“Edith Pask” is removed from the story map").waitFor();
    assert.equal(await idOf("Edith Pask"), undefined);
    await page
      .locator(".toast", { hasText: "removed from the story map" })
      .getByRole("button", { name: "Undo" })
      .click();
    await page.locator(".heat").getByRole("link", { name: "Edith Pask" }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
