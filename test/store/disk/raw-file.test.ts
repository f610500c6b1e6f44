import assert from "node:assert/strict";
import { copyFileSync, linkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { openRaw } from "../../../src/store/file/disk/raw-file.ts";
import { NOTE } from "../../../src/store/file/log.ts";
import { openImage } from "../../../src/store/file/open/image.ts";
import { lockFile, mendSchemaOf, openStore, openToExamine, servedBy } from "../../../src/store/file/open.ts";
import { assertLogThere, assertOwnLog } from "../../../src/store/file/own-log.ts";
import { peek, verifyCopy } from "../../../src/store/verify-copy.ts";
import { openFilesIn } from "../../support/open-files.ts";
import { folder, manuscriptBytes, ticking } from "../../support/sandbox.ts";

const options = () => ({ clock: ticking(), mint: createMint() });

describe("openRaw", () => {
  it("opens a file once for all its readers, by any name, and closes it after the last", (t) => {
    const home = folder(t);
    const path = join(home, "a");
    writeFileSync(path, "0123456789");
    linkSync(path, join(home, "b"));
    const [one, two] = [openRaw(path), openRaw(join(home, "b"))];
    assert.deepEqual(openFilesIn(home) ?? ["a"], ["a"]);
    one.close();
    assert.equal(String(two.read(2, 3)), "234");
    assert.equal(String(two.read(8, 5)), "89");
    assert.equal(two.stat().size, 10);
    const three = openRaw(path);
    two.close();
    assert.equal(String(three.read(0, 1)), "0");
    three.close();
    assert.deepEqual(openFilesIn(home) ?? [], []);
    const again = openRaw(path);
    assert.equal(String(again.read(9, 1)), "9");
    again.close();
  });
});

describe("whoever looks at a file", () => {
  it("has none of it open afterwards, sound or not, whatever it found", (t) => {
    const home = folder(t);
    const path = join(home, "a.manuscript");
    const store = openStore(path, { ...options(), create: true });
    for (let act = 0; act < 3; act++) store.act({ kind: "x", source: "cli" }, () => () => ({}));
    const left = join(home, "left.manuscript");
    for (const ending of ["", "-wal", NOTE]) copyFileSync(path + ending, left + ending);
    store.close();
    const looks: ((path: string) => unknown)[] = [
      (path) => openStore(path, options()).close(),
      (path) => openToExamine(path, options()).close(),
      (path) => openImage(path).close(),
      (path) => assertOwnLog(path),
      (path) => assertLogThere(path),
      (path) => verifyCopy(path),
      (path) => peek(path),
      (path) => mendSchemaOf(path),
      (path) => {
        const unlock = lockFile(path);
        assert.throws(() => lockFile(path));
        servedBy(path);
        unlock();
        servedBy(path);
      },
    ];
    const wrecks: ((path: string) => void)[] = [
      () => {},
      (path) => writeFileSync(path, manuscriptBytes()),
      (path) => writeFileSync(path, "no manuscript".repeat(1000)),
      (path) => rmSync(`${path}-wal`),
    ];
    for (const [at, wreck] of wrecks.entries())
      for (const look of looks) {
        const own = join(home, "own.manuscript");
        for (const ending of ["", "-wal", NOTE]) copyFileSync(left + ending, own + ending);
        wreck(own);
        try {
          look(own);
        } catch {
          // what is refused is told elsewhere
        }
        assert.deepEqual(openFilesIn(home) ?? [], [], `${at}: ${look}`);
        for (const ending of ["", "-wal", "-shm", NOTE]) rmSync(own + ending, { force: true });
      }
  });
});
