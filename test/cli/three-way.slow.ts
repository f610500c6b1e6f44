import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { shell } from "./shell.ts";

const PROSE =
  "Mara rang the bell on the quay.\n\nNobody answered her for an hour.\n\nThen Tobit came down the stair.\n";

/** A book of one chapter, exported into `out/`, with ways to edit either side. */
async function exchanged(t: TestContext) {
  const sh = shell(t);
  await sh("init", "book.manuscript");
  await sh.with({ stdin: PROSE })("import", "-", "--title", "Book");
  await sh("export", "1", "-o", "out");
  const { chapters } = (await sh("outline", "1", "--json")).json<{ chapters: { id: string }[] }>();
  const id = chapters[0]!.id; // the book has one
  const file = `${sh.cwd}/out/01-untitled.md`;
  return {
    sh,
    file,
    edit: (from: string, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to)),
    write: async (from: string, to: string) => {
      const { markdown } = (await sh("show", id, "--format", "markdown", "--json")).json<{
        markdown: string;
      }>();
      const stdin = JSON.stringify({ markdown: markdown.replace(from, to) });
      await sh.with({ stdin })("api", "PUT", `/chapters/${id}/prose`, "--input", "-");
    },
    take: (...flags: string[]) => sh("import", "out", "--book", "1", ...flags),
    text: async () => (await sh("show", id, "--format", "markdown")).stdout,
  };
}

const statusOf = (answer: { chapters: { status: string }[] }) => answer.chapters[0]!.status; // the book has one

describe("an import of a folder that was exported", () => {
  it("merges what both sides changed in different paragraphs", async (t) => {
    const { edit, write, take, text } = await exchanged(t);
    edit("an hour", "an age");
    await write("the bell", "the old bell");
    assert.equal(statusOf(fits(await take("--json"), "import")), "updated");
    assert.equal(await text(), PROSE.replace("an hour", "an age").replace("the bell", "the old bell"));
  });

  it("after a merge takes one's own next edit, and gives nothing of the other side up", async (t) => {
    const { edit, write, take, text } = await exchanged(t);
    edit("an hour", "an age");
    await write("the bell", "the old bell");
    await take();
    edit("the stair", "the steps");
    assert.equal((await take()).exit, EXIT.done);
    assert.equal(
      await text(),
      PROSE.replace("an hour", "an age")
        .replace("the bell", "the old bell")
        .replace("the stair", "the steps"),
    );
  });

  it("never conflicts with one's own next edit, also after an undo", async (t) => {
    const { sh, edit, take, text } = await exchanged(t);
    edit("an hour", "an age");
    await take();
    edit("an age", "a year");
    assert.equal(statusOf(fits(await take("--json"), "import")), "updated");
    await sh("undo");
    edit("a year", "a day");
    assert.equal((await take()).exit, EXIT.done);
    assert.equal(await text(), PROSE.replace("an hour", "a day"));
  });

  it("leaves what only the manuscript changed, and says so", async (t) => {
    const { write, take, text } = await exchanged(t);
    await write("the bell", "the old bell");
    const ran = await take("--json");
    assert.equal(statusOf(fits(ran, "import")), "left");
    assert.equal(await text(), PROSE.replace("the bell", "the old bell"));
    assert.match((await take()).stdout, /^left/);
  });

  it("takes the same change on both sides for none", async (t) => {
    const { edit, write, take, text } = await exchanged(t);
    edit("an hour", "an age");
    await write("an hour", "an age");
    assert.equal((await take()).exit, EXIT.done);
    assert.equal(await text(), PROSE.replace("an hour", "an age"));
  });

  it("writes nothing of a chapter whose paragraph both changed, leaves both texts and ends with 5", async (t) => {
    const { sh, file, edit, write, take, text } = await exchanged(t);
    edit("an hour", "an age");
    await write("an hour", "a day");
    const before = await text();
    const beside = file.replace(/\.md$/, ".conflict.md");
    const dry = await take("--dry-run");
    assert.equal(dry.exit, EXIT.conflict);
    assert.ok(!existsSync(beside), "a dry run writes no file");
    const ran = await take();
    assert.equal(ran.exit, EXIT.conflict);
    assert.match(ran.stderr, /both changed 1 paragraph.*--force mine.*--force theirs/s);
    assert.equal(await text(), before);
    const both = readFileSync(beside, "utf8");
    assert.match(both, /for an age\..*for a day\./s);
    assert.equal(statusOf((await take("--json")).json()), "conflict", "the file beside is no chapter");
    assert.equal(statusOf(fits(await take("--force", "theirs", "--json"), "import")), "left");
    assert.equal(await text(), before);
    assert.equal((await take("--force", "mine")).exit, EXIT.done);
    assert.equal(await text(), PROSE.replace("an hour", "an age"));
    assert.equal((await sh("undo")).exit, EXIT.done);
    assert.equal(await text(), before);
  });

  it("takes each field from the side that changed it, and names one that both changed", async (t) => {
    const { sh, edit, take } = await exchanged(t);
    edit("title: Untitled", "title: The Bell");
    await sh("synopsis", "1", "She rings.");
    assert.equal(statusOf(fits(await take("--json"), "import")), "updated");
    const { title, synopsis } = (await sh("show", "1", "--json")).json();
    assert.deepEqual([title, synopsis], ["The Bell", "She rings."]);
    edit("title: The Bell", "title: The Quay\nsynopsis: Mine.");
    await sh("synopsis", "1", "Theirs.");
    const ran = await take();
    assert.equal(ran.exit, EXIT.conflict);
    assert.match(ran.stderr, /both changed the synopsis/);
  });

  it("finds the base by the revision in the front matter where the folder is a copy of the one that was exported", async (t) => {
    const { sh, file, edit, write, text } = await exchanged(t);
    edit("an hour", "an age");
    await write("the bell", "the old bell");
    cpSync(dirname(file), `${sh.cwd}/elsewhere`, { recursive: true });
    const answer = fits(await sh("import", "elsewhere", "--book", "1", "--json"), "import");
    assert.equal(statusOf(answer), "updated");
    assert.equal(await text(), PROSE.replace("an hour", "an age").replace("the bell", "the old bell"));
  });

  it("does not let a file that was cut off wipe a chapter", async (t) => {
    const { file, take, text } = await exchanged(t);
    writeFileSync(file, readFileSync(file, "utf8").replace(/bell on[\s\S]*/, ""));
    const ran = await take();
    assert.equal(ran.exit, EXIT.wouldLose);
    assert.match(ran.stderr, /More than half would go of Untitled.*--yes/);
    assert.equal(await text(), PROSE);
    assert.equal((await take("--yes")).exit, EXIT.done);
    assert.equal(await text(), "Mara rang the ");
  });
});
