import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { shell } from "./shell.ts";

/** A book of two chapters in the folder `out`, and what a writer does to its files. */
async function exported(t: TestContext, ...how: string[]) {
  const sh = shell(t);
  const run = async (...argv: string[]) => {
    const ran = await sh(...argv);
    assert.equal(ran.exit, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`);
    return ran;
  };
  mkdirSync(`${sh.cwd}/novel`);
  writeFileSync(`${sh.cwd}/novel/1-quay.md`, "# Quay\n\nMara rang the bell.\n\nNobody came.\n");
  writeFileSync(`${sh.cwd}/novel/2-sea.md`, "# Sea\n\nThe tide took the boat out.\n");
  await run("init", "book.manuscript");
  await run("import", "novel");
  await run("export", "1", "-o", "out", ...how);
  const read = (file: string) => readFileSync(`${sh.cwd}/out/${file}`, "utf8");
  const edit = (file: string, from: string, to: string) => {
    assert.ok(read(file).includes(from), `${file}: ${read(file)}`);
    writeFileSync(`${sh.cwd}/out/${file}`, read(file).replace(from, to));
  };
  const keep = (name: string) => cpSync(`${sh.cwd}/out`, `${sh.cwd}/${name}`, { recursive: true });
  /** Puts a kept folder back, or one file of it alone. */
  const put = (name: string, file = "") => {
    rmSync(`${sh.cwd}/out/${file}`, { recursive: true });
    cpSync(`${sh.cwd}/${name}/${file}`, `${sh.cwd}/out/${file}`, { recursive: true });
  };
  const sync = () => run("sync", "out");
  const text = async () => (await run("export", "1", "--plain", "-o", "-")).stdout;
  return { sh, run, read, edit, keep, put, sync, text };
}

describe("a folder of which only the files were edited", () => {
  for (const file of ["", "1-quay.md"])
    it(`reverts nothing where ${file || "all of it"} is put back as it once was`, async (t) => {
      const { edit, keep, put, sync, text, read } = await exported(t);
      keep("first");
      edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
      await sync();
      keep("second");
      edit("1-quay.md", "She waited.", "She waited. It grew dark.");
      await sync();
      const now = [await text(), read("1-quay.md")];
      for (const old of ["first", "second"]) {
        put(old, file);
        const { stderr } = await sync();
        assert.match(stderr, /Older than the last exchange: .*1-quay\.md/);
        assert.deepEqual([await text(), read("1-quay.md")], now);
      }
    });

  it("merges an older file that was edited since from the revision it names", async (t) => {
    const { edit, keep, put, sync, text } = await exported(t);
    keep("first");
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    await sync();
    put("first");
    edit("1-quay.md", "rang the bell", "rang the old bell");
    await sync();
    assert.match(await text(), /rang the old bell\.\n\nNobody came\. She waited\./);
  });

  it("asks where an older file was edited in the very paragraph that is newer by now", async (t) => {
    const { edit, keep, put, sh, sync, text } = await exported(t);
    keep("first");
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    await sync();
    const now = await text();
    put("first");
    edit("1-quay.md", "Nobody came.", "Somebody came.");
    assert.equal((await sh("sync", "out")).exit, EXIT.conflict);
    assert.equal(await text(), now);
  });

  it("takes an edit that the writer takes back in the file", async (t) => {
    const { edit, sync, text } = await exported(t);
    const before = await text();
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    await sync();
    edit("1-quay.md", " She waited.", "");
    await sync();
    assert.equal(await text(), before);
  });

  it("names in every file the revision that it holds", async (t) => {
    const { edit, sync, read, run } = await exported(t);
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    await sync();
    assert.match(read("1-quay.md"), /^revision: 2$/m);
    await run("sync", "out", "--exit-code");
    edit("1-quay.md", "She waited.", "She waited long.");
    await run("import", "out");
    await run("export", "1", "-o", "out");
    assert.match(read("1-quay.md"), /^revision: 3$/m);
  });
});

describe("a folder of files without front matter", () => {
  it("reverts nothing where all of it is put back, and brings what was edited there", async (t) => {
    const { edit, keep, put, sync, text } = await exported(t, "--plain");
    keep("first");
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    await sync();
    const now = await text();
    put("first");
    await sync();
    assert.equal(await text(), now);
    put("first");
    edit("2-sea.md", "the boat", "the old boat");
    await sync();
    assert.equal(await text(), now.replace("the boat", "the old boat"));
  });
  it("takes an edit that the writer takes back in the file", async (t) => {
    const { edit, sync, text } = await exported(t, "--plain");
    const before = await text();
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    await sync();
    edit("1-quay.md", " She waited.", "");
    await sync();
    assert.equal(await text(), before);
  });
});

describe("a folder in a git working tree", () => {
  /** Everything that git would show as changed. */
  const texts = (path: string) =>
    new Map(
      readdirSync(path)
        .filter((name) => /\.(md|yaml)$/.test(name))
        .map((name) => [name, readFileSync(`${path}/${name}`, "utf8")]),
    );

  it("is left as it is by a sync that only takes its edits in", async (t) => {
    const { sh, edit, sync, text, run } = await exported(t);
    mkdirSync(`${sh.cwd}/.git`);
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    const edited = texts(`${sh.cwd}/out`);
    await sync();
    await run("sync", "out", "--exit-code");
    assert.deepEqual(texts(`${sh.cwd}/out`), edited);
    assert.match(await text(), /She waited/);
    edit("1-quay.md", "She waited.", "She waited long.");
    edit("2-sea.md", "the boat", "the old boat");
    const again = texts(`${sh.cwd}/out`);
    await sync();
    assert.deepEqual(texts(`${sh.cwd}/out`), again);
    assert.match(await text(), /waited long[\s\S]*old boat/);
    await run("undo", "--yes");
    await sync();
    assert.match(texts(`${sh.cwd}/out`).get("1-quay.md") ?? "", /She waited\.\n/);
  });

  it("goes where git goes, and takes nothing out that was written in the manuscript", async (t) => {
    const { sh, edit, keep, put, sync, text, run } = await exported(t);
    mkdirSync(`${sh.cwd}/.git`);
    keep("main");
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    await sync();
    keep("branch");
    put("main");
    await sync();
    assert.doesNotMatch(await text(), /She waited/);
    put("branch");
    await sync();
    assert.match(await text(), /She waited/);
    await run("replace", "1", "rang the bell", "rang the old bell", "--apply");
    await sync();
    const now = await text();
    for (const old of ["main", "branch"]) {
      put(old);
      const { stderr } = await sync();
      assert.match(stderr, /Older than the last exchange: .*1-quay\.md/);
      assert.equal(await text(), now);
    }
  });

  it("merges an edit of a file that names an older revision from what the file last held", async (t) => {
    const { sh, edit, sync, text, run } = await exported(t);
    mkdirSync(`${sh.cwd}/.git`);
    edit("1-quay.md", "Nobody came.", "Nobody came. She waited.");
    await sync();
    await run("replace", "1", "rang the bell", "rang the old bell", "--apply");
    edit("1-quay.md", "She waited.", "She waited long.");
    await sync();
    assert.match(await text(), /rang the old bell\.\n\nNobody came\. She waited long\./);
  });
});
