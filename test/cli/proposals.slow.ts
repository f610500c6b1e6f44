import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fits } from "./fits.ts";
import { type Shell, shell } from "./shell.ts";

const QUAY =
  "# The Quay\n\nThe red house stood near the quay.\n\nNobody came down before noon.\n\nThe bell rang.\n";

async function withQuay(t: TestContext): Promise<Shell> {
  const sh = shell(t);
  await sh("init", "book.manuscript");
  writeFileSync(join(sh.cwd, "quay.md"), QUAY);
  await sh("import", "quay.md", "--title", "Quays");
  return sh;
}

const markdown = async (sh: Shell) => (await sh("export", "1", "--plain", "-o", "-")).stdout;
const ids = async (sh: Shell): Promise<string[]> =>
  (await sh("proposals", "list", "--json"))
    .json<{ proposals: { id: string }[] }>()
    .proposals.map(({ id }) => id);

describe("proposals", () => {
  it("are made by map, replace, import and sync, which then write nothing", async (t) => {
    const sh = await withQuay(t);
    await sh("export", "1", "-o", "out");
    const before = await markdown(sh);
    const mapped = await sh("map", "--propose", "--", "sed", "s/red/blue/");
    assert.equal(mapped.exit, 0, mapped.stderr);
    assert.match(mapped.stdout, /^prop_\w+ {2}The Quay: proposed 1 edit\n$/);
    assert.match(mapped.stderr, /Nothing of the prose was changed.*\n.*undo act_/);
    const replaced = fits(await sh("replace", "noon", "dawn", "--propose", "--json"), "replace --propose");
    assert.deepEqual(
      replaced.proposals.map(({ reason }) => reason),
      ['replace "noon" by "dawn"'],
    );
    await sh("chapter", "add", "A table", "| noon |\n|---|\n| bell |\n");
    const inTable = await sh("replace", "noon", "dusk", "--propose");
    assert.match(inTable.stderr, /^1 find in code, tables, HTML or addresses left alone\.\n/);
    await sh("undo");
    await sh("undo");
    writeFileSync(join(sh.cwd, "quay.md"), QUAY.replace("bell", "old bell"));
    const taken = await sh("import", "quay.md", "--propose", "--json");
    assert.equal(fits(taken, "import --propose").proposals.length, 1, taken.stderr);
    const [file] = (await sh("sync", "out", "--json")).json<{ files: { file: string }[] }>().files;
    const path = join(sh.cwd, "out", file?.file ?? "");
    const text = readFileSync(path, "utf8")
      .replace("Nobody came", "Somebody came")
      .replace("The Quay\n", "The Pier\n");
    writeFileSync(path, text);
    writeFileSync(join(sh.cwd, "out", "99-new.md"), "# New\n\nNew.\n");
    const synced = await sh("sync", "out", "--propose");
    assert.match(synced.stdout, /^prop_\w+ {2}The Quay: proposed \d edits?\n$/, synced.stderr);
    assert.match(synced.stderr, /99-new\.md is a new chapter, which cannot be proposed/);
    assert.equal(readFileSync(path, "utf8"), text, "the folder stays as it is");
    assert.equal(await markdown(sh), before);
    assert.equal((await ids(sh)).length, 4);
    assert.equal((await sh("map", "--propose", "--", "cat")).stdout, "Nothing to propose.\n");
    assert.equal(
      (await sh("map", "--propose", "--dry-run", "--", "sed", "s/red/grey/")).stdout,
      "The Quay: would propose 1 edit\n",
    );
    assert.equal((await ids(sh)).length, 4);
    assert.equal((await sh("replace", "a", "b", "--apply", "--propose")).exit, 2);
    assert.equal((await sh("import", "quay.md", "--title", "Else", "--propose")).exit, 2);
    assert.equal((await sh("sync", "out", "--watch", "--propose")).exit, 2);
  });

  it("tell of what a folder says besides: a file that is gone, its prose in another, another title of the book", async (t) => {
    const sh = shell(t);
    await sh("init", "book.manuscript");
    for (const [file, text] of [
      ["1-one.md", "# One\n\nThe red house.\n"],
      ["2-two.md", "# Two\n\nNobody came.\n"],
    ] as const) {
      mkdirSync(join(sh.cwd, "in"), { recursive: true });
      writeFileSync(join(sh.cwd, "in", file), text);
    }
    await sh("import", "in", "--title", "Quays");
    await sh("export", "1", "-o", "out");
    const [one = "", two = ""] = readdirSync(join(sh.cwd, "out"))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => join(sh.cwd, "out", name));
    writeFileSync(one, `${readFileSync(one, "utf8")}\n# Two\n\nNobody came.\n`);
    rmSync(two);
    const list = join(sh.cwd, "out", "book.yaml");
    writeFileSync(list, readFileSync(list, "utf8").replace("title: Quays", "title: Piers"));
    const synced = await sh("sync", "out", "--propose");
    assert.match(synced.stdout, /One: proposed 1 edit/, synced.stderr);
    assert.match(
      synced.stderr,
      /two\.md is gone from the folder, which cannot be proposed; its chapter stays\./,
    );
    assert.match(
      synced.stderr,
      /book\.yaml says another title, order or goal of the book, which cannot be proposed\./,
    );
    const { left } = fits(await sh("sync", "out", "--propose", "--json"), "sync --propose");
    assert.deepEqual(left.map(({ what }) => what).sort(), ["book", "gone"]);
  });

  it("are listed, shown, accepted and rejected, and taken back", async (t) => {
    const sh = await withQuay(t);
    await sh("map", "--propose", "--", "sed", "s/the quay/the pier/; s/noon/dawn/");
    const [id = ""] = await ids(sh);
    assert.match((await sh("proposals", "list")).stdout, /prop_\w+ +open +The Quay +2 edits +you +map sed/);
    const shown = await sh("proposals", "show", id);
    assert.match(shown.stdout, /by you.*of revision 1\nmap sed/);
    assert.match(
      shown.stdout,
      /\[0\] replace b_\w+, open\nThe red house stood near the \[-quay-\]\{\+pier\+\}\./,
    );
    assert.match(
      (await sh("proposals", "accept", id, "--dry-run")).stdout,
      /^The Quay: 2 edits to accept\n$/,
    );
    const done = await sh("proposals", "accept", id, "--edits", "0");
    assert.match(done.stdout, /^The Quay: 1 edit accepted\n$/, done.stderr);
    assert.match(await markdown(sh), /near the pier/);
    const rejected = await sh("proposals", "reject", id);
    assert.match(rejected.stdout, /1 edit rejected/);
    assert.match((await sh("proposals", "list")).stdout, /Nothing to decide; --status all/);
    assert.match(
      (await sh("proposals", "list", "--status", "accepted")).stdout,
      /accepted +The Quay +2 edits \(1 accepted, 1 rejected\)/,
    );
    assert.equal((await sh("proposals", "accept", id)).exit, 5);
    assert.equal((await sh("proposals", "accept", "prop_none")).exit, 3);
    assert.equal((await sh("proposals", "accept", id, "--edits", "one")).exit, 2);
    assert.match((await sh("history")).stdout, /rejected proposed changes/);
    await sh("undo");
    await sh("undo");
    assert.equal(await markdown(sh), QUAY);
  });

  it("say what is stale, and how to take the rest", async (t) => {
    const sh = await withQuay(t);
    await sh("map", "--propose", "--", "sed", "s/noon/dawn/; s/rang/fell/");
    const [id = ""] = await ids(sh);
    await sh("replace", "noon", "midnight", "--apply");
    const refused = await sh("proposals", "accept", id);
    assert.equal(refused.exit, 5);
    assert.match(
      refused.stderr,
      /edit 0 \(its paragraph has changed\).*"manuscript proposals accept prop_\w+ --edits 1" accepts the others/,
    );
    assert.equal((await sh("proposals", "accept", id, "--edits", "1")).exit, 0);
    assert.equal(
      (await sh("proposals", "accept", id, "--edits", "0", "--text", "Nobody came at all.")).exit,
      0,
    );
    assert.match(await markdown(sh), /Nobody came at all\.\n\nThe bell fell\.\n$/);
  });
});
