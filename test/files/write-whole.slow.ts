import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { folder } from "../support/sandbox.ts";

const skip = process.platform === "win32";

describe("writeWhole", () => {
  // A limit of the shell stands for a disk that is full: both end a write in its middle.
  it("on a full disk leaves the old file whole and nothing beside it, and says what to do; so does init", {
    skip,
  }, (t) => {
    const path = folder(t);
    writeFileSync(join(path, "mine.md"), "Old.\n");
    const url = (file: string) =>
      JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../src", file)).href);
    const script = `
      const { writeWhole } = await import(${url("files/atomic-write.ts")});
      const { openManuscript } = await import(${url("service/manuscript.ts")});
      for (const write of [
        () => writeWhole([{ path: "mine.md", bytes: Buffer.alloc(4_000_000) }]),
        () => openManuscript("new.manuscript", { create: true }),
      ]) try { await write(); } catch (error) { console.log(error.code, error.message); }`;
    const argv = ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", script];
    const { stdout, stderr } = spawnSync(
      "sh",
      ["-c", 'ulimit -f 100; trap "" XFSZ; exec "$0" "$@"', process.execPath, ...argv],
      { encoding: "utf8", cwd: path },
    );
    const [mine = "", made = ""] = stdout.split("\n");
    assert.match(mine, /^unavailable mine\.md was not written: .*full.*make room and run this again/, stderr);
    assert.match(made, /^unavailable new\.manuscript cannot be/, stderr);
    assert.equal(readFileSync(join(path, "mine.md"), "utf8"), "Old.\n");
    assert.deepEqual(readdirSync(path), ["mine.md"]);
  });
});
