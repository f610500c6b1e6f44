import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { checksumLine } from "../../src/files/bundle/bundle-shape.ts";
import { folded, isSafe } from "../../src/files/folder/safe-name.ts";
import { hashOf } from "../../src/store/file/hashes.ts";
import { type Shell, shell } from "../cli/shell.ts";

// Windows has neither these links nor these names; what is asserted of names holds there by `isSafe`.
const skip = process.platform === "win32";
const SECRET = "The secret.\n";

/** Every path below a folder with what it is and holds, but for what lies in `except`. */
function listing(folder: string, except: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): string[] => {
    const path = join(folder, entry.name);
    if (except.includes(path) || /\.manuscript(?:-\w+)?$/.test(path)) return [];
    if (entry.isDirectory()) return [`${path}/`, ...listing(path, except)];
    const holds = entry.isSymbolicLink()
      ? readlinkSync(path)
      : entry.isFile()
        ? createHash("sha256").update(readFileSync(path)).digest("hex")
        : "";
    return [`${path} ${lstatSync(path).mode} ${holds}`];
  });
}

/** A shell with a folder to work in, `box`, and beside it what nobody may touch. */
function world(t: TestContext) {
  const sh = shell(t);
  const box = join(sh.cwd, "box");
  const outside = join(sh.cwd, "outside");
  for (const path of [box, outside, join(outside, "deep")]) mkdirSync(path);
  writeFileSync(join(outside, "secret.md"), SECRET);
  writeFileSync(join(outside, "deep", "01-a.md"), SECRET);
  writeFileSync(join(sh.cwd, "beside.md"), SECRET);
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(box, name)), { recursive: true });
    writeFileSync(join(box, name), text);
  };
  return { sh, box, outside, put, around: () => listing(sh.cwd, [box]) };
}

function fifo(t: TestContext, path: string): void {
  execFileSync("sh", ["-c", `mkfifo "$0"`, path]);
  // A reader that waits for it is let go, so that the test fails and does not hang.
  const release = spawn("sh", ["-c", `sleep 5; : > "${path}"`], { stdio: "ignore", detached: true });
  t.after(() => {
    if (release.exitCode === null) process.kill(-release.pid!, "SIGKILL");
  });
}

/** What stands in the folder as a chapter's file, and what the import says of it. */
const ENTRIES: readonly {
  name: string;
  make: (path: string, outside: string, t: TestContext) => unknown;
  said: RegExp;
}[] = [
  {
    name: "02-link.md",
    make: (path, outside) => symlinkSync(join(outside, "secret.md"), path),
    said: /not a file of/,
  },
  { name: "02-up.md", make: (path) => symlinkSync("../beside.md", path), said: /not a file of/ },
  {
    name: "02-again.md",
    make: (path) => symlinkSync("01-own.md", path),
    said: /a link to 01-own\.md, which/,
  },
  { name: "02-nowhere.md", make: (path) => symlinkSync("nowhere", path), said: /not a file of/ },
  { name: "02-loop.md", make: (path) => symlinkSync("02-loop.md", path), said: /not a file of/ },
  { name: "02-zero.md", make: (path) => symlinkSync("/dev/zero", path), said: /not a file of/ },
  { name: "02-folder.md", make: (path) => mkdirSync(path), said: /not a file of/ },
  { name: "02-pipe.md", make: (path, _, t) => fifo(t, path), said: /not a file of/ },
  { name: "02-socket.md", make: (path, _, t) => listen(path, t), said: /not a file of/ },
  {
    name: "02-\u001b[31m.md",
    make: (path) => writeFileSync(path, "x"),
    said: /02-\\x1b\[31m\.md: its name holds control/,
  },
  { name: "02-new\nline.md", make: (path) => writeFileSync(path, "x"), said: /its name holds control/ },
  { name: "02-a\\..\\b.md", make: (path) => writeFileSync(path, "x"), said: /its name is hidden or outside/ },
  { name: "C:02.md", make: (path) => writeFileSync(path, "x"), said: /its name is hidden or outside/ },
  { name: "02-a.conflict.md", make: (path) => writeFileSync(path, "x"), said: /an import left it/ },
];

async function listen(path: string, t: TestContext): Promise<void> {
  const server = createServer().listen(path);
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
}

describe("what an import reads of a folder", { skip }, () => {
  it("is files of the folder: everything else is left out by name, and nothing waits for a pipe", async (t) => {
    const { sh, box, outside, put, around } = world(t);
    await sh("init", "own.manuscript");
    put("01-own.md", "Own.\n");
    for (const { name, make } of ENTRIES) await make(join(box, name), outside, t);
    put(".drafts/03.md", "Inside.\n");
    symlinkSync(".drafts/03.md", join(box, "03-inside.md"));
    for (const hidden of [".manuscript-1.tmp", ".manuscript-1-ab.tmp", ".04.md"]) put(hidden, "Hidden.\n");
    const before = around();
    const { exit, stdout, stderr } = await sh("import", "box", "--dry-run", "--json");
    assert.equal(exit, EXIT.done, stdout);
    const { chapters } = JSON.parse(stdout) as { chapters: { file: string; wordCount: number }[] };
    assert.deepEqual(
      chapters.map(({ file }) => file),
      ["01-own.md", "03-inside.md"],
    );
    assert.ok(!stdout.includes("secret"));
    for (const { name, said } of ENTRIES) assert.match(stderr, said, name);
    assert.doesNotMatch(stderr, /\u001b/);
    assert.deepEqual(around(), before);
  });

  it("is refused where book.json names anything outside, hidden, or unsayable", async (t) => {
    const { sh, outside, box, put, around } = world(t);
    await sh("init", "own.manuscript");
    put("01-own.md", "Own.\n");
    symlinkSync(outside, join(box, "away"));
    const before = around();
    for (const [file, exit, said] of [
      ["../outside/secret.md", EXIT.usage, /outside its folder/],
      ["..\\outside\\secret.md", EXIT.usage, /outside its folder/],
      [join(outside, "secret.md"), EXIT.usage, /outside its folder/],
      ["a/../../outside/secret.md", EXIT.usage, /outside its folder/],
      ["C:\\secret.md", EXIT.usage, /outside its folder/],
      ["\\\\host\\secret.md", EXIT.usage, /outside its folder/],
      [".hidden/secret.md", EXIT.usage, /hidden/],
      ["", EXIT.usage, /outside its folder/],
      ["01-own.md/", EXIT.usage, /outside its folder/],
      ["a\u0000.md", EXIT.usage, /"a\\u0000\.md", which holds control/],
      ["a\nb.md", EXIT.usage, /holds control/],
      ["\ud800.md", EXIT.usage, /half letters/],
      ["away/secret.md", EXIT.notFound, /away\/secret\.md, which book\.json lists/],
      ["01-own.md/x.md", EXIT.notFound, /which book\.json lists/],
      [`${"n".repeat(300)}.md`, EXIT.notFound, /which book\.json lists/],
      [7, EXIT.usage, /must be text/],
    ] as const) {
      put("book.json", JSON.stringify({ chapters: [{ file }] }));
      const ran = await sh("import", "box", "--dry-run");
      assert.equal(ran.exit, exit, `${file}: ${ran.stderr}`);
      assert.match(ran.stderr, said);
      const told = ran.stderr.trimEnd().split("\n");
      assert.equal(told.filter((line) => !line.startsWith("Left out")).length, 1, ran.stderr);
    }
    assert.deepEqual(around(), before);
  });

  it("comes from an ordinary path: a pipe, a device, a closed circle or a bundle that is none is refused", async (t) => {
    const { sh, box, put } = world(t);
    await sh("init", "own.manuscript");
    for (const name of ["pipe.md", "pipe.json"]) fifo(t, join(box, name));
    symlinkSync("/dev/zero", join(box, "zero.json"));
    symlinkSync("circle.md", join(box, "circle.md"));
    put("plain.md", "Plain.\n");
    for (const [path, exit] of [
      ["box/pipe.md", EXIT.usage],
      ["box/pipe.json", EXIT.usage],
      ["box/zero.json", EXIT.usage],
      ["/dev/zero", EXIT.usage],
      ["box/circle.md", EXIT.notFound],
      ["box/plain.md/x", EXIT.notFound],
      [`box/${"n".repeat(300)}`, EXIT.notFound],
    ] as const) {
      const { exit: given, stderr } = await sh("import", path);
      assert.equal(given, exit, `${path}: ${stderr}`);
      assert.doesNotMatch(stderr, /\b(?:E[A-Z]{4,}|ERR_)/, path);
    }
  });
});

/** Names that a chapter may remember by a hand-made bundle; none of them is ever written as it is. */
const REMEMBERED = [
  "../outside/secret.md",
  "/etc/x.md",
  "a/../../x.md",
  "..",
  ".",
  "",
  ".hidden.md",
  "sub/.git/config.md",
  "C:x.md",
  "a\\b.md",
  "a\u0000.md",
  "a\nb.md",
  "con.md",
  "CON",
  "nul .txt",
  "com¹.md",
  "sub/lpt9.tar.md",
  "conin$",
  "x.",
  "x ",
  "sub /x.md",
  "what?.md",
  "book.json",
  "book.yaml",
  "Notes.yaml",
  "x.conflict.md",
  `${"é".repeat(127)}.md`,
  `${"n".repeat(300)}.md`,
  `${"deep/".repeat(300)}x.md`,
];

/** Names that a file system may take for another's, or that could not be made beside it. */
const TWINS = [
  ["Storm.md", "storm.md"],
  ["straße.md", "STRASSE.md"],
  ["caf\u00e9.md", "cafe\u0301.md"],
  ["in\u200bvisible.md", "invisible.md"],
  ["ſ.md", "S.md"],
  ["thing.md", "thing.md/part.md"],
  ["Folder/x/one.md", "folder/X"],
] as const;

/** A manuscript whose chapters remember these file names, as a hand-made bundle can have it. */
async function remembering(sh: Shell, names: readonly string[]): Promise<Shell> {
  mkdirSync(join(sh.cwd, "made"));
  names.forEach((_, index) => {
    writeFileSync(join(sh.cwd, "made", `${index}-x.md`), `Chapter ${index}.\n`);
  });
  await sh("init", "first.manuscript");
  await sh("import", "made", "--file", "first.manuscript");
  await sh("export", "-f", "json", "-o", "made.json", "--file", "first.manuscript");
  const { sha256: _, ...bundle } = JSON.parse(readFileSync(join(sh.cwd, "made.json"), "utf8"));
  const { columns, rows } = bundle.tables.chapters;
  const place = columns.indexOf("file");
  for (const row of rows) {
    row[place] = names[Number.parseInt(row[place], 10)];
    const cells = Object.fromEntries(columns.map((column: string, index: number) => [column, row[index]]));
    row[columns.indexOf("hash")] = hashOf("chapters", cells.id, cells);
  }
  const text = JSON.stringify(bundle).slice(0, -1);
  const sum = createHash("sha256").update(text).digest("hex");
  writeFileSync(join(sh.cwd, "made.json"), text + checksumLine(sum));
  await sh("init", "own.manuscript");
  const loaded = await sh("import", "made.json", "--file", "own.manuscript");
  assert.equal(loaded.exit, EXIT.done, loaded.stderr);
  return sh.with({ env: { MANUSCRIPT_FILE: "own.manuscript" } });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    lstatSync(join(folder, name)).isFile(),
  );
}

/** Asserts that an export holds a file a chapter, all of them safe and apart, and that it reads back as the same. */
async function assertSound(sh: Shell, chapters: number): Promise<string[]> {
  const files = filesOf(join(sh.cwd, "box", "out")).filter((name) => name.endsWith(".md"));
  assert.equal(files.length, chapters);
  for (const file of files) assert.ok(isSafe(file), JSON.stringify(file));
  assert.equal(new Set(files.map(folded)).size, chapters);
  const again = await sh("import", "box/out", "--book", "1", "--dry-run", "--exit-code");
  assert.equal(again.exit, EXIT.done, again.stdout + again.stderr);
  return files;
}

describe("what an export writes", { skip }, () => {
  it("lies in its folder whatever file names a bundle says that chapters had", async (t) => {
    const { sh, around } = world(t);
    const own = await remembering(sh, REMEMBERED);
    const before = around();
    const ran = await own("export", "1", "-o", "box/out");
    assert.equal(ran.exit, EXIT.done, ran.stderr);
    const files = await assertSound(own, REMEMBERED.length);
    for (const name of REMEMBERED) assert.ok(!files.includes(name), JSON.stringify(name));
    assert.deepEqual(around(), before);
  });

  it("keeps twins apart, and files from where folders have to be", async (t) => {
    const { sh, around } = world(t);
    const own = await remembering(sh, TWINS.flat());
    const before = around();
    assert.equal((await own("export", "1", "-o", "box/out", "--plain")).exit, EXIT.done);
    const files = filesOf(join(sh.cwd, "box", "out"));
    assert.equal(files.length, TWINS.flat().length + 1);
    assert.equal(new Set(files.map(folded)).size, files.length);
    for (const [first] of TWINS) assert.ok(files.includes(first), first);
    assert.deepEqual(around(), before);
  });

  it("lies in its folder whatever book, parts and chapters are called", async (t) => {
    const { sh, box, around } = world(t);
    await sh("init", "own.manuscript");
    const api = async (path: string, body: object) =>
      (await sh.with({ stdin: JSON.stringify(body) })("api", "POST", path, "--input", "-")).json<{
        id: string;
      }>();
    const titles = [
      "../../outside",
      "/etc/passwd",
      "CON",
      "con.",
      "...",
      ".git",
      "🌊🌊🌊",
      "\u200b\u200d",
      "\u202eevil\u202c",
      "العاصفة",
      "a".repeat(500),
      "é".repeat(300),
      "Storm",
      "storm",
      "STORM ",
      "a/b\\c:d",
      "x.conflict",
      "$(touch x) `id` ; rm -rf /",
      "%00 %2e%2e%2f",
    ];
    const { id: bookId } = await api("/books", { title: "../../outside" });
    for (const [index, title] of titles.entries()) {
      const { id: partId } = await api(`/books/${bookId}/parts`, { title });
      await api(`/books/${bookId}/chapters`, { title, partId, markdown: `Chapter ${index}.\n` });
    }
    const before = around();
    const inBox = sh.with({ cwd: box });
    assert.equal((await inBox("export", "1", "--file", "../own.manuscript")).exit, EXIT.done);
    assert.deepEqual(readdirSync(box), ["outside"], "the folder is named after the book");
    assert.equal((await sh("export", "1", "-o", "box/out")).exit, EXIT.done);
    await assertSound(sh, titles.length);
    assert.deepEqual(around(), before);
  });

  it("replaces no link, no folder, no pipe, and goes through none", async (t) => {
    const { sh, box, outside, put, around } = world(t);
    await sh("init", "own.manuscript");
    put("sub/01-a.md", "A.\n");
    put("book.json", '{"chapters":["sub/01-a.md"]}');
    await sh("import", "box", "--title", "T");
    const before = around();
    const out = join(box, "out");
    const place = join(out, "sub", "01-a.md");
    for (const [what, make, said] of [
      ["a link out", () => symlinkSync(join(outside, "secret.md"), place), /is a symbolic link/],
      ["a link to nowhere", () => symlinkSync("nowhere", place), /is a symbolic link/],
      ["a folder", () => mkdirSync(place), /is a folder/],
      ["a pipe", () => fifo(t, place), /is no ordinary file/],
    ] as const) {
      rmSync(out, { recursive: true, force: true });
      mkdirSync(dirname(place), { recursive: true });
      make();
      for (const force of [[], ["--force"]]) {
        const { exit, stderr } = await sh("export", "1", "-o", "box/out", ...force);
        assert.equal(exit, EXIT.wouldLose, what + stderr);
        assert.match(stderr, said);
      }
    }
    for (const [what, make, said] of [
      ["a linked folder", () => symlinkSync(join(outside, "deep"), join(out, "sub")), /is a symbolic link/],
      ["a file for a folder", () => writeFileSync(join(out, "sub"), "x"), /a file where a folder has to be/],
    ] as const) {
      rmSync(out, { recursive: true, force: true });
      mkdirSync(out);
      make();
      const { exit, stderr } = await sh("export", "1", "-o", "box/out", "--force");
      assert.equal(exit, EXIT.wouldLose, what + stderr);
      assert.match(stderr, said);
    }
    rmSync(out, { recursive: true });
    mkdirSync(out);
    fifo(t, join(out, "book.yaml"));
    assert.equal((await sh("export", "1", "-o", "box/out", "--force")).exit, EXIT.wouldLose);
    assert.deepEqual(around(), before);
  });

  it("goes into the folder that was named, also by a link; a place that is none is refused with the remedy", async (t) => {
    const { sh, box, put } = world(t);
    await sh("init", "own.manuscript");
    put("a.md", "A.\n");
    await sh("import", "box/a.md", "--title", "T");
    mkdirSync(join(box, "real"));
    symlinkSync("real", join(box, "link"));
    assert.equal((await sh("export", "1", "-o", "box/link")).exit, EXIT.done);
    assert.ok(readdirSync(join(box, "real")).includes("a.md"));
    symlinkSync("nowhere", join(box, "dangling"));
    symlinkSync("circle", join(box, "circle"));
    put("plain", "A.\n");
    for (const path of ["plain", "a.md/x", "dangling", "circle", "n".repeat(300), "/proc/x"]) {
      if (path === "/proc/x" && process.platform !== "linux") continue;
      const { exit, stderr } = await sh("export", "1", "-o", path === "/proc/x" ? path : `box/${path}`);
      assert.equal(exit, EXIT.usage, `${path}: ${stderr}`);
      assert.match(stderr, /cannot be a place to write to: .*Name another with -o/);
    }
    const bundle = await sh("export", "-f", "json", "-o", "box/real", "--force");
    assert.equal(bundle.exit, EXIT.wouldLose, bundle.stderr);
  });

  it("is told by the remedy where the folder may not be written", {
    skip: process.getuid?.() === 0,
  }, async (t) => {
    const { sh, box, put } = world(t);
    await sh("init", "own.manuscript");
    put("a.md", "A.\n");
    await sh("import", "box/a.md", "--title", "T");
    mkdirSync(join(box, "shut"));
    chmodSync(join(box, "shut"), 0o500);
    const { exit, stderr } = await sh("export", "1", "-o", "box/shut");
    assert.equal(exit, EXIT.failed);
    assert.match(stderr, /may not be written: .*read-only/);
  });
});

describe("what a sync takes for a chapter's file", { skip }, () => {
  /** Two chapters in a folder under names that an export would not give them. */
  async function synced(t: TestContext) {
    const given = world(t);
    await given.sh("init", "own.manuscript");
    given.put("01-What?.md", "# What\n\nText of one.\n");
    given.put("Storm.md", "# Storm\n\nText of two.\n");
    given.put("storm.md", "# Calm\n\nText of three.\n");
    await given.sh("import", "box", "--title", "T");
    return given;
  }
  const titles = async (sh: Shell) =>
    (await sh("outline", "1", "--json")).json<{ chapters: { title: string }[] }>().chapters.length;

  it("is the file that it came from, whatever an export would call it: --delete deletes no chapter that is there", async (t) => {
    const { sh, box, around } = await synced(t);
    if (readdirSync(box).length < 3) return; // this disk tells no case apart
    const before = around();
    for (let count = 0; count < 2; count++) {
      const ran = await sh("sync", "box", "--book", "1", "--delete", "--json");
      assert.equal(ran.exit, EXIT.done, ran.stderr);
      const { files } = ran.json<{ files: { file: string; status: string }[] }>();
      const chapters = files.filter(({ file }) => file !== "book.yaml");
      assert.deepEqual(chapters.map(({ file, status }) => `${file} ${status}`).sort(), [
        "01-What?.md same",
        "Storm.md same",
        "storm.md same",
      ]);
    }
    assert.equal(await titles(sh), 3);
    assert.deepEqual(filesOf(box).sort(), ["01-What?.md", "Storm.md", "book.yaml", "storm.md"]);
    assert.deepEqual(around(), before);
  });

  it("is not gone where a link, a pipe or a folder stands in its place", async (t) => {
    const { sh, box, outside, put } = await synced(t);
    await sh("sync", "box", "--book", "1");
    for (const make of [
      (path: string) => symlinkSync(join(outside, "secret.md"), path),
      (path: string) => fifo(t, path),
      (path: string) => mkdirSync(path),
    ]) {
      rmSync(join(box, "Storm.md"), { recursive: true });
      make(join(box, "Storm.md"));
      const { stdout, stderr, exit } = await sh("sync", "box", "--delete");
      assert.equal(exit, EXIT.done, stderr);
      assert.match(stdout, /Storm\.md: there, and not as it was read/);
      assert.equal(await titles(sh), 3);
      assert.equal(readFileSync(join(outside, "secret.md"), "utf8"), SECRET);
    }
    rmSync(join(box, "Storm.md"), { recursive: true });
    put("01-What?.md", "# What\n\nText of one.\n");
    assert.match(
      (await sh("sync", "box", "--delete")).stdout,
      /Storm\.md: gone from the folder; its chapter is deleted/,
    );
    assert.equal(await titles(sh), 2);
  });

  it("is another chapter's by now where its name was taken: nothing is written over that", async (t) => {
    const { sh, box, put } = world(t);
    await sh("init", "own.manuscript");
    put("01-one.md", "One.\n");
    put("02-two.md", "Two.\n");
    await sh("import", "box", "--title", "T");
    await sh("export", "1", "-o", "box/out");
    const two = readFileSync(join(box, "out", "02-two.md"), "utf8");
    rmSync(join(box, "out", "02-two.md"));
    writeFileSync(join(box, "out", "01-one.md"), two);
    await sh("status", "2", "revising"); // so that its chapter stays as it is under its old name
    const ran = await sh("sync", "box/out");
    assert.equal(ran.exit, EXIT.done, ran.stderr);
    const texts = filesOf(join(box, "out")).map((name) => readFileSync(join(box, "out", name), "utf8"));
    assert.equal(texts.filter((text) => text.includes("\nTwo.\n")).length, 1);
    assert.equal(await titles(sh), 2);
  });
});

describe("what a conflict leaves", { skip }, () => {
  it("lies beside the file, under a name that fits; where it cannot, the answer stands and says so", async (t) => {
    const { sh, box, outside, put, around } = world(t);
    await sh("init", "own.manuscript");
    const long = `${"é".repeat(126)}.md`; // 255 bytes
    put(long, "One came.\n");
    await sh("import", "box", "--title", "T");
    const { id } = (await sh("show", "1", "--json")).json<{ id: string }>();
    put(long, "Two came.\n");
    await sh.with({ stdin: '{"markdown":"Three came.\\n"}' })(
      "api",
      "PUT",
      `/chapters/${id}/prose`,
      "--input",
      "-",
    );
    const before = around();
    const first = await sh("import", "box", "--book", "1");
    assert.equal(first.exit, EXIT.conflict, first.stderr);
    const beside = readdirSync(box).find((name) => name.endsWith(".conflict.md"))!; // said by the exit code
    assert.match(readFileSync(join(box, beside), "utf8"), /Two came\..*Three came\./s);
    rmSync(join(box, beside));
    symlinkSync(join(outside, "secret.md"), join(box, beside));
    const second = await sh("import", "box", "--book", "1", "--json");
    assert.equal(second.exit, EXIT.conflict);
    assert.equal(second.json<{ chapters: { status: string }[] }>().chapters[0]?.status, "conflict");
    assert.match(second.stderr, /could not be left beside it: .*symbolic link/);
    assert.deepEqual(around(), before);
  });
});
