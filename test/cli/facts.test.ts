import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { AnswerOf } from "../../src/contract/index.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

describe("facts", () => {
  it("show says all that is known of a fact; edit sets and takes out single attributes", async (t) => {
    const sh = await withBook(t);
    await sh(
      "facts",
      "edit",
      "mara",
      "--alias",
      "the girl",
      "--attribute",
      "eyes=grey",
      "--summary",
      "Late.",
    );
    await sh("facts", "edit", "mara", "--attribute", "hair=red", "--attribute", "eyes=green");
    const { bookId } = (await sh("facts", "show", "mara", "--json")).json<AnswerOf<"readFact">>().fact;
    await sh("api", "POST", `/books/${bookId}/mentions/reanchor`);
    const { stdout } = await sh("facts", "show", "the girl");
    assert.match(
      stdout,
      /^fa_\w+ {2}Mara {2}character\nalso the girl\nLate\.\neyes: {2}green\nhair: {2}red\n\n2 mentions\n\nch_\w+ {2}The Ferry\n {2}b_\w+ {2}Mara came down to the ferry before light, an…\n\nch_\w+ {2}The Lamp\n {2}b_\w+ {2}Mara lit the lamp\..*\n$/,
    );
    const body = JSON.stringify({ title: "Later", markdown: "Mara came. Her eyes were brown." });
    await sh.with({ stdin: body })("api", "POST", `/books/${bookId}/chapters`, "--input", "-");
    const described = await sh("facts", "show", "mara");
    assert.match(described.stdout, /\n\neyes\n {2}Later {2}Her eyes were brown\.\n\n2 mentions\n/);
    fits(await sh("facts", "show", "mara", "--json"), "facts show");
    await sh("facts", "edit", "mara", "--drop-attribute", "eyes");
    const { fact } = (await sh("facts", "show", "mara", "--json")).json<AnswerOf<"readFact">>();
    assert.deepEqual(fact.attributes, [{ key: "hair", value: "red" }]);
    const twice = await sh("facts", "edit", "mara", "--drop-attribute", "eyes");
    assert.equal(twice.exit, EXIT.notFound);
    assert.match(twice.stderr, /No such attribute as "eyes"; Mara has hair/);
    assert.match((await sh("facts", "edit", "mara")).stderr, /Nothing to change: give --name/);
  });

  it("attributes that hold from a chapter on go out into a folder and into another manuscript", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "edit", "mara", "--attribute", "hair=red");
    await sh("facts", "edit", "mara", "--attribute", "hair=black", "--from", "2");
    assert.match(
      (await sh("facts", "show", "mara")).stdout,
      /\nhair: {2}red\nhair: {2}black \(from The Lamp\)\n/,
    );
    await sh("export", "1", "-o", "out");
    const yaml = readFileSync(join(sh.cwd, "out", "facts.yaml"), "utf8");
    assert.match(yaml, /- hair: red\n\s+- hair: black\n\s+from: \S+\.md\n/);
    assert.match(
      (await sh("sync", "out", "--dry-run")).stdout + (await sh("sync", "out")).stdout,
      /same|step|nothing/i,
    );
    await sh("--file", "other.manuscript", "init", "other.manuscript");
    await sh("--file", "other.manuscript", "import", "out");
    const shown = await sh("--file", "other.manuscript", "facts", "show", "mara");
    assert.match(shown.stdout, /\nhair: {2}black \(from The Lamp\)\n/);
    writeFileSync(join(sh.cwd, "out", "facts.yaml"), yaml.replace(/from: \S+/, "from: nowhere.md"));
    const refused = await sh("import", "out");
    assert.match(refused.stderr, /Mara: hair: from: no chapter of the book has the file "nowhere\.md"/);
  });

  it("merge and delete say whose mentions they move and drop", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "add", "Lena");
    assert.match(
      (await sh("facts", "merge", "lena", "mara")).stdout,
      /Lena: \d mentions? of Mara moved to it/,
    );
    assert.match(
      (await sh("facts", "delete", "mara", "--dry-run")).stdout,
      /^Would delete “Lena”: \d mentions? of it/,
    );
  });

  it("rename shows each paragraph, says what it leaves, and is taken back as one act", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "edit", "mara", "--alias", "old Tobit");
    const tried = await sh("facts", "rename", "Mara", "Nora", "--prose", "--dry-run");
    assert.match(tried.stdout, /^Would rename fa_\w+ {2}Mara → Nora\n.*\[-Mara-\]\{\+Nora\+\}/s);
    assert.match(tried.stdout, /2 places in 2 chapters\n$/);
    assert.match(tried.stderr, /“old Tobit” \(an alias\) 1×; .*Dry run: nothing was written\.\n$/s);
    const done = fits(await sh("facts", "rename", "Mara", "Nora", "--prose", "--json"), "facts rename");
    assert.deepEqual([done.fact.aliases, done.replaced], [["old Tobit", "Mara"], 2]);
    assert.match((await sh("show", "1")).stdout, /^The Ferry\n\nNora came down/);
    await sh("undo", String(done.act));
    assert.match((await sh("show", "1")).stdout, /Mara came down/);
    const alone = await sh("facts", "rename", "mara", "Nora", "--no-alias");
    assert.match(alone.stderr, /The prose stays as it is; --prose rewrites it too\./);
    assert.equal((await sh("facts", "rename", "mara", "Lena")).exit, EXIT.notFound);
  });
});
