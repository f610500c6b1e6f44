import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { describe, it, type TestContext } from "node:test";
import { watchLog } from "../../../src/store/file/watch-log.ts";

/** A watched log without time and without a disk: what the system tells, and how often it was looked. */
function watched(t: TestContext, { fails = false } = {}) {
  let [looks, closed] = [0, 0];
  let [path, changed]: [string, () => void] = ["", () => {}];
  const system = Object.assign(new EventEmitter(), { close: () => void closed++ });
  t.mock.method(fs, "watch", (asked: string, _options: object, tell: () => void) => {
    if (fails) throw new Error("too many");
    [path, changed] = [asked, tell];
    return system;
  });
  syncBuiltinESMExports();
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const end = watchLog("/a.manuscript", () => void looks++);
  t.mock.method(fs, "watch").mock.restore();
  t.after(() => {
    t.mock.reset();
    syncBuiltinESMExports();
  });
  const looksWithin = (ms: number) => {
    looks = 0;
    for (let time = 0; time < ms; time++) t.mock.timers.tick(1);
    return looks;
  };
  return { end, system, looksWithin, change: () => changed(), path: () => path, closed: () => closed };
}

describe("watchLog", () => {
  it("looks every three seconds, whatever the system tells of", (t) => {
    const { looksWithin, path } = watched(t);
    assert.equal(path(), "/a.manuscript-wal");
    assert.equal(looksWithin(2999), 0);
    assert.equal(looksWithin(1), 1);
    assert.equal(looksWithin(9000), 3);
  });

  for (const fails of [true, false])
    it(`looks once a second where the system watches ${fails ? "nothing" : "no more"}`, (t) => {
      const { looksWithin, end, system } = watched(t, { fails });
      if (!fails) system.emit("error", new Error("gone"));
      assert.equal(looksWithin(2000), 2);
      end();
      assert.equal(looksWithin(2000), 0);
    });

  it("looks at once after a change, then later and later for a second", (t) => {
    const { looksWithin, change } = watched(t);
    change();
    assert.equal(looksWithin(1), 1);
    assert.equal(looksWithin(4), 0);
    assert.equal(looksWithin(1), 1, "5 ms later");
    assert.equal(looksWithin(4), 0);
    assert.equal(looksWithin(1), 1, "5 ms later again");
    const rest = looksWithin(980);
    assert.ok(rest > 10 && rest < 30, `${rest} looks until a second is over`);
    assert.equal(looksWithin(3000), 1, "then the poll alone");
  });

  it("begins anew with each change, however many come together", (t) => {
    const { looksWithin, change } = watched(t);
    for (let time = 0; time < 5; time++) change();
    assert.equal(looksWithin(1), 1);
    looksWithin(500);
    change();
    change();
    assert.equal(looksWithin(1), 1);
    assert.equal(looksWithin(5), 1);
  });

  it("looks no more once it is ended, or the system watches no more", (t) => {
    const { end, system, looksWithin, change, closed } = watched(t);
    system.emit("error", new Error("gone"));
    assert.equal(closed(), 1);
    change();
    end();
    assert.equal(closed(), 2);
    assert.equal(looksWithin(3000), 0);
  });
});
