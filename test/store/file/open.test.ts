import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { NotFound, Unavailable } from "../../../src/refusals.ts";
import { connect } from "../../../src/store/driver.ts";
import { explainOpening, lockFile, openStore } from "../../../src/store/file/open.ts";
import { VERSIONS } from "../../../src/store/schema/migrate.ts";
import { APPLICATION_ID } from "../../../src/store/schema/schema.ts";
import { folder, ticking } from "../../support/sandbox.ts";

const options = () => ({ clock: ticking(), mint: createMint() });
const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

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
          "foreign_keys",
          "trusted_schema",
          "recursive_triggers",
          "secure_delete",
        ].map(pragma),
        ["wal", 2, 1, 0, 1, 2],
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

  it("refuses a file with a foreign trigger, or with one of ours missing", (t) => {
    const path = join(folder(t), "a.manuscript");
    for (const sql of [
      "CREATE TRIGGER evil AFTER INSERT ON acts BEGIN DELETE FROM books; END",
      "DROP TRIGGER guard_books_insert",
    ]) {
      openStore(path, { ...options(), create: true }).close();
      const raw = connect(path);
      raw.exec(sql);
      raw.close();
      assert.throws(() => openStore(path, options()), /schema/);
      const again = connect(path);
      again.exec("DROP TRIGGER IF EXISTS evil");
      again.close();
    }
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

describe("explainOpening", () => {
  const cases: [code: string, says: RegExp][] = [
    ["SQLITE_NOTADB", /is damaged/],
    ["SQLITE_CORRUPT_VTAB", /is damaged/],
    ["EACCES", /folder .home or the file is read-only/],
    ["SQLITE_READONLY_DIRECTORY", /read-only/],
    ["SQLITE_CANTOPEN", /read-only/],
    ["ENOSPC", /disk is full/],
    ["SQLITE_FULL", /disk is full/],
    ["SQLITE_IOERR_WRITE", /its disk failed/],
  ];
  for (const [code, says] of cases) {
    it(`says what ${code} means`, () => {
      const name = code.startsWith("SQLITE") ? "SqliteError" : "Error";
      const said = explainOpening(Object.assign(new Error("x"), { name, code }), "/home/a.manuscript");
      assert.ok(said instanceof Unavailable);
      assert.match(said.message, says);
    });
  }

  it("leaves every other error as it is", () => {
    for (const error of [new Error("x"), Object.assign(new Error("x"), { code: "SQLITE_BUSY" })]) {
      assert.equal(explainOpening(error, "/home/a.manuscript"), error);
    }
  });
});

describe("lockFile", () => {
  it("lets one server in, and the next when it is gone", (t) => {
    const path = join(folder(t), "a.manuscript");
    const release = lockFile(path);
    assert.throws(() => lockFile(path), /served by another process/);
    release();
    lockFile(path)();
  });
});
