import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { suite } from "../support/sandbox.ts";
import { makeChapter, openChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("what is typed", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  const SIGNS =
    "It was *late* and **dark**, _so_ `code` and [on](https://example.org/a), ***both***, ~~out~~; 2*3*4, snake_case_x, \\*no*, * no *.";

  it("with Markdown's signs becomes marks, and stays as it is in code", async () => {
    const { page, at, save, markdown, complaints } = await openChapter(lab, "Start.\n\n```\ncode\n```");
    await at("Start.", -1);
    await page.keyboard.press("Enter");
    await page.keyboard.type(SIGNS);
    await at("code", -1);
    await page.keyboard.type(" *a* `b`");
    await save();
    const written =
      "It was *late* and **dark**, *so* `code` and [on](https://example.org/a), ***both***, ~~out~~; 2\\*3\\*4, snake_case_x, \\\\\\*no\\*, \\* no \\*.";
    const plain = (text: string) => text.replaceAll("\\", "");
    assert.equal(plain(await markdown()), plain(`Start.\n\n${written}\n\n\`\`\`\ncode *a* \`b\`\n\`\`\``));
    assert.equal(await page.locator(".text p em").count(), 3);
    assert.deepEqual(complaints, []);
  });

  it("and has become a mark is as it was typed by one undo", async () => {
    const { page, at, save, markdown } = await openChapter(lab, "Start.");
    await at("Start.", -1);
    for (const typed of [" *so*", " **so**", " `so`", " [so](http://a.b)"]) {
      await page.keyboard.type(typed);
      assert.equal(await page.locator(".text :is(em, strong, code, a)").count(), 1, typed);
      await page.keyboard.press("Control+z");
      assert.equal(await page.locator(".text :is(em, strong, code, a)").count(), 0, typed);
    }
    assert.equal(await page.locator(".text").textContent(), "Start. *so* **so** `so` [so](http://a.b)");
    await page.keyboard.type("!");
    await save();
    assert.match(await markdown(), /^Start\. \\\*so/);
  });

  it("in italics beside letters and signs needs no numbers in the Markdown", async () => {
    const { page, at, save, markdown, shown } = await openChapter(lab, "He said. Then.\n\nOne two.");
    await at("He said. Then.", 7);
    await page.keyboard.press("Control+i");
    await page.keyboard.type("“no,” ");
    await page.keyboard.press("Control+i");
    await page.keyboard.type("and");
    await at("One two.", 3);
    await page.keyboard.press("Enter");
    await shown();
    await save();
    assert.equal(await markdown(), "He said“*no,”* and. Then.\n\nOne\n\ntwo.");
  });

  it("at the end of a chapter stands before its footnotes: by Ctrl+End, by a click below, from the chapter after", async () => {
    const footnote = "[^1]: A note.";
    const place = await makeChapter(lab, `One[^1].\n\n${footnote}`);
    const { page, at, save, markdown, complaints } = await openChapter(lab, "", { place });
    const below = async () => {
      const { x, y, width, height } = (await page.locator(".text").boundingBox())!; // it is shown
      await page.mouse.click(x + width / 2, y + height - 20);
    };
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Two.");
    await at("A note.", 2);
    await below();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Three.");
    await save();
    assert.equal(await markdown(), `One[^1]. Two.\n\nThree.\n\n${footnote}`);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+Shift+End");
    await page.keyboard.type("Four.");
    await save();
    assert.equal(await markdown(), `Four.\n\n${footnote}`);
    await page.getByText("A note.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" More.");
    await save();
    assert.equal(await markdown(), "Four.\n\n[^1]: A note. More.");
    const path = `/books/${place.bookId}/chapters`;
    await lab.script("POST", path, { title: "Two", markdown: "After." });
    await page.goto(`${lab.url}/b/${place.bookId}/read`);
    await page.getByText("After.").waitFor();
    await page.getByRole("button", { name: "Write" }).click();
    await page.getByText("After.").click();
    await page.locator("[data-chapter]:nth-of-type(2) .text:focus").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.locator("[data-chapter]:nth-of-type(1) .text:focus").waitFor();
    await page.keyboard.type(" Five.");
    await save();
    assert.equal(await markdown(), "Four. Five.\n\n[^1]: A note. More.");
    assert.deepEqual(complaints, []);
  });

  const QUOTED = `'Tis "so" -- or --- so... "But I--" rock 'n' roll in the '90s`;
  for (const [language, typed, set] of [
    ["en-GB", QUOTED, "’Tis “so” – or — so… “But I–” rock ’n’ roll in the ’90s"],
    ["de", `"Wie geht's?"`, "„Wie geht’s?“"],
    ["fr", `"L'or"`, "«\u202fL’or\u202f»"],
  ] as const)
    it(`is set as ${language} has it, the book's language`, async () => {
      const place = await makeChapter(lab, "Start.\n\n`code`");
      await lab.script("PATCH", `/books/${place.bookId}`, { language });
      const { page, at, save, markdown } = await openChapter(lab, "", { place });
      assert.equal(await page.locator(".text").getAttribute("lang"), language);
      await at("code", 2);
      await page.keyboard.type(`"`);
      await at("Start.", -1);
      await page.keyboard.type(` ${typed}`);
      await save();
      assert.equal(await markdown(), `Start. ${set}\n\n\`co"de\``);
    });

  it("and was set is as it was typed by one undo, and all of it where one likes that", async () => {
    const { page, at, save, markdown } = await openChapter(lab, "Start.");
    await at("Start.", -1);
    for (const typed of [` "`, " --", " ..."]) {
      await page.keyboard.type(typed);
      await page.keyboard.press("Control+z");
    }
    await page.getByText("Text", { exact: true }).click();
    await page.getByText("Quotation marks and dashes as in books").click();
    await at(`Start. " -- ...`, -1);
    await page.keyboard.type(` "It's"`);
    await save();
    assert.equal(await markdown(), `Start. " -- ... "It's"`);
  });
});

/** Text with single letters and pairs that are shortcuts elsewhere, typed in one go. */
const AHEAD = 'Hugs/dogs? "u", [n]. 1\nNext';

describe("what is typed before its text is there", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  /** From now on scripts and chapters come late, on a slow way. */
  const slowDown = (page: Page) =>
    page.route(/\.js$|format=doc|\/facts/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });

  it("stands where the cursor was last, in its order, and runs no shortcut", async () => {
    const place = await makeChapter(lab, "First.\n\nSecond.\n\nThird.");
    const path = `/b/${place.bookId}/c/${place.chapterId}`;
    const { page, at, save, markdown, complaints } = await openChapter(lab, "", { place });
    await at("Second.", -1);
    await page.keyboard.press("Escape");
    await page.waitForURL(lab.url + path);
    await page.reload();
    await page.getByText("Third.").waitFor();
    await slowDown(page);
    await page.keyboard.press("e");
    await page.keyboard.type(` ${AHEAD}s`);
    await page.keyboard.press("Backspace");
    await page.locator(".text:focus").waitFor();
    await page.keyboard.type("!");
    await page.locator(".strip-status").waitFor();
    await save();
    const read = "Second. Hugs/dogs? “u”, [n]. 1\n\nNext!";
    assert.equal((await markdown()).replaceAll("\\", ""), `First.\n\n${read}\n\nThird.`);
    assert.equal(page.url(), `${lab.url}${path}/edit`);
    assert.deepEqual(complaints, []);
  });

  it("is kept while the chapter cannot be read, until that was tried again", async () => {
    const place = await makeChapter(lab, "First.");
    const { page } = await lab.open(`/b/${place.bookId}/c/${place.chapterId}`);
    await page.route("**/chapters/*?format=doc", (route) =>
      route.fulfill({ status: 500, body: "Gone away." }),
    );
    await page.keyboard.press("e");
    await page.keyboard.type("Hugs. ");
    await page.getByText("The server answered 500.").waitFor();
    await page.unroute("**/chapters/*?format=doc");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Hugs. First.").waitFor();
  });

  it("stands where a text of the whole book was clicked, or gone on to", async () => {
    const book = await lab.script("POST", "/books", { title: "A Trial" });
    const chapters: string[] = [];
    for (const title of ["One", "Two"]) {
      const made = await lab.script("POST", `/books/${book.body.id}/chapters`, {
        title,
        markdown: `Start of ${title}.\n\nEnd of ${title}.`,
      });
      chapters.push(made.body.id);
    }
    const { page, complaints } = await lab.open(`/b/${book.body.id}/read`);
    await page.getByText("End of Two.").waitFor();
    await slowDown(page);
    await page.keyboard.press("e");
    await page.keyboard.type("Hugs. ");
    await page.getByText("Hugs. Start of One.").waitFor();
    await page.getByText("End of Two.").click({ position: { x: 1, y: 8 } });
    await page.keyboard.type(AHEAD);
    await page.locator("[data-chapter]:nth-of-type(2) .text:focus").waitFor();
    await page.locator("[data-chapter]:nth-of-type(2) .strip-status").waitFor();
    await page.keyboard.press("Control+s");
    await page.locator(".strip-status .how.saved").waitFor();
    const { body } = await lab.script("GET", `/chapters/${chapters[1]}`);
    assert.equal(
      body.text.replaceAll(/[“”]/g, '"'),
      `Start of Two.\n\n${AHEAD.replace("\n", "\n\n")}End of Two.`,
    );
    assert.deepEqual(complaints, []);
  });

  it("is what is gone to, and undoes nothing; nor does a key that is meant for a view that is on its way", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    const total = async () => (await lab.script("GET", "/acts")).body.total;
    const before = await total();
    await slowDown(page);
    await page.keyboard.press("/");
    await page.keyboard.type("ughs");
    const field = page.getByRole("combobox", { name: "Go to, or search" });
    await field.waitFor();
    await page.keyboard.type("!");
    assert.equal(await field.inputValue(), "ughs!");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Lisbon", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("gh");
    await page.getByRole("heading", { name: "Lisbon" }).waitFor();
    assert.equal(await total(), before);
    assert.match(page.url(), /\/c\/[^/]+$/);
    assert.deepEqual(complaints, []);
  });
});
