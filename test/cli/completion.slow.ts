import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { SHELLS } from "../../src/cli/rows/choices.ts";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import type { SlotRow } from "../../src/cli/rows/rows.ts";
import { fits } from "./fits.ts";
import { type Shell, shell, withBook } from "./shell.ts";

const TSX = import.meta.resolve("tsx");
const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");

/** Whether a test runs: it says so where the shell is not on this machine. */
function has(t: TestContext, name: (typeof SHELLS)[number]): boolean {
  const isThere = spawnSync(name, ["-c", "exit 0"]).status === 0;
  if (!isThere) t.skip(`${name} is not installed`);
  return isThere;
}

/** A folder with a manuscript, the script, and the command on the PATH. */
async function prepare(t: TestContext, name: (typeof SHELLS)[number]) {
  const sh = await withBook(t);
  mkdirSync(join(sh.cwd, "bin"));
  const command = join(sh.cwd, "bin/manuscript");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' --import '${TSX}' '${MAIN}' "$@"\n`);
  chmodSync(command, 0o755);
  writeFileSync(join(sh.cwd, "script"), (await sh("completion", name)).stdout);
  return { sh, script: join(sh.cwd, "script") };
}

function runIn({ cwd }: Shell, name: string, argv: readonly string[]): string {
  const PATH = `${join(cwd, "bin")}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, HOME: cwd, TERM: "xterm", LC_ALL: "C.UTF-8", MANUSCRIPT_FILE: "" };
  return execFileSync(name, argv, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 240_000,
  });
}

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
    assert.deepEqual(
      await values(sh, "show", "--format", "=", "m"),
      ["--format=markdown"],
      "as bash cuts it",
    );
    assert.deepEqual(await values(sh, "show", ""), [], "titles and ids are not offered");
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
      file: "file",
      files: "file",
      dir: "folder",
      command: "program",
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
    assert.ok(checked > 10);
  });
});

describe("completion", () => {
  it("prints a script for each shell, and the same with --json", async (t) => {
    const sh = await withBook(t);
    for (const name of SHELLS) {
      const { exit, stdout } = await sh("completion", name);
      assert.equal(exit, 0);
      assert.equal(fits(await sh("completion", name, "--json"), "completion").script, stdout);
      assert.match(stdout, /command manuscript complete /);
    }
    assert.equal((await sh("completion", "tcsh")).exit, 2);
  });

  it("bash completes options, choices after a space and after =, and leaves files to the shell", async (t) => {
    if (!has(t, "bash")) return;
    const { sh, script } = await prepare(t, "bash");
    // What bash makes of each line before it calls the function.
    const driver = `source '${script}'
      compopt() { echo compopt "$@"; }
      complete_words() {
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _manuscript </dev/null
        printf '%s\\n' "\${COMPREPLY[@]}"
      }
      complete_words manuscript facts ed
      complete_words manuscript show 4 --for
      complete_words manuscript show --format = m
      complete_words manuscript show '"a b"' --format = ''
      complete_words manuscript status '"a b"' dr
      complete_words manuscript serve b`;
    const out = runIn(sh, "bash", ["--norc", "-c", driver]);
    assert.deepEqual(out.trimEnd().split("\n"), [
      ...["edit", "--format", "markdown"],
      ...["text", "doc", "markdown", "blocks"],
      ...["draft", "compopt -o default"],
    ]);
  });

  it("zsh runs the command with the words that one TAB put in", async (t) => {
    if (!has(t, "zsh")) return;
    const { sh, script } = await prepare(t, "zsh");
    const given = join(sh.cwd, "given");
    const keys = ["facts ed", "show --format=m", "status 'a b' dr", "serve book.m"];
    // A terminal of zsh's own; the function stands for the command where it is run, not where it is asked.
    const driver = `zmodload zsh/zpty; zpty z zsh -f -i
zpty -w z 'autoload -Uz compinit; compinit -u -D; source ${script}; manuscript() { print -rl -- "$@" >> ${given} }'
${keys.map((line) => `zpty -w -n z $'manuscript ${line.replaceAll("'", "\\'")}\\t\\n'`).join("\n")}
zpty -w z exit; while zpty -r z; do :; done`;
    writeFileSync(join(sh.cwd, "driver"), driver);
    runIn(sh, "zsh", ["-f", join(sh.cwd, "driver")]);
    assert.deepEqual(readFileSync(given, "utf8").trimEnd().split("\n"), [
      ...["facts", "edit", "show", "--format=markdown"],
      ...["status", "a b", "draft", "serve", "book.manuscript"],
    ]);
  });

  it("fish offers options and choices with their meaning, and files", async (t) => {
    if (!has(t, "fish")) return;
    const { sh, script } = await prepare(t, "fish");
    const ask = (line: string) => `complete -C '${line.replaceAll("'", "\\'")}'; echo`;
    const lines = [
      "manuscript facts ed",
      "manuscript show --format=m",
      "manuscript serve b",
      'manuscript serve "b',
    ];
    const out = runIn(sh, "fish", ["--no-config", "-c", `source ${script}; ${lines.map(ask).join("; ")}`]);
    const files = ["bin/", "book.manuscript"];
    assert.deepEqual(
      out
        .split("\n\n")
        .map((part) =>
          part
            .trim()
            .split("\n")
            .map((line) => line.trim()),
        )
        .slice(0, lines.length),
      [
        ["edit\tchange the fields given, and no other"],
        ["--format=markdown\tthe Markdown, byte for byte"],
        files,
        files,
      ],
    );
  });
});
