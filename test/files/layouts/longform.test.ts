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
    assert.deepEqual([layout, why, title], ["longform", "Northing.md", "Northing"]);
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
    put({ "Northing.md": INDEX, "Southing.md": INDEX });
    assert.match(await refusal(), /several Longform projects .*Northing\.md or Southing\.md/);
    assert.match(
      await refusal(["--layout", "novelwriter"]),
      /cannot be read as novelWriter .*no nwProject\.nwx/,
    );
  });
});
