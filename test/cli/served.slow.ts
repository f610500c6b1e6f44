import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { firstSaid } from "../support/first-said.ts";
import { PROGRAM } from "../support/program.ts";
import { withoutIds } from "./answers.ts";
import { type Shell, withBook } from "./shell.ts";

const LINES = [
  "books",
  "outline 1",
  "show 1",
  "show 2 --format doc",
  "search 1 ferry",
  "history 1",
  "stats 1",
  "facts list",
  "notes list",
  "key list",
  "account show",
  "api GET /books",
  "check 1",
  "detect 1",
  "export 1 -o out",
  "import out --book 1 --dry-run --diff",
  "status 1 done",
  "replace 1 Mara Maria --apply",
  "map 2 -- sed s/lamp/lantern/",
  "diff 1",
  "sync out",
  "facts add Tobit --alias Tob",
  "notes add 1 Dark? --chapter 1",
  "import out",
  "undo",
  "undo",
  "show 9",
  "show 1 --book 1",
  "account set --subscription off",
  "status 1 --book 1 done",
  "outline 1",
];

/** A manuscript in a folder of its own, and a copy of it in another that a server has open. */
async function twins(t: TestContext): Promise<[alone: Shell, served: Shell]> {
  const sh = await withBook(t);
  const [alone, served] = ["alone", "served"].map((name) => join(sh.cwd, name)) as [string, string];
  for (const folder of [alone, served]) {
    mkdirSync(folder);
    cpSync(join(sh.cwd, "book.manuscript"), join(folder, "book.manuscript"));
  }
  const argv = [PROGRAM, "serve", "--port", "0", "--quiet"];
  const server = spawn(process.execPath, argv, { cwd: served, stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => server.kill("SIGKILL"));
  await firstSaid(server);
  return [sh.with({ cwd: alone }), sh.with({ cwd: served })];
}

describe("a command whose manuscript is being served", () => {
  it("answers as it does where none is", async (t) => {
    const [alone, served] = await twins(t);
    for (const line of LINES) {
      const [one, other] = [
        await alone("--json", ...line.split(" ")),
        await served("--json", ...line.split(" ")),
      ];
      assert.equal(other.exit, one.exit, `${line}: ${one.stdout} ${other.stdout}`);
      const elsewhere = other.stdout.replaceAll(served.cwd, alone.cwd);
      assert.deepEqual(withoutIds(elsewhere), withoutIds(one.stdout), line);
      assert.equal(other.stderr, one.stderr);
    }
  });
});
