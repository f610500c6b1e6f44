import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { desk, titled } from "./desk.ts";

const INDEX = [
  "---",
  "tags: [novel]",
  "longform:",
  "  format: scenes",
  "  title: Northing",
  "  workflow: Default Workflow",
  "  sceneFolder: Scenes",
  "  scenes:",
  "    - Prologue",
  "    - First Watch",
  "    - - Ice",
  "      - Second Mate",
  "      - - Below Decks",
  "    - Landfall",
  "    - - Beach",
  "  ignoredFiles:",
  '    - "*-scratch"',
  '    - "Cut *"',
  "---",
  "",
  "Notes to myself.",
];

const PROJECT = {
  "Northing.md": INDEX,
  "Scenes/Prologue.md": "---\nstatus: revised\npov: Ane\n---\n\nFog.\n",
  "Scenes/First Watch.md": "---\ncreated: 2024-01-02\n---\n",
  "Scenes/Ice.md": "Ice\non the  rail.\n",
  "Scenes/Second Mate.md": "He sang.\n",
  "Scenes/Below Decks.md": "Rats.\n",
  "Scenes/Landfall.md": "A grey line.\n",
  "Scenes/Beach.md": "Stones.\n",
  "Scenes/Ice-scratch.md": "Scratch.\n",
  "Scenes/Cut dream.md": "A dream.\n",
  "Scenes/Whale.md": "New here.\n",
  "Research/ships.md": "Brigs.\n",
};

describe("Longform", () => {
  it("each scene is a chapter in its order; one without text above others is their part", async (t) => {
    const { take, outline, prose } = await desk(t, PROJECT);
    const { layout, why, title, bookId, skipped } = await take();
    assert.deepEqual(
      [layout, why, title],
      [
        "longform",
        "Northing.md; 2 indented scenes, each a chapter of its own: indents are not kept",
        "Northing",
      ],
    );
    const chapters = await outline(bookId);
    assert.deepEqual(titled(chapters), [
      "Prologue",
      "First Watch / Ice",
      "First Watch / Second Mate",
      "First Watch / Below Decks",
      "Landfall",
      "Beach",
    ]);
    assert.equal(chapters[0]?.status, "revising");
    assert.deepEqual((await prose(bookId)).slice(0, 2), ["\nFog.\n", "Ice\non the  rail.\n"]);
    assert.deepEqual(skipped, [
      {
        file: "Scenes/First Watch.md",
        reason: 'a scene without text above others: it is their part, "First Watch"',
      },
      { file: "Scenes/Cut dream.md", reason: "the Longform index ignores it" },
      { file: "Scenes/Ice-scratch.md", reason: "the Longform index ignores it" },
      { file: "Research/ships.md", reason: "Northing.md does not list it; --adopt takes it in" },
      { file: "Scenes/Whale.md", reason: "Northing.md does not list it; --adopt takes it in" },
    ]);
    const { chapters: adopted } = await take(["--adopt"]);
    assert.deepEqual(
      adopted.slice(6).map(({ file }) => file),
      ["Research/ships.md", "Scenes/Whale.md"],
    );
  });

  it("keeps the front matter of a scene, and takes a changed scene in again", async (t) => {
    const { take, put, sh } = await desk(t, PROJECT);
    const { bookId, chapters } = await take([], `${put({})}/Northing.md`);
    put({ "Scenes/Ice.md": "Ice\non the  rail and the rope.\n" });
    const again = await take(["--book", bookId]);
    assert.deepEqual(
      again.chapters.map(({ id, status }) => [id, status]),
      chapters.map(({ id }, index) => [id, index === 1 ? "updated" : "same"]),
    );
    await sh("export", bookId, "-o", "out");
    assert.match((await sh("export", bookId, "-o", "-")).stdout, /^---\nstatus: revised\npov: Ane\n/);
    assert.equal((await sh("import", "out", "--book", bookId, "--exit-code")).exit, 0);
  });

  it("a single scene is the index's own text", async (t) => {
    const { take, prose } = await desk(t, {
      "Short.md": ["---", "longform:", "  format: single", "---", "", "# One", "", "# Two"],
      "Idea.md": "Another.\n",
    });
    const { layout, title, bookId, chapters, skipped } = await take();
    assert.deepEqual([layout, title, chapters.length], ["longform", "Short", 1]);
    assert.deepEqual(await prose(bookId), ["\n# One\n\n# Two\n"]);
    assert.deepEqual(
      skipped.map(({ file }) => file),
      ["Idea.md"],
    );
  });

  const index = (title: string, ...scenes: string[]) =>
    `---\nlongform:\n  format: scenes\n  title: ${title}\n  sceneFolder: scenes\n  sceneTemplate: Blank.md\n  scenes: [${scenes.join(", ")}]\n---\n`;
  const project = (title: string) => ({
    [`${title}/Index.md`]: index(title, "Zinc", "Amber"),
    [`${title}/scenes/Amber.md`]: `Second in ${title}.\n`,
    [`${title}/scenes/Zinc.md`]: `---\npov: A\n---\nFirst in ${title}.\n\nMore.\n`,
    [`${title}/manuscript.md`]: "",
    [`${title}/Blank.md`]: "# Blank\n",
    [`${title}/Draft for Ann.md`]: `# ${title}\n\nFirst in ${title}.\n\nMore.\n\n***\n\nSecond in ${title}.\n`,
    [`${title}/Plan.md`]: "A plan.\n",
  });

  it("each project of a vault is a book, in one import; compiled files and templates are no chapters", async (t) => {
    const files = {
      ...project("Bridge"),
      ...project("Ferry"),
      "Templates/New.md": index("New"),
      "Notes.md": "x\n",
    };
    const { sh, put, refusal, outline } = await desk(t, files);
    const tried = await sh("import", put({}), "--dry-run");
    assert.match(tried.stdout, /Bridge: 2 chapters[\s\S]*Ferry: 2 chapters/);
    const { exit, stdout, stderr } = await sh("import", put({}), "--adopt");
    assert.equal(exit, 0, stderr);
    assert.equal(stdout.match(/Read as Longform \(Index\.md\)/g)?.length, 2);
    for (const [at, title] of ["Bridge", "Ferry"].entries()) {
      assert.deepEqual(titled(await outline(String(at + 1))), ["Zinc", "Amber", "Plan"], title);
    }
    for (const left of [
      "Blank.md: a template of Obsidian",
      "Draft for Ann.md: Longform compiled it from the scenes",
      "manuscript.md: Longform compiled it from the scenes",
    ])
      assert.equal(stderr.split(`Left out ${left}`).length, 3, left);
    const wanted = /holds 2 Longform projects.*manuscript import .*Bridge.*manuscript import .*Ferry/s;
    assert.match(await refusal(["--title", "T"]), wanted);
    const json = await sh("import", put({}), "--json");
    assert.deepEqual([json.exit, wanted.test(json.stdout + json.stderr)], [2, true]);
  });

  it("a single project within a vault is found, and the rest of the vault left out", async (t) => {
    const { take, outline } = await desk(t, { ...project("Ferry"), "Notes.md": "x\n" });
    for (const options of [[], ["--layout", "longform"]]) {
      const { layout, bookId, skipped } = await take(options);
      assert.deepEqual([layout, titled(await outline(bookId))], ["longform", ["Zinc", "Amber"]]);
      assert.match(skipped.at(-1)?.reason ?? "", /^only its folder Ferry is read; --layout folder/);
    }
  });

  it("an index of 0 bytes is refused by its name, and nothing is written", async (t) => {
    const { refusal, put, sh } = await desk(t, {
      ...project("Bridge"),
      ...project("Ferry"),
      "Ferry/Index.md": "",
    });
    assert.match(await refusal(), /Ferry\/Index\.md is empty \(0 bytes\).*Restore it/);
    put({ "Ferry/Index.md": "---\nlongform: {format: scenes, scenes: [Gone]}\n---\n" });
    assert.match(await refusal(), /Gone\.md, which Index\.md lists/);
    assert.equal((await sh("books", "--json")).json<{ total: number }>().total, 0);
    const other = await desk(t, { "Story.md": "", "scenes/Amber.md": "Text.\n" });
    assert.match(await other.refusal(["--layout", "longform"]), /Story\.md is empty \(0 bytes\)/);
  });

  it("refuses what is no project, naming the index", async (t) => {
    const { put, refusal } = await desk(t, PROJECT);
    const index = async (...lines: string[]) => {
      put({ "Northing.md": ["---", "longform:", "  format: scenes", ...lines, "---"] });
      return await refusal();
    };
    assert.match(await index("  scenes: Ice"), /Northing\.md: longform\.scenes must be a list/);
    assert.match(
      await index("  scenes: [{a: 1}]"),
      /Northing\.md: longform\.scenes holds something other than names/,
    );
    assert.match(await index("  scenes: [Ice"), /Northing\.md is not valid YAML: .* in line \d/);
    assert.match(await index("  sceneFolder: ../Other", "  scenes: [Ice]"), /hidden or outside/);
    assert.match(await index("  sceneFolder: Scenes", "  scenes: [../../Ice]"), /hidden or outside/);
    assert.match(await index("  sceneFolder: /", "  scenes: [Ice]"), /Ice\.md, which Northing\.md lists/);
    const deep = `${"[".repeat(60)}Ice${"]".repeat(60)}`;
    assert.match(await index(`  scenes: ${deep}`), /more than 50 deep/);
    assert.match(await index("  scenes: []"), /It was read as Longform; --layout folder reads it as it lies/);
    assert.match(
      await refusal(["--layout", "novelwriter"]),
      /cannot be read as novelWriter .*no nwProject\.nwx/,
    );
  });
});
