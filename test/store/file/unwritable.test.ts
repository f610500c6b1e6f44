import assert from "node:assert/strict";
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { NotFound, Unavailable } from "../../../src/refusals.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { lockFile, mendSchemaOf, openStore, openToExamine, servedBy } from "../../../src/store/file/open.ts";
import type { Store } from "../../../src/store/file/store.ts";
import { openFilesIn } from "../../support/open-files.ts";
import { folder, manuscriptBytes, ticking } from "../../support/sandbox.ts";

const options = () => ({ clock: ticking(), mint: createMint() });
const write = (store: Store) => store.act({ kind: "x", source: "cli" }, () => () => ({}));

function made(t: TestContext): string {
  const path = join(folder(t), "a.manuscript");
  writeFileSync(path, manuscriptBytes());
  return path;
}

/** The system refuses a call, as it would anyone but root, where `isRefused` says so of the path and how often it was asked for. */
function refuse(
  t: TestContext,
  name: "accessSync" | "openSync",
  code: string,
  isRefused: (path: string, time: number) => boolean,
) {
  const real = fs[name] as (path: string, ...more: unknown[]) => never;
  const times = new Map<string, number>();
  const { mock } = t.mock.method(fs, name, (path: string, ...more: unknown[]) => {
    const time = 1 + (times.get(path) ?? 0);
    times.set(path, time);
    if (isRefused(path, time)) throw Object.assign(new Error(code), { code });
    return real(path, ...more);
  });
  syncBuiltinESMExports();
  const end = () => {
    mock.restore();
    syncBuiltinESMExports();
  };
  t.after(end);
  return end;
}

describe("a file that may only be read", () => {
  for (const what of ["file", "folder"] as const)
    it(`is read and refuses every write, in a sentence, its ${what} being read-only`, (t) => {
      const path = made(t);
      refuse(t, "accessSync", "EACCES", (asked) => asked === (what === "file" ? path : dirname(path)));
      for (const open of [openStore, openToExamine]) {
        const store = open(path, options());
        assert.deepEqual(store.all("SELECT * FROM books"), []);
        assert.throws(
          () => write(store),
          (error: Error) =>
            error instanceof Unavailable &&
            error.message.includes(
              `its folder ${dirname(path)} or the file is read-only. Nothing was written`,
            ),
        );
        assert.match(store.refusal ?? "", /reading and exporting work/);
        store.close();
      }
      assert.deepEqual(readdirSync(dirname(path)), ["a.manuscript"]);
      writeFileSync(path, readFileSync(path).subarray(0, 4096));
      for (const open of [openStore, openToExamine]) assert.throws(() => open(path, options()), /is damaged/);
      assert.deepEqual(openFilesIn(dirname(path)) ?? [], []);
    });

  it("is read and refuses every write where it is mounted by itself: its log would lie beside the mount", (t) => {
    const path = join(folder(t), "a novel.manuscript");
    writeFileSync(path, manuscriptBytes());
    const line = (root: string, at: string) => `31 28 0:24 ${root} ${at} rw - ext4 /dev/sda rw\n`;
    const escaped = path.replace(" ", "\\040");
    const mounts = (text: string) => {
      const real = fs.readFileSync;
      const { mock } = t.mock.method(fs, "readFileSync", (file: string, how: "utf8") =>
        file === "/proc/self/mountinfo" ? text : real(file, how),
      );
      syncBuiltinESMExports();
      return () => {
        mock.restore();
        syncBuiltinESMExports();
      };
    };
    let end = mounts(line("/", "/") + line("/home", escaped));
    for (const open of [openStore, openToExamine]) {
      const store = open(path, options());
      assert.deepEqual(store.all("SELECT * FROM books"), []);
      assert.throws(() => write(store), /mounted by itself.*mount its folder instead/);
      store.close();
    }
    end();
    assert.deepEqual(readdirSync(dirname(path)), ["a novel.manuscript"]);
    end = mounts(line(escaped, "/elsewhere") + line("/", dirname(escaped)) + line("/", `${escaped}s`));
    const store = openStore(path, options());
    write(store);
    store.close();
    end();
  });

  it("is told so by what fails as it is opened; of any other failure there is nothing to read", (t) => {
    for (const [code, words] of [
      ["EROFS", /read-only/],
      ["ENOSPC", /disk is full/],
      ["EDQUOT", /disk is full/],
      ["EPERM", /read-only/],
    ] as const) {
      const path = made(t);
      const end = refuse(t, "openSync", code, (asked, time) => asked === path && time === 2);
      const store = openStore(path, options());
      assert.match(store.refusal ?? "", words, code);
      assert.throws(() => write(store), words);
      store.close();
      end();
      const again = openStore(path, options());
      write(again);
      again.close();
    }
    for (const code of ["ENOENT", "EMFILE"]) {
      const path = made(t);
      const end = refuse(t, "openSync", code, (asked, time) => asked === path && time === 2);
      assert.throws(() => openStore(path, options()));
      end();
      assert.deepEqual(openFilesIn(dirname(path)) ?? [], []);
    }
  });

  it("leaves nothing of a new file that could not be made, and says why", (t) => {
    const path = join(folder(t), "a.manuscript");
    mkdirSync(`${path}-journal`);
    assert.throws(() => openStore(path, { ...options(), create: true }), Unavailable);
    assert.deepEqual(readdirSync(dirname(path)), ["a.manuscript-journal"]);
    fs.rmdirSync(`${path}-journal`);
    const end = refuse(t, "openSync", "ENOSPC", (asked) => asked === path);
    assert.throws(() => openStore(path, { ...options(), create: true }), /disk is full/);
    end();
    assert.deepEqual(readdirSync(dirname(path)), []);
    writeFileSync(path, "");
    openStore(path, { ...options(), create: true }).close();
    assert.ok(statSync(path).size > 0, "a maker was stopped when it had reserved the name");
  });

  it("is missing for who only looks, too", (t) => {
    const path = join(folder(t), "a.manuscript");
    for (const open of [openStore, openToExamine]) assert.throws(() => open(path, options()), NotFound);
    assert.ok(!existsSync(path));
    writeFileSync(path, "");
    assert.throws(() => openToExamine(path, { ...options(), create: true } as never), /is empty/);
  });

  it("is not written by who only looks", (t) => {
    const path = made(t);
    const store = openToExamine(path, options());
    assert.throws(() => write(store), Unavailable);
    assert.deepEqual(store.all("SELECT * FROM acts"), []);
    store.close();
    assert.deepEqual(mendSchemaOf(path), []);
  });
});

describe("the server's lock", () => {
  it("is one process's, which is named where its number is known, by the name that is asked for", (t) => {
    const path = made(t);
    assert.equal(servedBy(path), undefined);
    const unlock = lockFile(path);
    assert.equal(servedBy(path), process.pid);
    assert.equal(statSync(`${path}-serve.lock`).mode & 0o777, 0o600);
    assert.throws(
      () => lockFile(path, "Salt"),
      /^Unavailable: Salt is served by another process \(number \d+\) already/,
    );
    unlock();
    assert.equal(servedBy(path), undefined, "what is left of it is no lock");
    writeFileSync(`${path}-serve.lock`, "");
    const stranger = connect(`${path}-serve.lock`);
    stranger.exec("BEGIN EXCLUSIVE");
    assert.equal(servedBy(path), 0);
    assert.throws(() => lockFile(path), /a\.manuscript is served by another process already; use that one/);
    stranger.close();
    lockFile(path)();
    assert.deepEqual(openFilesIn(dirname(path)) ?? [], []);
  });

  it("is none where it cannot be made, and needs none where nothing can be written", (t) => {
    const path = made(t);
    const lock = `${path}-serve.lock`;
    for (const code of ["EROFS", "EACCES", "EPERM"]) {
      const end = refuse(t, "openSync", code, (asked) => asked === lock);
      assert.throws(() => lockFile(path), /read-only/);
      const alsoEnd = refuse(t, "accessSync", "EACCES", (asked) => asked === path);
      lockFile(path)();
      alsoEnd();
      end();
    }
    const full = refuse(t, "openSync", "ENOSPC", (asked) => asked === lock);
    const end = refuse(t, "accessSync", "EACCES", (asked) => asked === path);
    assert.throws(() => lockFile(path), /disk is full/);
    end();
    full();
    writeFileSync(lock, "no database".repeat(50));
    assert.throws(() => lockFile(path), /is damaged/);
    assert.throws(() => servedBy(path), /is damaged/);
    assert.deepEqual(openFilesIn(dirname(path)) ?? [], []);
  });
});
