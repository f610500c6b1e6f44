import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { desk } from "./desk.ts";

const BELL = "\u0007";

describe("control characters", () => {
  const FILES = {
    "1.md": `# A\n\nThe wal${"\b"}k.\n`,
    "2.md": "# B\n\nSound.\n",
    "3.md": `---\ntitle: Si${BELL}gh\n---\n\n# C\n\n${BELL}x\n\n${BELL}y${"\b"}\n`,
    "facts.yaml": `- name: Ma${BELL}ra\n`,
  };

  it("are named all at once, with their lines, and nothing is written", async (t) => {
    const { sh, refusal } = await desk(t, FILES);
    assert.match(
      await refusal(),
      /1\.md: U\+0008 in line 3; 3\.md: U\+0007 in lines 2, 7 and 9, U\+0008 in line 9; facts\.yaml: U\+0007 in line 1: control characters, which no text may hold\. Nothing was written\. .*--clean/,
    );
    assert.deepEqual((await sh("books", "--json")).json<{ books: unknown[] }>().books, []);
  });

  it("are dropped with --clean, which says where; the next import of the same is none", async (t) => {
    const { sh, put, take, prose, outline } = await desk(t, FILES);
    const { bookId, skipped, facts } = await take(["--clean"]);
    assert.deepEqual(skipped, [
      { file: "1.md", reason: "taken without its control characters (U+0008 in line 3)" },
      {
        file: "3.md",
        reason: "taken without its control characters (U+0007 in lines 2, 7 and 9, U+0008 in line 9)",
      },
      { file: "facts.yaml", reason: "taken without its control characters (U+0007 in line 1)" },
    ]);
    assert.deepEqual(await prose(bookId), ["# A\n\nThe walk.\n", "# B\n\nSound.\n", "\n# C\n\nx\n\ny\n"]);
    assert.equal((await outline(bookId))[2]?.title, "Sigh");
    assert.equal(facts[0]?.name, "Mara");
    assert.equal((await sh("import", put({}), "--clean", "--exit-code")).exit, 0);
    const said = await sh("import", put({}), "--clean", "--title", "New", "--dry-run");
    assert.match(said.stderr, /^1\.md: taken without its control characters \(U\+0008 in line 3\)\.$/m);
  });

  it("are dropped from one text before it is cut, from stdin, too", async (t) => {
    const { sh, put, take, prose } = await desk(t, { "whole.md": `# A\n\n${BELL}x\n\n# B\n\ny\n` });
    const path = `${put({})}/whole.md`;
    assert.match((await sh("import", path)).stderr, /whole\.md: U\+0007 in line 3/);
    const { bookId, chapters } = await take(["--clean"], path);
    assert.equal(chapters.length, 2);
    assert.deepEqual(await prose(bookId), ["# A\n\nx\n\n", "# B\n\ny\n"]);
    const stdin = sh.with({ stdin: `${BELL}Bell.\n` });
    const refused = await stdin("import", "-");
    assert.equal(refused.exit, 2);
    assert.match(refused.stderr, /stdin: U\+0007 in line 1/);
    assert.equal((await stdin("import", "-", "--clean")).exit, 0);
  });

  it("in what another program's index says are no matter", async (t) => {
    const { take } = await desk(t, {
      "Index.md": '---\nlongform:\n  format: scenes\n  title: "O\\x07ne"\n  scenes: [a]\n---\n',
      "a.md": "Text.\n",
    });
    assert.equal((await take()).title, "One");
  });
});
