import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT } from "../../src/contract/problems.ts";
import { eventually } from "../support/eventually.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

/** A book of two chapters and the folder it was exported into. */
async function exported(t: TestContext) {
  const sh = await withBook(t);
  await sh("export", "1", "-o", "out");
  const file = (name: string) => `${sh.cwd}/out/${name}`;
  const edit = (name: string, from: string, to: string) =>
    writeFileSync(file(name), readFileSync(file(name), "utf8").replace(from, to));
  const put = async (chapter: string, from: string, to: string) => {
    const shown = (await sh("show", chapter, "--format", "markdown", "--json")).json<{
      id: string;
      markdown: string;
    }>();
    const stdin = JSON.stringify({ markdown: shown.markdown.replace(from, to) });
    await sh.with({ stdin })("api", "PUT", `/chapters/${shown.id}/prose`, "--input", "-");
  };
  const filesOf = () =>
    Object.fromEntries(
      readdirSync(file(""))
        .filter((name) => !name.startsWith("."))
        .map((name) => [name, readFileSync(file(name), "utf8")]),
    );
  return { sh, file, edit, put, filesOf };
}

const [FERRY, LAMP] = ["01-the-ferry.md", "02-the-lamp.md"];

describe("sync", () => {
  it("carries both sides' changes over, and a second one finds nothing to do", async (t) => {
    const { sh, file, edit, put } = await exported(t);
    edit(FERRY, "already ringing", "still ringing");
    await put("2", "lit the lamp", "lit the old lamp");
    await put("1", "You are late", "You are early");
    const dry = fits(await sh("sync", "out", "--dry-run", "--json"), "sync");
    assert.match(readFileSync(file(LAMP), "utf8"), /lit the lamp/, "a dry run writes no file");
    const done = fits(await sh("sync", "out", "--json"), "sync");
    assert.deepEqual(done.files, dry.files);
    assert.deepEqual(
      done.chapters.map(({ status }) => status),
      ["updated", "left"],
    );
    assert.match(readFileSync(file(FERRY), "utf8"), /still ringing.*You are early/s);
    assert.match(readFileSync(file(LAMP), "utf8"), /lit the old lamp/);
    assert.match((await sh("show", "1")).stdout, /still ringing.*You are early/s);
    const again = await sh("sync", "out", "--exit-code", "--json");
    assert.equal(again.exit, EXIT.done, again.stdout);
    const { stdout, stderr } = await sh("sync", "out");
    assert.match(stdout, /^same: 2 chapters\nbk_\w+ {2}The Ferry Book: 2 chapters, \d+ words\n$/);
    assert.equal(stderr, "Nothing has changed in the manuscript.\n");
  });

  it("makes a file for a new chapter and a chapter for a new file", async (t) => {
    const { sh, file } = await exported(t);
    await sh.with({ stdin: "# The Oar\n\nIt broke.\n" })("import", "-", "--book", "1");
    writeFileSync(file("04-the-tide.md"), "# The Tide\n\nIt turned.\n");
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    assert.match((await sh("outline", "1")).stdout, /The Tide/);
    assert.ok(Object.values(readdirSync(file(""))).some((name) => name.endsWith("the-oar.md")));
  });

  it("takes a file or folder for the same if another system forms its accents in another way", async (t) => {
    const { sh, file } = await exported(t);
    const [apart, whole] = ["NFD", "NFC"].map((form) =>
      ["Ä.md", "Über uns"].map((name) => name.normalize(form)),
    );
    mkdirSync(file("in"));
    mkdirSync(file(`in/${apart?.[1]}`));
    writeFileSync(file(`in/${apart?.[0]}`), "---\ntags: [a]\n---\nText.\n");
    writeFileSync(file(`in/${apart?.[1]}/b.md`), "---\ntags: [b]\n---\nB.\n");
    await sh("import", "out/in");
    await sh("export", "2", "-o", "carried");
    for (const at of [0, 1])
      renameSync(`${sh.cwd}/carried/${apart?.[at]}`, `${sh.cwd}/carried/${whole?.[at]}`);
    for (const args of [[], ["--delete"]]) {
      const { stdout, stderr } = await sh("sync", "carried", ...args);
      assert.match(stdout, /^same: 2 chapters$/m);
      assert.doesNotMatch(stdout + stderr, /gone|Left out/);
    }
    assert.deepEqual(
      readdirSync(`${sh.cwd}/carried`).filter((name) => /[^ -~]/.test(name)),
      whole,
    );
    assert.equal((await sh("outline", "2")).stdout.match(/ch_/g)?.length, 2);
  });

  it("neither deletes a chapter whose file is gone nor writes the file again", async (t) => {
    const { sh, file } = await exported(t);
    rmSync(file(LAMP));
    const { stdout } = await sh("sync", "out");
    assert.match(stdout, /02-the-lamp\.md: gone from the folder; its chapter stays/);
    assert.ok(!existsSync(file(LAMP)));
    assert.match((await sh("outline", "1")).stdout, /The Lamp/);
    const dry = await sh("sync", "out", "--delete", "--dry-run");
    assert.match(dry.stdout, /its chapter would be deleted, and undo would bring it back/);
    assert.match((await sh("outline", "1")).stdout, /The Lamp/);
    const deleting = await sh("sync", "out", "--delete");
    assert.equal(deleting.exit, EXIT.done);
    assert.doesNotMatch((await sh("outline", "1")).stdout, /The Lamp/);
    const [, act = ""] = /^Take it back with: manuscript undo (act_\w+)$/m.exec(deleting.stderr) ?? [];
    assert.equal((await sh("undo", act)).exit, EXIT.done);
    assert.match((await sh("show", "2")).stdout, /lit the lamp/);
  });

  it("writes the file of a chapter again whose deletion was taken back, by whichever side it went", async (t) => {
    const { sh, file } = await exported(t);
    const { chapters } = (await sh("outline", "1", "--json")).json<{ chapters: { id: string }[] }>();
    const text = readFileSync(file(LAMP), "utf8");
    const restored = async () => {
      const { files, chapterCount } = fits(await sh("sync", "out", "--json"), "sync");
      assert.deepEqual([files.find((entry) => entry.file === LAMP)?.status, chapterCount], ["written", 2]);
      assert.equal(readFileSync(file(LAMP), "utf8").replace(/\d+(?=\n---)/, "1"), text);
      assert.match(readFileSync(file("book.yaml"), "utf8"), /- 01-the-ferry\.md\n {2}- 02-the-lamp\.md\n/);
    };
    await sh("api", "DELETE", `/chapters/${chapters[1]?.id}`);
    await sh("sync", "out", "--delete");
    assert.ok(!existsSync(file(LAMP)));
    await sh("undo");
    await restored();
    rmSync(file(LAMP));
    await sh("sync", "out", "--delete");
    await sh("undo");
    assert.match(
      (await sh("sync", "out", "--delete", "--dry-run")).stdout,
      /02-the-lamp\.md: would be written/,
    );
    await restored();
    rmSync(file(LAMP));
    assert.match((await sh("sync", "out")).stdout, /02-the-lamp\.md: gone from the folder/);
  });

  it("counts the whole book, whichever of its chapters have a file", async (t) => {
    const { sh, file } = await exported(t);
    const whole = /The Ferry Book: 2 chapters, \d+ words$/;
    rmSync(file(LAMP));
    const { stdout } = await sh("sync", "out");
    const said = /bk_\w+ {2}(.*)/.exec(stdout)?.[1] ?? "";
    assert.match(said, whole);
    const { wordCount } = (await sh("outline", "1", "--json")).json<{ wordCount: number }>();
    assert.ok(said.endsWith(`, ${wordCount} words`), said);
    assert.match(stdout, /same: 1 chapter\n/);
    assert.match((await sh("sync", "out", "--delete")).stdout, /The Ferry Book: 1 chapter, /);
  });

  it("touches neither side of a chapter in conflict, and ends with 5", async (t) => {
    const { sh, file, edit, put } = await exported(t);
    edit(LAMP, "lit the lamp", "lit the red lamp");
    await put("2", "lit the lamp", "lit the blue lamp");
    const before = readFileSync(file(LAMP), "utf8");
    const ran = await sh("sync", "out");
    assert.equal(ran.exit, EXIT.conflict);
    assert.match(ran.stdout, /\n {2}mine {4}.*red lamp.*\n {2}theirs {2}.*blue lamp/);
    assert.equal(readFileSync(file(LAMP), "utf8"), before);
    assert.match((await sh("show", "2")).stdout, /blue lamp/);
    assert.match(readFileSync(file("02-the-lamp.conflict.md"), "utf8"), /red lamp.*blue lamp/s);
    assert.equal((await sh("sync", "out", "--force", "theirs")).exit, EXIT.done);
    assert.match(readFileSync(file(LAMP), "utf8"), /blue lamp/);
  });

  it("counts what was written in the folder as the day's words", async (t) => {
    const { sh, edit } = await exported(t);
    const today = async () => (await sh("stats", "--json")).json<{ today: { net: number } }>().today.net;
    const before = await today();
    edit(LAMP, "lit the lamp", "lit the very old lamp");
    await sh("sync", "out");
    assert.equal(await today(), before + 2);
    await sh("undo");
    assert.equal(await today(), before);
  });

  it("says what became of a folder whose book is gone", async (t) => {
    const { sh } = await exported(t);
    const { books } = (await sh("books", "--json")).json<{ books: { id: string }[] }>();
    assert.equal((await sh("api", "DELETE", `/books/${books[0]?.id}`)).exit, EXIT.done);
    const refused = await sh("sync", "out");
    assert.equal(refused.exit, EXIT.notFound);
    assert.match(
      refused.stderr,
      /No such book as bk_\w+, which this folder is of; "manuscript import DIR" makes/,
    );
  });

  it("--force mine leaves alone what only the manuscript has changed", async (t) => {
    const { sh, file, edit, put } = await exported(t);
    edit(LAMP, "lit the lamp", "lit the red lamp");
    await put("2", "lit the lamp", "lit the blue lamp");
    await put("1", "already ringing", "still ringing");
    assert.equal((await sh("sync", "out", "--force", "mine")).exit, EXIT.done);
    assert.match((await sh("show", "2")).stdout, /red lamp/);
    assert.match((await sh("show", "1")).stdout, /still ringing/);
    assert.match(readFileSync(file(FERRY), "utf8"), /still ringing/);
  });

  it("keeps files without front matter without it", async (t) => {
    const { sh, put } = await exported(t);
    await sh("export", "1", "--plain", "-o", "plain");
    await put("1", "already", "still");
    const ran = await sh("sync", "plain");
    assert.equal(ran.exit, EXIT.done, ran.stdout + ran.stderr);
    const text = readFileSync(`${sh.cwd}/plain/${FERRY}`, "utf8");
    assert.match(text, /^# The Ferry\n.*still ringing/s);
  });

  it("refuses a folder that no book is named for, and takes one that is named", async (t) => {
    const { sh, file } = await exported(t);
    rmSync(file("book.yaml"));
    const refused = await sh("sync", "out");
    assert.equal(refused.exit, EXIT.usage);
    assert.match(refused.stderr, /No book is named for this folder.*--book/);
    assert.equal((await sh("sync", "out", "--book", "1")).exit, EXIT.done);
    assert.ok(existsSync(file("book.yaml")));
  });

  it("--watch follows every way in which editors save, and the manuscript's own changes", async (t) => {
    const { sh, file, put } = await exported(t);
    const stop = new AbortController();
    t.after(() => stop.abort()); // or a failure would be waited for without end
    const watching = sh.with({ stop: stop.signal })("sync", "out", "--watch");
    const shows = (chapter: string, word: string) =>
      eventually(
        async () => (await sh("show", chapter)).stdout.includes(word),
        `${word} in chapter ${chapter}`,
      );
    const changed = (word: string) =>
      readFileSync(file(FERRY), "utf8").replace(/ringing\w*/, `ringing${word}`);
    await eventually(async () => existsSync(file("book.yaml")), "the first sync");
    await wait(300);
    writeFileSync(file(FERRY), changed("one"));
    await shows("1", "ringingone");
    writeFileSync(file("save.tmp"), changed("two")); // beside, then renamed into its place
    renameSync(file("save.tmp"), file(FERRY));
    await shows("1", "ringingtwo");
    renameSync(file(FERRY), file(`${FERRY}~`)); // the old one kept as a backup
    writeFileSync(file(FERRY), readFileSync(file(`${FERRY}~`), "utf8").replace("ringingtwo", "ringingthree"));
    await shows("1", "ringingthree");
    rmSync(file(`${FERRY}~`));
    await put("2", "lit the lamp", "lit the old lamp");
    await eventually(
      async () => readFileSync(file(LAMP), "utf8").includes("old lamp"),
      "the server's change in the file",
    );
    stop.abort();
    assert.equal((await watching).exit, EXIT.done);
    assert.match((await sh("outline", "1")).stdout, /2 chapters/);
  });
});
