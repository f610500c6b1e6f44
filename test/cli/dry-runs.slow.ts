import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { DRY_RUN } from "../../src/cli/rows/choices.ts";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { withoutIds } from "./answers.ts";
import { leaveFree } from "./leave-free.ts";
import { type Shell, withBook } from "./shell.ts";

/**
 * A write as it is tried and as it is done, in this order on one manuscript. `detect --apply` and `synopsis --draft --save`
 * are none of these: what the engine did is paid for, whether its answer is written or not.
 */
const WRITES: readonly (readonly [dry: string, real: string])[] = [
  pair("compact"),
  pair("import new --book 1 --diff"),
  pair("import out --book 1 --diff"),
  pair("sync out"),
  pair("sync out --delete"),
  ["replace 1 Mara Maria", "replace 1 Mara Maria --apply"],
  pair("map 1 --by chapter -- sed s/lamp/lantern/"),
  pair("map 1 -- sed s/lantern/light/"),
  pair("write 2 new/02-the-lamp.md --force"),
  pair("map 1 --propose -- sed s/light/dark/"),
  pair("proposals accept PROPOSAL --edits 0"),
  pair("map 1 --propose -- sed s/dark/light/"),
  pair("proposals reject PROPOSAL"),
  pair("edit 2 --fresh"),
  pair("restore 2 1"),
  pair("status 1 done"),
  pair("chapter move-paragraphs 1 BLOCK --to 2 --first"),
  pair("chapter split 1 BLOCK Half"),
  pair("chapter join 1 2"),
  pair("part add Early --first"),
  pair("part add Late"),
  pair("part rename Late Later"),
  pair("chapter add Oar --part Early"),
  pair("chapter rename Oar Oars"),
  pair("chapter move 2 --after Oars"),
  pair("part move Later --before Early"),
  pair("part delete Later"),
  pair("chapter delete Oars --yes"),
  pair("milestone add Draft"),
  pair("milestone rename Draft Later"),
  pair("chapter rename 1 Elsewhere"),
  pair("milestone restore Later --yes"),
  pair("milestone delete Later"),
  pair("goal set 500 --by 2030-01-31"),
  pair("goal clear"),
  pair("book rename Boats"),
  pair("book edit --author Ada --language en"),
  pair("book add Second"),
  pair("book delete Second"),
  pair("synopsis 1 Late."),
  pair("facts add Tobit --kind character --alias Tob --attribute eyes=grey --attribute hair=red"),
  pair("facts edit Tobit --no-aliases"),
  pair("facts edit Tobit --attribute eyes=brown --drop-attribute hair"),
  pair("facts rename Mara Maria --prose"),
  pair("facts rename Maria Mara --no-alias"),
  pair("facts merge Mara Tobit"),
  pair("notes add 1 Dark? --chapter 1"),
  pair("notes edit NOTE Light?"),
  pair("notes delete NOTE"),
  pair("facts delete Mara"),
  pair("undo"),
  pair("undo"),
  pair("import new"),
  pair("import whole.md --split 2"),
  pair("import bundle.json --file empty.manuscript"),
];

/** What the engine did is paid for, so that a dry run of these leaves the file not as it was. */
const PAID = ["detect", "check"];
/** Commands that write nothing that an act could take back. */
const OTHERS: readonly string[] = [
  ...["init", "use", "serve", "open", "export", "backup", "doctor", "rescue"],
  ...[
    "books",
    "outline",
    "show",
    "search",
    "history",
    "watch",
    "diff",
    "stats",
    "report",
    "facts list",
    "facts show",
    "notes list",
    "milestone list",
    "milestone compare",
    "proposals list",
    "proposals show",
  ],
  ...["key create", "key list", "key revoke", "account show", "account set", "api", "mcp", "completion"],
  "app",
];

/** What a write says that was done. */
const DONE =
  /(?<!be |Would undo: )\b(?!changed in the manuscript only)(?:accepted|added|changed|cleared|created|deleted|detached|dismissed|dropped|edited|made|moved|removed|saved|undone|updated|written)\b/i;

function pair(real: string): [dry: string, real: string] {
  const [command = "", ...others] = real.split(" -- ");
  return [[`${command} --dry-run`, ...others].join(" -- "), real];
}

interface Document {
  content?: { attrs?: { blockId?: string } }[];
}

async function setUp(t: TestContext): Promise<Shell> {
  const sh = await withBook(t);
  const at = (...names: string[]) => join(sh.cwd, ...names);
  await sh("export", "1", "-o", "out");
  await sh("export", "1", "-o", "new");
  for (const [name, from, to] of [
    ["out/01-the-ferry.md", "ringing", "still"],
    ["new/02-the-lamp.md", "did not look", "looked"],
  ] as const) {
    const text = readFileSync(at(name), "utf8");
    writeFileSync(at(name), `${text.replace(from, to)}\nOne more.\n`);
  }
  writeFileSync(at("out", "03-the-oar.md"), "# The Oar\n\nIt was very dark. It broke, and Mara swam.\n");
  writeFileSync(at("whole.md"), "## One\n\nFirst.\n\n## Two\n\nSecond.\n");
  await sh("status", "2", "revising");
  await sh("export", "-f", "json", "-o", "bundle.json");
  await sh("init", "empty.manuscript");
  leaveFree(at("book.manuscript"));
  const drafts = mkdtempSync(join(tmpdir(), "manuscript-drafts-")); // a dry run keeps what was edited
  t.after(() => rmSync(drafts, { recursive: true, force: true }));
  const editor = { EDITOR: "sed -i s/Tobit/Toby/", XDG_STATE_HOME: drafts };
  return sh.with({ env: { MANUSCRIPT_FILE: "book.manuscript", ...editor } });
}

/** The SHA-256 of every file in the folder, the manuscripts' own logs too; what SQLite shares between readers is none. */
function hashes(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith("-shm"),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}

describe("a dry run", () => {
  it("answers what the write then answers, but for ids and times, and leaves every file as it was", async (t) => {
    const sh = await setUp(t);
    for (const [dry, real] of WRITES) {
      if (dry.startsWith("sync out --delete"))
        appendFileSync(join(sh.cwd, "out", "03-the-oar.md"), "\nMore.\n");
      const { snippets } = (await sh("notes", "list", "1", "--json")).json<{ snippets: { id: string }[] }>();
      const { doc } = (await sh("show", "1", "--format", "doc", "--json")).json<{ doc: Document }>();
      const block = doc?.content?.[1]?.attrs?.blockId ?? "none";
      const { proposals } = (await sh("proposals", "list", "1", "--json")).json<{
        proposals: { id: string }[];
      }>();
      const words = (line: string) =>
        line
          .replace("NOTE", snippets[0]?.id ?? "none")
          .replace("BLOCK", block)
          .replace("PROPOSAL", proposals[0]?.id ?? "none")
          .split(" ");
      const before = hashes(sh.cwd);
      const tried = await sh("--json", ...words(dry));
      assert.equal(tried.exit, 0, `${dry}: ${tried.stdout}`);
      const { stdout } = await sh(...words(dry));
      assert.doesNotMatch(stdout, DONE, `${dry} tells of it as done`);
      assert.deepEqual(hashes(sh.cwd), before, dry);
      const wrote = await sh("--json", ...words(real));
      assert.equal(wrote.exit, 0, `${real}: ${wrote.stdout}`);
      assert.notDeepEqual(hashes(sh.cwd), before, `${real} writes something`);
      assert.deepEqual(withoutIds(tried.stdout), withoutIds(wrote.stdout), dry);
    }
  });

  it("every command has its place here: it is tried above, or cannot be", () => {
    const rows = GROUPS.flatMap(({ ROWS }) => ROWS);
    const isTried = (name: string) => WRITES.some(([dry]) => `${dry} `.startsWith(`${name} `));
    assert.deepEqual(
      rows.map(({ name }) => name).filter((name) => !isTried(name) && ![...PAID, ...OTHERS].includes(name)),
      [],
    );
    assert.deepEqual(
      rows
        .filter(({ options }) => options.some(({ flags }) => flags in DRY_RUN))
        .map(({ name }) => name)
        .filter((name) => OTHERS.includes(name)),
      [],
      "it has --dry-run",
    );
  });
});
