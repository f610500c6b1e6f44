import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CompiledBlock } from "../../src/publish/compiled.ts";
import { readPicture } from "../../src/publish/picture.ts";
import { compiled, PIXEL } from "./book.ts";

const blocksOf = (markdown: string): readonly CompiledBlock[] => compiled([{ markdown }]).chapters[0]!.blocks;
const textOf = (block: CompiledBlock | undefined): string =>
  block !== undefined && "runs" in block
    ? block.runs.map((run) => (run.type === "text" ? run.text : `<${run.type}>`)).join("")
    : `<${block?.type}>`;
const shown = (markdown: string) => blocksOf(markdown).map(textOf);

describe("compile", () => {
  it("takes a first heading for the title, and shows the title where none stands", () => {
    const [own, none, other] = compiled([
      { title: "Dusk", markdown: "# Dusk\n\nText." },
      { title: "Dawn", markdown: "Text." },
      { title: "Noon", markdown: "## A scene\n\nText." },
    ]).chapters;
    assert.deepEqual([own?.heading.id, own?.blocks.length], ["b_1", 1]);
    assert.deepEqual(none?.heading, { id: null, runs: [{ type: "text", text: "Dawn", marks: {} }] });
    assert.deepEqual(
      other?.blocks.map(({ type }) => type),
      ["heading", "paragraph"],
    );
  });

  it("begins each part once", () => {
    const parts = compiled([
      { part: "I", markdown: "a" },
      { part: "I", markdown: "b" },
      { part: "II", markdown: "c" },
      { markdown: "d" },
    ]).chapters.map(({ part }) => part);
    assert.deepEqual(parts, ["I", null, "II", null]);
  });

  it("shows readers what readers see", () => {
    assert.deepEqual(
      shown(
        "One\ntwo  \nthree %%a note%% four.\n\n%%only a comment%%\n\n<!-- hidden -->\n\n#\n\nA [[Anna|woman]].",
      ),
      ["One two<break>three  four.", "<scene_break>", "A woman."],
    );
  });

  it("keeps paragraphs that begin with years", () => {
    assert.deepEqual(shown("1914. War.\n1918. Peace."), ["1914. War.", "1918. Peace."]);
  });

  it("numbers footnotes as they are referred to, and leaves out those that nobody refers to", () => {
    const [chapter] = compiled([
      { markdown: "A[^b] and[^a], again[^b], lost[^x].\n\n[^a]: First.\n\n[^b]: Second.\n\n[^c]: Never." },
    ]).chapters;
    assert.equal(textOf(chapter?.blocks[0]), "A<footnote> and<footnote>, again<footnote>, lost[^x].");
    assert.deepEqual(
      chapter?.footnotes.map(({ number, blocks }) => [number, textOf(blocks[0])]),
      [
        [1, "Second."],
        [2, "First."],
      ],
    );
  });

  it("reads tables, and pictures however they are written", () => {
    const [table, ...pictures] = blocksOf(
      '| a | *b* |\n| - | - |\n| c \\| d | |\n\n![The quay](quay.png)\n\n![[map.png|300]]\n\n<img src="x.png" alt="X">',
    );
    assert.equal(table?.type, "table");
    assert.deepEqual(
      table?.type === "table" &&
        table.rows.map((cells) =>
          cells.map((runs) => runs.map((run) => run.type === "text" && run.text).join("")),
        ),
      [
        ["a", "b"],
        ["c | d", ""],
      ],
    );
    assert.deepEqual(
      pictures.map(
        (block) =>
          block.type === "paragraph" && block.runs[0]?.type === "picture" && block.runs[0].picture.alt,
      ),
      ["The quay", "", "X"],
    );
  });

  it("says what it leaves out", () => {
    assert.deepEqual(compiled([{ markdown: "<div>\nx\n</div>\n\nText." }]).omitted, [
      "Left out: 1 block of HTML.",
    ]);
  });
});

describe("readPicture", () => {
  it("knows types and sizes by the bytes, and no others", () => {
    const png = readPicture("a", PIXEL);
    assert.deepEqual([png?.type, png?.width, png?.height], ["image/png", 1, 1]);
    const gif = readPicture("a", Buffer.from(`GIF89a\x02\x00\x03\x00${"\0".repeat(30)}`, "latin1"));
    assert.deepEqual([gif?.type, gif?.width, gif?.height], ["image/gif", 2, 3]);
    const jpeg = Buffer.from("ffd8ffe000040000ffc0000b080020001001011100ffd9".padEnd(80, "0"), "hex");
    const read = readPicture("a", jpeg);
    assert.deepEqual([read?.type, read?.width, read?.height], ["image/jpeg", 16, 32]);
    const svg = readPicture(
      "a",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"/>'),
    );
    assert.deepEqual([svg?.type, svg?.width, svg?.height], ["image/svg+xml", 40, 30]);
    assert.equal(readPicture("a.png", Buffer.from("<!doctype html><p>no picture at all")), undefined);
    assert.equal(readPicture("a.png", PIXEL.subarray(0, 20)), undefined);
  });
});
