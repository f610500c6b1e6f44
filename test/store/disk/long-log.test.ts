import assert from "node:assert/strict";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { LongLog } from "../../../src/store/file/log.ts";
import { folder } from "../../support/sandbox.ts";

const MIB = 1024 * 1024;

/** A log of any length, and how long one waits for it: `during` is what another program does in a pause. */
function log(t: TestContext) {
  const path = join(folder(t), "a.manuscript");
  const file = `${path}-wal`;
  writeFileSync(file, "");
  let waitedMs = 0;
  let during: (waitedMs: number) => void = () => {};
  const long = new LongLog(path, (ms) => {
    waitedMs += ms;
    during(waitedMs);
  });
  return {
    grow: (mib: number, more = 0) => truncateSync(file, mib * MIB + more),
    remove: () => rmSync(file),
    wait: (does: typeof during = () => {}) => {
      [waitedMs, during] = [0, does];
      long.wait();
      return waitedMs;
    },
  };
}

describe("a reader beside a growing log", () => {
  it("waits for none of up to 16 MiB, nor for one that is not there", (t) => {
    const { grow, wait, remove } = log(t);
    assert.equal(wait(), 0);
    grow(16);
    assert.equal(wait(), 0);
    remove();
    assert.equal(wait(), 0);
  });

  it("waits for a longer one until another program has taken it in, looking often", (t) => {
    const { grow, wait, remove } = log(t);
    grow(16, 1);
    const waited = wait((ms) => {
      if (ms >= 200) grow(0);
    });
    assert.ok(waited >= 200 && waited < 300, `${waited} ms`);
    grow(17);
    assert.ok(wait((ms) => ms > 100 && remove()) < 200);
  });

  it("goes on after two seconds where nobody does, and waits again only when it has grown as much once more", (t) => {
    const { grow, wait } = log(t);
    grow(20);
    const waited = wait();
    assert.ok(waited >= 2000 && waited < 2100, `${waited} ms`);
    grow(36);
    assert.equal(wait(), 0);
    grow(36, 1);
    assert.ok(wait() >= 2000);
  });

  it("minds 16 MiB again once the log was short", (t) => {
    const { grow, wait } = log(t);
    grow(40);
    wait();
    grow(16);
    wait();
    grow(17);
    assert.equal(wait(), 0, "as long as it was when nobody took it in");
    grow(15);
    wait();
    grow(17);
    assert.ok(wait() >= 2000);
  });
});
