import assert from "node:assert/strict";
import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fsyncFile, fsyncFolder, identityOf, renameFile } from "../src/disk.ts";
import { folder } from "./support/sandbox.ts";

const refused = (code: string) => Object.assign(new Error(code), { code });

/** A system on which the first renames fail, with these codes; how often it was asked, and how long it was waited for. */
function system(platform: NodeJS.Platform, codes: readonly string[]) {
  const seen = { tries: 0, waitedMs: 0 };
  const rename = () => {
    const code = codes[seen.tries++];
    if (code !== undefined) throw refused(code);
  };
  const pause = (ms: number) => {
    seen.waitedMs += ms;
  };
  return { seen, platform, rename, pause };
}

describe("fsyncFile and fsyncFolder", () => {
  it("sync a file, and a folder or what the system does for it", (t) => {
    const path = folder(t);
    writeFileSync(join(path, "a"), "a");
    fsyncFile(join(path, "a"));
    fsyncFolder(path);
    assert.equal(readFileSync(join(path, "a"), "utf8"), "a");
  });

  it("throw for what is not there", (t) => {
    const path = join(folder(t), "none");
    assert.throws(() => fsyncFile(path), { code: "ENOENT" });
    assert.throws(() => fsyncFolder(path), { code: "ENOENT" });
  });

  it("open a file for writing, without which Windows syncs nothing: a folder is refused", (t) => {
    const path = join(folder(t), "below");
    mkdirSync(path);
    assert.throws(() => fsyncFile(path), { code: "EISDIR" });
  });
});

describe("identityOf", () => {
  it("is one for all names of a file, another for each file, and none for what is not there", (t) => {
    const path = folder(t);
    const [one, other, link] = ["one", "other", "link"].map((name) => join(path, name)) as [
      string,
      string,
      string,
    ];
    for (const file of [one, other]) writeFileSync(file, "same");
    linkSync(one, link);
    assert.equal(identityOf(link), identityOf(one));
    assert.notEqual(identityOf(other), identityOf(one));
    assert.equal(identityOf(join(path, "none")), undefined);
  });
});

describe("renameFile", () => {
  it("renames over what is there", (t) => {
    const [from, to] = ["new", "old"].map((name) => join(folder(t), name)) as [string, string];
    writeFileSync(from, "new");
    writeFileSync(to, "old");
    renameFile(from, to);
    assert.equal(readFileSync(to, "utf8"), "new");
  });

  it("tries again on Windows while a scanner has the file open", () => {
    const { seen, ...windows } = system("win32", ["EBUSY", "EPERM", "EACCES"]);
    renameFile("a", "b", windows);
    assert.deepEqual(seen, { tries: 4, waitedMs: 80 });
  });

  it("gives up after less than a second, with the system's error", () => {
    const { seen, ...windows } = system("win32", Array(99).fill("EBUSY"));
    assert.throws(() => renameFile("a", "b", windows), { code: "EBUSY" });
    assert.deepEqual(seen, { tries: 7, waitedMs: 780 });
  });

  it("does not wait for what no wait helps, nor where only a right is missing", () => {
    for (const [platform, code] of [
      ["win32", "ENOENT"],
      ["linux", "EPERM"],
      ["darwin", "EACCES"],
    ] as const) {
      const { seen, ...one } = system(platform, [code]);
      assert.throws(() => renameFile("a", "b", one), { code });
      assert.deepEqual(seen, { tries: 1, waitedMs: 0 });
    }
  });
});
