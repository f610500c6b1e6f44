import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { openChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

const START =
  "The ferry was late that night.\n\nNobody had asked why it was.\n\nRain came in from the sea, and stayed.";
const [FERRY = "", NOBODY = "", RAIN = ""] = START.split("\n\n");

describe("writing in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("saves what is typed a second after the last key, without being asked", async () => {
    const { page, at, markdown, complaints } = await openChapter(lab, START);
    await at(FERRY, -1);
    await page.keyboard.type(" Very late.");
    await page.locator(".how.unsaved").waitFor();
    await page.locator(".how.saved").waitFor();
    assert.equal(await markdown(), START.replace("night.", "night. Very late."));
    assert.deepEqual(complaints, []);
  });

  it("takes back what was typed, saved or not", async () => {
    const { page, at, save, markdown, complaints } = await openChapter(lab, START);
    await at(NOBODY, -1);
    await page.keyboard.type(" Not once.");
    await save();
    await page.keyboard.press("Control+z");
    await save();
    assert.equal(await markdown(), START);
    await page.keyboard.press("Control+y");
    await save();
    assert.equal(await markdown(), START.replace("it was.", "it was. Not once."));
    assert.deepEqual(complaints, []);
  });

  it("keeps line ends within a paragraph, which a browser would read as blanks", async () => {
    const verse = "One line\nand its second,\n*soft and\nslanted*.\n\nNext.";
    const { page, at, save, markdown, complaints } = await openChapter(lab, verse);
    await at("Next.", -1);
    await page.keyboard.type(" More.");
    await at("One line and its second, soft and slanted.", 0);
    await page.keyboard.type("X");
    await save();
    assert.equal(await markdown(), `X${verse} More.`);
    assert.deepEqual(complaints, []);
  });

  it("makes Markdown's beginnings what they mean, and a scene break of three stars", async () => {
    const { page, at, save, markdown, complaints } = await openChapter(lab, START);
    await at(RAIN, -1);
    await page.keyboard.press("Enter");
    await page.keyboard.type("***");
    await page.keyboard.type("## Later");
    await page.keyboard.press("Enter");
    await page.keyboard.type("- bread");
    await page.keyboard.press("Enter");
    await page.keyboard.type("milk");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("> He *said* it");
    await save();
    assert.equal(await markdown(), `${START}\n\n***\n\n## Later\n\n- bread\n- milk\n\n> He *said* it`);
    assert.deepEqual(complaints, []);
  });

  it("keeps the cursor behind the first letter of a line that was made in the same moment", async () => {
    const { page, at, save, markdown } = await openChapter(lab, START);
    await at(RAIN, -1);
    const lines = Array.from({ length: 20 }, (_, line) => `line${line}`);
    for (const line of lines) {
      await page.keyboard.press("Enter");
      await page.keyboard.type(line);
    }
    await save();
    assert.equal(await markdown(), [START, ...lines].join("\n\n"));
  });

  it("saves no empty paragraph, and what is typed into one later is saved in its place", async () => {
    const { page, at, save, markdown, shape, complaints } = await openChapter(
      lab,
      `${START}\n\n&nbsp;\n\nEnd.`,
    );
    await at(FERRY, -1);
    for (const key of ["Enter", "Enter", "Space", "Enter", "Shift+Enter", "Enter"])
      await page.keyboard.press(key);
    await at(NOBODY, -1);
    await page.keyboard.press("Enter");
    await page.keyboard.type("- ");
    await save();
    assert.equal(await markdown(), `${START}\n\n&nbsp;\n\nEnd.`); // as it was stored
    await page.keyboard.type("Listed.");
    await save();
    await page.locator(".text p").nth(2).click();
    await page.keyboard.type("New.");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await page.keyboard.type("Newer.");
    await save();
    assert.equal(
      await markdown(),
      `${FERRY}\n\nNew.\n\nNewer.\n\n${NOBODY}\n\n- Listed.\n\n${RAIN}\n\n&nbsp;\n\nEnd.`,
    );
    const named = (await shape()).filter(([, text]) => /\w/.test(text)).map(([id]) => id);
    assert.ok(named.every((id) => id !== null) && new Set(named).size === 7);
    assert.deepEqual(complaints, []);
  });

  it("saves a paragraph that was emptied as removed, and has it back with its note once it is written in again", async () => {
    const { page, at, ids, save, markdown, bookId } = await openChapter(lab, START);
    await lab.script("POST", `/books/${bookId}/snippets`, { kind: "note", blockId: ids[1], text: "Mind." });
    const note = async () => (await lab.script("GET", `/books/${bookId}/snippets`)).body.snippets[0].blockId;
    await at(NOBODY, 0, -1);
    await page.keyboard.press("Delete");
    await save();
    assert.equal(await markdown(), `${FERRY}\n\n${RAIN}`);
    assert.equal(await note(), null);
    await page.keyboard.type("Somebody had.");
    await save();
    assert.equal(await markdown(), START.replace(NOBODY, "Somebody had."));
    assert.equal(await note(), ids[1]);
    await at("Somebody had.", 0, -1);
    await page.keyboard.press("Delete");
    await save();
    await page
      .locator(".toast", { hasText: "lost the paragraph" })
      .last()
      .getByRole("button", { name: "Undo" })
      .click();
    await save();
    assert.equal(await markdown(), START.replace(NOBODY, "Somebody had."));
    assert.equal(await note(), ids[1]);
  });

  it("a chapter without a word can be written in, and emptied, and opening it writes nothing", async () => {
    const { page, save, markdown, chapterId, complaints } = await openChapter(lab, "");
    const revision = async () => (await lab.script("GET", `/chapters/${chapterId}`)).body.revision;
    const first = await revision();
    await page.locator(".text p").click();
    await save();
    assert.equal(await revision(), first);
    await page.keyboard.type("It begins.");
    await save();
    assert.equal(await markdown(), "It begins.");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await save();
    assert.equal(await markdown(), "");
    await page.keyboard.type("Again.");
    await save();
    assert.equal(await markdown(), "Again.");
    assert.deepEqual(complaints, []);
  });
});
