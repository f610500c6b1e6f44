import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

/** The short book, and how its second chapter reads. */
async function desk(t: TestContext) {
  const sh = await withBook(t);
  return { sh, lamp: async () => (await sh("show", "2", "--format", "markdown")).stdout };
}

describe("write", () => {
  it("replaces the prose by stdin or a file and keeps the mentions of what stays", async (t) => {
    const { sh, lamp } = await desk(t);
    await sh("detect", "2", "--apply");
    const mentions = async () =>
      (await sh("facts", "list", "1", "--json")).json<{ facts: { name: string; mentionCount: number }[] }>()
        .facts;
    const before = await mentions();
    const stdin = `${await lamp()}\nA gull cried.\n`;
    const wrote = await sh.with({ stdin })("write", "2");
    assert.match(wrote.stdout, /1 paragraph to add\n {2}b_\w+ {2}add {2}\{\+A gull cried\.\+\}\n/);
    assert.match(wrote.stdout, /The Lamp: \+3 −0 words, 1 new paragraph\n$/);
    assert.equal(await lamp(), stdin);
    assert.deepEqual(await mentions(), before);
    assert.equal(fits(await sh.with({ stdin })("write", "2", "-", "--json"), "write").act, null);
    writeFileSync(join(sh.cwd, "lamp.md"), stdin.replace("A gull", "Nobody"));
    assert.equal(fits(await sh("write", "The Lamp", "lamp.md", "--json"), "write").changed, true);
    assert.match(await lamp(), /Nobody cried/);
  });

  it("leaves an exported file's front matter out and says so", async (t) => {
    const { sh, lamp } = await desk(t);
    const stdin = "---\ntitle: Other\n---\n\n# The Lamp\n\nMara lit the lamp. Tobit did not look up again.\n";
    const { stderr } = await sh.with({ stdin })("write", "2");
    assert.match(stderr, /^The front matter was left out/);
    assert.equal(await lamp(), stdin.slice(stdin.indexOf("#")));
    assert.equal((await sh("show", "2", "--json")).json().title, "The Lamp");
  });

  it("refuses nothing, blanks and what would lose more than half, and --yes lets that go", async (t) => {
    const { sh, lamp } = await desk(t);
    const before = await lamp();
    for (const stdin of ["", " \n\n", "---\ntitle: A\n---\n"])
      assert.equal((await sh.with({ stdin })("write", "2")).exit, EXIT.usage, JSON.stringify(stdin));
    const short = sh.with({ stdin: "Short.\n" });
    assert.equal((await short("write", "2")).exit, EXIT.wouldLose);
    assert.equal((await short("write", "2", "--dry-run")).exit, EXIT.wouldLose);
    assert.equal(await lamp(), before);
    assert.equal((await short("write", "2", "--yes")).exit, EXIT.done);
    assert.equal(await lamp(), "Short.\n");
  });
});

describe("restore", () => {
  it("makes an older revision the newest, says what it costs, and once more changes nothing", async (t) => {
    const { sh, lamp } = await desk(t);
    const before = await lamp();
    await sh("replace", "1", "lit", "broke", "--apply");
    assert.match(
      (await sh("restore", "2", "1", "--dry-run")).stdout,
      /^The Lamp: revision 1 would be the newest again, as revision 3, 1 paragraph to edit\n$/,
    );
    const { stdout, stderr } = await sh("restore", "2", "1");
    assert.match(stdout, /^The Lamp: revision 1 is the newest again, as revision 3, 1 paragraph edited\n$/);
    assert.match(stderr, /manuscript undo act_/);
    assert.equal(await lamp(), before);
    const again = await sh("restore", "2", "1");
    assert.match(again.stdout, /as it was at revision 1 already/);
    assert.match(again.stderr, /Nothing has changed/);
    const unknown = await sh("restore", "2", "9");
    assert.equal(unknown.exit, EXIT.notFound);
    assert.match(unknown.stderr, /"manuscript history CHAPTER" lists them all/);
  });
});
