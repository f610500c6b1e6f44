import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { shell } from "./shell.ts";

/** A book of two chapters in the folder `out`, whose second was joined to the first in the manuscript. */
async function joined(t: TestContext) {
  const sh = shell(t);
  mkdirSync(`${sh.cwd}/novel`);
  writeFileSync(`${sh.cwd}/novel/1-quay.md`, "# Quay\n\nMara rang the bell.\n");
  writeFileSync(`${sh.cwd}/novel/2-sea.md`, "# Sea\n\nThe tide took the boat out.\n\nNobody saw it go.\n");
  await sh("init", "book.manuscript");
  await sh("import", "novel");
  await sh("export", "1", "-o", "out");
  await sh("chapter", "join", "1");
  const file = `${sh.cwd}/out/2-sea.md`;
  return {
    sh,
    file,
    edit: (from: string, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to)),
    texts: async () => {
      const { stdout } = await sh("export", "1", "-o", "-");
      return stdout.match(/^(?:#+ )?[A-Z][^:\n]*$/gm)?.map((line) => line.replace(/^#+ /, ""));
    },
  };
}

const WHOLE = ["Quay", "Mara rang the bell.", "Sea", "The tide took the boat out.", "Nobody saw it go."];

describe("the file of a chapter that was joined to another in the manuscript", () => {
  for (const command of ["sync", "import"])
    it(`brings what was added to it, and no paragraph twice: ${command}`, async (t) => {
      const { sh, file, edit, texts } = await joined(t);
      edit("Nobody saw", "A gull cried.\n\nNobody saw");
      const { exit, stdout } = await sh(command, "out");
      assert.equal(exit, 0);
      assert.match(stdout, /2-sea\.md: 3 paragraphs were moved or deleted in the manuscript/);
      assert.deepEqual((await texts())?.sort(), [...WHOLE, "A gull cried."].sort());
      assert.equal((await sh("sync", "out")).exit, 0);
      const text = readFileSync(file, "utf8");
      assert.ok(text.includes("A gull cried.") && !text.includes("Nobody saw it go."), text);
      assert.match((await sh("sync", "out")).stdout, /same: 2 chapters/);
      assert.equal((await texts())?.length, WHOLE.length + 1);
    });

  it("is left out if all that it says stands there, and what was cut from it goes from there", async (t) => {
    const { sh, file, edit, texts } = await joined(t);
    edit("\n\nNobody saw it go.", "");
    const { stdout } = await sh("sync", "out");
    assert.match(stdout, /2-sea\.md: the manuscript has deleted its chapter; left out/);
    assert.match(stdout, /Quay .* 1 paragraph removed/);
    assert.deepEqual(await texts(), WHOLE.slice(0, -1));
    assert.ok(existsSync(file));
    await sh("undo", "--yes");
    assert.deepEqual(await texts(), WHOLE);
  });

  it("is taken whole where the join was undone", async (t) => {
    const { sh, edit, texts } = await joined(t);
    edit("Nobody saw", "A gull cried.\n\nNobody saw");
    await sh("undo", "--yes");
    assert.equal((await sh("sync", "out")).exit, 0);
    assert.deepEqual(await texts(), WHOLE.toSpliced(4, 0, "A gull cried."));
  });
});

describe("a file joined to another in the folder, and taken away", () => {
  async function inFolder(t: TestContext) {
    const sh = shell(t);
    mkdirSync(`${sh.cwd}/novel`);
    writeFileSync(`${sh.cwd}/novel/1-quay.md`, "# Quay\n\nMara rang the bell.\n");
    writeFileSync(`${sh.cwd}/novel/2-sea.md`, "# Sea\n\nThe tide took the boat out.\n\nNobody saw it go.\n");
    await sh("init", "book.manuscript");
    await sh("import", "novel");
    await sh("export", "1", "-o", "out");
    appendFileSync(`${sh.cwd}/out/1-quay.md`, "\nThe tide took the boat out.\n\nNobody saw it go.\n");
    rmSync(`${sh.cwd}/out/2-sea.md`);
    const text = async () => (await sh("export", "1", "--plain", "-o", "-")).stdout;
    const acts = async () => (await sh("history")).stdout.match(/^act_/gm)?.length ?? 0;
    return { sh, text, acts, file: `${sh.cwd}/out/2-sea.md` };
  }
  const JOINED = "# Quay\n\nMara rang the bell.\n\nThe tide took the boat out.\n\nNobody saw it go.\n";

  it("is one act with --delete, whose undo brings both chapters back, and is not written again", async (t) => {
    const { sh, text, acts, file } = await inFolder(t);
    const [whole, before] = [await text(), await acts()];
    const { exit, stdout, stderr } = await sh("sync", "out", "--delete");
    assert.equal(exit, 0, stderr);
    assert.match(stdout, /2 paragraphs moved from Sea to Quay/);
    assert.match(stdout, /2-sea\.md: gone from the folder; its chapter is deleted/);
    assert.equal(await acts(), before + 1);
    assert.equal(await text(), JOINED);
    assert.match((await sh("sync", "out", "--delete")).stdout, /same: 1 chapter/);
    assert.ok(!existsSync(file));
    assert.equal(stderr.match(/manuscript undo/g)?.length, 1);
    const [, act = ""] = /manuscript undo (act_\w+)/.exec(stderr) ?? [];
    assert.equal((await sh("undo", act)).exit, 0);
    assert.equal(await text(), whole);
    assert.equal((await sh("sync", "out")).exit, 0);
    assert.match(readFileSync(file, "utf8"), /Nobody saw it go/);
    assert.equal(await text(), whole);
  });

  it("changes nothing in a dry run, and without --delete keeps the chapter", async (t) => {
    const { sh, text, file } = await inFolder(t);
    const whole = await text();
    assert.match((await sh("sync", "out", "--delete", "--dry-run")).stdout, /its chapter would be deleted/);
    assert.equal(await text(), whole);
    assert.match((await sh("sync", "out")).stdout, /2-sea\.md: gone from the folder; its chapter stays/);
    assert.equal(await text(), `${JOINED}\n# Sea\n`);
    assert.equal((await sh("sync", "out", "--delete")).exit, 0);
    assert.equal(await text(), JOINED);
    assert.ok(!existsSync(file));
  });
});
