import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/sandbox.ts";
import { faultsOf } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

const NOVEL = join(import.meta.dirname, "../../fixtures/novel");

describe("the shelf in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  const titles = async () =>
    (await lab.script("GET", "/books")).body.books.map(({ title }: { title: string }) => title);

  /** The prose of a book's first chapter. */
  const prose = async (title: string) => {
    const { books } = (await lab.script("GET", "/books")).body;
    const { id } = books.find((book: { title: string }) => book.title === title);
    const [chapter] = (await lab.script("GET", `/books/${id}`)).body.chapters;
    return (await lab.script("GET", `/chapters/${chapter.id}`)).body.text;
  };

  it("a book is renamed, deleted and brought back from the menu of books", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.getByRole("button", { name: "Books" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Fare <script>alert(1)</script>");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Fare <script>alert(1)</script>" }).waitFor();
    // The server takes its time: the front is there before the book is gone, and must not go back to it.
    await page.route(`**/books/${lab.bookId}`, async (route) => {
      if (route.request().method() === "DELETE")
        await page.getByRole("heading", { name: "A new book" }).waitFor();
      await route.continue();
    });
    await page.getByRole("button", { name: "Books" }).click();
    await page.getByRole("button", { name: "Delete this book" }).click();
    await page.getByRole("heading", { name: "No books yet" }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.locator(".toast", { hasText: "is deleted" }).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Fare <script>alert(1)</script>" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a folder is looked at first, and then brought in as one act", async () => {
    const { page, complaints } = await lab.open("/?new");
    await page.getByLabel("Folder", { exact: true }).setInputFiles(NOVEL);
    await page.getByText("14 chapters").waitFor();
    assert.equal((await titles()).length, 1);
    assert.deepEqual(await faultsOf(page), []);
    await page.getByLabel("Title", { exact: true }).fill("A Second Telling");
    await page.getByRole("button", { name: "Import it" }).click();
    await page.getByRole("heading", { name: "A Second Telling" }).waitFor();
    assert.ok((await titles()).includes("A Second Telling"));
    await page.getByRole("button", { name: "Books" }).click();
    await page.getByRole("link", { name: /^Fare/ }).click();
    await page.getByRole("heading", { name: /^Fare/ }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("files without text are refused in words", async () => {
    const { page, complaints } = await lab.open("/?new");
    await page
      .getByLabel("Files", { exact: true })
      .setInputFiles({ name: "sea.png", mimeType: "image/png", buffer: Buffer.from([1, 2, 3]) });
    await page.getByText("There is no text in what was chosen").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a file is dropped, and left again", async () => {
    const { page, complaints } = await lab.open("/?new");
    const given = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["# One\\n\\nThe boat was late.\\n"], "one.md"));
      return transfer;
    })()`);
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: given });
    await page.getByText("1 chapter", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Choose a folder" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a book is started by its title, and its first words are written with no further click", async () => {
    const { page, complaints } = await lab.open("/?new");
    await page.getByLabel("Title of the book").fill("Low Water");
    await page.getByRole("button", { name: "Start" }).click();
    await page.locator("[contenteditable]:focus").waitFor();
    await page.keyboard.type("The boat was late.");
    await eventually(async () => (await prose("Low Water")) === "The boat was late.", "the first words");
    assert.deepEqual(complaints, []);
  });

  it("the sample is opened as a book of its own", async () => {
    const before = (await titles()).length;
    const { page, complaints } = await lab.open("/?new");
    await page.getByRole("button", { name: "Open it" }).click();
    await page.getByRole("heading", { name: "Fare Not Taken" }).waitFor();
    assert.equal((await titles()).length, before + 1);
    assert.deepEqual(complaints, []);
  });
});
