import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { removeLeftovers, writeAlone, writeWhole } from "../../src/files/write-whole.ts";
import { BadRequest, Unavailable } from "../../src/refusals.ts";
import { folder } from "../support/sandbox.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const skip = process.platform === "win32";

describe("writeWhole", () => {
  it("keeps the mode of the old file, gives a new one what the umask leaves, and leaves nothing beside", {
    skip,
  }, (t) => {
    const path = folder(t);
    const old = process.umask(0o027);
    t.after(() => process.umask(old));
    writeFileSync(join(path, "mine.md"), "Old.\n");
    chmodSync(join(path, "mine.md"), 0o604);
    for (const name of ["mine.md", "new.md"]) writeWhole(join(path, name), Buffer.from("New.\n"));
    writeWhole(join(path, "own.json"), Buffer.from("New.\n"), 0o600);
    assert.deepEqual(
      ["mine.md", "new.md", "own.json"].map((name) => modeOf(join(path, name))),
      [0o604, 0o640, 0o600],
    );
    assert.deepEqual(readdirSync(path).sort(), ["mine.md", "new.md", "own.json"]);
    assert.equal(readFileSync(join(path, "mine.md"), "utf8"), "New.\n");
  });

  it("makes the folders above, and says what is wrong with a place that takes none", (t) => {
    const path = folder(t);
    writeAlone(join(path, "a/b/c.md"), Buffer.from("x"));
    assert.throws(() => writeAlone(join(path, "a/b/c.md/d.md"), Buffer.from("x")), BadRequest);
    assert.throws(() => writeWhole(join(path, "none", "d.md"), Buffer.from("x")), BadRequest);
    assert.throws(() => writeWhole(join(path, "a"), Buffer.from("x")), BadRequest);
    assert.deepEqual(readdirSync(path), ["a"]);
  });

  // A limit of the shell stands for a disk that is full: both end a write in its middle.
  it("on a full disk leaves the old file whole and nothing beside it, and says what to do", { skip }, (t) => {
    const path = join(folder(t), "mine.md");
    writeFileSync(path, "Old.\n");
    const url = (file: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, file)).href);
    const script = `
      const { writeWhole } = await import(${url("../../src/files/write-whole.ts")});
      const { Unavailable } = await import(${url("../../src/refusals.ts")});
      try { writeWhole(${JSON.stringify(path)}, Buffer.alloc(4_000_000)); }
      catch (error) { console.log(error instanceof Unavailable, error.message); }`;
    const argv = ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", script];
    const { stdout, stderr } = spawnSync(
      "sh",
      ["-c", 'ulimit -f 2000; trap "" XFSZ; exec "$0" "$@"', process.execPath, ...argv],
      { encoding: "utf8" },
    );
    assert.match(stdout, /^true .*mine\.md was not written: .*full.*make room and run this again/, stderr);
    assert.equal(readFileSync(path, "utf8"), "Old.\n");
    assert.deepEqual(readdirSync(join(path, "..")), ["mine.md"]);
  });

  it("is refused as the system refuses it, with the remedy", { skip: process.platform !== "linux" }, () => {
    assert.throws(() => writeAlone("/proc/none/x.md", Buffer.from("x")), BadRequest);
    assert.throws(() => writeWhole("/sys/x.md", Buffer.from("x")), Unavailable);
  });
});

describe("removeLeftovers", () => {
  it("removes what killed writers left, and nothing of one who lives or of anybody else", { skip }, (t) => {
    const path = folder(t);
    const dead = Number(execFileSync("sh", ["-c", "echo $$"]));
    const gone = [`.manuscript-${dead}.tmp`, `.manuscript-${dead}-0a1b2c3d.tmp`];
    const kept = [
      `.manuscript-${process.pid}-0a1b2c3d.tmp`,
      `.manuscript-${process.ppid}.tmp`,
      `manuscript-${dead}.tmp`,
      `.manuscript-${dead}.tmp.md`,
      ".manuscript-x.tmp",
    ];
    for (const name of [...gone, ...kept]) writeFileSync(join(path, name), "x");
    removeLeftovers(path);
    assert.deepEqual(readdirSync(path).sort(), kept.sort());
  });
});
