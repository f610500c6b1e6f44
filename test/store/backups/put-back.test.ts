import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Unavailable } from "../../../src/refusals.ts";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { commitsIn } from "../../../src/store/file/open.ts";
import { assertNobodyElse, followLinks, putBack } from "../../../src/store/put-back-copy.ts";
import { folder, manuscript, manuscriptBytes } from "../../support/sandbox.ts";

/** A whole manuscript in one file, as a copy is: in no need of a log. */
const COPY = Buffer.from(manuscriptBytes());
COPY.fill(1, 18, 20);
const AT = Date.UTC(2026, 2, 5, 10);
const ASIDE = "salt.manuscript-until-2026-03-05T10-00-00Z.backup";

/** A folder with a sound copy and these files, by what their names end with. */
function laid(t: TestContext, parts: Readonly<Record<string, string>>) {
  const home = folder(t);
  const [path, copy] = [join(home, "salt.manuscript"), join(home, "copy.part")];
  writeFileSync(copy, COPY);
  for (const [ending, text] of Object.entries(parts)) writeFileSync(path + ending, text);
  const others = () =>
    Object.fromEntries(
      readdirSync(home)
        .filter((name) => name !== "salt.manuscript")
        .map((name) => [name, readFileSync(join(home, name), "utf8")]),
    );
  return { path, copy, others };
}

describe("putBack", () => {
  const cases: [why: string, parts: Record<string, string>, aside: Record<string, string>][] = [
    ["a file by itself", { "": "old" }, { "": "old" }],
    [
      "a file with its log, and the note of it, never what readers shared",
      { "": "old", "-wal": "log", "-shm": "index", "-log": "note" },
      { "": "old", "-wal": "log", "-log": "note" },
    ],
    ["no log without a page, nor its note", { "": "old", "-wal": "", "-log": "note" }, { "": "old" }],
    ["a log whose file is gone", { "-wal": "log" }, { "-wal": "log" }],
  ];
  for (const [why, parts, aside] of cases)
    it(`sets aside ${why}`, (t) => {
      const { path, copy, others } = laid(t, parts);
      assert.equal(putBack(copy, path, { at: AT }), join(path, "..", ASIDE));
      assert.ok(readFileSync(path).equals(COPY));
      assert.deepEqual(
        others(),
        Object.fromEntries(Object.entries(aside).map(([ending, text]) => [ASIDE + ending, text])),
      );
    });

  it("sets nothing aside where nothing stood", (t) => {
    const { path, copy, others } = laid(t, {});
    assert.equal(putBack(copy, path, { at: AT }), null);
    assert.deepEqual(others(), {});
  });

  it("puts all back as it stood if the copy is no manuscript after all", (t) => {
    for (const parts of [{ "": "old", "-wal": "log", "-log": "note" }, {}]) {
      const { path, copy, others } = laid(t, parts);
      writeFileSync(copy, "no manuscript");
      assert.throws(() => putBack(copy, path, { at: AT }), Unavailable);
      const { "": old, ...beside } = parts as Record<string, string>;
      assert.equal(existsSync(path) ? readFileSync(path, "utf8") : undefined, old);
      assert.deepEqual(
        others(),
        Object.fromEntries(
          Object.entries(beside).map(([ending, text]) => [`salt.manuscript${ending}`, text]),
        ),
      );
    }
  });

  it("takes the log in, and holds the file alone while it is checked; a refusal leaves it", (t) => {
    const { path, copy, others } = laid(t, {});
    writeFileSync(path, manuscriptBytes());
    const writer = connect(path);
    writer.exec("CREATE TABLE t(x)");
    assert.throws(() => putBack(copy, path, { at: AT }), /is open in another program/);
    writer.close();
    const commits = commitsIn(path);
    const check = (found: number | undefined) => {
      assert.deepEqual([found, Object.keys(others())], [commits, ["copy.part"]]);
      const other = connect(path, { timeout: 0 });
      assert.throws(() => other.pragma("user_version"), /locked/);
      other.close();
      throw new Unavailable("written meanwhile");
    };
    assert.throws(() => putBack(copy, path, { at: AT, check }), /written meanwhile/);
    assert.equal(commitsIn(path), commits);
    assert.deepEqual(Object.keys(others()), ["copy.part"]);
  });

  it("copies the file to its new name where the disk has no links", (t) => {
    const { path, copy, others } = laid(t, { "": "old" });
    const link = () => {
      throw Object.assign(new Error("no links"), { code: "EPERM" });
    };
    assert.equal(putBack(copy, path, { at: AT, link }), join(path, "..", ASIDE));
    assert.ok(readFileSync(path).equals(COPY));
    assert.deepEqual(others(), { [ASIDE]: "old" });
  });

  it("says that the disk or the folder refuses, and leaves the file", (t) => {
    const { path, copy } = laid(t, { "": "old" });
    assert.throws(() => putBack(join(copy, "none"), path, { at: AT }));
    assert.equal(readFileSync(path, "utf8"), "old");
  });
});

/** What the kernel tells in /proc, made by hand: each process with the files that it has open, or none that may be seen. */
function kernel(
  t: TestContext,
  processes: Readonly<Record<number, { open?: readonly string[]; command?: string }>>,
  locks: readonly [pid: number, path: string][],
): string {
  const proc = folder(t);
  const lines = locks.map(
    ([pid, path], at) => `${at}: POSIX  ADVISORY  READ ${pid} fe:00:${statSync(path).ino} 128 128`,
  );
  writeFileSync(join(proc, "locks"), `${lines.join("\n")}\n`);
  for (const [pid, { open, command }] of Object.entries(processes)) {
    mkdirSync(join(proc, pid));
    if (open === undefined) writeFileSync(join(proc, pid, "fd"), "another user's");
    else mkdirSync(join(proc, pid, "fd"));
    open?.forEach((path, fd) => {
      symlinkSync(path, join(proc, pid, "fd", String(fd)));
    });
    if (command !== undefined) writeFileSync(join(proc, pid, "cmdline"), command);
  }
  return proc;
}

describe("assertNobodyElse", () => {
  const say = (path: string, proc: string) => {
    try {
      assertNobodyElse(path, proc);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof Unavailable);
      return error.message;
    }
  };
  const told = (who: string) => `salt.manuscript is open in ${who}; stop that first, then try again.`;

  it("names every process that has the file or a part of it open, once, with its command where that may be seen", (t) => {
    const { path } = laid(t, { "": "file", "-wal": "log", "-shm": "index", "-log": "note" });
    for (const ending of ["", "-wal", "-shm", "-log"]) {
      const open = { open: ["/elsewhere", path + ending], command: "node\0serve\0" };
      const proc = kernel(t, { 71: open }, [
        [71, path + ending],
        [71, path + ending],
      ]);
      assert.equal(say(path, proc), told("process 71 (node serve)"), ending);
    }
    const both = {
      71: { open: [path] },
      72: { open: [path], command: `${"x".repeat(70)}\0${"y".repeat(70)}` },
    };
    const proc = kernel(t, both, [
      [71, path],
      [72, path],
    ]);
    assert.equal(say(path, proc), told(`process 71, process 72 (${"x".repeat(70)} ${"y".repeat(9)})`));
  });

  it("takes another user's process for one that has it open", (t) => {
    const { path } = laid(t, { "": "file" });
    assert.equal(say(path, kernel(t, { 71: {} }, [[71, path]])), told("process 71"));
  });

  it("minds neither this process, one that has ended, one with another file nor one with another disk's", (t) => {
    const { path, copy } = laid(t, { "": "file" });
    const open = { open: [path] };
    assert.equal(say(path, kernel(t, { [process.pid]: open }, [[process.pid, path]])), undefined);
    assert.equal(say(path, kernel(t, {}, [[71, path]])), undefined);
    assert.equal(say(path, kernel(t, { 71: open }, [[71, copy]])), undefined);
    assert.equal(say(path, kernel(t, { 71: { open: ["/elsewhere"] } }, [[71, path]])), undefined);
    assert.equal(say(path, kernel(t, {}, [])), undefined);
  });

  it("says nothing where there is no such list", (t) => {
    const { path } = laid(t, { "": "file" });
    assert.equal(say(path, join(path, "none")), undefined);
  });
});

describe("followLinks", () => {
  it("is the file that a link leads to, and the path itself where nothing is", (t) => {
    const { path, copy } = laid(t, {});
    symlinkSync(copy, path);
    assert.equal(followLinks(path), realpathSync(copy));
    rmSync(copy);
    assert.equal(followLinks(path), path);
  });
});

describe("a file that was given its new name, and no more", () => {
  it("loses that when it is opened, so that it can be written", (t) => {
    const own = manuscript(t);
    const { path } = own.store;
    own.close();
    linkSync(path, `${path}-until-2026-03-05T10-00-00Z.backup`);
    linkSync(path, `${path}-linked`);
    openManuscript(path).close();
    assert.deepEqual(readdirSync(dirname(path)).sort(), ["test.manuscript", "test.manuscript-linked"]);
  });
});
