import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DocNode } from "../../../src/prose/document/types.ts";
import { desk, type Files, titled } from "./desk.ts";

interface Doc {
  handle: string;
  parent?: string;
  name: string;
  status?: string;
  active?: boolean;
  note?: boolean;
}

const ROOTS = {
  aa: ["NOVEL", "Novel"],
  bb: ["CHARACTER", "People"],
  cc: ["WORLD", "Places"],
  dd: ["TRASH", "Trash"],
};
const docs: readonly Doc[] = [
  { handle: "a0", parent: "aa", name: "Cover", status: "s1" },
  { handle: "a2", parent: "aa", name: "Chapter", status: "s3" },
  { handle: "a3", parent: "a2", name: "Dawn", status: "s3" },
  { handle: "a4", parent: "a2", name: "Noon &amp; After", status: "s2" },
  { handle: "a5", parent: "aa", name: "Old", active: false },
  { handle: "a1", parent: "aa", name: "Later", status: "s3" },
  { handle: "a6", parent: "aa", name: "Plan", note: true },
  { handle: "b1", parent: "bb", name: "Ilse", note: true },
  { handle: "c1", parent: "cc", name: "Mill", note: true },
  { handle: "c2", parent: "cc", name: "Rough", note: true },
  { handle: "d1", parent: "dd", name: "Gone" },
];

function project(items: string): string[] {
  return [
    "<?xml version='1.0' encoding='utf-8'?>",
    '<novelWriterXML appVersion="2.7" fileVersion="1.5">',
    '  <project id="1"><name>The Mill &#38; the <![CDATA[<Race>]]></name></project>',
    "  <settings><status>",
    '    <entry key="s1">New</entry><entry key="s2">2nd Draft</entry><entry key="s3">Finished</entry>',
    "  </status></settings>",
    `  <content>${items}</content>`,
    "</novelWriterXML>",
  ];
}

const rootItems = Object.entries(ROOTS).map(
  ([handle, [kind, name]], order) =>
    `<item handle="${handle}" parent="None" order="${order}" type="ROOT" class="${kind}"><meta/><name status="s1">${name}</name></item>`,
);
const docItems = docs.map(
  ({ handle, parent, name, status = "s1", active = true, note = false }, order) =>
    `<item handle="${handle}" parent="${parent}" order="${order}" type="FILE" class="X" layout="${note ? "NOTE" : "DOCUMENT"}"><meta/><name status="${status}" active="${active ? "yes" : "no"}">${name}</name></item>`,
);
// Not in their order: that is what `order` says.
const INDEX = project([...docItems.toReversed(), ...rootItems].join("\n"));

const header = (name: string) => [`%%~name: ${name}`, "%%~path: aa/bb", "%%~kind: NOVEL/DOCUMENT"];
const PROJECT: Files = {
  "nwProject.nwx": INDEX,
  "content/a0.nwd": [...header("Cover"), "#! The Mill", "", ">> By nobody <<"],
  "content/a2.nwd": [
    ...header("Chapter"),
    "# Part One",
    "",
    "## Grain",
    "",
    "%Synopsis: They grind.",
    "",
    "@pov: Ilse",
  ],
  "content/a3.nwd": [
    "### Dawn",
    "",
    "[newpage]",
    "",
    "% synopsis:  She wakes.",
    "@char: Ilse, Tom",
    "@location: Mill",
    "",
    "She  _woke_  early.",
    "Still dark.",
    "",
    "% Check the hour.",
    "",
    "“Tom!” \t& no answer.  ",
    "@tom was his mark.",
  ],
  "content/a4.nwd": ["###! Noon", "", "Heat.", "", "#### Later", "", "> Pushed in <"],
  "content/a5.nwd": ["## Cut", "", "Not this."],
  "content/a1.nwd": ["##! Interlude", "", "Rain.", "", "## Flour", "", "White."],
  "content/a6.nwd": ["# Plan", "", "Do it."],
  "content/b1.nwd": [
    "# Ilse Brandt",
    "@tag: Ilse | Miss Brandt",
    "@location: Mill",
    "%Short: The miller’s girl.",
    "",
    "Tall.",
    "",
    "## Past",
    "",
    "Born away.",
    "",
    "# Tom",
    "",
    "@tag: Tom",
  ],
  "content/c1.nwd": ["# Place: The Mill", "", "@tag: Mill", "", "Four stones."],
  "content/c2.nwd": ["No tag."],
  "content/d1.nwd": ["## Gone"],
  "meta/index.json": "{}",
};

describe("novelWriter", () => {
  it("makes chapters of its headings, with parts, synopses, status and the prose as it stands", async (t) => {
    const { take, outline, prose } = await desk(t, PROJECT);
    const { layout, title, bookId } = await take();
    assert.deepEqual([layout, title], ["novelwriter", "The Mill & the <Race>"]);
    const chapters = await outline(bookId);
    assert.deepEqual(titled(chapters), [
      "The Mill",
      "Part One / Grain",
      "Part One / Interlude",
      "Part One / Flour",
    ]);
    assert.deepEqual(
      chapters.map(({ status, synopsis }) => [status, synopsis]),
      [
        ["draft", ""],
        ["revising", "They grind.\nShe wakes."],
        ["done", ""],
        ["done", ""],
      ],
    );
    assert.deepEqual(await prose(bookId), [
      "# The Mill\n\nBy nobody\n",
      "## Grain\n\n### Dawn\n\nShe  _woke_  early.\nStill dark.\n\n“Tom!” \t& no answer.  \n@tom was his mark.\n\n### Noon\n\nHeat.\n\n#### Later\n\nPushed in\n",
      "## Interlude\n\nRain.\n",
      "## Flour\n\nWhite.\n",
    ]);
  });

  it("makes facts of its tags, and tells of everything else", async (t) => {
    const { take, sh } = await desk(t, PROJECT);
    const { bookId, facts, skipped } = await take();
    assert.deepEqual(
      facts.map(({ name, status }) => [name, status]),
      [
        ["Miss Brandt", "created"],
        ["Tom", "created"],
        ["Mill", "created"],
      ],
    );
    const listed = (await sh("facts", "list", bookId, "--json")).json<{ facts: Record<string, unknown>[] }>();
    const { name, kind, aliases, attributes, summary } = listed.facts.find(
      (fact) => fact.name === "Miss Brandt",
    )!;
    assert.deepEqual(
      { name, kind, aliases, attributes, summary },
      {
        name: "Miss Brandt",
        kind: "character",
        aliases: ["Ilse", "Ilse Brandt"],
        attributes: [{ key: "location", value: "Mill" }],
        summary: "The miller’s girl.\n\nTall.\n\n## Past\n\nBorn away.",
      },
    );
    assert.deepEqual(skipped, [
      { file: "content/a2.nwd", reason: "its prose is taken without 1 reference (@pov)" },
      {
        file: "content/a3.nwd",
        reason: "its prose is taken without 2 references (@char @location), 1 code of layout ([newpage])",
      },
      { file: "content/a5.nwd", reason: '"Old": not active in the project' },
      { file: "content/a6.nwd", reason: '"Plan": a note without @tag' },
      { file: "content/c2.nwd", reason: '"Rough": a note without @tag' },
      { file: "content/d1.nwd", reason: '"Gone": in Trash, no part of the book' },
      { file: "meta/index.json", reason: "not Markdown" },
    ]);
  });

  it("loses no text of a tagged note: what stands before its tag, and comments", async (t) => {
    const mill = [
      "# Places",
      "",
      "Up the river.",
      "",
      "## The Mill",
      "@tag: Mill",
      "",
      "% Ask Tom.",
      "",
      "Four stones.",
    ];
    const { take, sh } = await desk(t, { ...PROJECT, "content/c1.nwd": mill });
    const { bookId } = await take();
    const { facts } = (await sh("facts", "list", bookId, "--json")).json<{
      facts: { name: string; summary: string }[];
    }>();
    const { summary } = facts.find(({ name }) => name === "Mill")!;
    assert.equal(summary, "Up the river.\n\nFour stones.\n\nAsk Tom.");
  });

  it("makes footnotes of its footnotes and notes of its comments, beside their paragraphs", async (t) => {
    const files = {
      ...PROJECT,
      "content/a3.nwd": [
        "### Dawn",
        "",
        "% Check the hour.",
        "",
        "She _woke_ early.[footnote:fn1] Still dark.[footnote:gone]",
        "",
        "%Footnote.fn1: By the *old* clock.",
        "%Footnote.fn9: Of nothing.",
        "",
        "“Tom!”",
        "",
        "% At the end.",
      ],
      "content/a4.nwd": ["### Noon", "", "Heat.[footnote:fn1]", "", "%Footnote.fn1: Another."],
      "content/a1.nwd": ["##! Interlude", "", "%~ Not said.", "", "## Flour", "", "White."],
    };
    const { sh, take, put, prose } = await desk(t, files);
    const { bookId, chapters, notes, skipped } = await take();
    assert.equal(
      (await prose(bookId))[1],
      "## Grain\n\n### Dawn\n\nShe _woke_ early.[^fn1] Still dark.[footnote:gone]\n\n“Tom!”\n\n### Noon\n\nHeat.[^fn1-2]\n\n[^fn1]: By the *old* clock.\n\n[^fn1-2]: Another.\n",
    );
    assert.match(skipped[1]?.reason ?? "", /1 footnote that nothing refers to \(“Of nothing\.”\)/);
    assert.deepEqual(
      notes.map(({ status, kind, lost }) => [status, kind, lost]),
      Array(3).fill(["created", "note", undefined]),
    );
    type Noted = { snippets: { text: string; chapterId: string; blockId: string | null }[] };
    const { snippets } = (await sh("notes", "list", bookId, "--json")).json<Noted>();
    const { doc } = (await sh("show", chapters[1]?.id ?? "", "--format", "doc", "--json")).json<{
      doc: DocNode;
    }>();
    const textOf = (id: string | null) =>
      doc.content?.find(({ attrs }) => attrs?.blockId === id)?.content?.[0]?.text;
    const placed = new Map(snippets.map(({ text, blockId }) => [text, textOf(blockId)]));
    assert.deepEqual([placed.get("Check the hour."), placed.get("At the end.")], ["She ", "“Tom!”"]);
    assert.equal(snippets.find(({ text }) => text === "Not said.")?.blockId, null);
    const again = await take(["--book", bookId]);
    assert.deepEqual(new Set(again.notes.map(({ status }) => status)), new Set(["same"]));
    assert.equal((await sh("import", put({}), "--book", bookId, "--exit-code")).exit, 0);
  });

  it("takes a later draft into the same book, and leaves as a folder of Markdown", async (t) => {
    const { take, put, sh } = await desk(t, PROJECT);
    const { bookId } = await take();
    put({ "content/a1.nwd": ["##! Interlude", "", "Rain, still.", "", "## Flour", "", "White."] });
    const again = await take(["--book", bookId]);
    assert.deepEqual(
      again.chapters.map(({ status }) => status),
      ["same", "same", "updated", "same"],
    );
    assert.deepEqual(new Set(again.facts.map(({ status }) => status)), new Set(["same"]));
    const { chapters } = (await sh("export", bookId, "-o", "out", "--json")).json<{
      chapters: { file: string }[];
    }>();
    assert.ok(chapters.every(({ file }) => file.endsWith(".md")));
    assert.equal((await sh("import", "out", "--book", bookId, "--exit-code")).exit, 0);
  });

  it("reads the projects of old versions, where attributes are elements", async (t) => {
    const item = (handle: string, parent: string, keys: Readonly<Record<string, string>>) =>
      `<item handle="${handle}" parent="${parent}" order="None">${Object.entries(keys)
        .map(([key, value]) => `<${key}>${value}</${key}>`)
        .join("")}</item>`;
    const { take, outline } = await desk(t, {
      "nwProject.nwx": project(
        [
          item("aa", "None", { name: "Novel", type: "ROOT", class: "NOVEL" }),
          item("f0", "aa", { name: "Folder", type: "FOLDER", class: "NOVEL" }),
          item("b12", "f0", {
            name: "One",
            type: "FILE",
            layout: "SCENE",
            status: "Finished",
            exported: "True",
          }),
          item("b13", "f0", { name: "Two", type: "FILE", layout: "SCENE", status: "Odd", exported: "False" }),
        ].join(""),
      ),
      "data_b/12_main.nwd": ["### A Scene", "", "Text.", "", "### Another", "", "More."],
      "content/b13.nwd": ["### Hidden"],
    });
    const { bookId } = await take();
    assert.deepEqual(
      (await outline(bookId)).map(({ title, status }) => [title, status]),
      [
        ["A Scene", "done"],
        ["Another", "done"],
      ],
    );
  });

  it("gives a second novel a part of its own", async (t) => {
    const { take, outline } = await desk(t, {
      "nwProject.nwx": project(
        ["aa", "bb"]
          .map(
            (root, order) =>
              `<item handle="${root}" parent="None" order="${order}" type="ROOT" class="NOVEL"><name>${root}</name></item><item handle="${root}1" parent="${root}" order="0" type="FILE" layout="DOCUMENT"><name active="yes">x</name></item>`,
          )
          .join(""),
      ),
      "content/aa1.nwd": ["## One", "", "Text."],
      "content/bb1.nwd": ["## Two", "", "Text."],
    });
    assert.deepEqual(titled(await outline((await take()).bookId)), ["One", "bb / Two"]);
  });

  it("refuses a project that cannot be read or leads out, naming the line", async (t) => {
    const { put, refusal } = await desk(t, PROJECT);
    const index = async (text: string | readonly string[]) => {
      put({ "nwProject.nwx": text });
      return await refusal();
    };
    const item = (handle: string, parent = "None") =>
      `<item handle="${handle}" parent="${parent}" type="FILE"><name>x</name></item>`;
    assert.match(
      await index(["<novelWriterXML>", "<content>", "</project>"]),
      /nwProject\.nwx .*unexpected close tag in line 3/,
    );
    assert.match(await index(["<novelWriterXML>", "<content>"]), /unclosed tag: content in line 3/);
    assert.match(
      await index(
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><novelWriterXML>&e;</novelWriterXML>',
      ),
      /undefined entity in line 1/,
    );
    assert.match(
      await index(project(`<item handle="a0"><name>&e;</name></item>`)),
      /undefined entity in line 7/,
    );
    assert.match(await index("<a/>"), /no project of novelWriter/);
    assert.match(await index("<novelWriterXML/>"), /no <content>/);
    assert.match(await index(project(item("../../x"))), /line 7 has no handle/);
    assert.match(await index(project(item("a0") + item("a0"))), /lists an item twice/);
    assert.match(await index(project(item("a0", "a1") + item("a1", "a0"))), /in a circle/);
    assert.match(await index("<a>".repeat(70)), /deeper than 64/);
    const deep = Array.from({ length: 70 }, (_, place) =>
      item(`x${place}`, place === 0 ? "None" : `x${place - 1}`),
    );
    assert.match(await index(project(deep.join(""))), /more than 64 deep/);
    const novel = '<item handle="aa" parent="None" type="ROOT" class="NOVEL"><name>N</name></item>';
    assert.match(
      await index(project(novel + item("zz", "aa"))),
      /content\/zz\.nwd, which nwProject\.nwx lists as "x"/,
    );
    assert.match(await index(project(novel)), /lists no document of a novel/);
    assert.match(await index(Buffer.from([0xff, 0xfe]).toString("latin1")), /not XML/);
  });
});
