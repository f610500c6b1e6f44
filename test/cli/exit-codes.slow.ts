import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { type Ran, type Shell, withBook } from "./shell.ts";

/** A command line, words as a shell splits them ('' is an empty one), and the exit codes it may have. */
type Line = readonly [line: string, exit: number];

const { done, failed, usage, notFound, account, conflict, wouldLose } = EXIT;

/** What each command answers where all is as it should be, and where it is not; in this order, on one manuscript. */
const LINES: readonly Line[] = [
  ["init other/new.manuscript", done],
  ["init book.manuscript", wouldLose],
  ["init out", wouldLose],
  ["use", done],
  ["use book", done],
  ["use none", notFound],
  ["use broken.md", failed],
  ["serve none.manuscript", notFound],
  ["serve whole.md", failed],
  ["serve --port 99999", usage],
  ["serve --disable all", usage],
  ["open --code 4F7K", usage],
  ["app none.manuscript", notFound],
  ["app whole.md", failed],
  ["open --code 4F7K-9Q2M", failed],
  ["open --file none.manuscript", notFound],
  ["import whole.md --dry-run", done],
  ["import out --book 1 --exit-code", done],
  ["import out --dry-run --exit-code", done],
  ["import whole.md --dry-run --exit-code", failed],
  ["import none.md --exit-code", notFound],
  ["import broken.md --exit-code", usage],
  ["import broken.md", usage],
  ["import broken.json", usage],
  ["import empty", usage],
  ["import whole.md --split 3", usage],
  ["import whole.md --book 1 --title T", usage],
  ["import whole.md --book 9", notFound],
  ["import mine --book 1", conflict],
  ["import short --book 1", wouldLose],
  ["sync out --dry-run", done],
  ["sync out --exit-code", done],
  ["sync mine --book 1 --dry-run", conflict],
  ["sync none", notFound],
  ["sync whole.md", usage],
  ["sync out --watch --dry-run", usage],
  ["export 1 -o out", done],
  ["export 9", notFound],
  ["export 1 -f json", usage],
  ["export 1 --as-imported --plain", usage],
  ["export 1 -f txt -o text.txt", done],
  ["export 1 -f txt --chapters 9 -o text.txt", usage],
  ["export 1 -o whole.md", wouldLose],
  ["export 1 -o mine", wouldLose],
  ["export -f json -o whole.md", wouldLose],
  ["backup", done],
  ["backup --to copies --rotate", done],
  ["backup --list", done],
  ["backup --list --rotate", usage],
  ["backup --to ''", usage],
  ["backup --to whole.md", failed],
  ["backup --file none.manuscript", notFound],
  ["backup --file whole.md", failed],
  ["compact --dry-run", done],
  ["compact --file none.manuscript", notFound],
  ["compact --older-than soon", usage],
  ["rescue book.manuscript -o rescued", done],
  ["rescue none.manuscript -o rescued-none", notFound],
  ["rescue book.manuscript", usage],
  ["rescue whole.md -o rescued-md", usage],
  ["doctor", done],
  ["doctor --file broken.json", failed],
  ["books", done],
  ["books --file none.manuscript", notFound],
  ["books --file whole.md", failed],
  ["books --file", usage],
  ["books --file ''", usage],
  ["import ''", usage],
  ["import -", usage],
  ["sync ''", usage],
  ["export 1 -o ''", usage],
  ["export -f json -o ''", usage],
  ["init ''", usage],
  ["serve ''", usage],
  ["outline 1", done],
  ["outline", done],
  ["outline 9", notFound],
  ["outline ''", notFound],
  ["show 1", done],
  ["show 1 --format pdf", usage],
  ["show 1 --revision 99", notFound],
  ["search 1 ferry", done],
  ["search ferry lamp", done],
  ["search 1 ''", usage],
  ["history 1", done],
  ["history 9", notFound],
  ["watch --after act_none", notFound],
  ["watch --after 0 --from-now", usage],
  ["watch --exec ''", usage],
  ["diff 1", done],
  ["diff 1 98 99", notFound],
  ["stats", done],
  ["stats 9", notFound],
  ["report timeline", done],
  ["report language --kind filter", done],
  ["report pace 9", notFound],
  ["report timeline 1 --chapter 9", notFound],
  ["report appearances", done],
  ["report appearances --chapter 1", usage],
  ["report pace --kind filter", usage],
  ["report weather", usage],
  ["restore 2 1 --dry-run", done],
  ["restore 2 99", notFound],
  ["restore 2 one", notFound],
  ["restore 2", usage],
  ["restore", wouldLose],
  ["restore --from empty", notFound],
  ["restore --list", done],
  ["restore --list 2", usage],
  ["restore 2 --book 1", usage],
  ["restore none.backup", notFound],
  ["restore whole.md", failed],
  ["restore broken.json", usage],
  ["restore book.manuscript", usage],
  ["restore --yes --dry-run", done],
  ["write 2 out/02-the-lamp.md --dry-run", done],
  ["write 2", usage],
  ["write 2 broken.md", usage],
  ["write 2 none.md", notFound],
  ["write 2 whole.md", wouldLose],
  ["edit 2", usage],
  ["edit 9 --fresh --resume", usage],
  ["replace 1 nowhere somewhere", done],
  ["replace 1 ( b --regex", usage],
  ["replace 9 a b", notFound],
  ["replace a", usage],
  ["map --", usage],
  ["status 1 done --dry-run", done],
  ["status 1 later", usage],
  ["status 9 done", notFound],
  ["synopsis 1", done],
  ["synopsis 1 text --draft", usage],
  ["synopsis 9", notFound],
  ["map 1 --dry-run -- cat", done],
  ["map 1 --propose -- cat", done],
  ["proposals list 1", done],
  ["proposals list 9", notFound],
  ["proposals show prop_none", notFound],
  ["proposals accept prop_none", notFound],
  ["proposals accept prop_none --edits one", usage],
  ["proposals reject prop_none", notFound],
  ["map 1 -- false", failed],
  ["map 1 -- no-such-program", usage],
  ["map 9 -- cat", notFound],
  ["undo --dry-run", done],
  ["undo act_none", notFound],
  ["chapter add Oar --dry-run", done],
  ["chapter add Oar --first --last", usage],
  ["chapter rename 9 Oar", notFound],
  ["chapter move 2 --before 1 --dry-run", done],
  ["chapter move 2", usage],
  ["chapter move 2 --after 2", usage],
  ["chapter split 1 b_none", notFound],
  ["chapter split 1 --at scenes", usage],
  ["chapter join 1 --dry-run", done],
  ["chapter join 2", notFound],
  ["chapter join 2 1 --dry-run", done],
  ["chapter join 2 2", usage],
  ["chapter move-paragraphs 1 b_none --to 2", notFound],
  ["chapter move-paragraphs 1 b_none --first --after b_none", usage],
  ["chapter delete 1", wouldLose],
  ["chapter delete 1 --dry-run", done],
  ["part add One --dry-run", done],
  ["part rename One Two", notFound],
  ["part move One --first", notFound],
  ["part delete One", notFound],
  ["book add Second --dry-run", done],
  ["book rename ''", usage],
  ["book edit", done],
  ["book edit --language pt_BR", usage],
  ["book delete", wouldLose],
  ["book delete 9", notFound],
  ["goal", done],
  ["goal set", usage],
  ["goal set 80k --by 2027-02-30", usage],
  ["goal clear", notFound],
  ["facts list", done],
  ["facts add ''", usage],
  ["facts add Tobit --dry-run", done],
  ["facts edit Nobody --name Somebody", notFound],
  ["facts edit Mara --summary Keeper --dry-run", done],
  ["facts show Mara", done],
  ["facts show Nobody", notFound],
  ["facts rename Mara Maria --prose --dry-run", done],
  ["facts rename Mara Mara", usage],
  ["facts rename Nobody Somebody", notFound],
  ["facts merge Mara Nobody", notFound],
  ["facts delete Mara --dry-run", done],
  ["notes list", done],
  ["notes add 1", usage],
  ["notes add 1 Dark? --dry-run", done],
  ["notes edit sn_none text", notFound],
  ["notes delete sn_none", notFound],
  ["milestone add Draft", done],
  ["milestone add ''", usage],
  ["milestone add Draft --act act_none", notFound],
  ["milestone list", done],
  ["milestone list 9", notFound],
  ["milestone compare Draft", done],
  ["milestone compare Nothing", notFound],
  ["milestone compare 2027-02-30", usage],
  ["milestone restore Draft", done],
  ["milestone restore Nothing --yes", notFound],
  ["milestone rename Draft Later --dry-run", done],
  ["milestone rename Nothing Later", notFound],
  ["milestone delete Draft --dry-run", done],
  ["milestone delete Nothing", notFound],
  ["diff 1 Draft", done],
  ["diff 1 Nothing", notFound],
  ["detect 1", done],
  ["detect 1 --dry-run", usage],
  ["detect --all --yes", done],
  ["detect --yes", usage],
  ["check 1", done],
  ["check --all", done],
  ["check 1 --dismiss none", notFound],
  ["key create", done],
  ["key create --allow all", usage],
  ["key list", done],
  ["key revoke none", notFound],
  ["account show", done],
  ["account set", usage],
  ["account set --until 2027-02-30", usage],
  ["completion bash", done],
  ["completion tcsh", usage],
  ["mcp --print-config zed", done],
  ["mcp --print-config emacs", usage],
  ["mcp --read-only --allow-write", usage],
  ["api GET /books", done],
  ["api GET /nowhere", notFound],
  ["api DELETE /books", usage],
  ["api POST /books --input none.json", notFound],
  ["account set --allowance 0 --credits 0", done],
  ["detect 1", account],
  ["check 1", account],
  ["synopsis 1 --draft", account],
  ["account set --subscription off", done],
  ["status 1 done", account],
  ["import whole.md", account],
  ["sync out", account],
  ["replace 1 Mara Maria --apply", account],
  ["undo", account],
];

function wordsOf(line: string): string[] {
  return line.split(" ").map((word) => (word === "''" ? "" : word));
}

/** A short book, folders that agree with it, contradict it and would lose it, and files that are broken. */
async function setUp(t: TestContext): Promise<Shell> {
  const sh = await withBook(t);
  const at = (...names: string[]) => join(sh.cwd, ...names);
  for (const folder of ["out", "mine", "short"]) await sh("export", "1", "-o", folder);
  mkdirSync(at("empty"));
  writeFileSync(at("whole.md"), "# Whole\n\nText.\n");
  writeFileSync(at("broken.md"), Buffer.from([0xff, 0xfe]));
  writeFileSync(at("broken.json"), "{");
  const lamp = readFileSync(at("mine", "02-the-lamp.md"), "utf8");
  writeFileSync(at("mine", "02-the-lamp.md"), lamp.replace("lit the lamp", "broke the lamp"));
  const ferry = readFileSync(at("short", "01-the-ferry.md"), "utf8");
  writeFileSync(at("short", "01-the-ferry.md"), ferry.slice(0, ferry.indexOf("Mara")));
  await sh("replace", "1", "lit the", "left the", "--apply");
  await sh("export", "1", "-o", "out");
  return sh;
}

/** One JSON value on stdout; an error body with words where it failed, and then nothing said twice. */
function assertJson(ran: Ran, line: string): void {
  const answer = ran.json<{ error?: unknown; message?: unknown }>();
  if (typeof answer.error !== "string") {
    assert.ok(ran.exit < 2 || ran.exit === conflict, `${line}: no error`);
    return;
  }
  assert.match(String(answer.message), /\S.*[.!?]$/s, line);
  assert.doesNotMatch(String(answer.message), /\b(?:E[A-Z]{5,}|SQLITE_|undefined|\[object)/, line);
  assert.equal(ran.stderr, "", line);
}

describe("exit codes, as a black box", () => {
  it("are as the table has them, with --json and without; stdout is then one JSON value", async (t) => {
    const sh = await setUp(t);
    for (const [line, exit] of LINES) {
      const ran = await sh("--json", ...wordsOf(line));
      assert.equal(ran.exit, exit, `${line}: ${ran.stdout}${ran.stderr}`);
      assertJson(ran, line);
      if (exit === done || exit === conflict) continue; // nothing was written: it can be asked again, in words
      const plain = await sh(...wordsOf(line));
      assert.equal(plain.exit, exit, `${line}: ${plain.stderr}`);
      if (!line.includes("--exit-code --dry-run") && exit !== failed)
        assert.match(plain.stderr, /^manuscript: /, line);
      assert.doesNotMatch(plain.stderr, /\u001b|\n\s+at /, line);
    }
  });

  it("have every command in that table, and every code", async () => {
    const { names } = commands();
    for (const name of names.filter((command) => command !== "serve"))
      assert.ok(
        LINES.some(([line]) => line === name || line.startsWith(`${name} `)),
        `"manuscript ${name}" has no line in the table of exit codes`,
      );
    assert.deepEqual([...new Set(LINES.map(([, exit]) => exit))].sort(), Object.values(EXIT).sort());
  });

  it("are 2 for an option or an argument too much, of every command", async (t) => {
    const sh = await withBook(t);
    const { names, rows } = commands();
    for (const name of names) {
      const ran = await sh("--json", ...name.split(" "), "--no-such-option");
      assert.equal(ran.exit, usage, name);
      assert.equal(ran.json().error, "bad_request", name);
      const takesMore = rows.get(name)?.arguments.some((argument) => argument.flags.includes("..."));
      if (!takesMore) assert.equal((await sh(...name.split(" "), ..."1234567")).exit, usage, name);
    }
  });

  it("do not mistake another program's --json for their own", async (t) => {
    const { exit, stdout, stderr } = await (await withBook(t))("map", "1", "--", "false", "--json");
    assert.deepEqual([exit, stdout], [failed, ""]);
    assert.match(stderr, /^manuscript: The filter false ended with 1/);
  });
});

function commands() {
  const rows = new Map(GROUPS.flatMap(({ ROWS }) => ROWS.map((row) => [row.name, row] as const)));
  return { rows, names: [...rows.keys()] };
}
