import assert from "node:assert/strict";
import {
  copyFileSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { readStamp } from "../../../src/store/file/disk/raw-file.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { NOTE } from "../../../src/store/file/log.ts";
import { VERSIONS } from "../../../src/store/file/migrate.ts";
import { Place } from "../../../src/store/file/open/place.ts";
import { openStore } from "../../../src/store/file/open.ts";
import type { Store } from "../../../src/store/file/store.ts";
import { openFilesIn } from "../../support/open-files.ts";
import { folder, ticking } from "../../support/sandbox.ts";

const open = (path: string, create = false) =>
  openStore(path, { clock: ticking(), mint: createMint(), create });
const write = (store: Store, times = 1) => {
  for (let time = 0; time < times; time++) store.act({ kind: "x", source: "cli" }, () => () => ({}));
};

/** An open file and its place, watched beside the store's own; how often it looked into the file, and what is done in each pause. */
function watched(t: TestContext) {
  const home = folder(t);
  const path = join(home, "a.manuscript");
  const store = open(path, true);
  t.after(() => store.close());
  write(store, 2);
  store.checkpoint();
  const old = readFileSync(path);
  write(store, 3);
  let [statements, pauses] = [0, 0];
  let during: (time: number) => void = () => {};
  const prepare = (sql: string) => {
    statements++;
    return store.prepare(sql);
  };
  const place = new Place(path, prepare, (ms) => {
    assert.ok(ms > 0 && ms < 20);
    during(++pauses);
  });
  const looks = () => {
    statements = 0;
    assert.equal(place.look(), undefined);
    return statements;
  };
  const wrong = (does: typeof during = () => {}) => {
    [pauses, during] = [0, does];
    return { said: place.look() ?? "nothing", pauses };
  };
  const commits = () => readStamp((sql) => store.prepare(sql))?.commits ?? 0;
  return { home, path, store, old, place, looks, wrong, commits };
}

describe("the place of an open file", () => {
  it("is looked into once for each change of the file or its log, and of ours not within a second", (t) => {
    const { path, store, place, looks, commits } = watched(t);
    let now = process.uptime();
    const { mock } = t.mock.method(process, "uptime", () => now);
    assert.ok(looks() > 0);
    assert.equal(looks(), 0);
    write(store);
    place.expect(commits());
    assert.equal(looks(), 0, "our own commit");
    now += 1.001;
    assert.ok(looks() > 0, "a second later");
    now += 5;
    assert.equal(looks(), 0, "nothing was written since");
    write(store);
    place.expect(commits());
    assert.ok(looks() > 0, "the first commit after a pause");
    write(store);
    assert.ok(looks() > 0, "a commit that nobody told of");
    const other = open(path);
    write(other);
    assert.ok(looks() > 0, "another program's");
    other.close();
    store.checkpoint();
    assert.ok(looks() > 0, "a checkpoint");
    write(store);
    place.expect(0);
    assert.ok(looks() > 0, "what was no commit is not taken for ours");
    mock.restore();
  });

  it("is lost for ever when four pauses have not brought the file back, and not before", (t) => {
    const { path, old, place, wrong } = watched(t);
    const own = readFileSync(path);
    const mark = place.mark();
    writeFileSync(path, Buffer.alloc(own.length, 7));
    assert.deepEqual(
      wrong((time) => time === 4 && writeFileSync(path, own)),
      { said: "nothing", pauses: 4 },
    );
    place.look();
    assert.notEqual(place.mark(), mark);
    assert.ok(place.takesCheckpoint());
    writeFileSync(path, old.subarray(0, 300));
    const { said, pauses } = wrong();
    assert.match(said, /a\.manuscript was cut short: it has 300 of its .*nothing will be/);
    assert.equal(pauses, 4);
    assert.ok(!place.takesCheckpoint());
    writeFileSync(path, own);
    assert.deepEqual(wrong(), { said, pauses: 0 });
    assert.ok(!place.takesCheckpoint());
  });

  it("is lost with a log that is cut, emptied or none, and looked at again while it is being written", (t) => {
    for (const harm of [
      (log: string) => truncateSync(log, 31),
      (log: string) => truncateSync(log, statSync(log).size - 1),
      (log: string) => truncateSync(log, 0),
      (log: string) => writeFileSync(log, Buffer.alloc(statSync(log).size, 3)),
      (log: string) => {
        const bytes = readFileSync(log);
        bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
        writeFileSync(log, bytes);
      },
    ]) {
      const { path, wrong } = watched(t);
      const log = `${path}-wal`;
      const own = readFileSync(log);
      harm(log);
      assert.deepEqual(
        wrong((time) => time === 2 && writeFileSync(log, own)),
        { said: "nothing", pauses: 2 },
        `${harm}`,
      );
      harm(log);
      assert.match(wrong().said, /-wal, which holds the newest saves, was overwritten/);
    }
  });

  it("is another's where the name leads elsewhere, and its own again once that is put right", (t) => {
    const { home, path, place, wrong } = watched(t);
    const away = join(home, "away");
    renameSync(path, away);
    assert.match(wrong().said, /a\.manuscript was moved, deleted or replaced.*Put it back/);
    assert.ok(!place.takesCheckpoint(), "another program may have it open by its new name");
    assert.match(place.leftBehind() ?? "", /newest saves are in .*a\.manuscript-wal.*manuscript restore/);
    copyFileSync(away, path);
    assert.match(wrong().said, /moved, deleted or replaced/);
    renameSync(away, path);
    assert.equal(wrong().said, "nothing");
    renameSync(`${path}-wal`, away);
    assert.match(wrong().said, /a\.manuscript-wal, which holds the newest saves, was removed or replaced/);
    assert.ok(place.takesCheckpoint(), "the log is gone, and what it held is not");
    copyFileSync(away, `${path}-wal`);
    assert.match(wrong().said, /-wal, .* was removed or replaced/);
    assert.ok(!place.takesCheckpoint(), "that log would be written over another's");
    renameSync(away, `${path}-wal`);
    assert.equal(wrong().said, "nothing");
    linkSync(path, away);
    assert.equal(place.isLinked(), false, "as it was looked at last");
    place.look();
    assert.equal(place.isLinked(), true);
    unlinkSync(away);
    place.look();
    assert.equal(place.isLinked(), false);
    unlinkSync(path);
    assert.match(wrong().said, /moved, deleted or replaced/);
    assert.ok(!place.takesCheckpoint(), "nothing would find it");
  });

  it("is never behind a commit that was made or read there, though file and log fit each other", (t) => {
    const { path, store, place, wrong, commits } = watched(t);
    assert.equal(wrong().said, "nothing");
    place.expect(commits() + 1);
    const other = open(path);
    other.act({ kind: "x", source: "cli" }, () => () => ({}));
    assert.equal(wrong().said, "nothing", "as many as were said");
    place.expect(commits() + 1);
    store.checkpoint();
    assert.match(wrong().said, /overwritten/);
    other.close();
  });

  it("is a newer version's once that has brought it up to date, and its own if that is taken back", (t) => {
    const { path, looks, wrong } = watched(t);
    const newer = connect(path);
    newer.pragma(`user_version = ${VERSIONS.length + 1}`);
    assert.match(wrong().said, /brought up to date by a newer version/);
    assert.match(wrong().said, /brought up to date by a newer version/);
    newer.pragma(`user_version = ${VERSIONS.length}`);
    newer.close();
    assert.ok(looks() > 0);
  });

  it("leaves it to the statement that comes to say that the file is busy, and looks again", (t) => {
    const { path, place } = watched(t);
    const busy = Object.assign(new Error("database is locked"), { name: "SqliteError", code: "SQLITE_BUSY" });
    let tries = 0;
    const unread = new Place(path, () => {
      tries++;
      throw busy;
    });
    assert.equal(unread.look(), undefined);
    assert.equal(unread.look(), undefined);
    assert.equal(tries, 2);
    unread.close();
    const wrong = new Error("no error of SQLite's");
    const thrown = new Place(path, () => {
      throw wrong;
    });
    assert.throws(() => thrown.look(), wrong);
    thrown.close();
    place.release();
  });

  it("is let go of whole", (t) => {
    const { home, path, store, place } = watched(t);
    place.look();
    place.expect(9);
    place.release();
    store.close();
    place.close();
    assert.deepEqual(openFilesIn(home) ?? [], []);
    assert.equal(statSync(path + NOTE, { throwIfNoEntry: false }), undefined);
    rmSync(path);
  });
});
