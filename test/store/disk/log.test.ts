import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { findStamp, HEADER_BYTES, readHeader, readStamp } from "../../../src/store/file/disk/raw-file.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { listFrames, NOTE, readLog } from "../../../src/store/file/log.ts";
import { VERSIONS } from "../../../src/store/file/migrate.ts";
import { openStore } from "../../../src/store/file/open.ts";
import { assertLogThere } from "../../../src/store/file/own-log.ts";
import { folder, ticking } from "../../support/sandbox.ts";

/** A database of SQLite's own with a log of three commits, open. */
function logged(t: TestContext, pageSize = 4096) {
  const path = join(folder(t), "a.db");
  const raw = connect(path);
  t.after(() => raw.close());
  raw.exec(`PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; CREATE TABLE a(b)`);
  raw.exec("INSERT INTO a VALUES(1)");
  raw.exec("CREATE TABLE c(d)");
  return path;
}

describe("readHeader", () => {
  it("tells a blank file, a foreign one, one of ours and none of SQLite's", (t) => {
    const ours = join(folder(t), "a.manuscript");
    openStore(ours, { clock: ticking(), mint: createMint(), create: true }).close();
    const bytes = readFileSync(ours).subarray(0, HEADER_BYTES);
    const foreign = readFileSync(logged(t));
    const told = (given: Buffer) => {
      const { isBlank, isSqlite, isOurs, version, pageSize } = readHeader(given);
      return [isBlank, isSqlite, isOurs, version, pageSize];
    };
    const with_ = (place: number, value: number) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt32BE(value, place);
      return changed;
    };
    const none = [false, false, false, 0, 0];
    assert.deepEqual(told(bytes), [false, true, true, VERSIONS.length, 4096]);
    assert.deepEqual(told(foreign), [true, true, false, 0, 4096], "its schema is in the log");
    assert.deepEqual(told(Buffer.alloc(0)), [true, false, false, 0, 0]);
    assert.deepEqual(told(bytes.subarray(0, HEADER_BYTES - 1)), none);
    assert.deepEqual(told(Buffer.concat([Buffer.from("x"), bytes.subarray(1)])), none);
    assert.deepEqual(told(with_(68, 1)), [false, true, false, VERSIONS.length, 4096]);
    assert.deepEqual(told(with_(60, 9)), [false, true, true, 9, 4096]);
    assert.equal(readHeader(with_(40, 77)).schemaCookie, 77);
    assert.equal(readHeader(with_(16, 0x00010000)).pageSize, 65_536);
    for (const place of [44, 60, 68]) {
      const blank = Buffer.from(bytes);
      for (const other of [44, 60, 68]) blank.writeUInt32BE(other === place ? 1 : 0, other);
      assert.equal(readHeader(blank).isBlank, false, `${place} alone`);
      blank.writeUInt32BE(0, place);
      assert.equal(readHeader(blank).isBlank, true);
    }
  });
});

describe("listFrames", () => {
  const frameBytes = 24 + 512;
  const pages = (log: Buffer, isChecked = true) => listFrames(log, { isChecked }).map(({ page }) => page);

  it("gives the pages of whole transactions, whatever was cut off behind them", (t) => {
    const log = readLog(logged(t, 512)) ?? Buffer.alloc(0);
    const all = listFrames(log, { isChecked: true });
    assert.equal(all.length, (log.length - 32) / frameBytes);
    assert.deepEqual([all[0]?.page, all[0]?.content.length], [1, 512]);
    const ends = all.flatMap(({ pagesAfter }, at) => (pagesAfter > 0 ? [at + 1] : []));
    assert.equal(ends.length, 3);
    for (let length = 0; length <= log.length; length += 134) {
      const whole = Math.floor((length - 32) / frameBytes);
      const expected = ends.findLast((end) => end <= whole) ?? 0;
      assert.equal(pages(log.subarray(0, length)).length, expected, `${length} bytes`);
      assert.equal(pages(log.subarray(0, length), false).length, expected);
    }
  });

  it("ends where a frame is of an older log, or not as it was written", (t) => {
    const log = readLog(logged(t, 512)) ?? Buffer.alloc(0);
    const total = pages(log).length;
    const changed = (at: number) => {
      const bytes = Buffer.from(log);
      bytes[at] = bytes[at]! ^ 1; // within
      return [pages(bytes).length, pages(bytes, false).length];
    };
    const last = 32 + (total - 1) * frameBytes;
    const before =
      listFrames(log, { isChecked: true }).findLastIndex(
        ({ pagesAfter }, at) => pagesAfter > 0 && at < total - 1,
      ) + 1;
    for (const at of [8, 12]) assert.deepEqual(changed(last + at), [before, before], "another salt");
    for (const at of [0, 16, 20, 24, 24 + 511])
      assert.deepEqual(changed(last + at), [before, total], `byte ${at}`);
    for (const at of [24, 28, 12]) assert.equal(changed(at)[0], 0, `byte ${at} of the header`);
    assert.deepEqual(changed(0), [0, 0], "no log");
  });
});

describe("findStamp", () => {
  it("finds on its page in the file what SQLite reads, and nothing on others or on half of it", (t) => {
    const path = join(folder(t), "a.manuscript");
    const store = openStore(path, { clock: ticking(), mint: createMint(), create: true });
    for (let act = 0; act < 300; act++) store.act({ kind: "x", source: "cli" }, () => () => ({}));
    store.close();
    const raw = connect(path);
    const stamp = readStamp((sql) => raw.prepare(sql));
    raw.close();
    assert.ok(stamp !== undefined && stamp.commits === 300);
    const bytes = readFileSync(path);
    const page = (number: number) => bytes.subarray((number - 1) * 4096, number * 4096);
    const { page: number, ...told } = stamp;
    assert.deepEqual(findStamp(page(number)), told);
    for (let other = 1; other <= bytes.length / 4096; other++)
      if (other !== number) assert.equal(findStamp(page(other)), undefined);
    for (const length of [0, 1, 8, 100, 2048, 4095]) {
      const half = Buffer.from(page(number).subarray(0, length));
      assert.ok([undefined, told.commits].includes(findStamp(half)?.commits), `${length} bytes`);
    }
  });
});

describe("the note of a log", () => {
  it("misses a log that is gone or empty, and says nothing while the file has what it told of", (t) => {
    const at = folder(t);
    const path = join(at, "a.manuscript");
    const first = openStore(path, { clock: ticking(), mint: createMint(), create: true });
    first.act({ kind: "x", source: "cli" }, () => () => ({}));
    first.close();
    const store = openStore(path, { clock: ticking(), mint: createMint() });
    for (let act = 0; act < 3; act++) store.act({ kind: "x", source: "cli" }, () => () => ({}));
    const note = readFileSync(path + NOTE);
    const copy = join(at, "b.manuscript");
    const lay = (parts: readonly string[]) => {
      for (const ending of ["", "-wal", NOTE])
        if (parts.includes(ending)) copyFileSync(path + ending, copy + ending);
    };
    lay(["", "-wal"]);
    const { mtimeMs, ...noted } = JSON.parse(String(note));
    const write = (change: object) => {
      const now = readFileSync(copy).length;
      writeFileSync(
        copy + NOTE,
        JSON.stringify({ ...noted, size: now, mtimeMs: statSync(copy).mtimeMs, ...change }),
      );
    };
    assertLogThere(copy);
    write({});
    assertLogThere(copy);
    truncateSync(`${copy}-wal`);
    assert.throws(() => assertLogThere(copy), /-wal, the log that held.*is gone or empty.*restore --list/);
    for (const other of [
      { commit: 1 },
      { size: 1 },
      { mtimeMs: mtimeMs - 5000 },
      { page: 0 },
      { page: 1 },
      { commit: "9" },
    ]) {
      write(other);
      assertLogThere(copy);
    }
    for (const other of ["", "null", "[]", "{"]) {
      writeFileSync(copy + NOTE, other);
      assertLogThere(copy);
    }
    store.close();
    assert.ok(!existsSync(path + NOTE), "whoever closes it last takes it away");
  });
});
