import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BookId } from "../../src/ids.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { suite } from "../support/sandbox.ts";
import { faultsOf } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("what was written, in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  let chapterId: string;
  let path: string;
  before(async () => {
    lab = await pageLab(scope);
    const { body } = await lab.script("GET", `/books/${lab.bookId}`);
    chapterId = body.chapters.find(({ title }: { title: string }) => title === "Stamps").id;
    path = `/b/${lab.bookId}/c/${chapterId}`;
  });
  after(scope.end);

  const paragraphs = async () => {
    const { body } = await lab.script("GET", `/chapters/${chapterId}?format=doc`);
    return body.doc.content.filter(({ type }: { type: string }) => type === "paragraph");
  };
  const patch = async (index: number, markdown: string) => {
    const { blockId } = (await paragraphs())[index].attrs;
    await lab.script("PATCH", `/chapters/${chapterId}/paragraphs/${blockId}`, { markdown });
  };
  const text = async () => (await lab.script("GET", `/chapters/${chapterId}`)).body.text;

  it("a sitting is one entry, its words are compared, and what did not change is folded", async () => {
    const original = await text();
    await patch(1, "She said nothing of it, <script>alert(1)</script>.");
    await patch(20, "Nobody asked.");
    const { page, complaints } = await lab.open(`${path}/history`);
    await page.getByRole("heading", { name: "What changed in Stamps" }).waitFor();
    assert.equal(await page.locator(".times li").count(), 2);
    await page.locator("ins", { hasText: "Nobody asked" }).waitFor();
    const before = await page.locator(".diff p.b").count();
    await page.locator(".same").first().click();
    assert.ok((await page.locator(".diff p.b").count()) > before, "the fold opens");
    assert.deepEqual(await faultsOf(page), []);

    await page.getByText("Nothing is written until you restore it.").waitFor();
    await page.getByRole("link", { name: "Read revision 1" }).click();
    await page.getByText("but not change it").waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole("link", { name: "What changed since" }).click();
    await page.getByRole("button", { name: "Restore revision 1" }).click();
    await page.getByText("is back at revision 1").waitFor();
    assert.equal(await text(), original);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    assert.notEqual(await text(), original);
    assert.deepEqual(complaints, []);
  });

  it("every act is told by its sitting, and taken back, with those that came later if they are in the way", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/acts`);
    await page.getByRole("heading", { name: "History" }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    const { body } = await lab.script("POST", `/books/${lab.bookId}/chapters`, { title: "An Afterword" });
    await lab.script("PUT", `/chapters/${body.id}/status`, { status: "done" });
    const row = page.locator(".act", { hasText: "added a chapter in An Afterword" });
    await row.getByRole("button", { name: "Undo" }).click();
    const dialog = page.getByRole("dialog", { name: "This cannot be undone by itself" });
    await dialog.getByText("1 later change builds on it").waitFor();
    await dialog.getByText("set the status").waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await dialog.getByRole("button", { name: "Undo this first, too" }).click();
    await page.getByText("Undone.").waitFor();
    assert.equal((await lab.script("GET", `/chapters/${body.id}`)).status, 404);
    assert.equal(complaints.length, 1); // the browser's own word of the refusal
    assert.match(complaints[0] ?? "", /409 \(Conflict\)/);
  });

  it("whose acts are shown can be chosen, and a sitting is opened to its saves", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/acts`);
    await page.getByLabel("By whom").selectOption("Scripts");
    await page.getByRole("button", { name: "2 saves" }).click();
    await page.getByText("Undo this one").first().waitFor();
    assert.equal(await page.locator(".act", { hasText: "imported the book" }).count(), 0);
    await page.getByRole("link", { name: "What changed" }).click();
    await page.getByRole("heading", { name: "What changed in Stamps" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("what an agent did is shown by itself", async () => {
    const caller = { source: "mcp", byName: "Claude" } as const;
    createSnippet(lab.own, lab.bookId as BookId, { kind: "note", text: "By an agent." }, caller);
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/acts`);
    await page.getByLabel("By whom").selectOption("Agents");
    await page.locator(".act", { hasText: "Claude" }).waitFor();
    assert.equal(await page.locator(".act").count(), 1);
    assert.deepEqual(complaints, []);
  });

  it("the desk tells of 90 days, and its goal is set and taken away", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.getByRole("button", { name: "90" }).click();
    await page.getByRole("heading", { name: "90 days" }).waitFor();
    await page.getByRole("button", { name: /goal$/ }).click();
    await page.getByLabel("Words in all").fill("90000");
    await page.getByRole("spinbutton", { name: "Words a day" }).fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("of 90,000 words").waitFor();
    await page.getByRole("button", { name: "Change the goal" }).click();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole("button", { name: "Remove the goal" }).click();
    await page.getByRole("button", { name: "Set a goal" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("words are replaced across the book, where they are chosen, and taken back as one", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/replace`);
    await page.getByLabel("Find").fill("Dunnage (");
    await page.getByLabel("Regular expression").check();
    await page.getByText("This is not a regular expression yet").waitFor();
    await page.getByLabel("Regular expression").uncheck();
    await page.getByLabel("Find").fill("Dunnage");
    await page.getByLabel("Replace with").fill("<b>Dunning</b>");
    await page.locator("ins", { hasText: "<b>Dunning</b>" }).first().waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByLabel("All of them").uncheck();
    const before = await text();
    const own = page.locator(".plan", { has: page.getByRole("checkbox", { name: "Stamps", exact: true }) });
    await own.getByRole("checkbox", { name: "Stamps", exact: true }).check();
    await own.locator("li input").first().uncheck();
    const count = (before.match(/Dunnage/g) ?? []).length;
    await page.getByRole("button", { name: `Replace ${count - 1}` }).click();
    await page.getByText(`${count - 1} replaced in 1 chapter.`).waitFor();
    const replaced = await text();
    assert.equal((replaced.match(/<b>Dunning/g) ?? []).length, count - 1);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    assert.equal(await text(), before);
    assert.deepEqual(complaints, []);
  });

  it("a chapter is split at a paragraph and joined again", async () => {
    const { page, complaints } = await lab.open(path);
    const count = async () => (await lab.script("GET", `/books/${lab.bookId}`)).body.chapters.length;
    const before = await count();
    await page.locator("p.b", { hasText: "She came round the end of the counter" }).hover();
    await page.getByRole("button", { name: "More for this paragraph" }).click();
    await page.getByRole("button", { name: /^Split the chapter here/ }).click();
    await page.getByText("The chapter is split.").waitFor();
    assert.equal(await count(), before + 1);
    await page.locator("p.b", { hasText: "She came round" }).waitFor({ state: "detached" });
    assert.deepEqual(await faultsOf(page), []);
    await page.goto(`${lab.url}/b/${lab.bookId}`);
    await page.getByLabel("More for Stamps").first().click();
    await page.getByRole("button", { name: "Join with the next" }).click();
    await page.getByText("is now part of “Stamps”").waitFor();
    assert.equal(await count(), before);
    assert.deepEqual(complaints, []);
  });

  it("by keys alone a chapter is split before the paragraph that has the focus, and that is taken back", async () => {
    const { page, complaints } = await lab.open(path);
    for (const key of ["j", "j", "j", "Shift+S"]) await page.keyboard.press(key);
    await page.getByText("The chapter is split.").waitFor();
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("earlier acts are asked for page by page, none of them twice", async () => {
    const { body } = await lab.script("GET", `/books/${lab.bookId}`);
    const [first] = body.chapters;
    for (let at = 0; at < 60; at++)
      await lab.script("PUT", `/chapters/${first.id}/synopsis`, { synopsis: `Version ${at} of it.` });
    const { page, complaints } = await lab.open(`/b/${lab.bookId}/acts`);
    const rows = page.locator(".act", { hasText: "wrote the synopsis" });
    const versions = async () => {
      const texts = await rows.allTextContents();
      return texts.reduce((sum, text) => sum + Number(/(\d+) times/.exec(text)?.[1] ?? 1), 0);
    };
    await rows.first().waitFor();
    const before = await versions();
    assert.ok(before > 0 && before <= 50, `${before} at first`);
    const earlier = page.getByRole("button", { name: "Earlier" });
    const brought = page.locator(".act", { hasText: "imported the book" });
    while ((await brought.count()) === 0) {
      if (await earlier.isVisible()) await earlier.click();
      await page.waitForLoadState("networkidle");
    }
    assert.equal(await versions(), 60);
    assert.deepEqual(complaints, []);
  });

  it("folds what one hand did again and again, opens it, and takes all of it back", async () => {
    const { body: book } = await lab.script("POST", "/books", { title: "A Trial" });
    const path = `/books/${book.id}/snippets`;
    const { body: chapter } = await lab.script("POST", `/books/${book.id}/chapters`, {
      title: "One",
      markdown: "It rained.",
    });
    for (const text of ["First", "Second", "Third", "Fourth", "Fifth"])
      await lab.script("POST", path, { kind: "note", text, chapterId: chapter.id });
    const { page, complaints } = await lab.open(`/b/${book.id}/acts`);
    const row = page.locator("li", { hasText: "A script added a note, 5 times" });
    await row.getByRole("button", { name: "Show each" }).click();
    assert.equal(await page.locator("li.act", { hasText: "A script added a note" }).count(), 5);
    await page.reload();
    await row.getByRole("button", { name: "Undo all" }).click();
    await page.getByText("Undone.").waitFor();
    assert.equal((await lab.script("GET", path)).body.snippets.length, 0);
    assert.deepEqual(complaints, []);
  });
});
