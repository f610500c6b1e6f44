import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
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
