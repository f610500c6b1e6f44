import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Unavailable } from "../../src/refusals.ts";
import { lockFolder } from "../../src/store/folder-lock.ts";
import { openFilesIn } from "../support/open-files.ts";
import { folder } from "../support/sandbox.ts";

/** A folder to lock, the system's place for what passes with a session, and one's own. */
function lab(t: TestContext) {
  const home = folder(t);
  const session = join(home, "session");
  const before = process.env.XDG_RUNTIME_DIR;
  process.env.XDG_RUNTIME_DIR = session;
  t.after(() => {
    if (before === undefined) delete process.env.XDG_RUNTIME_DIR;
    else process.env.XDG_RUNTIME_DIR = before;
  });
  const [mine, locks] = [join(home, "book"), join(home, "own", "locks")];
  mkdirSync(session);
  mkdirSync(mine);
  const lock = (of = mine, patienceMs = 0) =>
    lockFolder({ folder: of, locks, who: "manuscript sync", patienceMs });
  return { home, mine, locks, shared: join(session, `manuscript-${userInfo().uid}`), lock };
}

describe("a folder's lock", () => {
  it("is taken by its path and by itself, and let go of whole", async (t) => {
    const { home, mine, shared, lock } = lab(t);
    const other = join(home, "other name");
    symlinkSync(mine, other);
    const release = await lock();
    const names = readdirSync(shared);
    assert.deepEqual(names.filter((name) => /^[0-9a-f]{24}\.lock$/.test(name)).length, 2);
    const [by = ""] = names.filter((name) => /^[0-9a-f]{24}\.by$/.test(name));
    assert.equal(readFileSync(join(shared, by), "utf8"), `manuscript sync, process ${process.pid}`);
    for (const [name, mode] of [["", 0o700], ...names.map((name) => [name, 0o600])] as [string, number][])
      assert.equal(statSync(join(shared, name)).mode & 0o777, mode, name);
    for (const path of [mine, other])
      await assert.rejects(lock(path), (error: Error) => {
        assert.ok(error instanceof Unavailable);
        assert.match(error.message, /is in use by manuscript sync, process \d+\. Nothing was done/);
        return true;
      });
    release();
    assert.deepEqual(openFilesIn(home) ?? [], [], "what was taken by half is let go of, too");
    (await lock(other))();
    assert.equal(statSync(shared).isDirectory(), true);
  });

  it("is no other folder's, though that is not there yet", async (t) => {
    const { home, mine, lock } = lab(t);
    const one = await lock(join(home, "none"));
    const two = await lock(mine);
    await assert.rejects(lock(join(home, "none")), /none is in use by manuscript sync/);
    one();
    two();
  });

  it("is waited for, and named after another run that has not said its name", async (t) => {
    const { mine, shared, lock } = lab(t);
    const release = await lock();
    for (const name of readdirSync(shared)) if (name.endsWith(".by")) rmSync(join(shared, name));
    await assert.rejects(lock(mine, 60), /in use by another run\./);
    const waiting = lock(mine, 5000);
    release();
    (await waiting)();
  });

  it("is no lock where it cannot be made: that is thrown as it is", async (t) => {
    const { shared, lock } = lab(t);
    const release = await lock();
    release();
    for (const name of readdirSync(shared)) {
      if (!name.endsWith(".lock")) continue;
      writeFileSync(join(shared, name), "no database".repeat(50));
    }
    await assert.rejects(lock(), { code: "SQLITE_NOTADB" });
  });

  const strangers: [what: string, make: (shared: string) => void][] = [
    ["others may write there", (shared) => chmodSync(shared, 0o777)],
    ["its group may", (shared) => chmodSync(shared, 0o720)],
    [
      "it is a link",
      (shared) => {
        rmSync(shared, { recursive: true });
        symlinkSync(`${shared}-elsewhere`, shared);
        mkdirSync(`${shared}-elsewhere`);
      },
    ],
    [
      "it is a file",
      (shared) => {
        rmSync(shared, { recursive: true });
        writeFileSync(shared, "");
      },
    ],
  ];
  for (const [what, make] of strangers)
    it(`lies in a place of one's own where the system's is not: ${what}`, async (t) => {
      const { shared, locks, lock } = lab(t);
      mkdirSync(shared);
      make(shared);
      const release = await lock();
      assert.equal(readdirSync(locks).filter((name) => name.endsWith(".lock")).length, 2);
      assert.equal(statSync(locks).mode & 0o777, 0o700);
      assert.ok(!existsSync(shared) || !statSync(shared).isDirectory() || readdirSync(shared).length === 0);
      release();
    });
});
