import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Unavailable } from "../../../src/refusals.ts";
import { freeAside, freeName, listCopies } from "../../../src/store/copies.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { VERSIONS } from "../../../src/store/file/migrate.ts";
import {
  copyWhole,
  makeCopy,
  moveInto,
  partIn,
  removePart,
  removeParts,
} from "../../../src/store/make-copy.ts";
import { saveSetting } from "../../../src/store/rows/account.ts";
import { peek, readMark, verifyCopy } from "../../../src/store/verify-copy.ts";
import { withSample } from "../../support/sample.ts";
import { folder } from "../../support/sandbox.ts";

const AT = Date.UTC(2026, 2, 5, 10);
/** A number that no process has. */
const DEAD = 2 ** 22 + 7;

function lab(t: TestContext) {
  const { store } = withSample(t).own;
  const home = folder(t);
  return { store, home, to: join(home, "deep", "copies") };
}

describe("makeCopy", () => {
  it("is sound, whole and its owner's alone, in a folder that it makes, and says what it holds", (t) => {
    const { store, to } = lab(t);
    const { path, bytes, holding } = makeCopy(store.path, { folder: to, kind: "scheduled", at: AT });
    assert.equal(path, join(to, "test-2026-03-05T10-00-00Z.backup"));
    assert.deepEqual(readdirSync(to), ["test-2026-03-05T10-00-00Z.backup"]);
    assert.deepEqual(
      [statSync(path).size, statSync(path).mode & 0o777, statSync(to).mode & 0o777],
      [bytes, 0o600, 0o700],
    );
    assert.deepEqual(holding, verifyCopy(path));
    assert.deepEqual(holding, peek(store.path));
    const [words, acts] = [
      store.list("SELECT sum(word_count) FROM chapters")[0],
      store.list("SELECT count(*) FROM acts")[0],
    ];
    const last = store.get("SELECT kind, source, at FROM acts ORDER BY seq DESC");
    assert.deepEqual(holding, {
      format: VERSIONS.length,
      books: 1,
      words,
      acts,
      last,
      mark: readMark(store),
    });
  });

  it("takes away what dead processes left of their copies, and nothing else", (t) => {
    const { store, to } = lab(t);
    mkdirSync(to, { recursive: true });
    const dead = ["", "-journal", "-wal", "-shm"].map(
      (ending) => `.manuscript-${DEAD}-0123abcd.part${ending}`,
    );
    const others = [
      `.manuscript-${process.ppid}-0123abcd.part`,
      `.manuscript-${DEAD}-0123abcd.partly`,
      `.manuscript-${DEAD}-0123abc.part`,
      `x.manuscript-${DEAD}-0123abcd.part`,
      "a.backup",
    ];
    for (const name of [...dead, ...others]) writeFileSync(join(to, name), "");
    removeParts(to);
    assert.deepEqual(readdirSync(to).sort(), others.toSorted());
    makeCopy(store.path, { folder: to, kind: "by hand", at: AT });
    assert.deepEqual(readdirSync(to).sort(), [...others, "test-2026-03-05T10-00-00Z-kept.backup"].sort());
  });

  it("says that there is no room, how much it needs, and what it cannot read, and leaves nothing", (t) => {
    const { store, home } = lab(t);
    const to = join(home, "copy");
    const mib = (Number(store.list("PRAGMA page_count")[0]) * 4096) / 1024 / 1024;
    assert.throws(
      () => copyWhole(store.path, to, { spareMib: 1e9 }),
      (error: Error) => {
        assert.ok(error instanceof Unavailable);
        const [, free, needed] =
          /has ([\d.]+) MiB of free space, and a copy needs ([\d.]+) MiB/.exec(error.message) ?? [];
        assert.equal(needed, (1e9 + mib).toFixed(1));
        assert.ok(Number(free) > 1 && Number(free) < 1e9);
        return true;
      },
    );
    assert.ok(!existsSync(to));
    const torn = join(home, "torn.manuscript");
    writeFileSync(
      torn,
      readFileSync(makeCopy(store.path, { folder: home, kind: "by hand", at: AT }).path).subarray(0, 60_000),
    );
    assert.throws(
      () => makeCopy(torn, { folder: join(home, "t"), kind: "by hand", at: AT }),
      /torn\.manuscript is damaged/,
    );
    assert.deepEqual(readdirSync(join(home, "t")), []);
    writeFileSync(join(home, "file"), "");
    assert.throws(() => makeCopy(store.path, { folder: join(home, "file"), kind: "by hand", at: AT }));
    assert.throws(() => moveInto(join(home, "none"), join(home, "x")), Unavailable);
    const part = partIn(home);
    for (const ending of ["", "-journal", "-wal", "-shm"]) writeFileSync(part + ending, "");
    removePart(part);
    assert.ok(!readdirSync(home).some((name) => name.endsWith(".part") || name.includes(".part-")));
  });
});

describe("verifyCopy", () => {
  it("refuses a row that is not what was written, a table that is not ours, and an empty manuscript", (t) => {
    const { store, home } = lab(t);
    const { path } = makeCopy(store.path, { folder: home, kind: "by hand", at: AT });
    const harmed = (name: string, ...sql: string[]) => {
      const copy = join(home, name);
      writeFileSync(copy, readFileSync(path));
      const raw = connect(copy);
      raw.pragma("foreign_keys = OFF");
      for (const each of sql) raw.exec(each);
      raw.close();
      return copy;
    };
    const row = harmed(
      "a",
      "DROP TRIGGER guard_blocks_update",
      "DROP TRIGGER journal_blocks_update",
      "UPDATE blocks SET source = 'x'",
    );
    assert.throws(() => verifyCopy(row), /is damaged\..*Run: manuscript rescue/);
    assert.throws(() => verifyCopy(harmed("b", "DROP TABLE progress")), /progress/);
    const empty = join(home, "c");
    connect(empty).exec("PRAGMA journal_mode = WAL").close();
    assert.throws(() => verifyCopy(empty), /holds no manuscript: it is empty/);
    assert.deepEqual(
      [peek(join(home, "none")), peek(harmed("d", "DROP TABLE books"))],
      [undefined, undefined],
    );
  });

  it("has another mark for whatever was written, and none for who serves it", (t) => {
    const { store } = lab(t);
    const marks = [readMark(store)];
    store.act({ kind: "x", source: "cli" }, () => () => ({}));
    marks.push(readMark(store));
    store.setAside(() => saveSetting(store, "trial", "1"));
    marks.push(readMark(store));
    store.setAside(() => saveSetting(store, "page:1", "1"));
    assert.equal(readMark(store), marks[2]);
    assert.equal(new Set(marks).size, 3);
  });
});

describe("names of copies", () => {
  it("are free ones, by their kind, numbered within a second", (t) => {
    const home = folder(t);
    const path = join(home, "salt.manuscript");
    const name = (kind: "scheduled" | "by hand") =>
      freeName(path, kind, { folder: home, at: AT + 999 }).slice(home.length + 1);
    assert.deepEqual(
      [name("scheduled"), name("by hand")],
      ["salt-2026-03-05T10-00-00Z.backup", "salt-2026-03-05T10-00-00Z-kept.backup"],
    );
    for (const number of ["", "-2", "-3"]) {
      assert.equal(name("scheduled"), `salt-2026-03-05T10-00-00Z${number}.backup`);
      writeFileSync(join(home, name("scheduled")), "");
    }
    assert.equal(freeAside(path, AT), `${path}-until-2026-03-05T10-00-00Z.backup`);
    writeFileSync(freeAside(path, AT), "");
    assert.equal(freeAside(path, AT), `${path}-until-2026-03-05T10-00-00Z-2.backup`);
  });

  it("tell of files alone, an upgrade's by the time of the file", (t) => {
    const home = folder(t);
    const path = join(home, "salt.manuscript");
    const upgrade = `${path}-v3.backup`;
    writeFileSync(upgrade, "four");
    utimesSync(upgrade, AT / 1000, AT / 1000 + 0.0015);
    mkdirSync(join(home, "salt.manuscript-v2.backup"));
    symlinkSync(join(home, "none"), join(home, "salt.manuscript-v1.backup"));
    assert.deepEqual(listCopies(path), [{ path: upgrade, kind: "before upgrade", at: AT + 1, bytes: 4 }]);
    assert.deepEqual(listCopies(join(home, "a.b.manuscript")), []);
    writeFileSync(join(home, "axb.manuscript-v1.backup"), "");
    assert.deepEqual(listCopies(join(home, "a.b.manuscript")), [], "a point stands for itself");
  });
});

describe("a scheduled copy", () => {
  it("takes away those that have had their time, and nothing that was made by hand", (t) => {
    const { store, to } = lab(t);
    const make = (kind: "scheduled" | "by hand", at: number) => {
      store.act({ kind: "x", source: "cli" }, () => () => ({}));
      return makeCopy(store.path, { folder: to, kind, at }).path;
    };
    const kept = make("by hand", AT);
    const [first, second] = [make("scheduled", AT + 2000), make("scheduled", AT + 2000)];
    assert.deepEqual([kept, first, second].map(existsSync), [true, false, true]);
    writeFileSync(freeName(store.path, "scheduled", { folder: to, at: AT + 3000 }), "torn");
    const third = make("scheduled", AT + 1000);
    assert.deepEqual(
      listCopies(store.path, to).map(({ path }) => path),
      [third, kept],
      "neither a clock that was set back nor what cannot be read counts as newer",
    );
  });

  it("stays though a clock that was wrong has dated a month of others later", (t) => {
    const { store, to } = lab(t);
    const year2099 = Date.UTC(2099, 0, 1);
    for (let day = 0; day < 31; day++)
      makeCopy(store.path, { folder: to, kind: "by hand", at: year2099 + day * 86_400_000 });
    for (const name of readdirSync(to)) renameSync(join(to, name), join(to, name.replace("-kept", "")));
    for (let hour = 0; hour < 3; hour++) {
      store.act({ kind: "x", source: "cli" }, () => () => ({}));
      makeCopy(store.path, { folder: to, kind: "scheduled", at: AT + hour * 3_600_000 });
    }
    const now = listCopies(store.path, to).filter(({ at }) => at < year2099);
    assert.equal(now.length, 3);
  });
});
