import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
      assert.match(stdout, /2-sea\.md: 3 paragraphs stand in other chapters by now/);
      assert.deepEqual((await texts())?.sort(), [...WHOLE, "A gull cried."].sort());
      assert.equal((await sh("sync", "out")).exit, 0);
      const text = readFileSync(file, "utf8");
      assert.ok(text.includes("A gull cried.") && !text.includes("Nobody saw it go."), text);
      assert.match((await sh("sync", "out")).stdout, /same: 2 chapters/);
      assert.equal((await texts())?.length, WHOLE.length + 1);
    });

  it("is left out if all that it says stands there", async (t) => {
    const { sh, file, edit, texts } = await joined(t);
    edit("\n\nNobody saw it go.", "");
    assert.match(
      (await sh("sync", "out")).stdout,
      /2-sea\.md: the manuscript has deleted its chapter; left out/,
    );
    assert.deepEqual(await texts(), WHOLE);
    assert.ok(existsSync(file));
  });

  it("is taken whole where the join was undone", async (t) => {
    const { sh, edit, texts } = await joined(t);
    edit("Nobody saw", "A gull cried.\n\nNobody saw");
    await sh("undo", "--yes");
    assert.equal((await sh("sync", "out")).exit, 0);
    assert.deepEqual(await texts(), WHOLE.toSpliced(4, 0, "A gull cried."));
  });
});
