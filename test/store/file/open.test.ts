import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { NotFound, Unavailable } from "../../../src/refusals.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { mendSchema, VERSIONS } from "../../../src/store/file/migrate.ts";
import { lockFile, openStore, openToExamine } from "../../../src/store/file/open.ts";
import { APPLICATION_ID } from "../../../src/store/file/schema.ts";
import type { Store } from "../../../src/store/file/store.ts";
import { folder, ticking } from "../../support/sandbox.ts";

const options = () => ({ clock: ticking(), mint: createMint() });
const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** An empty manuscript, and what another program did to it. */
function made(t: TestContext, sql = ""): string {
  const path = join(folder(t), "a.manuscript");
  openStore(path, { ...options(), create: true }).close();
  const raw = connect(path);
  raw.exec(sql);
  raw.close();
  return path;
}

const write = (store: Store) => store.act({ kind: "x", source: "cli" }, () => () => ({}));

describe("openStore", () => {
  it("makes a file that only its owner can read, with its marks in the header's bytes", (t) => {
    const path = join(folder(t), "a.manuscript");
    openStore(path, { ...options(), create: true }).close();
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const bytes = readFileSync(path);
    assert.equal(bytes.readUInt32BE(68), APPLICATION_ID);
    assert.equal(bytes.readUInt32BE(60), VERSIONS.length);
  });

  it("sets synchronous=FULL on every open, not only the first", (t) => {
    const path = join(folder(t), "a.manuscript");
    openStore(path, { ...options(), create: true }).close();
    for (let time = 0; time < 2; time++) {
      const store = openStore(path, options());
      const pragma = (name: string) =>
        Object.values(store.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0];
      assert.deepEqual(
        [
          "journal_mode",
          "synchronous",
          "fullfsync",
          "foreign_keys",
          "trusted_schema",
          "recursive_triggers",
          "secure_delete",
        ].map(pragma),
        ["wal", 2, 1, 1, 0, 1, 2],
      );
      store.close();
    }
  });

  it("leaves nothing in the WAL when it is closed", (t) => {
    const path = join(folder(t), "a.manuscript");
    openStore(path, { ...options(), create: true }).close();
    assert.equal(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0);
  });

  it("makes its tables where its maker was stopped before", (t) => {
    const path = join(folder(t), "a.manuscript");
    const raw = connect(path);
    raw.pragma("journal_mode = WAL");
    raw.close();
    assert.equal(statSync(path).size, 4096);
    openStore(path, options()).close();
    assert.equal(readFileSync(path).readUInt32BE(60), VERSIONS.length);
  });

  it("says that a file is missing, and makes none through a link", (t) => {
    const path = join(folder(t), "none.manuscript");
    assert.throws(() => openStore(path, options()), NotFound);
    symlinkSync(`${path}-elsewhere`, path);
    assert.throws(() => openStore(path, { ...options(), create: true }), /a link to nowhere stands there/);
    assert.ok(!existsSync(`${path}-elsewhere`));
  });

  const foreign: [string, (path: string) => void][] = [
    ["text", (path) => writeFileSync(path, "Call me Ishmael.\n".repeat(20))],
    ["a short file", (path) => writeFileSync(path, "x")],
    ["random bytes", (path) => writeFileSync(path, Buffer.alloc(4096, 0xa5))],
    ["another program's database", (path) => connect(path).exec("CREATE TABLE t(x)").close()],
    [
      "a newer manuscript",
      (path) => {
        openStore(path, { ...options(), create: true }).close();
        const raw = connect(path);
        raw.pragma(`user_version = ${VERSIONS.length + 1}`);
        raw.pragma("journal_mode = DELETE");
        raw.close();
      },
    ],
  ];
  for (const [what, make] of foreign) {
    it(`refuses ${what} and leaves it byte-identical`, (t) => {
      const path = join(folder(t), "a.manuscript");
      make(path);
      const before = digest(path);
      assert.throws(() => openStore(path, options()), Unavailable);
      assert.equal(digest(path), before);
      assert.equal(statSync(`${path}-wal`, { throwIfNoEntry: false }), undefined);
    });
  }

  it("reads a file with a foreign trigger or view, or without a trigger of ours, and writes nothing to it", (t) => {
    for (const sql of [
      "CREATE TRIGGER evil AFTER INSERT ON acts BEGIN DELETE FROM books; END",
      "CREATE VIEW evil AS SELECT * FROM books",
      "CREATE UNIQUE INDEX evil ON books(title)",
      "DROP TRIGGER guard_books_insert",
    ]) {
      const path = made(t, sql);
      const store = openStore(path, options());
      assert.deepEqual(store.all("SELECT * FROM books"), []);
      assert.throws(() => write(store), /schema .*(evil|guard_books_insert).*doctor --mend/);
      assert.throws(() => store.setAside(() => 1), Unavailable);
      store.close();
      const raw = connect(path);
      assert.notDeepEqual(mendSchema(raw), []);
      assert.deepEqual(mendSchema(raw), []);
      raw.close();
      const mended = openStore(path, options());
      write(mended);
      mended.close();
    }
  });

  it("names what has changed the schema, three of it at most, and what to do", (t) => {
    const triggers = (count: number) =>
      Array.from(
        { length: count },
        (_, at) => `CREATE TRIGGER evil${at} AFTER INSERT ON acts BEGIN SELECT 1; END`,
      );
    const told: [sql: readonly string[], named: string][] = [
      [triggers(1), "the trigger evil0 is not its own. "],
      [triggers(2), "the trigger evil0, the trigger evil1 are not its own. "],
      [triggers(3), "the trigger evil0, the trigger evil1, the trigger evil2 are not its own. "],
      [triggers(5), "the trigger evil0, the trigger evil1, the trigger evil2 and 2 more are not its own. "],
      [["DROP TRIGGER guard_books_insert"], "trigger guard_books_insert is missing or changed. "],
      [
        ["DROP TRIGGER guard_books_insert", "DROP TRIGGER guard_books_update", ...triggers(1)],
        "the trigger evil0 is not its own, trigger guard_books_insert, trigger guard_books_update are missing or changed. ",
      ],
    ];
    for (const [sql, named] of told) {
      const store = openStore(made(t, sql.join(";")), options());
      const text = `something else has changed it: ${named}Nothing is written to it. `;
      assert.throws(
        () => write(store),
        (error: Error) => error.message.includes(text) && /doctor --mend/.test(error.message),
        named,
      );
      store.close();
    }
  });

  it("refuses a file without one of our tables", (t) => {
    assert.throws(
      () => openStore(made(t, "DROP TABLE progress_entries"), options()),
      /schema .*table progress_entries, .* missing or changed.*Run: manuscript rescue FILE -o rescued\.$/,
    );
  });

  it("minds no tables and indexes of others, as Litestream's", (t) => {
    const path = made(
      t,
      "CREATE TABLE _litestream_seq(id INTEGER PRIMARY KEY, seq INTEGER); CREATE TABLE _litestream_lock(id INTEGER); CREATE INDEX by_title ON books(title)",
    );
    const store = openStore(path, options());
    t.after(() => store.close());
    write(store);
  });

  it("refuses a file of 0 bytes, one of format 0, and one whose log a newer version wrote, and leaves all as it is", (t) => {
    const empty = join(folder(t), "a.manuscript");
    writeFileSync(empty, "");
    assert.throws(() => openStore(empty, options()), /0 bytes/);
    writeFileSync(`${empty}-wal`, Buffer.alloc(5000, 1));
    for (const open of [openStore, openToExamine]) assert.throws(() => open(empty, options()), /restore/);
    assert.equal(statSync(`${empty}-wal`).size, 5000);
    const none = made(t, "PRAGMA user_version = 0");
    assert.throws(() => openStore(none, options()), /format is not known/);

    const newer = made(t);
    const raw = connect(newer);
    raw.pragma(`user_version = ${VERSIONS.length + 1}`);
    const copy = join(folder(t), "b.manuscript");
    for (const ending of ["", "-wal"]) copyFileSync(newer + ending, copy + ending);
    raw.close();
    const before = [copy, `${copy}-wal`].map(digest);
    assert.throws(() => openStore(copy, options()), /newer version/);
    assert.deepEqual([copy, `${copy}-wal`].map(digest), before);
  });

  it("refuses a folder, a missing folder and, to anyone but root, a read-only one", (t) => {
    const home = folder(t);
    assert.throws(() => openStore(home, options()), Unavailable);
    assert.throws(
      () => openStore(join(home, "no/where.manuscript"), { ...options(), create: true }),
      /does not exist/,
    );
    if (process.getuid?.() === 0) return;
    mkdirSync(join(home, "locked"));
    chmodSync(join(home, "locked"), 0o500);
    assert.throws(
      () => openStore(join(home, "locked/a.manuscript"), { ...options(), create: true }),
      /read-only/,
    );
  });

  it("stops acknowledging writes once its file is gone", (t) => {
    const path = join(folder(t), "a.manuscript");
    const store = openStore(path, { ...options(), create: true });
    t.after(() => store.close());
    writeFileSync(`${path}.new`, "");
    renameSync(`${path}.new`, path);
    assert.throws(
      () => store.act({ kind: "x", source: "cli" }, () => () => ({})),
      /moved, deleted or replaced/,
    );
  });
});

describe("an open store", () => {
  it("writes no more once a newer version has brought its file up to date", (t) => {
    const path = join(folder(t), "a.manuscript");
    const store = openStore(path, { ...options(), create: true });
    t.after(() => store.close());
    const write = () => store.act({ kind: "x", source: "cli" }, () => () => ({}));
    write();
    const newer = connect(path);
    newer.pragma(`user_version = ${VERSIONS.length + 1}`);
    assert.throws(write, /brought up to date by a newer version/);
    newer.pragma(`user_version = ${VERSIONS.length}`);
    newer.close();
    write();
  });
});

describe("lockFile", () => {
  it("lets one server in, and the next when it is gone", (t) => {
    const path = join(folder(t), "a.manuscript");
    const release = lockFile(path);
    assert.throws(() => lockFile(path), new RegExp(`served by another process \\(number ${process.pid}\\)`));
    release();
    lockFile(path)();
  });
});
