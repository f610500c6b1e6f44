import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { withBook } from "./shell.ts";

const textsOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => /^[^.].*\.(md|yaml)$/.test(name) && statSync(join(path, name)).isFile())
      .map((name) => [name, readFileSync(join(path, name), "utf8")]),
  );

/** A folder as it was, `old`, and as it is once the manuscript has changed everything that a folder says, `now`. */
async function changed(t: TestContext) {
  const sh = await withBook(t);
  const run = async (...argv: string[]) => {
    const ran = await sh(...argv);
    assert.equal(ran.exit, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`);
    return ran;
  };
  const at = (...names: string[]) => join(sh.cwd, ...names);
  const edit = (file: string, from: string | RegExp, to: string) => {
    const text = readFileSync(at("out", file), "utf8");
    assert.notEqual(text.replace(from, to), text, `${file} does not hold ${from}`);
    writeFileSync(at("out", file), text.replace(from, to));
  };
  await run("notes", "add", "Check the tide.");
  await run("facts", "add", "Tobit", "--summary", "He waits.");
  await run("export", "1", "-o", "out");
  edit("01-the-ferry.md", "already ringing", "already silent");
  await run("sync", "out"); // the folder's own: it goes with nothing
  cpSync(at("out"), at("old"), { recursive: true });
  for (const argv of [
    ["replace", "1", "before light", "before light, alone", "--apply"],
    ["status", "2", "done"],
    ["synopsis", "2", "A lamp is lit."],
    ["chapter", "rename", "2", "The Lantern"],
    ["chapter", "move", "2", "--first"],
    ["book", "rename", "The Other Book"],
    ["goal", "set", "5000"],
    ["facts", "edit", "Tobit", "--summary", "He rows."],
  ])
    await run(...argv);
  await run("sync", "out");
  const put = () => {
    rmSync(at("out"), { recursive: true });
    cpSync(at("old"), at("out"), { recursive: true });
  };
  return { sh, run, edit, put, now: textsOf(at("out")), out: () => textsOf(at("out")), at };
}

describe("an older copy of a folder, put back", () => {
  it("takes nothing out of the manuscript, of prose, fields, order, cast and notes; a sync brings it up to date", async (t) => {
    const { run, put, now, out } = await changed(t);
    put();
    for (const command of ["import", "sync"]) {
      const { stdout, stderr } = await run(command, "out", "--json");
      const { act, chapters, older } = JSON.parse(stdout);
      assert.equal(act, null, stdout);
      assert.deepEqual(
        chapters.map(({ status }: { status: string }) => status),
        ["left", "left"],
      );
      assert.deepEqual(older.toSorted(), ["01-the-ferry.md", "02-the-lamp.md", "book.yaml", "facts.yaml"]);
      assert.match(stderr, /Older/);
    }
    assert.deepEqual(out(), now);
    await run("sync", "out", "--exit-code");
  });

  it("with edits in it brings those, and nothing else", async (t) => {
    const { run, put, edit, now, out } = await changed(t);
    put();
    edit("01-the-ferry.md", "You are late", "You are early");
    edit("02-the-lamp.md", "did not look up", "looked up");
    edit("book.yaml", "chapters:", "author: M. Hale\nchapters:");
    edit("facts.yaml", "name: Mara", "name: Mara\n  summary: She rows.");
    await run("sync", "out");
    const wanted = { ...now };
    const say = (file: string, from: string, to: string) => {
      assert.notEqual(wanted[file]?.replace(from, to), now[file]);
      wanted[file] = (wanted[file] ?? "").replace(from, to);
    };
    say("01-the-ferry.md", "You are late", "You are early");
    say("02-the-lamp.md", "did not look up", "looked up");
    const bare = (texts: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, text.replace(/^revision: .*$/m, "")]),
      );
    const { "book.yaml": list, "facts.yaml": facts, ...chapters } = bare(out());
    const { "book.yaml": _, "facts.yaml": __, ...others } = bare(wanted);
    assert.deepEqual(chapters, others);
    assert.match(
      String(list),
      /title: The Other Book[\s\S]*author: M. Hale[\s\S]*02-the-lamp[\s\S]*01-the-ferry/,
    );
    assert.match(String(facts), /She rows.[\s\S]*He rows./);
    await run("sync", "out", "--exit-code");
  });

  it("counts with --force mine; and what the folder itself said and takes back, counts without", async (t) => {
    const { run, put, edit, at } = await changed(t);
    put();
    await run("sync", "out", "--force", "mine");
    assert.match((await run("show", "The Ferry")).stdout, /before light, and/);
    edit("02-the-lamp.md", "did not look up", "looked up");
    await run("sync", "out");
    edit("02-the-lamp.md", "looked up", "did not look up");
    await run("sync", "out");
    assert.match((await run("show", "The Lamp")).stdout, /did not look up/);
    assert.ok(at());
  });

  it("makes no chapter again that was deleted since, and none go that it never had", async (t) => {
    const { run, put, out } = await changed(t);
    await run("chapter", "delete", "The Lantern", "--yes");
    await run("chapter", "add", "The Tide", "The tide went out.");
    await run("sync", "out", "--delete");
    const now = out();
    put();
    await run("sync", "out", "--delete");
    assert.deepEqual({ ...out(), "02-the-lamp.md": undefined }, { ...now, "02-the-lamp.md": undefined });
  });
});
