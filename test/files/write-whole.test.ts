import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { removeLeftovers, writeAlone, writeWhole } from "../../src/files/atomic-write.ts";
import { writeFolder } from "../../src/files/write-folder.ts";
import { BadRequest, Unavailable } from "../../src/refusals.ts";
import { folder } from "../support/sandbox.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const skip = process.platform === "win32";

describe("writeWhole", () => {
  it("keeps the mode of the old file, gives a new one what the umask leaves, and leaves nothing beside", {
    skip,
  }, async (t) => {
    const path = folder(t);
    const old = process.umask(0o027);
    t.after(() => process.umask(old));
    writeFileSync(join(path, "mine.md"), "Old.\n");
    chmodSync(join(path, "mine.md"), 0o604);
    const files = (...names: string[]) =>
      names.map((name) => ({ path: join(path, name), bytes: Buffer.from("New.\n") }));
    await writeWhole(files("mine.md", "new.md"));
    await writeWhole(files("own.json"), { mode: 0o600 });
    assert.deepEqual(
      ["mine.md", "new.md", "own.json"].map((name) => modeOf(join(path, name))),
      [0o604, 0o640, 0o600],
    );
    assert.deepEqual(readdirSync(path).sort(), ["mine.md", "new.md", "own.json"]);
    assert.equal(readFileSync(join(path, "mine.md"), "utf8"), "New.\n");
  });

  it("makes the folders above, and says what is wrong with a place that takes none", async (t) => {
    const path = folder(t);
    const file = (name: string) => ({ path: join(path, name), bytes: Buffer.from("x") });
    await writeAlone(join(path, "a/b/c.md"), Buffer.from("x"));
    await assert.rejects(writeAlone(join(path, "a/b/c.md/d.md"), Buffer.from("x")), BadRequest);
    await assert.rejects(writeWhole([file("none/d.md")]), BadRequest);
    await assert.rejects(writeWhole([file("b.md"), file("a"), file("c.md")]), BadRequest);
    assert.deepEqual(readdirSync(path).sort(), ["a", "b.md"], "each file that is there is whole");
    await assert.rejects(writeWhole([file("c.md"), file("none/d.md")]), BadRequest);
    assert.deepEqual(readdirSync(path).sort(), ["a", "b.md"], "and none is left beside");
  });

  it("is refused as the system refuses it, with the remedy", {
    skip: process.platform !== "linux",
  }, async () => {
    await assert.rejects(writeAlone("/proc/none/x.md", Buffer.from("x")), BadRequest);
    await assert.rejects(writeAlone("/sys/x.md", Buffer.from("x")), Unavailable);
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

  it("comes before a write of the same bytes, too: a run may be killed once all is in its place", {
    skip,
  }, async (t) => {
    const path = folder(t);
    const dead = Number(execFileSync("sh", ["-c", "echo $$"]));
    const files = ["a.md", "below/b.md"].map((file) => ({ file, bytes: Buffer.from("x") }));
    const write = () => writeFolder(path, files, { mayOverwrite: () => false });
    await write();
    writeFileSync(join(path, "below", `.manuscript-${dead}-0a1b2c3d.tmp`), "x");
    assert.deepEqual(
      (await write()).map(({ status }) => status),
      ["same", "same"],
    );
    assert.deepEqual(readdirSync(join(path, "below")), ["b.md"]);
  });
});
