import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { type Shell, withBook } from "./shell.ts";

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

describe("write, of plain text over a chapter with emphasis", () => {
  it("refuses the chapter's own, as show prints it, and takes it by force", async (t) => {
    const { sh } = await desk(t);
    const before = (await sh("show", "1", "-f", "markdown")).stdout;
    const shown = sh.with({ stdin: (await sh("show", "1")).stdout });
    for (const words of [[], ["--dry-run"], ["--propose"]]) {
      const { exit, stderr } = await shown("write", "1", "-", ...words);
      assert.equal(exit, EXIT.wouldLose);
      assert.match(stderr, /without its emphasis.*Nothing was written; "manuscript show ch_\w+ -f markdown"/);
    }
    assert.equal((await sh("show", "1", "-f", "markdown")).stdout, before);
    assert.equal((await shown("write", "1", "-", "--force")).exit, EXIT.done);
  });

  it("warns if it is another, in a dry run too, and says nothing where emphasis stays", async (t) => {
    const { sh } = await desk(t);
    const warning =
      /no emphasis and no link, which 1 paragraph had\. .*manuscript show ch_\w+ -f markdown\n$/;
    const markdown = (await sh("show", "1", "-f", "markdown")).stdout.replace("late", "early");
    const kept = await sh.with({ stdin: markdown })("write", "1", "--dry-run");
    assert.doesNotMatch(kept.stderr, /emphasis/);
    const edited = sh.with({ stdin: (await sh("show", "1")).stdout.replace("late", "early") });
    assert.match((await edited("write", "1", "--dry-run")).stderr, warning);
    const { stderr } = await edited("write", "1");
    assert.match(stderr, warning);
    assert.match(stderr, /manuscript undo act_\w+/);
    const again = await sh.with({ stdin: "One.\n" })("write", "1", "--yes", "--json");
    assert.equal(fits(again, "write").unmarked, 0);
  });
});

describe("write, of a text that was made from an older revision", () => {
  const ferry = (sh: Shell) => async () => (await sh("show", "1", "-f", "markdown")).stdout;

  it("is refused where it would take back what was written since, unless --force says so", async (t) => {
    const sh = await withBook(t);
    const show = ferry(sh);
    const old = await show();
    await sh("replace", "1", "bell", "gong", "--apply");
    const now = await show();
    const own = old.replace("You are late", "You are early");
    for (const stdin of [old, own, `${old}\nA gull cried.\n`, old.replace("ringing", "ringing now")]) {
      const { exit, stderr } = await sh.with({ stdin })("write", "1");
      assert.equal(exit, EXIT.wouldLose);
      assert.match(
        stderr,
        /looks like revision 1 and would take back “Mara came down .*…”.*--base 1 .*--force/,
      );
      assert.equal((await sh.with({ stdin })("write", "1", "--propose")).exit, EXIT.wouldLose);
      assert.equal(await show(), now);
    }
    assert.equal((await sh.with({ stdin: own })("write", "1", "--base", "1")).exit, EXIT.done);
    assert.equal(await show(), now.replace("You are late", "You are early"));
    assert.equal((await sh.with({ stdin: old })("write", "1", "--force")).exit, EXIT.done);
    assert.equal(await show(), old);
  });

  it("is refused where it lacks a paragraph that came, or has one again that went, however long ago", async (t) => {
    const sh = await withBook(t);
    const show = ferry(sh);
    const first = await show();
    await sh.with({ stdin: `${first}\nA gull cried.\n` })("write", "1");
    const second = await show();
    await sh.with({ stdin: second.replace("“You are late,” said old Tobit.\n\n", "") })("write", "1");
    for (const to of ["wailed", "shrieked", "fell silent"])
      await sh.with({ stdin: (await show()).replace(/gull .*\./, `gull ${to}.`) })("write", "1");
    const now = await show();
    for (const [revision, stdin] of [first, second].entries()) {
      const refused = await sh.with({ stdin: stdin.replace("before light", "at dawn") })("write", "1");
      assert.match(refused.stderr, new RegExp(`looks like revision ${revision + 1} `));
    }
    assert.equal(await show(), now);
  });

  it("is named as the revision of which it takes back most, and a word that stands there by chance is no knowledge", async (t) => {
    const sh = await withBook(t);
    const show = ferry(sh);
    const first = await show();
    await sh("replace", "1", "bell", "gong", "--apply");
    await sh("replace", "1", "ringing", "silent", "--apply");
    await sh.with({ stdin: `${await show()}\nA gull cried: the end.\n` })("write", "1");
    const now = await show();
    for (const stdin of [first, first.replace("You are late", "You are early"), `${first}\nThe end.\n`]) {
      const { exit, stderr } = await sh.with({ stdin })("write", "1");
      assert.deepEqual([exit, /looks like revision (\d)/.exec(stderr)?.[1]], [EXIT.wouldLose, "1"]);
    }
    assert.equal(await show(), now);
  });

  it("is refused where its front matter says that it is another chapter's", async (t) => {
    const sh = await withBook(t);
    const lamp = async () => (await sh("show", "2", "-f", "markdown")).stdout;
    const before = await lamp();
    const stdin = (await sh("show", "1", "-f", "markdown", "--header")).stdout;
    const refused = await sh.with({ stdin })("write", "2", "--yes");
    assert.deepEqual([refused.exit, await lamp()], [EXIT.wouldLose, before]);
    assert.match(refused.stderr, /says that it is of ch_\w+, and this is ch_\w+.*write ch_\w+.*--force/);
    assert.equal((await sh.with({ stdin })("write", "2", "--yes", "--force")).exit, EXIT.done);
  });

  it("is written where it knows of what was written since, whatever it makes of that", async (t) => {
    const sh = await withBook(t);
    const show = ferry(sh);
    await sh("replace", "1", "bell", "gong", "--apply");
    for (const [from, to] of [
      ["gong was already ringing", "gong was ringing"],
      ["the gong was ringing", "nobody was there"],
      ["nobody was there", "somebody waited"],
      ["“You are late,” said old Tobit.\n", ""],
    ] as const) {
      const stdin = (await show()).replace(from, to);
      assert.equal((await sh.with({ stdin })("write", "1", "--yes")).exit, EXIT.done, to);
      assert.equal(await show(), stdin);
    }
  });

  it("is refused where it was merged once, and is saved again without what was written since", async (t) => {
    const sh = await withBook(t);
    const show = ferry(sh);
    const own = (await show()).replace("You are late", "You are early");
    await sh("replace", "1", "bell", "gong", "--apply");
    assert.equal((await sh.with({ stdin: own })("write", "1", "--base", "1")).exit, EXIT.done);
    const now = await show();
    assert.match(now, /gong[\s\S]*You are early/);
    const { exit, stderr } = await sh.with({ stdin: `${own}\nA gull cried.\n` })("write", "1");
    assert.deepEqual([exit, await show()], [EXIT.wouldLose, now], stderr);
    assert.match(stderr, /looks like revision 1 and would take back “Mara came down .*gong/);
  });

  it("is merged where show --header says its revision, and its file follows while it is the chapter's text", async (t) => {
    const sh = await withBook(t);
    const show = ferry(sh);
    const path = join(sh.cwd, "ferry.md");
    writeFileSync(path, (await sh("show", "1", "-f", "markdown", "--header")).stdout);
    const edit = async (from: string, to: string) => {
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
      return await sh("write", "1", "ferry.md");
    };
    assert.equal((await edit("before light", "at dawn")).exit, EXIT.done);
    assert.match(readFileSync(path, "utf8"), /^---\nid: ch_\w+\nrevision: 2\n---\n\n# The Ferry\n/);
    assert.equal((await edit("at dawn", "at dusk")).exit, EXIT.done, "the same words once more");
    await sh("replace", "1", "Tobit", "Tobias", "--apply");
    const merged = await edit("at dusk", "at noon");
    assert.match(merged.stdout, /what another hand changed meanwhile stays\n$/);
    assert.match(merged.stderr, /ferry\.md lacks what stays\. Get the whole with: manuscript show ch_\w+ /);
    assert.match(await show(), /at noon.*said old Tobias/s);
    const both = await edit("old Tobit", "young Tobit");
    assert.equal(both.exit, EXIT.conflict);
    assert.match(both.stderr, /mine .*young Tobit[\s\S]*theirs .*old Tobias[\s\S]*--force/);
    assert.equal((await sh("write", "1", "ferry.md", "--force")).exit, EXIT.done);
    assert.match(await show(), /at noon.*said young Tobit/s);
  });

  it("is proposed with --propose, and a base that is not there is named", async (t) => {
    const sh = await withBook(t);
    const show = ferry(sh);
    const old = await show();
    await sh("replace", "1", "bell", "gong", "--apply");
    const now = await show();
    const own = sh.with({ stdin: old.replace("You are late", "You are early") });
    fits(await own("write", "1", "--base", "1", "--propose", "--json"), "write --propose");
    assert.equal(await show(), now);
    const [proposal] = (await sh("proposals", "list", "--json")).json<{ proposals: { id: string }[] }>()
      .proposals;
    await sh("proposals", "accept", proposal!.id); // there is one
    assert.equal(await show(), now.replace("You are late", "You are early"));
    const none = await own("write", "1", "--base", "9");
    assert.equal(none.exit, EXIT.usage);
    assert.match(none.stderr, /There is no revision 9 of “The Ferry”: it is at revision 3/);
    assert.equal((await sh("show", "1", "--header")).exit, EXIT.usage);
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
