import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { makeChapter, openChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

const START = "Alpha beta gamma.\n\nDelta epsilon.\n\nZeta eta theta.";
const [ALPHA = "", DELTA = "", ZETA = ""] = START.split("\n\n");

describe("the ids of paragraphs that are written in", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);
  const open = (text = START) => openChapter(lab, text);

  it("a split leaves the id with the first half, and undo gives the one block back", async () => {
    const { page, at, shape, ids, complaints } = await open();
    await at(ALPHA, 5);
    await page.keyboard.press("Enter");
    assert.deepEqual((await shape()).slice(0, 2), [
      [ids[0], "Alpha"],
      [null, " beta gamma."],
    ]);
    await page.keyboard.press("Control+z");
    assert.deepEqual((await shape())[0], [ids[0], ALPHA]);
    assert.deepEqual(complaints, []);
  });

  it("Enter at the very start takes the id down with the text, at the end it leaves it", async () => {
    const { page, at, shape, ids } = await open();
    await at(ALPHA, 0);
    await page.keyboard.press("Enter");
    assert.deepEqual((await shape()).slice(0, 2), [
      [null, ""],
      [ids[0], ALPHA],
    ]);
    await page.keyboard.press("Control+z");
    await at(ALPHA, -1);
    await page.keyboard.press("Enter");
    assert.deepEqual((await shape()).slice(0, 2), [
      [ids[0], ALPHA],
      [null, ""],
    ]);
  });

  it("of two that are joined the first wins, and undo brings the second back", async () => {
    const { page, at, shape, ids } = await open();
    await at(DELTA, 0);
    await page.keyboard.press("Backspace");
    assert.deepEqual(await shape(), [
      [ids[0], ALPHA + DELTA],
      [ids[2], ZETA],
    ]);
    await page.keyboard.press("Control+z");
    assert.deepEqual(
      (await shape()).map(([id]) => id),
      ids,
    );
  });

  it("a copy gets none, the original keeps its own", async () => {
    const { page, at, shape, ids } = await open();
    await at(DELTA, 0);
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+Home");
    await page.keyboard.press("Control+c");
    await at(ALPHA, 0);
    await page.keyboard.press("Control+v");
    const now = await shape();
    assert.deepEqual(
      now.filter(([id]) => id === ids[1]),
      [[ids[1], DELTA]],
    );
    assert.equal(now.filter(([, text]) => text.includes("Delta epsilon")).length, 2);
    assert.equal(now.find(([id]) => id === ids[0])?.[1].endsWith(ALPHA), true);
  });

  it("what is cut, saved and pasted takes its id along, and its note", async () => {
    const { page, at, shape, ids, save, bookId, complaints } = await open();
    await lab.script("POST", `/books/${bookId}/snippets`, {
      kind: "note",
      blockId: ids[1],
      text: "Mind this.",
    });
    const note = async () => (await lab.script("GET", `/books/${bookId}/snippets`)).body.snippets[0];
    await at(DELTA, 0, -1);
    await page.keyboard.press("Control+x");
    await page.keyboard.press("Backspace");
    await save();
    assert.equal((await note()).blockId, null);
    await at(ZETA, -1);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+v");
    await save();
    assert.deepEqual(await shape(), [
      [ids[0], ALPHA],
      [ids[2], ZETA],
      [ids[1], DELTA],
    ]);
    assert.equal((await note()).blockId, ids[1]);
    assert.deepEqual(complaints, []);
  });

  it("a paragraph typed over is edited, one emptied keeps its id, one pasted from it takes that", async () => {
    const { page, at, shape, ids } = await open();
    await at(ALPHA, 0, -1);
    await page.keyboard.type("Wholly new");
    assert.deepEqual((await shape())[0], [ids[0], "Wholly new"]);
    await at(DELTA, 0, -1);
    await page.keyboard.press("Control+x");
    assert.deepEqual((await shape())[1], [ids[1], ""]);
    await at(ZETA, -1);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+v");
    assert.deepEqual((await shape()).slice(1), [
      [null, ""],
      [ids[2], ZETA],
      [ids[1], DELTA],
    ]);
  });

  it("new halves have the server's ids after a save, and undo past that still gives the text back", async () => {
    const { page, at, shape, ids, save, chapterId } = await open();
    await at(ALPHA, 5);
    await page.keyboard.press("Enter");
    await page.keyboard.type("New words");
    await save();
    const { body } = await lab.script("GET", `/chapters/${chapterId}?format=doc`);
    const stored = body.doc.content.map((block: { attrs: { blockId: string } }) => block.attrs.blockId);
    assert.deepEqual(
      (await shape()).map(([id]) => id),
      stored,
    );
    assert.equal(stored[0], ids[0]);
    for (let count = 0; count < 3; count++) await page.keyboard.press("Control+z");
    assert.deepEqual((await shape())[0], [ids[0], ALPHA]);
  });

  it("entries of a list are split, joined, moved in and out, each with its own", async () => {
    const { page, at, shape, ids, save, markdown, complaints } = await open("- one\n- two\n- three\n\nEnd.");
    await at("two", 3);
    await page.keyboard.press("Enter");
    await page.keyboard.type("new");
    assert.deepEqual(
      (await shape()).map(([id]) => id),
      [ids[0], ids[1], null, ids[2], ids[3]],
    );
    await page.keyboard.press("Tab");
    await save();
    assert.equal(await markdown(), "- one\n- two\n  - new\n- three\n\nEnd.");
    const named = (await shape()).map(([id]) => id);
    assert.equal(new Set(named).size, 5);
    await at("three", 0);
    await page.keyboard.press("Shift+Tab");
    await save();
    assert.deepEqual(
      (await shape()).map(([id]) => id),
      named,
    );
    assert.deepEqual(complaints, []);
  });

  it("a mention stays where its paragraph is edited, goes with its own words, and is drawn by hand", async () => {
    const place = await makeChapter(lab, "Mary went home. So did Ann.");
    const { body } = await lab.script("POST", `/books/${place.bookId}/facts`, { name: "Mary" });
    const { body: ann } = await lab.script("POST", `/books/${place.bookId}/facts`, { name: "Ann" });
    await lab.script("POST", `/books/${place.bookId}/mentions/reanchor`);
    const read = async (id: string) => (await lab.script("GET", `/facts/${id}`)).body.mentions;
    const before = await read(body.id);
    assert.equal(before.length, 1);
    const { page, at, save, complaints } = await openChapter(lab, "", { place });
    await at("Mary went home. So did Ann.", -1);
    await page.keyboard.type(" And Tom.");
    await save();
    assert.deepEqual(
      (await read(body.id)).map(({ id }: { id: string }) => id),
      [before[0].id],
    );
    await at("Mary went home. So did Ann. And Tom.", 2);
    await page.keyboard.type("x");
    await save();
    assert.equal((await read(body.id)).length, 0);
    for (const mention of await read(ann.id)) assert.equal(mention.text, "Ann");
    await at("Maxry went home. So did Ann. And Tom.", 33, 36);
    await page.getByRole("button", { name: "Mention" }).click();
    await page.getByLabel("Who or what is meant").fill("Mar");
    await page.getByRole("button", { name: "Mary" }).waitFor();
    await page.keyboard.press("Enter");
    await save();
    const [drawn] = await read(body.id);
    assert.equal(drawn.text, "Tom");
    assert.deepEqual(complaints, []);
  });
});
