import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { describe, it } from "node:test";
import { run } from "../../src/cli/run.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { VERSIONS } from "../../src/store/file/migrate.ts";
import { shell, withBook } from "./shell.ts";

describe("a family of commands", () => {
  it("lists or shows where nothing follows its name but options", async (t) => {
    const sh = await withBook(t);
    await sh("notes", "add", "Which bell?", "--kind", "note");
    for (const [family, line] of [
      ["account", "account show"],
      ["book", "books"],
      ["chapter", "outline"],
      ["facts", "facts list"],
      ["key", "key list"],
      ["milestone", "milestone list"],
      ["notes", "notes list"],
      ["part", "outline"],
      ["proposals", "proposals list"],
    ] as const)
      for (const options of [[], ["--json"]]) {
        const [alone, named] = [await sh(family, ...options), await sh(...line.split(" "), ...options)];
        assert.deepEqual(
          [alone.exit, alone.stdout, alone.stderr],
          [EXIT.done, named.stdout, named.stderr],
          `${family} ${options}`,
        );
      }
    assert.equal((await sh("proposals", "--status", "all")).stdout, "No proposals.\n");
    assert.match((await sh("chapter", "--help")).stdout, /^Usage: manuscript chapter /);
  });

  it("asks for a book where there are several", async (t) => {
    const sh = await withBook(t);
    await sh("book", "add", "Another");
    const { exit, stderr } = await sh("notes");
    assert.equal(exit, EXIT.usage);
    assert.match(stderr, /name one/);
  });
});

describe("exit codes", () => {
  it("2 for wrong usage, told on stderr with what to do", async (t) => {
    const sh = shell(t);
    for (const [argv, said] of [
      [["outlin"], /unknown command 'outlin' \(Did you mean outline\?\)/],
      [["show"], /missing required argument 'chapter'/],
      [["outline", "1", "2"], /too many arguments/],
      [["status", "1", "finished"], /VALUE cannot be 'finished'\. Allowed choices are draft, revising, done/],
      [["goal", "80000"], /ACTION cannot be '80000'\. Allowed choices are set, clear;/],
      [
        ["show", "1", "--format", "pdf"],
        /--format cannot be 'pdf'\. Allowed choices are text, doc, markdown/,
      ],
      [["map"], /Name a program behind --/],
      [["show", "1", "--revision", "0"], /whole number from 1 on/],
      [["books", "--jsn"], /unknown option '--jsn'/],
      [["serve", "--port", "99999"], /0 to 65535/],
      [["facts", "lst"], /unknown command 'lst' \(Did you mean list\?\); see "manuscript facts --help"/],
      [["facts", "The", "Ferry"], /unknown command 'The'/],
      [[], /Usage: manuscript/],
    ] as const) {
      const { exit, stdout, stderr } = await sh(...argv);
      assert.equal(exit, EXIT.usage, argv.join(" "));
      assert.equal(stdout, "");
      assert.match(stderr, said);
    }
  });

  it("2 for help with what is no command, which says what may have been meant", async (t) => {
    const sh = shell(t);
    for (const [line, said] of [
      ["help nonsense", /unknown command 'nonsense'/],
      ["help hitsory", /unknown command 'hitsory' \(Did you mean history\?\)/],
      ["help facts ad", /unknown command 'ad' \(Did you mean add\?\); see "manuscript facts --help"/],
      ["facts help ad", /Did you mean add\?/],
    ] as const) {
      const { exit, stdout, stderr } = await sh(...line.split(" "));
      assert.deepEqual([exit, stdout], [EXIT.usage, ""], line);
      assert.match(stderr, said);
    }
    assert.equal((await sh("help", "nonsense", "--json")).json().error, "bad_request");
    for (const line of ["help", "help facts", "help facts add", "facts help add", "help status 1 done"])
      assert.equal((await sh(...line.split(" "))).exit, EXIT.done, line);
    assert.match((await sh("help", "facts", "add")).stdout, /^Usage: manuscript facts add/);
  });

  it("-v is the version, and so is -V, as it was called before", async (t) => {
    const sh = shell(t);
    const { stdout } = await sh("--version");
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    for (const flag of ["-v", "-V"]) assert.equal((await sh(flag)).stdout, stdout);
  });

  it("--version --verbose names all that a report of a fault should, also as JSON", async (t) => {
    const sh = shell(t);
    const version = (await sh("--version")).stdout.trim();
    const { stdout } = await sh("--verbose", "-v");
    const [first, node, sqlite, format, system, ...more] = stdout.trimEnd().split("\n");
    assert.deepEqual(
      [first, node, format],
      [`manuscript ${version}`, `Node ${process.versions.node}`, `file format ${VERSIONS.length}`],
    );
    assert.match(sqlite ?? "", /^SQLite 3\.\d+\.\d+$/);
    assert.ok(system?.startsWith(`${process.platform} ${process.arch}, `), system);
    assert.deepEqual(more, []);
    const json = (await sh("--version", "--verbose", "--json")).json();
    assert.deepEqual(
      [json.manuscript, json.node, `SQLite ${json.sqlite}`, json.format, json.system],
      [version, process.versions.node, sqlite, VERSIONS.length, system],
    );
    assert.equal((await sh("--verbose")).exit, EXIT.usage);
  });

  it("3 where there is no manuscript, saying how to make one", async (t) => {
    const sh = shell(t);
    const { exit, stderr } = await sh.with({ cwd: "/" })("books");
    assert.equal(exit, EXIT.notFound);
    assert.match(stderr, /^manuscript: No such manuscript.*run "manuscript init"/);
    const named = await sh("books", "--file", "other.manuscript");
    assert.equal(named.exit, EXIT.notFound);
    assert.match(named.stderr, /No such manuscript at .*other\.manuscript; run "manuscript init" to make it/);
  });

  it("3 for a book, chapter, fact, note, key or act that is not there", async (t) => {
    const sh = await withBook(t);
    for (const argv of [
      ["outline", "Another"],
      ["outline", "7"],
      ["show", "ch_0000000000000000"],
      ["show", "Another"],
      ["facts", "edit", "Nobody", "--summary", "x"],
      ["facts", "delete", "fa_0000000000000000"],
      ["notes", "delete", "sn_0000000000000000"],
      ["key", "revoke", "none"],
      ["undo", "act_0000000000000000"],
      ["import", "missing.md"],
      ["show", "1", "--revision", "9"],
    ]) {
      assert.equal((await sh(...argv)).exit, EXIT.notFound, argv.join(" "));
    }
  });

  it("4 without a subscription, 5 where the ground has moved, 6 where something would be lost", async (t) => {
    const sh = await withBook(t);
    const { act } = (await sh("status", "1", "done", "--json")).json();
    await sh("status", "1", "revising");
    assert.equal((await sh("undo", String(act))).exit, EXIT.conflict);
    await sh("account", "set", "--subscription", "off");
    assert.equal((await sh("status", "1", "done")).exit, EXIT.account);
    assert.equal((await sh("init", "book.manuscript")).exit, EXIT.wouldLose);
  });

  it("1 for a file that is not ours, left as it is", async (t) => {
    const sh = shell(t);
    writeFileSync(join(sh.cwd, "text.manuscript"), "not a database");
    const { exit, stderr } = await sh("books");
    assert.equal(exit, EXIT.failed);
    assert.match(stderr, /is not a manuscript/);
  });
});

describe("--json", () => {
  it("puts {error, message} on stdout and nothing on stderr when it fails", async (t) => {
    const sh = await withBook(t);
    for (const [argv, error] of [
      [["outline", "Another"], "not_found"],
      [["show"], "bad_request"],
      [["nonsense"], "bad_request"],
      [["facts", "lst"], "bad_request"],
      [["search", "1", "  "], "bad_request"],
    ] as const) {
      const ran = await sh(...argv, "--json");
      assert.equal(ran.json().error, error, argv.join(" "));
      assert.equal(typeof ran.json().message, "string");
      assert.equal(ran.stderr, "");
    }
  });

  it("may stand anywhere, and so may --file", async (t) => {
    const sh = await withBook(t);
    const { stdout } = await sh("books", "--json");
    for (const argv of [
      ["--json", "books"],
      ["--file", "book.manuscript", "--json", "books"],
      ["books", "--file=book.manuscript", "--json"],
      ["--json", "books", "--file", "book.manuscript"],
    ]) {
      assert.equal((await sh(...argv)).stdout, stdout, argv.join(" "));
    }
  });
});

describe("the manuscript", () => {
  it("is found in this folder or above, and several are refused by name", async (t) => {
    const sh = await withBook(t);
    mkdirSync(join(sh.cwd, "a", "b"), { recursive: true });
    const below = sh.with({ cwd: join(sh.cwd, "a", "b") });
    assert.equal((await below("books")).exit, EXIT.done);
    cpSync(join(sh.cwd, "book.manuscript"), join(sh.cwd, "second.manuscript"));
    const { exit, stderr } = await below("books");
    assert.equal(exit, EXIT.usage);
    assert.match(stderr, /book\.manuscript.*second\.manuscript/);
  });

  it("is the one of --file before $MANUSCRIPT_FILE before the folder's, then the one in the data folder", async (t) => {
    const sh = await withBook(t);
    await sh("init", "data/manuscript/manuscript.manuscript");
    await sh("init", "other/other.manuscript");
    const counts = async (ran: Promise<{ json(): Record<string, unknown> }>) => (await ran).json().total;
    const named = sh.with({ env: { MANUSCRIPT_FILE: "other/other.manuscript" } });
    assert.equal(await counts(named("books", "--json")), 0);
    assert.equal(await counts(named("books", "--json", "--file", "book.manuscript")), 1);
    const elsewhere = sh.with({ cwd: "/", env: { XDG_DATA_HOME: join(sh.cwd, "data") } });
    assert.equal(await counts(elsewhere("books", "--json")), 0);
  });

  it("init honours $MANUSCRIPT_FILE, else names it after the folder, and makes folders", async (t) => {
    const sh = shell(t);
    const named = sh.with({ env: { MANUSCRIPT_FILE: "deep/er/mine.manuscript" } });
    assert.equal((await named("init", "--json")).json().file, join(sh.cwd, "deep/er/mine.manuscript"));
    assert.equal((await named("books")).exit, EXIT.done);
    mkdirSync(join(sh.cwd, "Novel"));
    const inside = sh.with({ cwd: join(sh.cwd, "Novel") });
    assert.equal((await inside("init", "--json")).json().file, join(sh.cwd, "Novel/Novel.manuscript"));
  });
});

describe("streams", () => {
  it("a reader that has gone is no failure", async (t) => {
    const sh = await withBook(t);
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
      },
    });
    gone.on("error", () => {});
    const exit = await run(["outline", "1"], {
      stdout: gone,
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      stdin: Readable.from([]),
      env: {},
      cwd: sh.cwd,
    });
    assert.equal(exit, EXIT.done);
  });

  it("what cannot be told on a full stdout is told on stderr, and what cannot be told there is left to the exit code", async (t) => {
    const sh = await withBook(t);
    const full = () => {
      const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { syscall: "write" });
      return new Writable({ write: (_chunk, _encoding, done) => done(error) }).on("error", () => {});
    };
    for (const argv of [["outline"], ["outline", "--json"], ["show", "none", "--json"]]) {
      const told: string[] = [];
      const stderr = new Writable({
        write(chunk, _encoding, done) {
          told.push(String(chunk));
          done();
        },
      });
      const around = { stdin: Readable.from([]), env: {}, cwd: sh.cwd };
      const exit = await run(argv, { ...around, stdout: full(), stderr });
      assert.equal(exit, argv[0] === "show" ? EXIT.notFound : EXIT.failed, argv.join(" "));
      assert.match(told.join(""), /^manuscript: (?:ENOSPC|No such chapter)/, argv.join(" "));
      assert.equal(await run(argv, { ...around, stdout: full(), stderr: full() }), exit);
    }
  });

  it("colour is for terminals only, and never with NO_COLOR", async (t) => {
    const sh = await withBook(t);
    const ANSI = "\u001b[";
    assert.ok(!(await sh("outline", "1")).stdout.includes(ANSI));
    assert.ok((await sh.with({ isTTY: true })("outline", "1")).stdout.includes(ANSI));
    assert.ok(
      !(await sh.with({ isTTY: true, env: { NO_COLOR: "1" } })("outline", "1")).stdout.includes(ANSI),
    );
  });
});
