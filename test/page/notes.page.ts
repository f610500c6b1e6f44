import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { importComments } from "../../src/service/interchange/import-comments.ts";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

interface Snippet {
  id: string;
  kind: string;
  chapterId: string | null;
  blockId: string | null;
  items: { text: string; done: boolean }[] | null;
}

describe("the notes in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);
  const notes = async (): Promise<Snippet[]> =>
    (await lab.script("GET", `/books/${lab.bookId}/snippets`)).body.snippets;
  const open = () => lab.open(`/b/${lab.bookId}/notes`);

  it("every note is there, detached ones first, and leads to its paragraph", async () => {
    const noted = (await notes()).filter(({ blockId }) => blockId !== null);
    const { chapterId, blockId } = noted[0]!; // the sample has some
    await lab.script("DELETE", `/chapters/${chapterId}/paragraphs/${blockId}`);
    const { page, complaints } = await open();
    await page.locator(".columns").first().waitFor();
    assert.equal(await page.locator(".note").count(), (await notes()).length);
    assert.equal(await page.locator(".columns h2").first().textContent(), "Without a place");
    await page.getByRole("link", { name: "To its paragraph" }).first().click();
    await page.locator(".prose [data-block]").first().waitFor();
    assert.match(page.url(), /\/c\/[^#]+#./);
    assert.deepEqual(complaints, []);
  });

  it("a to-do is ticked, a note changed and deleted, and brought back", async () => {
    await lab.script("POST", `/books/${lab.bookId}/snippets`, {
      ...{ kind: "todo", text: "<img src=x onerror=alert(1)>" },
      items: [{ text: "Ask the harbour master", done: false }],
    });
    const { page, complaints } = await open();
    await page.getByRole("button", { name: /^Open to-dos/ }).click();
    await page.getByLabel("Ask the harbour master").click();
    await page.getByLabel("Ask the harbour master").waitFor({ state: "detached" });
    const asked = (await notes()).find(({ items }) => items?.[0]?.text.startsWith("Ask"));
    assert.equal(asked?.items?.[0]?.done, true);
    await page.getByRole("button", { name: "All" }).click();
    const own = page.locator(".note", { hasText: "Ask the harbour master" });
    await own.getByRole("button", { name: "Delete" }).click();
    await own.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await own.waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a comment of somebody else's says who made it and about what, and is settled", async () => {
    const { chapterId, blockId } = (await notes()).find((note) => note.blockId !== null)!; // the sample has some
    const said = { author: "Ruth", replies: [{ author: "", text: "It was the tide.", at: null }] };
    const comment = {
      chapter: chapterId!,
      block: blockId!,
      quote: "",
      text: "Really?",
      about: "the lamp",
      ...said,
    };
    importComments(lab.own, lab.bookId, { readers: ["Ruth"], notes: [comment] }, { dryRun: false });
    const { page, complaints } = await open();
    const note = page.locator(".note", { hasText: "Really?" });
    assert.match((await note.textContent()) ?? "", /^Ruththe lampReally\?YouIt was the tide\./);
    await note.getByRole("button", { name: "Settle" }).click();
    await note.getByText("Ruth · settled").waitFor();
    await note.getByRole("button", { name: "Reopen" }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
