import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { shell, withBook } from "./shell.ts";

describe("doctor", () => {
  it("ends with 0 where all is well or a warning at most, with 1 where anything failed", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    const { checks } = fits(await sh("doctor", "--json"), "doctor");
    assert.ok(checks.some(({ name }) => name === "history"));
    const { stdout, exit } = await sh("doctor");
    assert.equal(exit, EXIT.done);
    assert.equal(stdout.split("\n").length, checks.length + 1);
    assert.match(stdout, /\nok {2}integrity {3}every page is sound\n/);
    if (process.platform !== "win32") {
      chmodSync(path, 0o640);
      const warned = await sh("doctor");
      assert.equal(warned.exit, EXIT.done);
      assert.match(warned.stdout, /\nwarn {2}file .*mode 640.*\n {6}Run: chmod 600 /);
    }
    writeFileSync(path, readFileSync(path).subarray(0, 50));
    const failed = await sh("doctor", "--json");
    assert.equal(failed.exit, EXIT.failed);
    assert.equal(failed.json().status, "fail");
  });

  it("says that there is no file", async (t) => {
    assert.equal((await shell(t)("--file", "none.manuscript", "doctor")).exit, EXIT.notFound);
  });
});
