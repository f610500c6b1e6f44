import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { shell } from "./shell.ts";

const BOOK =
  "# The Quay\n\nIt had rained all day.\n\n> He read:\n>\n> Dear Ann,\n>\n> Yours\n\n## Later\n\nNobody came.\n";

describe("export --critic", () => {
  it("writes open proposals into the prose as CriticMarkup, and changes nothing", async (t) => {
    const sh = shell(t);
    await sh("init");
    writeFileSync(join(sh.cwd, "quay.md"), BOOK);
    await sh("import", "quay.md");
    const propose = async (text: string) => {
      writeFileSync(join(sh.cwd, "next.md"), text);
      assert.equal((await sh("write", "1", "next.md", "--propose")).exit, EXIT.done);
    };
    await propose(
      BOOK.replace("rained all day", "snowed all day")
        .replace("> Yours", "> It is cold.\n>\n> Yours")
        .replace("Nobody came.", "Nobody came.\n\nNobody went.\n\nThe lamp burned."),
    );
    await propose(BOOK.replace("\n\nNobody came.", "").replace("all day", "for a day"));
    const { stdout, stderr } = await sh("export", "--critic", "-o", "-");
    const who = /\{>>([^<]*)<<\}/.exec(stdout)?.[1];
    assert.equal(
      stdout,
      `# The Quay

It had {--rained--}{++snowed++} all day.{>>${who}<<}

> He read:
>
> Dear Ann,
>
> {++It is cold.++}{>>${who}<<}
>
> Yours

## Later

{--Nobody came.--}{>>${who}<<}

{++Nobody went.++}{>>${who}<<}

{++The lamp burned.++}
`,
    );
    assert.match(stderr, /Not shown: 1 proposed edit, of a paragraph with another one/);
    assert.equal((await sh("export", "--plain", "-o", "-")).stdout, BOOK);
  });

  it("goes into a new folder, and keeps no other in step", async (t) => {
    const sh = shell(t);
    await sh("init");
    writeFileSync(join(sh.cwd, "quay.md"), BOOK);
    await sh("import", "quay.md");
    writeFileSync(join(sh.cwd, "next.md"), BOOK.replace("all day", "for days"));
    await sh("write", "1", "next.md", "--propose");
    assert.equal((await sh("export", "--critic", "-o", "critic")).exit, EXIT.done);
    const [file = ""] = readdirSync(join(sh.cwd, "critic")).filter((name) => name.endsWith(".md"));
    assert.match(
      readFileSync(join(sh.cwd, "critic", file), "utf8"),
      /rained \{--all day--\}\{\+\+for days\+\+\}\./,
    );
    assert.equal((await sh("export", "--critic", "-o", "critic")).exit, EXIT.wouldLose);
    for (const other of ["--at 1d", "--as-imported", "--block-ids", "--force", "-f docx", "-f json"])
      assert.equal((await sh("export", "--critic", ...other.split(" "))).exit, EXIT.usage, other);
  });
});
