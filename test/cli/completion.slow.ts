import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { SHELLS } from "../../src/cli/rows/choices.ts";
import { fits } from "./fits.ts";
import { type Shell, withBook } from "./shell.ts";

// The scripts in the shells they are for, each TAB a process of its own; what is offered is tested in complete.slow.ts.
const TSX = import.meta.resolve("tsx");
const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");
const TITLE = `Tobit’s "Lamp" & $HOME: it's *late*`;

/** Whether a test runs: it says so where the shell is not on this machine. */
function has(t: TestContext, name: (typeof SHELLS)[number]): boolean {
  const isThere = spawnSync(name, ["-c", "exit 0"]).status === 0;
  if (!isThere) t.skip(`${name} is not installed`);
  return isThere;
}

/** A folder with a manuscript whose third chapter has an awkward title, the script, and the command on the PATH. */
async function prepare(t: TestContext, name: (typeof SHELLS)[number]) {
  const sh = await withBook(t);
  await sh("facts", "add", TITLE);
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
    timeout: 30_000,
  });
}

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

  it("bash reads back the very title that it was offered, after a space and after =", async (t) => {
    if (!has(t, "bash")) return;
    const { sh, script } = await prepare(t, "bash");
    writeFileSync(join(sh.cwd, "lines"), "facts edit Tob\nshow --book=The\nserve b\n");
    // What readline does: the reply stands in the place of the word, which begins after the last break.
    const driver = `source '${script}'
      COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:' COMP_TYPE=9 COLUMNS=60 COMP_CWORD=0
      compopt() { echo compopt "$@"; }
      while IFS= read -r line; do
        COMP_LINE="manuscript $line" COMP_POINT=$((\${#line} + 11)) COMP_WORDS=("\${line##*[ =]}")
        _manuscript </dev/null
        for reply in "\${COMPREPLY[@]}"; do eval "printf '%s\\n' \${line%"\${COMP_WORDS[0]}"}$reply"; done
      done < lines`;
    const out = runIn(sh, "bash", ["--norc", "-c", driver]);
    assert.deepEqual(out.trimEnd().split("\n"), [
      ...["facts", "edit", TITLE],
      ...["show", "--book=The Ferry Book"],
      "compopt -o default",
    ]);
  });

  it("zsh runs the command with the title that one TAB put in", async (t) => {
    if (!has(t, "zsh")) return;
    const { sh, script } = await prepare(t, "zsh");
    const given = join(sh.cwd, "given");
    const keys = ['facts edit "tob', "show --book=The\\ F"];
    // A terminal of zsh's own; the function stands for the command where it is run, not where it is asked.
    const driver = `zmodload zsh/zpty; zpty z zsh -f -i
zpty -w z 'autoload -Uz compinit; compinit -u -D; source ${script}; manuscript() { print -rl -- "$@" >> ${given} }'
${keys.map((line) => `zpty -w -n z 'manuscript ${line}'$'\\t\\n'`).join("\n")}
zpty -w z exit; while zpty -r z; do :; done`;
    writeFileSync(join(sh.cwd, "driver"), driver);
    runIn(sh, "zsh", ["-f", join(sh.cwd, "driver")]);
    const words = ["facts", "edit", TITLE, "show", "--book=The Ferry Book"];
    assert.deepEqual(readFileSync(given, "utf8").trimEnd().split("\n"), words);
  });

  it("fish offers titles with their chapters, also in quotes and after =", async (t) => {
    if (!has(t, "fish")) return;
    const { sh, script } = await prepare(t, "fish");
    const ask = (line: string) => `complete -C '${line.replaceAll("'", "\\'")}'; echo`;
    const lines = ['manuscript facts edit "Tob', "manuscript show --book=The", "manuscript serve b"];
    const out = runIn(sh, "fish", ["--no-config", "-c", `source ${script}; ${lines.map(ask).join("; ")}`]);
    const [title, book, files] = out.split("\n\n").map((part) => part.trim().split("\n"));
    assert.deepEqual(title, [TITLE]);
    assert.deepEqual(book, ["--book=The Ferry Book\tbook 1"]);
    assert.deepEqual(
      files?.map((line) => line.trim()),
      ["bin/", "book.manuscript"],
    );
  });
});
