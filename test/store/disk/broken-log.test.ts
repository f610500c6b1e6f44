import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { restoreCopy } from "../../../src/service/backups/restore.ts";
import { NOTE } from "../../../src/store/file/log.ts";
import { openStore } from "../../../src/store/file/open.ts";
import { assertLogUnbroken } from "../../../src/store/file/own-log.ts";
import type { Store } from "../../../src/store/file/store.ts";
import { folder, ticking } from "../../support/sandbox.ts";

const ACTS = 12;
const options = { clock: ticking(), mint: createMint() };
const countActs = (store: Store) => store.list<number>("SELECT count(*) FROM acts")[0];

/** What a process that was killed leaves behind, whose log holds all but the first act. */
function killed(t: TestContext) {
  const home = folder(t);
  const path = join(home, "a.manuscript");
  const store = openStore(path, { ...options, create: true });
  t.after(() => store.close());
  const write = () => store.act({ kind: "x", source: "cli" }, () => () => ({}));
  write();
  store.checkpoint();
  for (let act = 1; act < ACTS; act++) write();
  const copy = join(home, "b.manuscript");
  const lay = () => {
    for (const ending of ["", "-wal", "-shm", NOTE]) {
      rmSync(copy + ending, { force: true });
      // By another process: to close SQLite's index of the log here would drop its locks.
      spawnSync("cp", ["-p", path + ending, copy + ending]);
    }
    return copy;
  };
  return { lay, log: `${copy}-wal` };
}

describe("a log that is broken", () => {
  it("is its file's whole one as a killed process leaves it", (t) => {
    const { lay } = killed(t);
    const path = lay();
    assertLogUnbroken(path);
    const store = openStore(path, options);
    t.after(() => store.close());
    assert.equal(countActs(store), ACTS);
    assertLogUnbroken(path);
  });

  it("is noticed before SQLite writes over what stands behind the fault", (t) => {
    const { lay, log } = killed(t);
    const length = readFileSync(lay() && log).length;
    const flip = (at: number) => () => {
      const bytes = readFileSync(log);
      bytes[at]! ^= 1; // within
      writeFileSync(log, bytes);
    };
    const harms = {
      "cut in half": () => truncateSync(log, Math.floor(length / 2)),
      "without its last page": () => truncateSync(log, length - 1),
      "a bit at a quarter": flip(Math.floor(length / 4)),
      "a bit of the last page": flip(length - 1),
      "the header's checksum": flip(25),
    };
    for (const [harm, does] of Object.entries(harms)) {
      const path = lay();
      does();
      const left = readFileSync(log);
      assert.throws(
        () => openStore(path, options),
        /is damaged or cut off: \d+ of its \d+ pages.*run: /,
        harm,
      );
      assert.ok(readFileSync(log).equals(left), harm);
    }
  });

  it("is gone on without by a restore of the file itself, which keeps all of it", (t) => {
    const { lay, log } = killed(t);
    const path = lay();
    truncateSync(log, Math.floor(readFileSync(log).length / 2));
    const left = readFileSync(log);
    const { without, aside } = restoreCopy(path, path, { at: 0, dryRun: false });
    assert.equal(without, "the end of its log");
    assert.ok(readFileSync(`${aside}-wal`).equals(left));
    const store = openStore(path, options);
    t.after(() => store.close());
    const acts = countActs(store) ?? 0;
    assert.ok(acts > 1 && acts < ACTS, `${acts}`);
  });

  it("tells nothing by an index that is gone, half written, not made, or of an older log", (t) => {
    const { lay, log } = killed(t);
    const path = lay();
    const index = readFileSync(`${path}-shm`);
    const changed = (at: number, value: number) => {
      const bytes = Buffer.from(index);
      for (const half of [0, 48]) bytes[half + at] = value;
      return bytes;
    };
    truncateSync(log, Math.floor(readFileSync(log).length / 2));
    const half = Buffer.from(index);
    half[16]! ^= 1; // there
    for (const other of [
      index.subarray(0, 95),
      Buffer.alloc(0),
      half,
      changed(12, 0),
      changed(32, index[32]! ^ 1),
    ]) {
      writeFileSync(`${path}-shm`, other);
      assertLogUnbroken(path);
    }
    rmSync(`${path}-shm`);
    assertLogUnbroken(path);
  });
});
