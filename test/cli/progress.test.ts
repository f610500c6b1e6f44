import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { processTerminal, withProgress } from "../../src/cli/io/terminal.ts";
import { withBook } from "./shell.ts";

const CLEAR = "\r\u001b[K";

/** A clock that moves by so many milliseconds at every look. */
function moving(ms: number): () => number {
  let now = 5000;
  return () => {
    now += ms;
    return now;
  };
}

describe("progress", () => {
  it("of import, export, sync and map is one line on a terminal's stderr, rewritten, and cleared before the rest", async (t) => {
    const sh = await withBook(t);
    const slow = () => sh.with({ clock: moving(600) });
    const exported = await slow()("export", "1", "-o", "out");
    const lines = ["12%", "25%", "37%", "50%", "62%", "75%", "87%"];
    const shown = (doing: string) => lines.map((share) => `${CLEAR}${doing}: ${share}`).join("") + CLEAR;
    assert.equal(exported.stderr, shown("Exporting"), "two chapters, the cast, the list and four schemas");
    const imported = await slow()("import", "out", "--book", "1");
    assert.match(imported.stderr, /Nothing has changed in the manuscript/);
    assert.match(imported.stderr, /^\r\u001b\[KImporting: 75%\r\u001b\[K/, "nothing had to be parsed");
    appendFileSync(join(sh.cwd, "out", "02-the-lamp.md"), "\nShe waited.\n");
    assert.match((await slow()("sync", "out", "--json")).stderr, /^\r\u001b\[KComparing: 50%/);
    const mapped = await slow()("map", "1", "--dry-run", "--by", "chapter", "--", "cat");
    assert.match(mapped.stderr, /^\r\u001b\[KMapping: 100%\r\u001b\[KDry run/);
    appendFileSync(join(sh.cwd, "out", "01-the-ferry.md"), "\nShe rowed.\n");
    appendFileSync(join(sh.cwd, "out", "02-the-lamp.md"), `\n${"> ".repeat(101)}too deep\n`);
    const refused = await slow()("import", "out", "--book", "1");
    assert.match(refused.stderr, /%\r\u001b\[Kmanuscript: 02-the-lamp\.md: /);
  });

  it("of backup, doctor and compact is such a line, too", async (t) => {
    const sh = await withBook(t);
    const slow = () => sh.with({ clock: moving(600) });
    const shares = (stderr: string, doing: string) =>
      [...stderr.matchAll(new RegExp(`${doing}: (\\d+)%`, "g"))].map(([, share]) => Number(share));
    for (const [args, doing] of [
      [["backup"], "Copying"],
      [["doctor"], "Checking"],
      [["compact", "--dry-run"], "Trying"],
      [["compact", "--older-than", "2099-01-01", "--force"], "Compacting"],
    ] as const) {
      for (const markdown of ["One.", "One two."])
        await sh.with({ stdin: markdown })("write", "1", "--force");
      const { stderr } = await slow()(...args);
      const shown = shares(stderr, doing);
      assert.ok(shown.length > 0, `${args.join(" ")}: ${JSON.stringify(stderr)}`);
      assert.deepEqual(
        shown,
        shown.toSorted((a, b) => a - b),
        "it never goes back",
      );
      assert.doesNotMatch(stderr.slice(stderr.lastIndexOf(CLEAR)), /%/);
    }
  });

  it("is there from the start where a long file is worked on", async (t) => {
    const sh = await withBook(t);
    const shown: string[] = [];
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    stderr.on("data", (chunk) => shown.push(String(chunk)));
    const terminal = { ...processTerminal(), cwd: sh.cwd, env: {}, stderr, clock: moving(1) };
    for (const bytes of [1e9, 1e6]) await withProgress(terminal, "Copying", async () => {}, bytes);
    assert.equal(shown.join(""), `${CLEAR}Copying: 0%${CLEAR}`);
  });

  it("is silent within the first second, where stderr is no terminal, and on one that cannot rewrite a line", async (t) => {
    const sh = await withBook(t);
    let count = 0;
    for (const other of [
      sh.with({ clock: moving(1) }),
      sh,
      sh.with({ clock: moving(600), env: { TERM: "dumb" } }),
    ]) {
      await sh("status", "1", count++ % 2 === 0 ? "done" : "draft"); // so that there is something to write
      assert.equal((await other("export", "1", "-o", "out", "--force")).stderr, "");
    }
  });
});
