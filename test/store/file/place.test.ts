import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { Unavailable } from "../../../src/refusals.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { NOTE } from "../../../src/store/file/log.ts";
import { openImage } from "../../../src/store/file/open/image.ts";
import { openStore, openToExamine } from "../../../src/store/file/open.ts";
import type { Store } from "../../../src/store/file/store.ts";
import { folder, ticking } from "../../support/sandbox.ts";

const options = () => ({ clock: ticking(), mint: createMint() });
const write = (store: Store, times = 1) => {
  for (let time = 0; time < times; time++) store.act({ kind: "x", source: "cli" }, () => () => ({}));
};
const counted = (store: Store) => store.list<number>("SELECT count(*) FROM acts")[0];

/** A file with three acts, a whole copy of it, and an open store with four acts more; three of them and ten pages are in its log alone. */
function served(t: TestContext) {
  const path = join(folder(t), "w.manuscript");
  const old = join(folder(t), "old");
  const first = openStore(path, { ...options(), create: true });
  write(first, 3);
  first.close();
  copyFileSync(path, old);
  const store = openStore(path, options());
  write(store);
  store.checkpoint();
  store.setAside(() => store.run("INSERT INTO settings(name, value) VALUES('long', ?)", "x".repeat(40_000)));
  write(store, 3);
  t.after(() => store.close());
  return { path, old, store };
}

/** The file and its log as a killed process leaves them, in a folder of their own. */
function killed(t: TestContext) {
  const { path, old, store } = served(t);
  const left = join(folder(t), "w.manuscript");
  for (const ending of ["", "-wal", "-shm", NOTE]) copyFileSync(path + ending, left + ending);
  utimesSync(left, statSync(path).atime, statSync(path).mtime);
  return { path: left, old, store };
}

/** Another copy of what a connection reads, built anew as VACUUM INTO builds it. */
function rebuilt(store: Store, to: string): void {
  store.prepare("VACUUM INTO ?").run(to);
}

const recovered = (t: TestContext, path: string, count: number) => {
  const store = openStore(path, options());
  t.after(() => store.close());
  store.assertInPlace();
  assert.equal(counted(store), count);
  assert.deepEqual(store.list("PRAGMA integrity_check"), ["ok"]);
};

const assertLost = (store: Store, words: RegExp) => {
  assert.throws(() => store.assertInPlace(), words);
  assert.throws(() => write(store), words);
};

describe("a file under an open store", () => {
  const cases: [what: string, does: (made: ReturnType<typeof served>) => void, words: RegExp][] = [
    ["is overwritten by an older copy", ({ path, old }) => copyFileSync(old, path), /overwritten/],
    [
      "is overwritten by an older copy after another program's checkpoint",
      ({ path, old }) => {
        const other = openStore(path, options());
        other.close();
        copyFileSync(old, path);
      },
      /overwritten/,
    ],
    [
      "is overwritten by what it was before its own last checkpoint",
      ({ path, store }) => {
        copyFileSync(path, `${path}-b`);
        assert.ok(store.checkpoint());
        copyFileSync(`${path}-b`, path);
      },
      /overwritten/,
    ],
    [
      "is overwritten by a rebuilt copy of now",
      ({ path, store }) => {
        rebuilt(store, `${path}-b`);
        copyFileSync(`${path}-b`, path);
      },
      /overwritten/,
    ],
    ["is truncated", ({ path }) => truncateSync(path, 0), /overwritten/],
    [
      "is cut to half",
      ({ path }) => truncateSync(path, statSync(path).size / 2),
      /was cut short: it has \d+ of its \d+ bytes.*-wal as they are.*restore --list/,
    ],
    [
      "is cut by a page while its log is taken in",
      ({ path, store }) => {
        assert.ok(store.checkpoint());
        truncateSync(path, statSync(path).size - 4096);
      },
      /was cut short/,
    ],
    ["is cut by a byte", ({ path }) => truncateSync(path, statSync(path).size - 1), /was cut short/],
    [
      "is another file's bytes",
      ({ path }) => writeFileSync(path, "Call me Ishmael. ".repeat(9000)),
      /overwritten/,
    ],
    ["is replaced", ({ path, old }) => renameSync(old, path), /moved, deleted or replaced/],
    ["is deleted", ({ path }) => unlinkSync(path), /moved, deleted or replaced/],
    [
      "loses its log to another one",
      ({ path }) => {
        rmSync(`${path}-wal`);
        writeFileSync(`${path}-wal`, "");
      },
      /log|saves/,
    ],
    ["has its log truncated", ({ path }) => truncateSync(`${path}-wal`, 0), /saves, was overwritten/],
    [
      "has its log zeroed",
      ({ path }) => writeFileSync(`${path}-wal`, Buffer.alloc(statSync(`${path}-wal`).size)),
      /saves, was overwritten/,
    ],
  ];
  for (const [what, does, words] of cases) {
    it(`${what}: nothing is answered, and nothing is written over it at the end`, (t) => {
      const made = served(t);
      does(made);
      const stands = existsSync(made.path) ? readFileSync(made.path) : undefined;
      const log = readFileSync(`${made.path}-wal`);
      assertLost(made.store, words);
      assertLost(made.store, words);
      made.store.close();
      assert.deepEqual(existsSync(made.path) ? readFileSync(made.path) : undefined, stands);
      assert.deepEqual(readFileSync(`${made.path}-wal`), log);
    });
  }

  it("loses its log alone: the saves go into the file when that is seen", (t) => {
    const { path, store } = served(t);
    rmSync(`${path}-wal`);
    assertLost(store, /removed or replaced/);
    const after = openStore(path, options());
    t.after(() => after.close());
    assert.equal(counted(after), 7);
  });

  it("is moved: nothing is written to it, its log stays, and it is served again once it is back", (t) => {
    const { path, store } = served(t);
    const [file, log] = [path, `${path}-wal`].map((name) => readFileSync(name));
    renameSync(path, `${path}-away`);
    assertLost(store, /moved/);
    copyFileSync(`${path}-away`, `${path}-copy`);
    for (const open of [openStore, openToExamine])
      assert.throws(() => open(`${path}-copy`, options()), /-copy was moved while .*still in .*-wal/);
    assert.throws(() => openStore(path, { ...options(), create: true }), /cannot be made: .*newest saves/);
    assert.deepEqual(readFileSync(`${path}-away`), file);
    assert.deepEqual(readFileSync(`${path}-wal`), log);
    renameSync(`${path}-away`, path);
    write(store);
    assert.equal(counted(store), 8);
  });

  it("is moved with nothing in its log: it is opened by its new name once it is let go of", (t) => {
    const { path, store } = served(t);
    store.checkpoint();
    renameSync(path, `${path}-away`);
    assert.throws(() => openStore(`${path}-away`, options()), /was moved while it was open/, "it still is");
    assertLost(store, /moved/);
    store.close();
    const away = openStore(`${path}-away`, options());
    t.after(() => away.close());
    write(away);
    assert.equal(counted(away), 8);
  });

  it("has a second name: it is read, and written no more until that is gone", (t) => {
    const { path, store } = served(t);
    linkSync(path, `${path}-link`);
    store.assertInPlace();
    assert.throws(() => write(store), /hard link/);
    assert.throws(() => openToExamine(`${path}-link`, options()), /a second name \(a hard link\) of/);
    unlinkSync(`${path}-link`);
    write(store);
  });

  it("is written and taken up by other programs: that is no alarm", (t) => {
    const { path, store } = served(t);
    for (let time = 0; time < 4; time++) {
      const other = openStore(path, options());
      write(other, 2);
      store.assertInPlace();
      if (time > 1) other.close();
      write(store);
      other.close();
      store.assertInPlace();
      write(store);
    }
    const foreign = connect(path);
    foreign.exec("CREATE TABLE theirs(x); INSERT INTO theirs VALUES(1); VACUUM");
    store.assertInPlace();
    write(store);
    foreign.pragma("wal_checkpoint(TRUNCATE)");
    foreign.close();
    write(store);
    assert.equal(counted(store), 7 + 4 * 4 + 2);
  });
});

describe("a file whose schema another program changes", () => {
  it("takes no write until that is mended, and is read, as if it was opened then", (t) => {
    const { path, store } = served(t);
    const other = connect(path);
    t.after(() => other.close());
    const triggers = other.prepare("SELECT sql, name FROM sqlite_schema WHERE type = 'trigger'");
    const ours = triggers.all() as { sql: string; name: string }[];
    const refused = (words: RegExp) => {
      for (const does of [() => write(store), () => store.setAside(() => undefined)])
        assert.throws(does, (error: Error) => error instanceof Unavailable && words.test(error.message));
      assert.equal(counted(store), 7, "it is read");
      assert.match(store.refusal ?? "", words);
    };
    other.exec("CREATE TRIGGER evil AFTER INSERT ON acts BEGIN DELETE FROM acts; END");
    refused(/the trigger evil is not its own.*doctor --mend/);
    other.exec("DROP TRIGGER evil");
    for (const { name } of ours) other.exec(`DROP TRIGGER ${name}`);
    refused(/are missing or changed/);
    for (const { sql } of ours) other.exec(sql);
    other.exec("CREATE TABLE theirs(x)");
    write(store);
    assert.equal(counted(store), 8);
    other.exec("ALTER TABLE books RENAME TO theirs_too");
    assert.throws(() => store.state(), /table books, .*missing or changed.*manuscript rescue FILE/);
  });
});

describe("a file with a log left beside it", () => {
  it("takes it in if it is its own, the index beside it or not", (t) => {
    const { path } = killed(t);
    recovered(t, path, 7);
    const { path: bare } = killed(t);
    rmSync(`${bare}-shm`);
    recovered(t, bare, 7);
  });

  it("is read with it where nothing can be written, and stays as it is", (t) => {
    const { path } = killed(t);
    const files = ["", "-wal", "-shm"].map((ending) => readFileSync(path + ending));
    const image = openImage(path);
    assert.equal(image.prepare("SELECT count(*) FROM acts").pluck().get(), 7);
    assert.equal(image.pragma("integrity_check", { simple: true }), "ok");
    image.close();
    assert.deepEqual(
      ["", "-wal", "-shm"].map((ending) => readFileSync(path + ending)),
      files,
    );
    rmSync(`${path}-shm`);
    const log = files[1]!; // the three that were just read
    log.writeUInt8(log.readUInt8(log.length - 2000) ^ 1, log.length - 2000);
    writeFileSync(`${path}-wal`, log);
    const shorter = openImage(path);
    assert.equal(shorter.prepare("SELECT count(*) FROM acts").pluck().get(), 6, "as SQLite takes it");
    shorter.close();
    recovered(t, path, 6);
  });

  it("takes it in after a checkpoint that was stopped anywhere", (t) => {
    const { path, store } = killed(t);
    const before = readFileSync(path);
    store.checkpoint();
    const after = readFileSync(store.path);
    const log = readFileSync(`${path}-wal`);
    for (let pages = 0; pages * 4096 <= after.length; pages += 7) {
      writeFileSync(path, Buffer.concat([after.subarray(0, pages * 4096), before.subarray(pages * 4096)]));
      writeFileSync(`${path}-wal`, log);
      rmSync(`${path}-shm`, { force: true });
      recovered(t, path, 7);
    }
  });

  it("refuses it if it is not, and keeps both byte for byte", (t) => {
    const made = killed(t);
    const { path, old, store } = made;
    const newer = `${old}-newer`;
    rebuilt(store, newer);
    const log = readFileSync(`${path}-wal`);
    for (const other of [old, newer]) {
      copyFileSync(other, path);
      writeFileSync(`${path}-wal`, log);
      for (const open of [openStore, openToExamine]) {
        assert.throws(
          () => open(path, options()),
          (error: Error) => {
            assert.ok(error instanceof Unavailable);
            assert.match(error.message, /manuscript restore/);
            return true;
          },
        );
      }
      assert.deepEqual(readFileSync(path), readFileSync(other));
      assert.deepEqual(readFileSync(`${path}-wal`), log);
    }
    rmSync(`${path}-wal`);
    copyFileSync(old, path);
    recovered(t, path, 3);
  });
});

describe("a file whose log was taken away while nobody had it open", () => {
  it("is refused with what helps, and goes on as before once the log is back", (t) => {
    const { path } = killed(t);
    const log = readFileSync(`${path}-wal`);
    const harms: (() => void)[] = [
      () => rmSync(`${path}-wal`),
      () => truncateSync(`${path}-wal`),
      () => writeFileSync(`${path}-wal`, Buffer.alloc(log.length)),
    ];
    for (const harm of harms) {
      harm();
      rmSync(`${path}-shm`, { force: true });
      const before = readFileSync(path);
      for (const open of [openStore, openToExamine])
        assert.throws(
          () => open(path, options()),
          /-wal, the log .* gone or empty.*restore --list.*restore "/,
        );
      assert.deepEqual(readFileSync(path), before);
      writeFileSync(`${path}-wal`, log);
    }
    recovered(t, path, 7);
  });

  it("is no file that has its saves, nor another one in its place", (t) => {
    const { path, old, store } = served(t);
    const alone = join(folder(t), "w.manuscript");
    copyFileSync(path, alone);
    recovered(t, alone, 4);
    const beside = openStore(path, options());
    write(beside);
    beside.close();
    assert.ok(!existsSync(path + NOTE), "it has taken the log in");
    write(store);
    const note = readFileSync(path + NOTE);
    store.close();
    assert.ok(!existsSync(path + NOTE));
    writeFileSync(path + NOTE, note);
    recovered(t, path, 9);
    writeFileSync(path + NOTE, note);
    copyFileSync(old, path);
    recovered(t, path, 3);
    writeFileSync(path + NOTE, "{");
    recovered(t, path, 3);
  });

  it("is not missed when the log was begun anew, checkpoint by checkpoint", (t) => {
    const { path, store } = served(t);
    const commits: number[] = [];
    for (let round = 0; round < 3; round++) {
      store.checkpoint();
      write(store, 2);
      commits.push(JSON.parse(readFileSync(path + NOTE, "utf8")).commit);
    }
    assert.deepEqual(
      commits.map((commit) => commit - commits[0]!), // there are three
      [0, 2, 4],
    );
  });
});
