import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Route } from "playwright-core";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("the desk in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("the front leads to the book that was worked on last, without a complaint", async () => {
    const { page, complaints } = await lab.open("/");
    await page.getByRole("heading", { name: "Fare Not Taken" }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/b/${lab.bookId}`);
    assert.equal(await page.locator(".row").count(), 14);
    assert.deepEqual(complaints, []);
  });

  it("what a script writes is seen without a reload", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.getByRole("link", { name: "Lisbon", exact: true }).waitFor();
    const outline = await lab.script("GET", `/books/${lab.bookId}`);
    const { id } = outline.body.chapters.find(({ title }: { title: string }) => title === "Lisbon");
    await lab.script("PUT", `/chapters/${id}/synopsis`, { synopsis: "A postcard from <b>far</b> away." });
    await page.getByText("A postcard from <b>far</b> away.").waitFor();
    assert.deepEqual(complaints, []);
  });

  const chapters = async () => (await lab.script("GET", `/books/${lab.bookId}`)).body.chapters;

  it("status, synopsis, title and place are changed where they stand, and taken back", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.getByLabel("Status of The Register").selectOption("done");
    await page.getByText("“The Register” is done.").waitFor();
    await page.getByRole("button", { name: /^Synopsis of Nobody Asked/ }).click();
    await page.keyboard.type("They were not asked, <script>alert(1)</script>.");
    await page.keyboard.press("Enter");
    await page.getByText("They were not asked, <script>alert(1)</script>.").waitFor();
    await page.locator("a[data-chapter]", { hasText: "Lisbon" }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText("The chapter is moved.").waitFor();
    const [, , , lisbon, achterberg] = await chapters();
    assert.deepEqual([lisbon.title, achterberg.title], ["Lisbon", "Dr. Achterberg"]);
    await page.locator(".toast", { hasText: "moved" }).getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    const after = await chapters();
    assert.equal(after[3].title, "Dr. Achterberg");
    assert.equal(after.find(({ title }: { title: string }) => title === "The Register").status, "done");
    assert.deepEqual(complaints, []);
  });

  it("is gone through by j and k, and a chapter is opened from there", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.locator("a[data-chapter]").last().waitFor();
    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    assert.equal(await page.evaluate("document.activeElement.textContent"), "The Low Light");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The Low Light", level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a goal is set by drawing its deadline, and days off are no part of the plan", async () => {
    const { body: book } = await lab.script("POST", "/books", { title: "A Trial" });
    const { page, complaints } = await lab.open(`/b/${book.id}`);
    await page.getByRole("button", { name: "Set a goal" }).click();
    await page.getByLabel("Words in all").fill("60000");
    await page.getByLabel("Words a day", { exact: true }).fill("500");
    await page.getByLabel("Days until then").focus();
    await page.keyboard.press("Home");
    for (let days = 1; days < 10; days++) await page.keyboard.press("ArrowRight");
    await page.getByText("6,000 words a day until then").waitFor();
    await page.getByLabel("Sun").check();
    await page.getByLabel("Wed").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("0 of 2,500 in seven days.").waitFor();
    const { goal } = (await lab.script("GET", `/books/${book.id}`)).body;
    assert.equal(goal.targetWords, 60_000);
    const left = (Date.parse(goal.deadline) - Date.parse(new Date().toISOString().slice(0, 10))) / 86_400_000;
    assert.ok(left >= 9 && left <= 11, `${goal.deadline} is in ${left} days`);
    await page.reload();
    await page.getByText("0 of 2,500 in seven days.").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a chapter is dragged before another, across parts", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.setViewportSize({ width: 1280, height: 2400 }); // a page that scrolls under the pointer ends a drag
    const row = (title: string) =>
      page.locator(".row", { has: page.locator("a[data-chapter]", { hasText: title }) });
    await row("What the Water Did").dragTo(row("The Low Light"), {
      sourcePosition: { x: 10, y: 20 },
      targetPosition: { x: 10, y: 10 },
    });
    await page.getByText("The chapter is moved.").waitFor();
    const [first, second] = await chapters();
    assert.deepEqual([second.title, second.partId], ["What the Water Did", first.partId]);
    assert.deepEqual(complaints, []);
  });

  it("a chapter is added and deleted, and every act of it can be taken back from the list", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await page.getByRole("button", { name: "Add a chapter" }).last().click();
    await page.keyboard.type("An Afterword");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "An Afterword", exact: true }).waitFor();
    await page.getByLabel("More for An Afterword").click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("a[data-chapter]", { hasText: "An Afterword" }).waitFor({ state: "detached" });
    await page
      .locator("aside li", { hasText: "deleted a chapter" })
      .first()
      .getByRole("button", { name: "Undo" })
      .click();
    await page.locator("a[data-chapter]", { hasText: "An Afterword" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("u and the lists of acts are of this book alone, whatever is done in another", async () => {
    const make = async (path: string, title: string) => (await lab.script("POST", path, { title })).body.id;
    const [own, other] = [await make("/books", "Own"), await make("/books", "Other")];
    await make(`/books/${own}/chapters`, "Mine");
    const gone = await make(`/books/${other}/chapters`, "Theirs");
    await lab.script("DELETE", `/chapters/${gone}`);
    const left = await make(`/books/${other}/chapters`, "Left");
    for (let count = 0; count < 45; count++)
      await lab.script("PUT", `/chapters/${left}/synopsis`, { synopsis: `${count}` });
    const { page, complaints } = await lab.open(`/b/${own}`);
    await page.getByRole("heading", { name: "Lately" }).waitFor();
    assert.doesNotMatch((await page.locator("aside").textContent()) ?? "", /deleted|synopsis/);
    await page.keyboard.press("u");
    await page.getByText("Undone.").waitFor();
    const titles = async (book: string) =>
      (await lab.script("GET", `/books/${book}`)).body.chapters.map(({ title }: { title: string }) => title);
    assert.deepEqual([await titles(own), await titles(other)], [[], ["Left"]]);
    await page.goto(`${lab.url}/b/${own}/acts`);
    await page.locator(".act.undone", { hasText: "Mine" }).waitFor();
    await page.getByRole("button", { name: "Earlier" }).click();
    await page.getByText("A script made the book: Own").waitFor();
    assert.equal(await page.locator(".act").count(), 2);
    assert.deepEqual(complaints, []);
  });

  it("cards and the grid show the same chapters, and the choice is kept", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    const count = (await chapters()).length;
    await page.getByRole("button", { name: "Cards" }).click();
    await page.locator(".cards .row").first().waitFor();
    assert.equal(await page.locator(".cards .row").count(), count);
    await page.getByRole("button", { name: "Grid" }).click();
    await page.locator(".grid tbody tr").first().waitFor();
    assert.equal(await page.locator(".grid tbody tr").count(), count);
    await page.reload();
    await page.locator(".grid").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("the skyline is one link: the arrows go from chapter to chapter, and the pointer names what it is on", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    const link = page.locator(".skyline a");
    const [first, second] = await chapters();
    await link.focus();
    assert.match((await link.getAttribute("aria-label")) ?? "", new RegExp(`^1\\. ${first.title}: `));
    await page.keyboard.press("ArrowRight");
    await page.locator(`.skyline a[href$="${second.id}"]`).waitFor();
    await page.keyboard.press("End");
    await page.locator(`.skyline a[href$="${(await chapters()).at(-1).id}"]`).waitFor();
    await link.hover({ position: { x: 2, y: 40 } });
    await page.locator(`.skyline a[href$="${first.id}"]`).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: second.title, level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("what was not answered, or by a refusal of the connection, is asked for again; after that one can try again", async () => {
    const { page } = await lab.open("/settings");
    const book = `**/api/v1/books/${lab.bookId}`;
    const refusal = { status: 400, json: { error: "bad_request", message: "This is not an HTTP request." } };
    const title = page.getByRole("heading", { name: "Fare Not Taken" });
    for (const once of [
      (route: Route) => route.abort("connectionreset"),
      (route: Route) => route.fulfill(refusal),
      (route: Route) => route.fulfill({ status: 408, body: "" }),
    ]) {
      await page.route(book, once, { times: 1 });
      await page.goto(`${lab.url}/b/${lab.bookId}`);
      await title.waitFor();
    }
    for (const [answer, said] of [
      [refusal, "This is not an HTTP request."],
      [{ status: 200, body: '{"id":' }, "The server does not answer."],
    ] as const) {
      await page.route(book, (route) => route.fulfill(answer));
      await page.reload();
      await page.getByText(said).waitFor();
      await page.unroute(book);
      await page.getByRole("button", { name: "Try again" }).click();
      await title.waitFor();
    }
  });

  it("signed out it says how to get in, and shows nothing else", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`, { isSignedOut: true });
    await page.getByText("manuscript open").waitFor();
    assert.equal(await page.getByText("Fare Not Taken").count(), 0);
    assert.deepEqual(complaints, []);
  });
});
