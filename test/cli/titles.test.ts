import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

/** The book of two chapters with its folder, and how to edit a file of that. */
async function exported(t: TestContext) {
  const sh = await withBook(t);
  await sh("export", "1", "-o", "out");
  const path = `${sh.cwd}/out/01-the-ferry.md`;
  const file = () => readFileSync(path, "utf8");
  const edit = (...pairs: readonly [string, string][]) =>
    writeFileSync(
      path,
      pairs.reduce((text, [from, to]) => text.replace(from, to), file()),
    );
  const read = async () => {
    const { title, markdown } = (await sh("show", "1", "--format", "markdown", "--json")).json();
    return [title, String(markdown).split("\n")[0]];
  };
  return { sh, file, edit, read };
}

const both = (title: string) => [title, `# ${title}`];

describe("title and heading of a chapter at the command line", () => {
  it("map and replace carry the title along, say so, and undo brings both back", async (t) => {
    const { sh, read } = await exported(t);
    const dry = fits(await sh("map", "1", "--dry-run", "--json", "--", "sed", "s/Ferry/Boat/"), "map");
    assert.deepEqual(
      dry.chapters.map(({ title, titleChanged }) => [title, titleChanged]),
      [["The Boat", true]],
    );
    const mapped = await sh("map", "1", "--", "sed", "s/Ferry/Boat/");
    assert.match(mapped.stdout, /The Boat: .*its title follows its heading/);
    assert.deepEqual(await read(), both("The Boat"));
    await sh("undo");
    assert.deepEqual(await read(), both("The Ferry"));
    const replaced = await sh("replace", "1", "Ferry", "Raft", "--apply");
    assert.match(replaced.stdout, /The Raft.*its title follows its heading/);
    assert.deepEqual(await read(), both("The Raft"));
  });

  it("an edited heading in a file is the title after an import; the next finds nothing to do", async (t) => {
    const { sh, edit, read } = await exported(t);
    edit(["# The Ferry", "# The Raft"]);
    const done = fits(await sh("import", "out", "--json"), "import");
    assert.deepEqual([done.chapters[0]?.title, done.chapters[0]?.titleChanged], ["The Raft", true]);
    assert.deepEqual(await read(), both("The Raft"));
    assert.equal((await sh("import", "out", "--exit-code")).exit, EXIT.done);
    assert.deepEqual(await read(), both("The Raft"));
  });

  it("an edited title in front matter is the heading after an import, and a sync writes it into the file", async (t) => {
    const { sh, file, edit, read } = await exported(t);
    edit(["title: The Ferry", "title: The Raft"], ["already ringing", "still ringing"]);
    const done = await sh("import", "out");
    assert.match(done.stdout, /The Raft .*its heading follows its title/);
    assert.deepEqual(await read(), both("The Raft"));
    assert.match(file(), /\n# The Ferry\n/);
    const again = fits(await sh("import", "out", "--json"), "import");
    assert.equal(again.chapters[0]?.status, "left");
    assert.deepEqual(await read(), both("The Raft"));
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    assert.match(file(), /title: The Raft\n[\s\S]*\n# The Raft\n[\s\S]*still ringing/);
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
  });

  it("a sync brings the one in step with the other in one run, whichever was edited", async (t) => {
    const { sh, file, edit, read } = await exported(t);
    edit(["# The Ferry", "# The Raft"]);
    await sh("sync", "out");
    assert.match(file(), /title: The Raft\n[\s\S]*\n# The Raft\n/);
    edit(["title: The Raft", "title: The Oar"]);
    await sh("sync", "out");
    assert.match(file(), /title: The Oar\n[\s\S]*\n# The Oar\n/);
    assert.deepEqual(await read(), both("The Oar"));
    assert.match((await sh("sync", "out")).stdout, /^same: 2 chapters\n/);
  });

  it("a file that gives each its own makes them two, and they stay two", async (t) => {
    const { sh, file, edit, read } = await exported(t);
    edit(["title: The Ferry", "title: One"], ["# The Ferry", "# The Raft"]);
    await sh("sync", "out");
    assert.deepEqual(await read(), ["One", "# The Raft"]);
    edit(["# The Raft", "# The Oar"]);
    await sh("sync", "out");
    assert.deepEqual(await read(), ["One", "# The Oar"]);
    assert.match(file(), /title: One\n[\s\S]*\n# The Oar\n/);
  });

  it("chapter rename says that the heading goes with it", async (t) => {
    const { sh, read } = await exported(t);
    const renamed = await sh("chapter", "rename", "1", "The Raft");
    assert.match(renamed.stdout, /The Ferry → The Raft, and the heading with it\n$/);
    assert.deepEqual(await read(), both("The Raft"));
  });

  it("a title given in the manuscript comes into the file with its heading", async (t) => {
    const { sh, file } = await exported(t);
    const { id } = (await sh("show", "1", "--json")).json<{ id: string }>();
    await sh.with({ stdin: '{"title": "The Raft"}' })("api", "PATCH", `/chapters/${id}`, "--input", "-");
    await sh("sync", "out");
    assert.match(file(), /title: The Raft\n[\s\S]*\n# The Raft\n/);
  });
});
