import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "../cli/fits.ts";
import { desk, type Files } from "./layouts/desk.ts";

/** Every file of a folder and its bytes, by path. */
function tree(path: string): Record<string, string> {
  const files = (readdirSync(path, { recursive: true, encoding: "utf8" }) as string[]).filter((file) =>
    statSync(join(path, file)).isFile(),
  );
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(path, file), "utf8")]));
}

/** A folder that came in as a book, and what comes out as it. */
async function came(t: TestContext, files: Files) {
  const { sh, take, put } = await desk(t, files);
  const source = put({});
  const before = tree(source);
  const { bookId, chapters } = await take();
  const idOf = (file: string) => chapters.find((chapter) => chapter.file === file)?.id ?? "";
  const patch = async (path: string, body: object) =>
    assert.equal(
      (await sh.with({ stdin: JSON.stringify(body) })("api", "PATCH", path, "--input", "-")).exit,
      0,
    );
  const out = async (path = "out") => {
    const ran = await sh("export", bookId, "--as-imported", "-o", path, "--json");
    const { unsaid = [] } = fits(ran, "export");
    return { files: tree(join(sh.cwd, path)), unsaid };
  };
  /** What has changed of what came in, by file. */
  const changed = async () => {
    const { files: after, unsaid } = await out(`out-${Math.random()}`);
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return {
      unsaid,
      files: Object.fromEntries(
        names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? null]),
      ),
    };
  };
  return { sh, source, before, bookId, idOf, out, changed, patch };
}

const PLAIN: Files = {
  "1 Dawn/01.md": "# Morning\n\nText, and no line end",
  "1 Dawn/02 - What: now?.md": "---\n# mine\nmood: dark # very\ntags: [a,  b]\n---\n\n\nText.\n",
  "2 Dusk/10.markdown": "\ufeff---\r\ntitle: Windows\r\n---\r\n\r\n\tText.\r\n",
  "2 Dusk/9.md": "\n\n\nAfter blank lines.\n",
  "2 Dusk/11.md": "\ufeffMarked.\r\nTwice.\r\n",
  "00.md": "---\ntitle: ''\nstatus: draft\n---\n# Heading #\n\n* a\n* b\n",
};

const LAYOUTS: Readonly<Record<string, Files>> = {
  "a folder of Markdown": PLAIN,
  "a folder with book.json": {
    "a.md": "# A\n\nOne.\n",
    "part/b.md": "Two.\n",
    "book.json":
      '{ "title": "Two",\n   "parts": [{"title": "P", "slug": "p"}], "x": 007e1,\n  "chapters": ["a.md", {"file": "part/b.md", "part": "p", "pov": "M"}] }'.replace(
        "007e1",
        "7e1",
      ),
  },
  "a folder with book.yaml": {
    "b.md": "One.\n",
    "a.md": "---\nmood: dark\n---\n\nTwo.\n",
    "book.yaml": "# mine\ntitle: 'Two'\nchapters: [b.md,   a.md] # in this order\n",
  },
  "a folder of notes with a list of links": {
    "Index.md": "# One\n\n- [[Deep|deeper]]\n- [[First]]\n\n# Two\n\n- [[Preface]]\n",
    "Preface.md": "Before.\n",
    "notes/First.md": "# Another heading\n\nText.\n",
    "notes/Deep.md": "Deep.\n",
  },
  Longform: {
    "Index.md":
      "---\nlongform:\n  format: scenes\n  title: Novel\n  scenes:\n    - Part One\n    - - Fog\n      - Ice\n---\n\nNotes of mine.\n",
    "Part One.md": "# Part One\n",
    "Fog.md": "---\nPOV: Mara\n---\n\nFog. [[Ice]]\n",
    "Ice.md": "Ice.\n",
  },
};

describe("export --as-imported", () => {
  for (const [name, files] of Object.entries(LAYOUTS)) {
    it(`gives ${name} back to the byte, even if it is gone`, async (t) => {
      const { source, before, out } = await came(t, files);
      renameSync(source, `${source}-gone`);
      assert.deepEqual(await out(), { files: before, unsaid: [] });
    });
  }

  it("gives a folder back that another manuscript exported, its ids, facts and notes as they are", async (t) => {
    const { "2 Dusk/11.md": _, ...files } = PLAIN;
    const { sh, out } = await came(t, files);
    await sh("facts", "add", "Mara", "--kind", "character");
    await sh("notes", "add", "1", "Look.");
    assert.match((await out()).unsaid.join("\n"), /^No file of the book's facts and notes came in/);
    await sh("export", "1", "-o", "exported");
    await sh("init", "other.manuscript");
    const other = sh.with({ env: { MANUSCRIPT_FILE: join(sh.cwd, "other.manuscript") } });
    await other("import", "exported");
    const back = fits(await other("export", "1", "--as-imported", "-o", "back", "--json"), "export");
    assert.deepEqual(back.unsaid, []);
    const visible = (path: string) =>
      Object.entries(tree(join(sh.cwd, path))).filter(([file]) => !file.startsWith("."));
    assert.deepEqual(visible("back"), visible("exported"));
    assert.ok(existsSync(join(sh.cwd, "back/facts.yaml")));
  });

  it("changes what was edited and nothing else, with front matter only where that is said nowhere else", async (t) => {
    const { sh, idOf, changed, patch } = await came(t, PLAIN);
    const [bare = "", block = "", windows = "", untitled = ""] = [
      "1 Dawn/01.md",
      "1 Dawn/02 - What: now?.md",
      "2 Dusk/10.markdown",
      "00.md",
    ].map(idOf);
    await sh("replace", "1", "Text", "Prose", "--apply");
    assert.deepEqual((await changed()).files, {
      "1 Dawn/01.md": "# Morning\n\nProse, and no line end",
      "1 Dawn/02 - What: now?.md": "---\n# mine\nmood: dark # very\ntags: [a,  b]\n---\n\n\nProse.\n",
      "2 Dusk/10.markdown": "\ufeff---\r\ntitle: Windows\r\n---\r\n\r\n\tProse.\r\n",
    });
    await sh("undo", "--yes");
    await sh("status", bare, "done");
    await sh("status", block, "revising");
    await sh("synopsis", windows, "It: rains.");
    await sh("status", untitled, "done");
    const edited = {
      "1 Dawn/01.md": "---\nstatus: done\n---\n# Morning\n\nText, and no line end",
      "1 Dawn/02 - What: now?.md":
        "---\n# mine\nmood: dark # very\ntags: [a,  b]\nstatus: revising\n---\n\n\nText.\n",
      "2 Dusk/10.markdown": '\ufeff---\r\ntitle: Windows\r\nsynopsis: "It: rains."\r\n---\r\n\r\n\tText.\r\n',
      "00.md": "---\ntitle: ''\nstatus: done\n---\n# Heading #\n\n* a\n* b\n",
    };
    assert.deepEqual((await changed()).files, edited);
    const { parts } = (await sh("outline", "1", "--json")).json<{ parts: { id: string; title: string }[] }>();
    const dusk = parts.find(({ title }) => title === "Dusk")?.id ?? "";
    await patch(`/chapters/${idOf("00.md")}`, { partId: dusk, position: 6 });
    await patch(`/chapters/${idOf("2 Dusk/9.md")}`, { title: "Nine", partId: null });
    const moved = await changed();
    assert.deepEqual(moved.files["00.md"], edited["00.md"].replace("done\n", "done\npart: Dusk\n"));
    assert.equal(moved.files["2 Dusk/9.md"], "---\ntitle: Nine\npart: null\n---\n\n\n\nAfter blank lines.\n");
    assert.match(moved.unsaid.join("\n"), /another order/);
  });

  it("says in the folder's own list what belongs there, and leaves the rest of it alone", async (t) => {
    const list = {
      title: "T",
      author: "A",
      parts: ["P"],
      chapters: [{ file: "a.md", title: "A", pov: "M" }, "b.md"],
    };
    const json = `${JSON.stringify(list, null, "\t")}\n`;
    const { bookId, idOf, changed, patch } = await came(t, {
      "a.md": "One.\n",
      "b.md": "# B\n",
      "book.json": json,
    });
    await patch(`/chapters/${idOf("a.md")}`, { title: "Else", position: 2 });
    await patch(`/books/${bookId}`, { title: "New" });
    const chapters = ["b.md", { file: "a.md", title: "Else", pov: "M" }];
    assert.deepEqual(await changed(), {
      unsaid: [],
      files: { "book.json": `${JSON.stringify({ ...list, title: "New", chapters }, null, "\t")}\n` },
    });
  });

  it("writes back into the folder that it came from, and over no edit that it does not know", async (t) => {
    const { sh, source, before, idOf, bookId } = await came(t, PLAIN);
    const write = () => sh("export", bookId, "--as-imported", "-o", source);
    assert.match((await write()).stdout, /6 chapters, 0 files written/);
    await sh("status", idOf("1 Dawn/01.md"), "done");
    assert.match((await write()).stdout, /6 chapters, 1 file written/);
    const status = "---\nstatus: done\n---\n";
    assert.deepEqual(tree(source), { ...before, "1 Dawn/01.md": status + before["1 Dawn/01.md"] });
    const again = await sh("import", source, "--json");
    assert.deepEqual([...new Set(fits(again, "import").chapters.map((chapter) => chapter.status))], ["same"]);
    writeFileSync(join(source, "1 Dawn/01.md"), "Mine.\n");
    await sh("status", idOf("1 Dawn/01.md"), "draft");
    assert.equal((await write()).exit, EXIT.wouldLose);
    assert.equal(tree(source)["1 Dawn/01.md"], "Mine.\n");
  });

  it("says that an index of another program knows no chapter that came since, and goes with no other way of writing", async (t) => {
    const { sh, out } = await came(t, LAYOUTS["a folder of notes with a list of links"] ?? {});
    await sh.with({ stdin: "# New\n\nText.\n" })("import", "-", "--book", "1");
    const { files, unsaid } = await out();
    assert.match(unsaid.join("\n"), /^Index\.md is as it came in/);
    assert.equal(files["04-new.md"], "---\npart: null\n---\n# New\n\nText.\n");
    for (const other of ["--plain", "--block-ids"])
      assert.equal((await sh("export", "1", "--as-imported", other)).exit, EXIT.usage);
    assert.match((await sh("export", "1", "--as-imported", "-o", "-")).stdout, /^Deep\.\n\n# Another/);
  });
});
