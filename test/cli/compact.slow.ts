import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/program.ts";
import { leaveFree } from "./leave-free.ts";
import { withBook } from "./shell.ts";

describe("a compaction that is killed", () => {
  for (const options of [[], ["--older-than", "2099-01-01", "--force"]])
    it(`leaves the file as it was, and the next one does all of it: compact ${options.join(" ")}`, async (t) => {
      const sh = await withBook(t);
      for (const words of ["One.", "One two.", "One two three."])
        await sh.with({ stdin: `${words}\n` })("write", "2", "--force");
      const path = join(sh.cwd, "book.manuscript");
      leaveFree(path);
      const old = readFileSync(path);
      const parts = () => readdirSync(sh.cwd).filter((name) => name.endsWith(".part"));
      const child = spawn(process.execPath, [PROGRAM, "compact", ...options], { cwd: sh.cwd });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await eventually(() => parts().length > 0, "a copy that is being made");
      child.kill("SIGKILL");
      await ended;
      // Had it come so far, the file is set aside, and the copy is in its place or beside it.
      const aside = readdirSync(sh.cwd).find((name) => name.includes("-until-"));
      assert.deepEqual(readFileSync(aside === undefined ? path : join(sh.cwd, aside)), old);
      if (aside !== undefined) await sh("--file", "book.manuscript", "restore", aside);
      assert.equal((await sh("compact", ...options)).exit, EXIT.done);
      assert.deepEqual(parts(), []);
      assert.equal((await sh("doctor")).exit, EXIT.done);
    });
});
