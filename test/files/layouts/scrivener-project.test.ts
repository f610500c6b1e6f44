import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { readPath } from "../../../src/files/read-path.ts";
import { office } from "../../support/office.ts";
import { desk } from "./desk.ts";
import { binderItem, SCRIV, scrivWith } from "./scriv.ts";

const read = (path: string) => readPath(path, { office: () => office });

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
      "The ferry came.[^1]\n\nShe went *home*.\n\n* * *\n\nLater.\n\n[^1]: The old one.\n\n* * *\n\nHeat.\n",
    );
    assert.deepEqual(
      book.skipped.map(({ file, reason }) => [file, reason]),
      [
        ["Cut", "not included in the compiled book"],
        ["Research", "1 document of the binder, no part of the draft"],
      ],
    );
  });

  it("names its author and what it is compiled with", async (t) => {
    const metadata = async (author: string, settings: Readonly<Record<string, string>>) => {
      const own = String(SCRIV["Ferry.scrivx"]).replace("<ScrivenerProject", `$& Author="${author}"`);
      const { put } = await desk(t, { ...SCRIV, "Ferry.scrivx": own, ...settings });
      return (await read(put({}))).metadata;
    };
    const key = (name: string, value: string) => `<key>SCRCompileEBook${name}Key</key>\n\t${value}`;
    assert.equal(await metadata("", {}), undefined);
    assert.deepEqual(await metadata("Ada", {}), { author: "Ada" });
    assert.deepEqual(
      await metadata("Mac", {
        "Settings/compile.xml":
          "<Authors><Author FileAs='North, A' Role='aut'>A &amp; B</Author><Author Role='edt'>C</Author></Authors><EbookLanguage>en</EbookLanguage>",
      }),
      { author: "A & B", language: "en" },
    );
    assert.deepEqual(
      await metadata("", {
        "Settings/compile.plist":
          key("Authors", "<array>\n\t\t<string>Ada</string></array>") + key("Rights", "<string>All</string>"),
      }),
      { author: "Ada", rights: "All" },
    );
    assert.deepEqual(
      await metadata("", {
        "Settings/compile.ini":
          "[MetaData]\r\ntitle=\r\nauthors=Zo\\xeb North\r\nrights=\r\nlanguageCode=English\r\n",
      }),
      { author: "Zoë North", language: "en" },
    );
  });

  it("brings its notes, and its comments with the paragraph that they are about", async (t) => {
    const { put } = await desk(t, SCRIV);
    const { notes } = await read(`${put({})}/Ferry.scrivx`);
    const chapter = "Files/Data/S-1/content.rtf";
    assert.deepEqual(notes, [
      {
        chapter,
        ...{ text: "Which ferry?", author: "", about: "ferry", replies: [], resolved: false },
        ...{ quote: "The ferry came.", nth: 1 },
      },
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

  it("of Scrivener 1 and 2 has both a number and a UUID; its labels and keywords become front matter", async (t) => {
    const about = "<LabelID>2</LabelID>";
    const keywords = "<Keywords><KeywordID>7</KeywordID></Keywords></BinderItem>";
    const item = binderItem("3", "One", { about }).replace('UUID="3"', 'ID="3" UUID="A-9"');
    const lists =
      '</Binder><Keywords><Keyword ID="1"><Title>All</Title><Children><Keyword ID="7"><Title>Sea</Title></Keyword></Children></Keyword></Keywords><LabelSettings><Labels><Label ID="2">Idea: new</Label></Labels></LabelSettings>';
    const { put } = await desk(t, {
      "old.scrivx": scrivWith(item.replace("</BinderItem>", keywords)).replace("</Binder>", lists),
      "Files/Docs/3.rtf": SCRIV["Files/Data/S-2/content.rtf"]!,
    });
    const { chapters } = await read(put({}));
    assert.equal(chapters[0]?.text, '---\nlabel: "Idea: new"\ntags: ["Sea"]\n---\n\nHeat.\n');
  });

  it("leaves out by name what is not ticked for the compile, also where Scrivener wrote no element", async (t) => {
    const unticked = binderItem("S-2", "As it was").replace(/<IncludeInCompile>.*?<\/IncludeInCompile>/, "");
    const { put } = await desk(t, {
      ...SCRIV,
      "Ferry.scrivx": scrivWith(binderItem("S-3", "Sand") + unticked),
    });
    const { chapters, skipped } = await read(put({}));
    assert.deepEqual(
      chapters.map(({ title }) => title),
      ["Sand"],
    );
    assert.deepEqual(
      skipped.map(({ file, reason }) => `${file}: ${reason}`),
      ["As it was: not included in the compiled book"],
    );
  });

  it("has inline footnotes in its text and inline annotations as notes", async (t) => {
    const note = (kind: string, words: string) =>
      `\\{\\\\Scrv_${kind} \\\\color=\\{\\\\R=1.0\\} \\\\text=${words}\\\\end_Scrv_${kind}\\}`;
    const text = `He${note("annot", "Who\\uc0\\u8217 s he?")} ran.${note("fn", "Far.")}`;
    const { put } = await desk(t, {
      "Ferry.scrivx": scrivWith(binderItem("S-1", "One")),
      "Files/Data/S-1/content.rtf": `{\\rtf1\\ansi\n\\pard\\fi360\\f0 <$Scr_Ps::0>${text}<!$Scr_Ps::0>}`,
    });
    const { chapters, notes } = await read(put({}));
    assert.equal(chapters[0]?.text, "He ran.{\\footnote \\pard Far.}\n");
    assert.deepEqual(notes, [{ chapter: "Files/Data/S-1/content.rtf", text: "Who’s he?" }]);
  });

  it("without LibreOffice says what to do instead", async (t) => {
    const { refusal } = await desk(t, SCRIV);
    assert.match(
      await refusal(),
      /project of Scrivener, and LibreOffice, .* was not found.*Install it from .*compile the project for Word/,
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
