import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { type Shell, withBook } from "./shell.ts";

/** The short book, and editors: shell scripts that find the file in `$1`. */
async function desk(t: TestContext) {
  const sh = await withBook(t);
  let count = 0;
  const editing = (script: string, more: { isAsked?: boolean; stdin?: string } = {}): Shell => {
    const path = join(sh.cwd, `editor-${++count}.sh`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return sh.with({ env: { EDITOR: path }, ...more });
  };
  const lamp = async () => (await sh("show", "2", "--format", "markdown")).stdout;
  return { sh, editing, lamp };
}

/** The path that a message says a text is kept at. */
function keptAt(stderr: string): string {
  const path = /(\/\S+\.md)/.exec(stderr)?.[1];
  assert.ok(path !== undefined, stderr);
  return path;
}

describe("edit", () => {
  it("opens the chapter's Markdown as a file of the writer alone, shows the plan, writes, and leaves no file", async (t) => {
    const { sh, editing, lamp } = await desk(t);
    const before = await lamp();
    const script = `echo "$1" > seen; ls -ld "$(dirname "$1")" "$1" | cut -c1-10 >> seen; cp "$1" copy; sed -i 's/lit/trimmed/' "$1"`;
    const ran = await editing(script)("edit", "2");
    assert.equal(ran.exit, EXIT.done, ran.stderr);
    assert.match(
      ran.stdout,
      /The Lamp: \+1 −1 words, 1 paragraph to edit\n {2}b_\w+ {2}edit {2}Mara \[-lit-\]\{\+trimmed\+\}/,
    );
    assert.match(ran.stderr, /Take it back with: manuscript undo act_/);
    assert.match(ran.stdout, /\nch_\w+ {2}The Lamp: \+1 −1 words, 1 paragraph edited\n$/);
    assert.equal(await lamp(), before.replace("lit", "trimmed"));
    const [path = "", folderMode, fileMode] = readFileSync(join(sh.cwd, "seen"), "utf8").split("\n");
    assert.match(path, /\/02-the-lamp\.md$/);
    assert.deepEqual([folderMode, fileMode], ["drwx------", "-rw-------"]);
    assert.equal(readFileSync(join(sh.cwd, "copy"), "utf8"), before);
    assert.ok(!existsSync(dirname(path)));
    await sh("undo");
    assert.equal(await lamp(), before);
  });

  it("does nothing where the file was not changed, was emptied or is gone, and says so", async (t) => {
    const { sh, editing, lamp } = await desk(t);
    const before = await lamp();
    const acts = async () => (await sh("history", "--json")).json().total;
    const count = await acts();
    for (const [script, said] of [
      ["true", /was not changed; nothing was written/],
      ["echo >> $1", /was not changed/],
      [": > $1", /was left empty; nothing was written/],
      ["rm $1", /was left empty/],
    ] as const) {
      const { exit, stderr } = await editing(script)("edit", "2");
      assert.equal(exit, EXIT.done, script);
      assert.match(stderr, said);
      assert.equal(fits(await editing(script)("edit", "2", "--json"), "write").changed, false);
    }
    assert.deepEqual([await lamp(), await acts()], [before, count]);
  });

  it("loses nothing where the editor fails: the file is named, and the next edit goes on with it", async (t) => {
    const { sh, editing, lamp } = await desk(t);
    const before = await lamp();
    const crashed = await editing("sed -i 's/lit/dropped/' $1; exit 3")("edit", "2");
    assert.equal(crashed.exit, EXIT.failed);
    assert.match(
      crashed.stderr,
      /ended with 3\. Nothing was written\. Your text is kept: \S+\.md; "manuscript edit CHAPTER --resume" goes on/,
    );
    const kept = keptAt(crashed.stderr);
    assert.match(readFileSync(kept, "utf8"), /dropped the lamp/);
    assert.equal(await lamp(), before);
    const refused = await editing("true")("edit", "2");
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.equal(keptAt(refused.stderr), kept);
    assert.equal((await editing("true")("edit", "1")).exit, EXIT.done, "another chapter's is not concerned");
    const anew = await editing("grep -q 'lit the lamp' $1", { isAsked: true, stdin: "n\n" })("edit", "2");
    assert.equal(anew.exit, EXIT.done, anew.stderr);
    assert.match(anew.stderr, /was never written: \S+\.md\nGo on with it\? \[Y\/n\] It stays there\./);
    assert.ok(existsSync(kept));
    const resumed = await editing("sed -i 's/dropped/dropped and broke/' $1", { isAsked: true, stdin: "\n" })(
      "edit",
      "2",
    );
    assert.equal(resumed.exit, EXIT.done, resumed.stderr);
    assert.match(await lamp(), /dropped and broke the lamp/);
    assert.ok(!existsSync(dirname(kept)));
    assert.equal((await editing("true")("edit", "2", "--resume")).exit, EXIT.notFound);
    assert.equal((await sh("undo")).exit, EXIT.done);
  });

  it("merges with what another hand has written meanwhile", async (t) => {
    const { sh, editing, lamp } = await desk(t);
    const chapter = (await sh("show", "2", "--json")).json().id;
    const { doc } = (await sh("show", "2", "--format", "doc", "--json")).json<{
      doc: { content: { attrs: { blockId: string } }[] };
    }>();
    const other = sh.with({ stdin: JSON.stringify({ markdown: "The Lantern" }) });
    // The first edit fails once it has saved; then somebody else writes.
    await editing("sed -i 's/lit/trimmed/' $1; exit 1")("edit", "2");
    await other(
      "api",
      "PATCH",
      `/chapters/${chapter}/paragraphs/${doc.content[0]?.attrs.blockId}`,
      "--input",
      "-",
    );
    const { exit, stdout, stderr } = await editing("true")("edit", "2", "--resume");
    assert.equal(exit, EXIT.done, stderr);
    assert.match(stdout, /1 paragraph edited; what another hand changed meanwhile stays\n$/);
    assert.match(await lamp(), /^# The Lantern\n\nMara trimmed the lamp/);
  });

  it("refuses what both changed, keeps the text, shows both, and --force decides", async (t) => {
    const { sh, editing, lamp } = await desk(t);
    await editing("sed -i 's/lit/trimmed/' $1; exit 1")("edit", "2");
    await sh("replace", "1", "lit", "broke", "--apply");
    const refused = await editing("true")("edit", "2", "--resume");
    assert.equal(refused.exit, EXIT.conflict);
    assert.match(
      refused.stderr,
      /^ {2}mine {4}Mara trimmed.*\n {2}theirs {2}Mara broke.*\nmanuscript: You and somebody else changed the same place/,
    );
    assert.match(readFileSync(keptAt(refused.stderr), "utf8"), /trimmed/);
    assert.match(await lamp(), /broke/);
    const { conflicts } = (await editing("true")("edit", "2", "--resume", "--json")).json<{
      conflicts: unknown[];
    }>();
    assert.equal(conflicts.length, 1);
    assert.equal((await editing("true")("edit", "2", "--resume", "--force", "mine")).exit, EXIT.done);
    assert.match(await lamp(), /trimmed/);
  });

  it("asks before more than half goes, and keeps the text where the answer is no", async (t) => {
    const { editing, lamp } = await desk(t);
    const before = await lamp();
    const declined = await editing("echo Short. > $1", { isAsked: true, stdin: "n\n" })("edit", "2");
    assert.equal(declined.exit, EXIT.wouldLose);
    assert.match(
      declined.stderr,
      /More than half would go of “The Lamp”: 11 words to 1\. Write it\? \[y\/N\]/,
    );
    assert.equal(
      readFileSync(keptAt(declined.stderr.slice(declined.stderr.indexOf("kept:"))), "utf8"),
      "Short.\n",
    );
    assert.equal(await lamp(), before);
    const refused = await editing("true")("edit", "2", "--resume");
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.equal((await editing("true")("edit", "2", "--resume", "--yes")).exit, EXIT.done);
    assert.equal(await lamp(), "Short.\n");
  });

  it("keeps what is not valid UTF-8, and takes $VISUAL before $EDITOR, with its options", async (t) => {
    const { sh, editing, lamp } = await desk(t);
    const broken = await editing("printf '\\377\\376' > $1")("edit", "2");
    assert.equal(broken.exit, EXIT.usage);
    assert.ok(existsSync(keptAt(broken.stderr)));
    const both = sh.with({ env: { VISUAL: "sed -i s/lit/held/", EDITOR: "false" } });
    assert.equal((await both("edit", "2", "--fresh")).exit, EXIT.done);
    assert.match(await lamp(), /held the lamp/);
  });

  it("says what to set where there is no editor, and where it cannot be started", async (t) => {
    const { sh } = await desk(t);
    const none = await sh("edit", "2");
    assert.equal(none.exit, EXIT.usage);
    assert.match(none.stderr, /No editor is set: export VISUAL=nano/);
    const missing = await sh.with({ env: { EDITOR: "no-such-editor" } })("edit", "2");
    assert.equal(missing.exit, EXIT.failed);
    assert.ok(
      !existsSync(join(sh.cwd, ".local/state/manuscript/drafts")) ||
        statSync(join(sh.cwd, ".local/state/manuscript/drafts")).mode % 0o1000 === 0o700,
    );
  });
});
