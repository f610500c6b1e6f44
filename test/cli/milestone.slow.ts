import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { type Shell, withBook } from "./shell.ts";

async function out(sh: Shell, ...words: string[]): Promise<string> {
  const { exit, stdout, stderr } = await sh(...words);
  assert.equal(exit, EXIT.done, stderr);
  return stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME").replace(/(ms|act|ch)_\w{16}/g, "$1_…");
}

async function withDraft(t: Parameters<typeof withBook>[0]): Promise<Shell> {
  const sh = await withBook(t);
  await sh("milestone", "add", "Draft 1");
  await sh("replace", "1", "ferry", "barge", "--apply");
  await sh("chapter", "rename", "2", "The Lantern");
  await sh("chapter", "add", "Oar", "One oar.");
  return sh;
}

describe("milestone", () => {
  it("names a draft, which lists and history show; renames and deletes it", async (t) => {
    const sh = await withBook(t);
    assert.equal(
      await out(sh, "milestone", "add", "Draft 1"),
      "ms_…  Draft 1: 33 words in 2 chapters, as of TIME\n",
    );
    assert.match(await out(sh, "history", "--limit", "1"), /named a draft {2}1 milestone: Draft 1$/m);
    assert.match((await sh("milestone", "add", "Draft 1")).stderr, /Another milestone is called so/);
    const refused = await sh("milestone", "rename", "Draft 1", "Draft 2");
    assert.equal(refused.exit, EXIT.usage);
    assert.match(refused.stderr, /may be any of 2/);
    assert.equal(await out(sh, "milestone", "rename", "2", "Draft 2"), "ms_…  Draft 1 → Draft 2\n");
    assert.equal(
      await out(sh, "milestone", "list"),
      "1  Draft 1  TIME  33 words  2 chapters  ms_…\n2  Draft 2  TIME  33 words  2 chapters  ms_…\n",
    );
    assert.match(await out(sh, "milestone", "delete", "draft 1"), /^Deleted “Draft 1”: the name alone/);
  });

  it("compares chapter by chapter, by day and time too, and says how to see the words", async (t) => {
    const sh = await withDraft(t);
    const { stderr } = await sh("milestone", "compare");
    assert.equal(stderr, "A chapter's words: manuscript diff CHAPTER 'Draft 1'\n");
    assert.equal(
      await out(sh, "milestone", "compare"),
      `Draft 1 (TIME) → now: 2 chapters changed, 1 new, +5 −3 words
1  The Barge    was The Ferry; 2 paragraphs edited  +2 −2
2  The Lantern  was The Lamp; 1 paragraph edited    +1 −1
3  Oar          new                                 +2 −0
`,
    );
    assert.match(await out(sh, "diff", "2", "Draft 1"), /The \[-Lamp-\]\{\+Lantern\+\}\n$/);
    assert.match(
      await out(sh, "milestone", "compare", "2d"),
      /^before anything was written → now: 3 chapters new/,
    );
    assert.match(
      await out(sh, "milestone", "compare", "1", "0m"),
      /^Draft 1 .* → TIME \(act_…\): 2 chapters changed/,
    );
    const refused = await sh("milestone", "compare", "Nothing");
    assert.equal(refused.exit, EXIT.notFound);
    assert.match(refused.stderr, /"manuscript milestone list" lists them; an act, a day/);
  });

  it("puts a chapter or the whole book back, after a question, and undo brings all of it again", async (t) => {
    const sh = await withDraft(t);
    assert.match(
      await out(sh, "restore", "1", "Draft 1", "--dry-run"),
      /^The Barge: Draft 1 would be the newest again/,
    );
    const asked = await sh("milestone", "restore", "Draft 1");
    assert.equal(asked.exit, EXIT.wouldLose);
    assert.match(
      asked.stderr,
      /2 chapters to change, 1 to go, \+3 −5 words; undo brings all of it back\. Give --yes/,
    );
    const text = await out(sh, "milestone", "restore", "Draft 1", "--yes");
    assert.match(text, /^“The Ferry Book” is as it was at Draft 1 \(TIME\): 2 chapters changed, 1 gone/);
    assert.match(text, /^ {3}Oar +gone +\+0 −2$/m);
    assert.match(await out(sh, "milestone", "compare"), /: the book is the same\.$/m);
    assert.match(await out(sh, "milestone", "restore", "Draft 1"), /already\.$/m);
    await sh("undo", "--yes");
    assert.match(await out(sh, "outline"), /Oar/);
  });

  it("goes with a bundle, and a chapter that comes back has its file again at the next sync", async (t) => {
    const sh = await withDraft(t);
    await sh("export", "-f", "json", "-o", "all.json");
    await sh("init", "other.manuscript");
    await sh("import", "all.json", "--file", "other.manuscript");
    const compared = (file: string) => out(sh, "milestone", "compare", "--file", file);
    assert.equal(await compared("other.manuscript"), await compared("book.manuscript"));
    await sh("export", "1", "-o", "out");
    await sh("milestone", "add", "Draft 2");
    await sh("chapter", "delete", "Oar", "--yes");
    await sh("sync", "out", "--delete");
    assert.ok(!existsSync(join(sh.cwd, "out/03-oar.md")));
    await sh("milestone", "restore", "Draft 2", "--yes");
    await sh("sync", "out");
    assert.ok(existsSync(join(sh.cwd, "out/03-oar.md")));
  });
});
