import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { readBase, readStamp } from "../../../src/store/file/disk/raw-file.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { LogNote, NOTE } from "../../../src/store/file/log.ts";
import { openImage } from "../../../src/store/file/open/image.ts";
import { openStore } from "../../../src/store/file/open.ts";
import { assertLogThere, assertOwnLog } from "../../../src/store/file/own-log.ts";
import type { Store } from "../../../src/store/file/store.ts";
import { openFilesIn } from "../../support/open-files.ts";
import { folder, ticking } from "../../support/sandbox.ts";

const ENDINGS = ["", "-wal", NOTE];
const write = (store: Store, times = 1) => {
  for (let time = 0; time < times; time++) store.act({ kind: "x", source: "cli" }, () => () => ({}));
};

/** An open store whose log holds three acts, all that the file itself has not got. */
function logged(t: TestContext) {
  const home = folder(t);
  const path = join(home, "a.manuscript");
  const store = openStore(path, { clock: ticking(), mint: createMint(), create: true });
  t.after(() => store.close());
  write(store, 2);
  store.checkpoint();
  write(store, 3);
  const copy = join(home, "b.manuscript");
  const lay = (endings = ENDINGS) => {
    for (const ending of ENDINGS) rmSync(copy + ending, { force: true });
    for (const ending of endings) copyFileSync(path + ending, copy + ending);
    utimesSync(copy, statSync(path).atime, statSync(path).mtime);
    return copy;
  };
  return { home, path, store, copy, lay };
}

describe("the note of a log", () => {
  it("tells of the first commit that its log held, for the owner alone, and of the file as it was then", (t) => {
    const { path, store } = logged(t);
    const { commits: last, page } = readStamp((sql) => store.prepare(sql)) ?? { commits: 0, page: 0 };
    const { size, mtimeMs } = statSync(path);
    const { salts, opening, ...noted } = JSON.parse(readFileSync(path + NOTE, "utf8"));
    assert.equal(salts, readFileSync(`${path}-wal`).toString("latin1", 16, 24));
    assert.ok(opening > 0);
    assert.equal(opening, readBase(path, page).stamp?.opening);
    assert.deepEqual(noted, {
      commit: last - 2,
      page,
      size,
      mtimeMs,
    });
    assert.equal(statSync(path + NOTE).mode & 0o777, 0o600);
    rmSync(path + NOTE);
    write(store);
    assert.ok(!existsSync(path + NOTE), "not written twice for one log");
    store.checkpoint();
    write(store);
    assert.equal(JSON.parse(readFileSync(path + NOTE, "utf8")).commit, last + 2);
  });

  it("is kept while there is a log, and goes with it", (t) => {
    const { home, path, store, copy, lay } = logged(t);
    lay();
    const note = new LogNote(copy, (sql) => store.prepare(sql));
    note.drop();
    assert.ok(existsSync(copy + NOTE));
    rmSync(`${copy}-wal`);
    note.drop();
    assert.ok(!existsSync(copy + NOTE));
    note.write(7); // without a log there is nothing to note, and nothing is thrown
    writeFileSync(`${copy}-wal`, "no log");
    note.write(7);
    assert.ok(!existsSync(copy + NOTE));
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    note.write(7);
    note.release();
    note.release();
    assert.equal(JSON.parse(readFileSync(copy + NOTE, "utf8")).commit, 7);
    assert.deepEqual(openFilesIn(home)?.filter((name) => name.startsWith("b.")) ?? [], []);
  });

  it("counts whatever a note holds that is none for nothing", (t) => {
    const { lay, copy } = logged(t);
    lay(["", NOTE]);
    assert.throws(() => assertLogThere(copy), /is gone or empty/);
    const noted = JSON.parse(readFileSync(copy + NOTE, "utf8"));
    for (const column of ["commit", "page", "size", "mtimeMs"])
      for (const other of [undefined, null, 0, -1, String(noted[column])]) {
        writeFileSync(copy + NOTE, JSON.stringify({ ...noted, [column]: other }));
        assertLogThere(copy);
      }
  });
});

describe("a log that is a file's own", () => {
  it("holds what the file has not, or has in part, or has already", (t) => {
    const { path, store, copy, lay } = logged(t);
    lay();
    assertOwnLog(copy);
    const old = readFileSync(path);
    const raw = connect(path);
    raw.exec("CREATE TABLE theirs(x)"); // it raises the number of the schema, and no stamp tells of it
    raw.pragma("wal_checkpoint(PASSIVE)");
    const whole = readFileSync(path);
    lay();
    assertOwnLog(copy);
    for (let pages = 0; pages * 4096 <= whole.length; pages += 5) {
      writeFileSync(copy, Buffer.concat([whole.subarray(0, pages * 4096), old.subarray(pages * 4096)]));
      assertOwnLog(copy);
    }
    raw.close();
    write(store);
  });

  it("is none of a later or an earlier file, of a foreign one, nor of nothing", (t) => {
    const { path, store, copy, lay } = logged(t);
    const log = readFileSync(`${path}-wal`);
    store.checkpoint();
    write(store);
    store.checkpoint();
    const refused = (what: string) =>
      assert.throws(() => assertOwnLog(copy), /not the file that its log/, what);
    copyFileSync(path, copy);
    writeFileSync(`${copy}-wal`, log);
    refused("a later file");
    writeFileSync(copy, "no database at all".repeat(1000));
    refused("a foreign file");
    writeFileSync(copy, "");
    refused("nothing");
    lay([""]);
    assertOwnLog(copy);
  });
});

describe("an image of a file", () => {
  it("is the file alone where no log lies beside it, and with one what that holds, pages cut off included", (t) => {
    const { path, store, copy, lay } = logged(t);
    const acts = () => {
      const image = openImage(copy);
      try {
        return image.prepare("SELECT count(*) FROM acts").pluck().get();
      } finally {
        image.close();
      }
    };
    lay([""]);
    assert.equal(acts(), 2);
    lay();
    assert.equal(acts(), 5);
    const raw = connect(path);
    raw.exec("CREATE TABLE theirs(x); INSERT INTO theirs VALUES(zeroblob(400000))");
    raw.pragma("wal_checkpoint(TRUNCATE)");
    const before = statSync(path).size;
    raw.exec("DROP TABLE theirs; VACUUM");
    lay(["", "-wal"]);
    const image = openImage(copy);
    assert.ok(Number(image.pragma("page_count", { simple: true })) * 4096 < before);
    assert.equal(image.pragma("integrity_check", { simple: true }), "ok");
    image.close();
    raw.close();
    assert.equal(acts(), 5);
    write(store);
  });
});
