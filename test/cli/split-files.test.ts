import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { shell } from "./shell.ts";

const ROAD = "The *long* road went on, and nobody knew where.";
const TIDE = "The tide took the boat out.";

/** A book of three chapters in the folder `out`, and what a writer does to its files. */
async function exported(t: TestContext, ...how: string[]) {
  const sh = shell(t);
  mkdirSync(`${sh.cwd}/novel`);
  const chapters = {
    "a.md": `# Quay\n\nMara rang the bell.\n\n${ROAD}\n\nNobody came.\n`,
    "b.md": `# Sea\n\n${TIDE}\n\nNobody saw it go.\n`,
    "c.md": "# Rain\n\nIt rained.\n",
  };
  for (const [file, text] of Object.entries(chapters)) writeFileSync(`${sh.cwd}/novel/${file}`, text);
  await sh("init", "book.manuscript");
  await sh("import", "novel");
  assert.equal((await sh("export", "1", "-o", "out", ...how)).exit, EXIT.done);
  const at = (file: string) => `${sh.cwd}/out/${file}`;
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(at(file), "utf8");
    assert.ok(text.includes(from), text);
    writeFileSync(at(file), text.replace(from, to));
  };
  const cut = (file: string, paragraph: string, into: string) => {
    edit(file, `\n${paragraph}\n`, "");
    appendFileSync(at(into), `${paragraph}\n`);
  };
  const text = async () => (await sh("export", "1", "--plain", "-o", "-")).stdout;
  const titles = async () =>
    (await sh("outline", "1")).stdout
      .split("\n")
      .slice(1)
      .flatMap((line) => /^\d+ +\S+ +(.*?) +draft/.exec(line)?.[1] ?? (line === "" ? [] : `[${line}]`));
  const listed = async () =>
    (await sh("outline", "1", "--json")).json<{ chapters: { id: string; title: string }[] }>().chapters;
  return { sh, at, edit, cut, text, titles, ids: async () => (await listed()).map(({ id }) => id) };
}

describe("text that a writer has cut out of a file", () => {
  it("stays in the book also where that is in a README, or in a file without an ending", async (t) => {
    for (const into of ["README.md", "long-road"]) {
      const { sh, cut, text } = await exported(t);
      const before = await text();
      cut("a.md", ROAD, into);
      const { exit, stderr } = await sh("sync", "out");
      assert.deepEqual([exit, await text()], [EXIT.wouldLose, before], into);
      assert.match(stderr, /once it is called as a chapter's file is/);
    }
  });

  it("stays in the book where the file that it stands in is left out: the sync stops and says what to do", async (t) => {
    const { sh, cut, at, text } = await exported(t);
    const [before, file] = [await text(), readFileSync(at("b.md"), "utf8")];
    cut("a.md", ROAD, "long-road.md");
    for (const argv of [[], ["--dry-run"], ["--delete"], ["--force", "mine"]]) {
      const { exit, stderr } = await sh("sync", "out", ...argv);
      assert.equal(exit, EXIT.wouldLose);
      assert.match(
        stderr,
        /take 1 paragraph out of the book that still stands in long-road\.md, which is no chapter: “The long road went on, and nobody knew where\.”.*--adopt.*--yes/,
      );
    }
    assert.equal(await text(), before);
    assert.equal(readFileSync(at("b.md"), "utf8"), file);
    assert.ok(!readFileSync(at("a.md"), "utf8").includes("long"));
  });

  it("becomes a chapter behind its own with --adopt", async (t) => {
    const { sh, at, cut, titles, text } = await exported(t);
    cut("a.md", ROAD, "long-road.md");
    cut("b.md", TIDE, "tide.txt");
    for (const name of ["one", "two"]) writeFileSync(at(`${name}.md`), `${name}!\n`);
    const { exit, stdout, stderr } = await sh("sync", "out", "--adopt");
    assert.equal(exit, EXIT.done, stderr);
    assert.match(stdout, /1 paragraph moved from Quay to long road/);
    assert.doesNotMatch(stderr, /Left out/);
    assert.deepEqual(await titles(), ["Quay", "long road", "Sea", "tide", "Rain", "one", "two"]);
    assert.ok((await text()).includes(ROAD));
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
  });

  it("goes with --yes, and from a file that has nothing to do with it at once", async (t) => {
    const { sh, cut, edit, at, text } = await exported(t);
    writeFileSync(at("ideas.md"), "A whale?\n");
    edit("b.md", "\nNobody saw it go.\n", "");
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    cut("a.md", ROAD, "cuts.md");
    assert.equal((await sh("sync", "out", "--yes")).exit, EXIT.done);
    assert.ok(!(await text()).includes(ROAD));
  });

  it("stays where another line was written in its place, and where most of the file went", async (t) => {
    const { sh, edit, cut, at, text } = await exported(t);
    const before = await text();
    edit("a.md", ROAD, "Gulls.");
    writeFileSync(at("long-road.md"), `${ROAD}\n`);
    assert.equal((await sh("sync", "out")).exit, EXIT.wouldLose);
    edit("a.md", "Gulls.", ROAD);
    cut("b.md", TIDE, "tide.md");
    cut("b.md", "Nobody saw it go.", "tide.md");
    assert.match(
      (await sh("sync", "out")).stderr,
      /2 paragraphs out of the book that still stand in tide\.md/,
    );
    assert.equal(await text(), before);
  });

  it("is no chapter deleted where a file without front matter got a name that is left out", async (t) => {
    const { sh, at, text } = await exported(t, "--plain");
    const before = await text();
    renameSync(at("b.md"), at("sea.md"));
    edit(at("sea.md"));
    const { exit, stderr } = await sh("sync", "out", "--delete");
    assert.equal(exit, EXIT.wouldLose, stderr);
    assert.equal(await text(), before);
    function edit(file: string) {
      appendFileSync(file, "\nOne more.\n");
    }
  });
});

describe("a file that is dragged into a new folder", () => {
  for (const how of [[], ["--plain"]])
    it(`keeps its chapter, whose part is called like the folder ${how.join("")}`, async (t) => {
      const { sh, at, titles, ids, text } = await exported(t, ...how);
      const [before, known] = [await text(), await ids()];
      mkdirSync(at("Part One"));
      renameSync(at("b.md"), at("Part One/02-y.md"));
      const { exit, stderr } = await sh("sync", "out");
      assert.equal(exit, EXIT.done);
      assert.doesNotMatch(stderr, /Left out/);
      assert.deepEqual(await titles(), ["Quay", "[Part One]", "Sea", "[Without a part]", "Rain"]);
      assert.deepEqual([await text(), await ids()], [before, known]);
      assert.match(readFileSync(at("book.yaml"), "utf8"), /- title: Part One\n {4}folder: Part One\n/);
      assert.ok(!existsSync(at("b.md")));
      assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
    });

  it("brings what was edited there, and new files beside it", async (t) => {
    const { sh, at, edit, titles, text } = await exported(t);
    mkdirSync(at("02-deep"));
    renameSync(at("b.md"), at("02-deep/02-sea.md"));
    edit("02-deep/02-sea.md", "Nobody saw", "Everybody saw");
    writeFileSync(at("02-deep/03-night.md"), "# Night\n\nIt fell.\n");
    writeFileSync(at("02-deep/README.md"), "Mine.\n");
    mkdirSync(at("scans"));
    writeFileSync(at("scans/page.md"), Buffer.from([0xff, 0xfe, 0x00]));
    const { stderr } = await sh("sync", "out");
    assert.match(stderr, /^Left out scans\/page\.md: the folder's list does not name it.*\n[^L]*$/);
    assert.deepEqual(await titles(), ["Quay", "[deep]", "Sea", "Night", "[Without a part]", "Rain"]);
    assert.match(await text(), /Everybody saw it go/);
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
  });
});
