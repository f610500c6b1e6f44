import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Pandoc } from "../../../src/files/pandoc.ts";
import { readPath } from "../../../src/files/read-path.ts";
import { desk } from "./desk.ts";
import { binderItem, SCRIV, scrivWith } from "./scriv.ts";

/** Reads the words behind the last control word of each line, and a link to a comment as such. */
const pandoc: Pandoc = (options, input) => {
  if (!options.includes("--from=rtf")) {
    const { blocks } = JSON.parse(input.toString()) as { blocks: { t: string; c: { c: unknown }[] }[] };
    const shown = blocks.map(({ t, c }) =>
      t === "HorizontalRule"
        ? "* * *"
        : c.map(({ c: text }) => (typeof text === "string" ? text : "[^1]")).join(""),
    );
    return Promise.resolve(Buffer.from(`${shown.join("\n\n")}\n`));
  }
  const [, body = ""] = input.toString().split("\\fi360\\f0 ");
  const blocks = body
    .replace(/\}$/, "")
    .split("\\par\n")
    .map((line) => {
      const parts = line.split(/(\{\\field.*?fldrslt .*?\}\})/);
      const inlines = parts.map((part) => {
        const [, target, words] = /"(.*?)".*fldrslt (.*?)\}/.exec(part) ?? [];
        const text = { t: "Str", c: words ?? part.replace(/\{\\i (\w+)\}/g, "$1") };
        return target === undefined ? text : { t: "Link", c: [["", [], []], [text], [target, ""]] };
      });
      return { t: "Para", c: inlines };
    });
  return Promise.resolve(Buffer.from(JSON.stringify({ blocks })));
};

const read = (path: string) => readPath(path, { pandoc: () => pandoc });

describe("a project of Scrivener", () => {
  it("has chapters, parts, synopses and status from its draft alone", async (t) => {
    const { put } = await desk(t, SCRIV);
    const book = await read(put({}));
    assert.deepEqual([book.layout, book.fallbackTitle], ["scrivener", "Ferry"]);
    assert.deepEqual(
      book.chapters.map(({ part, title, status, synopsis, file }) => [part, title, status, synopsis, file]),
      [
        [null, "Prologue", "done", undefined, "Files/Data/P-1/content.rtf"],
        [
          "Act One",
          "The Quay",
          "draft",
          "Dawn: A ferry comes.\nNoon: It is hot.",
          "Files/Data/S-1/content.rtf",
        ],
        ["Act One", "Alone", "done", undefined, "Files/Data/CH-2/content.rtf"],
        [null, "Ashore", undefined, undefined, "Files/Data/S-3/content.rtf"],
      ],
    );
    assert.equal(
      book.chapters[1]?.text,
      "The ferry came.[^1]\n\nShe went home.\n\n* * *\n\nLater.\n\n* * *\n\nHeat.\n",
    );
    assert.deepEqual(
      book.skipped.map(({ file, reason }) => [file, reason]),
      [
        ["Cut", "not included in the compiled book"],
        ["Research", "1 document of the binder, no part of the draft"],
      ],
    );
  });

  it("brings its notes, and its comments with the paragraph that they are about", async (t) => {
    const { put } = await desk(t, SCRIV);
    const { notes } = await read(`${put({})}/Ferry.scrivx`);
    const chapter = "Files/Data/S-1/content.rtf";
    assert.deepEqual(notes, [
      { chapter, text: "Which ferry?", quote: "The ferry came." },
      { chapter, text: "Check the tides.\nBoth." },
    ]);
  });

  it("of an old version has its files by number; a chapter may be planned only", async (t) => {
    const { put } = await desk(t, {
      "old.scrivx": scrivWith(binderItem("3", "One") + binderItem("4", "Two")).replaceAll("UUID=", "ID="),
      "Files/Docs/3.rtf": SCRIV["Files/Data/S-2/content.rtf"]!,
      "Files/Docs/3_notes.rtf": SCRIV["Files/Data/S-3/content.rtf"]!,
      "Files/Docs/4_synopsis.txt": "To come.\n",
    });
    const { chapters, notes } = await read(put({}));
    assert.deepEqual(
      chapters.map(({ title, text, synopsis }) => [title, text, synopsis]),
      [
        ["One", "Heat.\n", undefined],
        ["Two", "", "To come."],
      ],
    );
    assert.deepEqual(notes, [{ chapter: "Files/Docs/3.rtf", text: "Sand." }]);
  });

  it("without pandoc says what to do instead", async (t) => {
    const { refusal } = await desk(t, SCRIV);
    assert.match(
      await refusal(),
      /project of Scrivener, whose texts are RTF, and pandoc.*Install it.*MultiMarkdown/,
    );
  });

  it("that is broken is refused, with the line; what leads out is not followed", async (t) => {
    const { sh, put } = await desk(t, SCRIV);
    const index = async (text: string) => {
      put({ "Ferry.scrivx": text });
      return await read(put({})).then(
        ({ chapters }) => `${chapters.length}`,
        (error: Error) => error.message,
      );
    };
    for (const [text, message] of [
      ["<ScrivenerProject><Binder>", /Ferry\.scrivx is not XML .* line 1/],
      ["<a/>", /no project of Scrivener/],
      ["<ScrivenerProject><Binder/></ScrivenerProject>", /no draft in its binder/],
      [scrivWith(binderItem("../../../etc", "x")), /the item in line 2 has no id/],
      [scrivWith(binderItem("NONE", "x")), /lists no document of the draft that has text/],
      ['<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>', /is not XML/],
      [scrivWith("<BinderItem UUID='a'><Children>".repeat(80)), /deeper than 64/],
    ] as const)
      assert.match(await index(text), message);
    assert.equal(await index(scrivWith(binderItem("S-2", "x") + binderItem("S-2", "y"))), "1");
    writeFileSync(`${sh.cwd}/secret.rtf`, "{\\rtf1 secret}");
    put({ "Files/Data/LINK/synopsis.txt": "So.\n" });
    symlinkSync(`${sh.cwd}/secret.rtf`, `${put({})}/Files/Data/LINK/content.rtf`);
    assert.match(
      await index(scrivWith(binderItem("LINK", "x"))),
      /lists no document of the draft that has text/,
    );
  });
});
