import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { type Shell, shell } from "./shell.ts";

/** A manuscript and a folder that holds these files. */
async function withFolder(t: TestContext, files: Readonly<Record<string, string>>): Promise<Shell> {
  const sh = shell(t);
  await sh("init", "book.manuscript");
  mkdirSync(join(sh.cwd, "in"));
  put(sh, files);
  return sh;
}

function put({ cwd }: Shell, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, "in", name), text);
}

describe("where an import draws the line", () => {
  it("a chapter may shrink to half its words and no further", async (t) => {
    const sh = await withFolder(t, { "one.md": "One two three four five six seven eight nine ten.\n" });
    assert.equal((await sh("import", "in")).exit, EXIT.done);
    put(sh, { "one.md": "One two three four.\n" });
    assert.equal((await sh("import", "in", "--book", "1")).exit, EXIT.wouldLose);
    put(sh, { "one.md": "One two three four five.\n" });
    assert.equal((await sh("import", "in", "--book", "1")).exit, EXIT.done);
    assert.match((await sh("show", "1")).stdout, /One two three four five\.\n$/);
  });

  it("of two chapters that had one file the first in reading order is meant", async (t) => {
    const sh = await withFolder(t, { "one.md": "The first of them.\n" });
    const first = fits(await sh("import", "in", "--json"), "import").chapters[0]?.id;
    const { act } = (await sh("api", "DELETE", `/chapters/${first}`)).json();
    put(sh, { "one.md": "The second of them.\n" });
    const second = fits(await sh("import", "in", "--book", "1", "--json"), "import").chapters[0]?.id;
    assert.equal((await sh("undo", String(act))).exit, EXIT.done);
    const { chapters } = (await sh("outline", "1", "--json")).json<{ chapters: { id: string }[] }>();
    const order = chapters.map(({ id }) => id);
    assert.deepEqual([...order].sort(), [first, second].sort(), "both are there");
    put(sh, { "one.md": "The third of them.\n" });
    const { chapters: taken } = fits(await sh("import", "in", "--book", "1", "--json"), "import");
    assert.deepEqual(
      taken.map(({ id, status }) => [id, status]),
      [[order[0], "updated"]],
    );
  });

  it("half a surrogate pair in a note's address is refused, and nothing is imported", async (t) => {
    const note = '- kind: note\n  url: "http://a/\\ud83d"\n';
    const sh = await withFolder(t, { "one.md": "One.\n", "notes.yaml": note });
    const ran = await sh("import", "in");
    assert.match(ran.stderr, /url must be an http, https or mailto address/);
    assert.deepEqual((await sh("books", "--json")).json().books, []);
  });

  for (const [what, file, text] of [
    ["a title", "book.json", '{"title": "Ferry\\ud83d"}'],
    ["a fact's name", "facts.yaml", '- name: "Mara\\ud83d"\n  kind: character\n'],
  ] as const) {
    it(`half a surrogate pair in ${what} is refused, and nothing is imported`, async (t) => {
      const sh = await withFolder(t, { "one.md": "One.\n", [file]: text });
      const ran = await sh("import", "in");
      assert.notEqual(ran.exit, EXIT.done, ran.stdout);
      assert.match(ran.stderr, /half a surrogate pair/);
      assert.deepEqual((await sh("books", "--json")).json().books, []);
    });
  }
});
