import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

/** The short book with a fact and two notes, exported into `out/`. */
async function exported(t: TestContext) {
  const sh = await withBook(t);
  await sh("notes", "add", "1", "Which lamp?", "--chapter", "2");
  await sh("notes", "add", "1", "--kind", "todo", "--item", "Ask Tobit");
  await sh("export", "1", "-o", "out");
  const file = (name: string) => `${sh.cwd}/out/${name}`;
  const read = (name: string) => readFileSync(file(name), "utf8");
  return {
    sh,
    file,
    read,
    edit: (name: string, from: string, to: string) => writeFileSync(file(name), read(name).replace(from, to)),
    take: (...flags: string[]) => sh("import", "out", "--book", "1", ...flags),
    facts: async () =>
      (await sh("facts", "list", "1", "--json")).json<{
        facts: { name: string; kind: string; summary: string }[];
      }>().facts,
  };
}

describe("facts.yaml and notes.yaml", () => {
  it("are written by export, not by --plain, and two exports are the same bytes", async (t) => {
    const { sh, read } = await exported(t);
    await sh("export", "1", "-o", "again");
    for (const name of ["facts.yaml", "notes.yaml"])
      assert.equal(readFileSync(`${sh.cwd}/again/${name}`, "utf8"), read(name));
    await sh("export", "1", "-o", "plain", "--plain");
    assert.deepEqual(
      readdirSync(`${sh.cwd}/plain`).filter((name) => name.endsWith(".yaml") && name !== "book.yaml"),
      [],
    );
    await sh("sync", "plain");
    assert.ok(!existsSync(`${sh.cwd}/plain/facts.yaml`), "prose alone stays alone");
  });

  it("are planned first, count for --exit-code, and are one act with the chapters", async (t) => {
    const { sh, edit, take, facts, read } = await exported(t);
    assert.equal((await take("--dry-run", "--exit-code")).exit, EXIT.done);
    edit("facts.yaml", "name: Mara", "name: Mara\n  summary: She rows.");
    edit("notes.yaml", "Which lamp?", "The red lamp?");
    edit("01-the-ferry.md", "before light", "before dawn");
    assert.equal((await take("--dry-run", "--exit-code")).exit, EXIT.failed);
    const dry = fits(await take("--dry-run", "--json"), "import");
    const shown = await take("--dry-run");
    assert.match(shown.stdout, /^would update {2}fa_\w+ {2}Mara {2}summary$/m);
    assert.match(shown.stdout, /^would update {2}sn_\w+ {2}note {2}text$/m);
    const done = fits(await take("--json"), "import");
    assert.deepEqual([dry.facts, dry.notes], [done.facts, done.notes]);
    assert.equal((await facts())[0]?.summary, "She rows.");
    assert.equal((await sh("undo")).exit, EXIT.done);
    assert.equal((await facts())[0]?.summary, "");
    assert.match((await sh("notes", "list", "1")).stdout, /Which lamp\?/);
    assert.match((await sh("show", "1")).stdout, /before light/);
    assert.match(read("facts.yaml"), /She rows/, "an import writes no file");
  });

  it("end with 5 where both sides changed the same, naming file, entry and field, until forced", async (t) => {
    const { sh, edit, take, facts } = await exported(t);
    edit("facts.yaml", "kind: character", "kind: place");
    await sh("facts", "edit", "Mara", "--kind", "ghost");
    for (const flags of [["--dry-run"], [], ["--exit-code"]]) {
      const ran = await take(...flags);
      assert.equal(ran.exit, EXIT.conflict);
      assert.match(
        ran.stderr,
        /facts\.yaml, Mara \(fa_\w+\): .*both changed its kind; nothing of it was written.*--force mine/,
      );
    }
    assert.equal((await sh("sync", "out")).exit, EXIT.conflict);
    assert.equal((await facts())[0]?.kind, "ghost");
    fits(await take("--force", "theirs", "--json"), "import");
    assert.equal((await facts())[0]?.kind, "ghost");
    fits(await take("--force", "mine", "--json"), "import");
    assert.equal((await facts())[0]?.kind, "place");
  });

  it("refuse what cannot be read, with 2, and nothing is written", async (t) => {
    const { sh, edit, take, read } = await exported(t);
    edit("01-the-ferry.md", "before light", "before dawn");
    edit("notes.yaml", "kind: note", "kind: thought");
    const ran = await take();
    assert.equal(ran.exit, EXIT.usage);
    assert.match(ran.stderr, /notes\.yaml, entry 2: kind must be one of note, .*, got "thought"/);
    assert.match((await sh("show", "1")).stdout, /before light/);
    assert.match(read("notes.yaml"), /thought/);
  });

  it("are brought in step by sync, and deleted from with --delete alone", async (t) => {
    const { sh, file, read, facts } = await exported(t);
    await sh("facts", "add", "Tobit", "--kind", "character");
    const dry = fits(await sh("sync", "out", "--dry-run", "--json"), "sync");
    const done = fits(await sh("sync", "out", "--json"), "sync");
    assert.deepEqual(done.files, dry.files);
    assert.match(read("facts.yaml"), /name: Tobit/);
    writeFileSync(file("facts.yaml"), read("facts.yaml").replace(/- id: \w+\n {2}name: Tobit[\s\S]*/, ""));
    const { stdout } = await sh("sync", "out");
    assert.match(
      stdout,
      /left {2}fa_\w+ {2}Tobit {2}gone from its file; it stays, unless you sync with --delete/,
    );
    assert.equal((await facts()).length, 2);
    assert.match((await sh("sync", "out", "--delete")).stdout, /deleted {2}fa_\w+ {2}Tobit/);
    assert.equal((await facts()).length, 1);
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
    await sh("undo");
    assert.equal((await facts()).length, 2);
  });

  it("make a new book whole, and are not overwritten by an export while edits wait in them", async (t) => {
    const { sh, edit } = await exported(t);
    const copy = fits(await sh("import", "out", "--title", "Copy", "--json"), "import");
    assert.deepEqual(
      [...copy.facts, ...copy.notes].map(({ status }) => status),
      ["created", "created", "created"],
    );
    edit("facts.yaml", "kind: character", "kind: place");
    const refused = await sh("export", "1", "-o", "out");
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.match(refused.stderr, /facts\.yaml/);
    await sh("export", "1", "-o", "out", "--force");
    assert.equal((await sh("import", "out", "--book", "1", "--dry-run", "--exit-code")).exit, EXIT.done);
  });
});
