import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import type { SlotRow } from "../../src/cli/rows/rows.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { type Shell, shell, withBook } from "./shell.ts";

/** The candidates for the last of these words, with what is said of each. */
async function offered(sh: Shell, ...words: string[]): Promise<Record<string, string>> {
  const { exit, stdout, stderr } = await sh("complete", "--", ...words);
  assert.deepEqual({ exit, stderr }, { exit: 0, stderr: "" });
  return Object.fromEntries(
    stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split("\t") as [string, string]),
  );
}

const values = async (sh: Shell, ...words: string[]) => Object.keys(await offered(sh, ...words));

/** A second book beside the one of `withBook`. */
async function withTwoBooks(t: Parameters<typeof withBook>[0]): Promise<Shell> {
  const sh = await withBook(t);
  await sh.with({ stdin: "# The Ferry\n\nAnother one.\n" })("import", "-", "--title", "A Second Book");
  return sh;
}

describe("complete: words of the command itself", () => {
  it("offers every command and family, then the subcommands, then the same after help", async (t) => {
    const sh = shell(t);
    const first = await values(sh, "");
    const rows = GROUPS.flatMap(({ ROWS }) => ROWS);
    assert.deepEqual(
      new Set(first),
      new Set([...rows.map(({ name }) => name.split(" ")[0] as string), "help"]), // split gives at least one
    );
    assert.ok(!first.includes("complete"));
    assert.deepEqual(await values(sh, "fac"), ["facts"]);
    assert.deepEqual(await values(sh, "facts", ""), [
      "list",
      "add",
      "show",
      "edit",
      "rename",
      "merge",
      "delete",
    ]);
    assert.equal((await offered(sh, "facts", "ed")).edit, "change the fields given, and no other");
    assert.deepEqual(await values(sh, "help", "not"), ["notes"]);
    assert.deepEqual(await values(sh, "help", "notes", "a"), ["add"]);
    assert.deepEqual(await values(sh, "nothing", ""), []);
  });

  it("offers the options that may still be given, and the values of those that have choices", async (t) => {
    const sh = shell(t);
    assert.deepEqual(await values(sh, "show", "4", "--f"), ["--format", "--file"]);
    assert.deepEqual(await values(sh, "show", "4", "--format", "text", "--f"), ["--file"]);
    assert.deepEqual(await values(sh, "facts", "add", "--alias", "x", "--al"), ["--alias"]);
    assert.deepEqual(await values(sh, "show", "--format", "m"), ["markdown"]);
    assert.deepEqual(await values(sh, "show", "--format=m"), ["--format=markdown"]);
    assert.deepEqual(await values(sh, "export", "-f", ""), [
      "markdown",
      "txt",
      "docx",
      "epub",
      "html",
      "pdf",
      "review",
      "json",
    ]);
    assert.deepEqual(await values(sh, "status", "4", "re"), ["revising"]);
    assert.deepEqual(await values(sh, "--v"), ["--version"]);
    assert.deepEqual(await values(sh, "doctor", ""), ["--mend", "--file", "--json", "--help"]);
    assert.deepEqual(await values(sh, "map", "1", "--", "--"), [":programs"]);
    assert.deepEqual(await values(sh, "completion", ""), ["bash", "zsh", "fish"]);
  });

  it("says of each choice what it means", async (t) => {
    const sh = shell(t);
    const { stdout } = await sh("complete", "--", "status", "4", "");
    const lines = stdout.trimEnd().split("\n");
    assert.deepEqual(lines, ["draft\tbeing written", "revising\twritten, being revised", "done\tfinished"]);
  });

  it("leaves files, folders and programs to the shell", async (t) => {
    const sh = shell(t);
    for (const [words, answer] of [
      [["import", ""], ":files"],
      [["serve", "a.manuscript", "b"], ":files"],
      [["--file", "n"], ":files"],
      [["books", "--file=n"], ":files"],
      [["export", "1", "-o", ""], ":files"],
      [["sync", ""], ":folders"],
      [["map", "1", "--", ""], ":programs"],
      [["map", "1", "--", "sed", ""], ":files"],
    ] as const) {
      assert.deepEqual(await values(sh, ...words), [answer], words.join(" "));
    }
  });

  it("every argument and option that names one of these says so in its row", async () => {
    const meanings: Record<string, string> = {
      book: "book",
      chapter: "chapter",
      part: "part",
      fact: "fact",
      keep: "fact",
      drop: "fact",
      note: "note",
      act: "act",
      key: "key",
      file: "path",
      files: "path",
      dir: "folder",
      command: "program",
      target: "target",
    };
    const rows = GROUPS.flatMap(({ ROWS }) => ROWS);
    let checked = 0;
    for (const { name: command, arguments: asked, options } of rows) {
      const slots: [string, SlotRow][] = [
        ...asked.map((row): [string, SlotRow] => [row.flags, row]),
        ...options.map((row): [string, SlotRow] => [row.flags.replace(/^[^<]*/, ""), row]),
      ];
      for (const [name, { is }] of slots) {
        const meaning = meanings[/^\W*(\w+)\W*$/.exec(name)?.[1] ?? ""];
        if (meaning === undefined || (command === "api" && name === "<path>")) continue;
        assert.equal(is, meaning, `${command} ${name}`);
        checked++;
      }
    }
    assert.ok(checked > 30);
  });
});

describe("complete: what is in the manuscript", () => {
  it("offers chapters by number and id with their titles, and by the beginning of a title in any case", async (t) => {
    const sh = await withBook(t);
    const all = await offered(sh, "show", "");
    assert.deepEqual(Object.values(all), ["The Ferry", "The Lamp", "The Ferry", "The Lamp"]);
    const ids = Object.keys(all).filter((value) => value.startsWith("ch_"));
    assert.equal(ids.length, 2);
    assert.equal(all["2"], "The Lamp");
    assert.deepEqual(await offered(sh, "show", "The L"), { "The Lamp": "chapter 2" });
    assert.deepEqual(await values(sh, "show", "the l"), ["The Lamp"]);
    assert.deepEqual(await values(sh, "show", "The"), ["The Ferry", "The Lamp"]);
    assert.deepEqual(await values(sh, "show", "Lam"), ["The Lamp"], "by the beginning of a later word");
    assert.deepEqual(await values(sh, "show", ids[0]!.slice(0, 9)), [ids[0]]); // there are two
    assert.deepEqual(await values(sh, "diff", "--book=1", "2"), ["2"]);
    assert.deepEqual(await values(sh, "show", "Nowhere"), []);
    const { stdout } = await sh("complete", "--once", "--", "show", "");
    assert.equal(stdout, "1\tThe Ferry\n2\tThe Lamp\n");
  });

  it("offers the copies that restore --list shows, from here or by the bare name, and chapters", async (t) => {
    const sh = await withBook(t);
    const { copy } = (await sh("backup", "--json")).json<{ copy: string }>();
    const name = basename(copy);
    const all = await offered(sh, "restore", "");
    assert.equal(all["1"], "The Ferry");
    assert.match(all[`book-backups/${name}`] ?? "", /^by hand, \d{4}-/);
    assert.deepEqual(await values(sh, "restore", "book-b"), [`book-backups/${name}`]);
    assert.deepEqual(await values(sh, "restore", "book-2"), [name]);
    assert.deepEqual(await values(sh, "restore", sh.cwd), [copy]);
    assert.deepEqual(await values(sh, "restore", "--from", "elsewhere", "book-"), [":files"]);
    assert.deepEqual(await values(sh, "restore", "The L"), ["The Lamp"]);
    rmSync(join(sh.cwd, "book.manuscript"));
    assert.deepEqual(await values(sh, "restore", ""), [`book-backups/${name}`], "without the file, too");
  });

  it("offers nothing that the command would not understand", async (t) => {
    const sh = await withTwoBooks(t);
    for (const line of [
      ["show", ""],
      ["show", "The"],
      ["show", "The Ferry"],
      ["map", ""],
      ["map", "T"],
      ["outline", ""],
    ]) {
      const found = await values(sh, ...line);
      assert.ok(found.length > 0, line.join(" "));
      if (line[1] === "The" || line[1] === "T") continue; // a title to go on typing
      for (const value of found) {
        const [command = "", ...rest] =
          line[0] === "map" ? ["map", value, "--dry-run", "--", "cat"] : [line[0], value];
        const { exit, stderr } = await sh(command, ...rest);
        assert.equal(exit, 0, `${line.join(" ")} → ${value}: ${stderr}`);
      }
    }
  });

  it("knows the book that the line names, by an option or an argument", async (t) => {
    const sh = await withTwoBooks(t);
    assert.deepEqual(await values(sh, "outline", "a"), ["A Second Book"]);
    assert.deepEqual(await values(sh, "show", "--book", "A Second Book", ""), [
      "1",
      ...(await values(sh, "show", "--book=2", "ch_")),
    ]);
    assert.deepEqual(await values(sh, "show", "--book", "1", "The"), ["The Ferry", "The Lamp"]);
    assert.deepEqual(await values(sh, "notes", "add", "1", "--chapter=The L"), ["--chapter=The Lamp"]);
    assert.deepEqual(await values(sh, "show", "--book", "Nowhere", ""), []);
    const unnamed = await offered(sh, "show", "");
    assert.deepEqual(Object.values(unnamed), [
      "The Ferry, The Ferry Book",
      "The Lamp, The Ferry Book",
      "The Ferry, A Second Book",
    ]);
    assert.ok(Object.keys(unnamed).every((value) => value.startsWith("ch_")));
  });

  it("offers what a command takes without a book: a title that one book has, the words' book, a program", async (t) => {
    const sh = await withTwoBooks(t);
    assert.deepEqual(await offered(sh, "show", "lamp"), { "The Lamp": "chapter 2, The Ferry Book" });
    assert.match((await values(sh, "show", "the f")).join(" "), /^ch_\w+ ch_\w+$/, "two are called so");
    assert.deepEqual(await values(sh, "search", "sec"), ["A Second Book"]);
    assert.deepEqual(await values(sh, "search", "1", "sec"), [], "only the first of the words is a book");
    assert.deepEqual(await values(sh, "map", "--", ""), [":programs"]);
    const alone = await withBook(t);
    assert.deepEqual(await values(alone, "notes", "add", "Check it.", "--chapter=lam"), [
      "--chapter=The Lamp",
    ]);
  });

  it("gives the id in place of a name that several things have, or that no command line holds", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: "# The Lamp\n\nAgain.\n" })("import", "-", "--book", "1");
    await sh.with({ stdin: "---\ntitle: -x\n---\n\nA dash.\n" })("import", "-", "--book", "1");
    await sh.with({ stdin: "---\ntitle: '2'\n---\n\nA number.\n" })("import", "-", "--book", "1");
    const twins = await offered(sh, "show", "The L");
    assert.deepEqual(Object.values(twins), ["The Lamp", "The Lamp"]);
    assert.ok(Object.keys(twins).every((value) => value.startsWith("ch_")));
    const all = await offered(sh, "show", "");
    assert.ok(!("2" in all) && !("-x" in all) && "1" in all && "3" in all);
    assert.ok(Object.values(all).includes("-x"));
  });

  it("offers facts by name and alias, notes, acts and living keys by id, each with what it is", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "add", 'Tobit "the Old"', "--alias", "Old Tobit", "--summary", "He rings the bell.");
    await sh("notes", "add", "1", "Check the tide.", "--kind", "research");
    await sh("notes", "add", "1", "--kind", "todo", "--item", "[x] count the oars");
    await sh("key", "create", "--name", "scripts");
    await sh("key", "create", "--name", "old");
    await sh("key", "revoke", "old");
    assert.deepEqual(await values(sh, "facts", "edit", ""), ["Mara", 'Tobit "the Old"']);
    assert.deepEqual(await offered(sh, "facts", "merge", "Mara", "T"), {
      'Tobit "the Old"': "He rings the bell.",
    });
    assert.deepEqual(await offered(sh, "facts", "edit", "Old T"), { "Old Tobit": 'Tobit "the Old"' });
    assert.match(Object.keys(await offered(sh, "facts", "edit", "fa_"))[0] ?? "", /^fa_\w+$/);
    const notes = await offered(sh, "notes", "edit", "");
    assert.deepEqual(Object.values(notes), ["research, Check the tide.", "todo, count the oars"]);
    assert.deepEqual(await offered(sh, "key", "revoke", ""), { scripts: "read,ai,write" });
    const acts = await offered(sh, "undo", "");
    assert.match(Object.values(acts)[0] ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d, cli, createSnippet$/);
    const [newest] = Object.keys(acts);
    assert.equal((await sh("undo", newest!)).exit, 0); // there are several
    const left = await values(sh, "undo", "");
    assert.ok(!left.includes(newest!) && left.length === Object.keys(acts).length);
  });

  it("finds the manuscript as every command does, and is silent where there is none", async (t) => {
    const sh = await withBook(t);
    const empty = join(sh.cwd, "empty");
    mkdirSync(empty);
    const away = sh.with({ cwd: empty, env: { HOME: sh.cwd, NOVEL: sh.cwd } });
    assert.deepEqual(await values(away, "outline", "T"), ["The Ferry Book"], "in a folder above");
    const other = shell(t);
    assert.deepEqual(await values(other, "outline", ""), []);
    const file = join(sh.cwd, "book.manuscript");
    assert.deepEqual(await values(other, "--file", file, "outline", "T"), ["The Ferry Book"]);
    assert.deepEqual(await values(other, "outline", `--file=${file}`, "T"), ["The Ferry Book"]);
    const named = other.with({ env: { MANUSCRIPT_FILE: file, HOME: sh.cwd, NOVEL: sh.cwd } });
    assert.deepEqual(await values(named, "outline", "T"), ["The Ferry Book"]);
    for (const folder of ["~", "$NOVEL", "$\u007bNOVEL}"]) {
      const path = `${folder}/book.manuscript`;
      assert.deepEqual(await values(named, "--file", path, "outline", "T"), ["The Ferry Book"], path);
    }
    assert.deepEqual(await values(named, "--file", "none.manuscript", "outline", ""), []);
    writeFileSync(join(other.cwd, "bad.manuscript"), "not a manuscript");
    assert.deepEqual(await values(other, "outline", ""), []);
    assert.deepEqual(readdirSync(other.cwd), ["bad.manuscript"]);
  });

  it("makes nothing and changes nothing, also while a server writes", async (t) => {
    const sh = await withBook(t);
    const path = join(sh.cwd, "book.manuscript");
    const [before, bytes] = [readdirSync(sh.cwd), readFileSync(path)];
    for (const words of [
      ["show", ""],
      ["facts", "edit", ""],
      ["notes", "edit", ""],
      ["undo", ""],
      ["key", "revoke", ""],
    ])
      await values(sh, ...words);
    assert.deepEqual(readdirSync(sh.cwd), before);
    assert.deepEqual(readFileSync(path), bytes);
    const server = openManuscript(path);
    await sh("facts", "add", "Written just now");
    assert.ok(readdirSync(sh.cwd).includes("book.manuscript-wal"));
    assert.deepEqual(await values(sh, "facts", "edit", "W"), ["Written just now"]);
    server.close();
    rmSync(path);
    assert.deepEqual(await values(sh, "facts", "edit", "W"), []);
  });
});

describe("complete: the replies for bash", () => {
  const BREAKS = " \t\n\"'><=;|&(:";
  const TITLE = `Tobit’s "Lamp" & $HOME: it's *late*`;
  const replies = async (sh: Shell, line: string, env: Record<string, string> = {}) => {
    const { stdout } = await sh.with({ env: { HOME: sh.cwd, COMP_WORDBREAKS: BREAKS, ...env } })(
      ...["complete", "--bash", "--", line],
    );
    return stdout.split("\n").slice(0, -1);
  };

  it("are quoted for their place, and begin where readline begins to replace", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "add", TITLE);
    for (const [line, reply] of [
      ["facts edit Tob", String.raw`Tobit’s\ \"Lamp\"\ \&\ \$HOME\:\ it\'s\ \*late\*`],
      [`facts edit Tobit’s\\ \\"L`, String.raw`Tobit’s\ \"Lamp\"\ \&\ \$HOME\:\ it\'s\ \*late\*`],
      ['facts edit "Tob', String.raw`Tobit’s \"Lamp\" & \$HOME: it's *late*`],
      ["facts edit 'Tob", String.raw`Tobit’s "Lamp" & $HOME: it'\''s *late*`],
      ['facts edit "Tobit’s \\"La', String.raw`Tobit’s \"Lamp\" & \$HOME: it's *late*`],
      ["show --book=The", String.raw`The\ Ferry\ Book`],
      ["show --book=", "1"],
      ['show --book="The', "The Ferry Book"],
      ["show --book=The\\ Ferry\\ Book Lam", String.raw`The\ Lamp`],
      ["show --book 'The Ferry Book' Lam", String.raw`The\ Lamp`],
      ["show --for", "--format"],
      ["import x", ":files"],
      ['facts edit Tobit’s\\ \\"Lamp\\"\\ \\&\\ \\$HOME:\\ i', String.raw`\ it\'s\ \*late\*`],
    ] as const) {
      assert.deepEqual(await replies(sh, `manuscript ${line}`), [reply], line);
    }
    assert.deepEqual(await replies(sh, "manuscript"), []);
  });

  it("are listed with what is said of them, as far as the terminal is wide", async (t) => {
    const sh = await withBook(t);
    assert.deepEqual(await replies(sh, "manuscript show "), ["1  (The Ferry)", "2  (The Lamp)"]);
    const narrow = await replies(sh, "manuscript facts ", { COLUMNS: "24" });
    assert.ok(narrow.includes("list    (list the fact…)"), narrow.join("\n"));
    for (const COMP_TYPE of ["37", "42"])
      assert.deepEqual(await replies(sh, "manuscript show The", { COMP_TYPE }), [
        String.raw`The\ Ferry`,
        String.raw`The\ Lamp`,
      ]);
  });
});
