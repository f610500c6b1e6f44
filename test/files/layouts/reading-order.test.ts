import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { desk, type Files, titled } from "./desk.ts";

const VAULT: Files = {
  "Index.md": [
    "---",
    "tags: [novel]",
    "---",
    "# The Mill",
    "",
    "1. [[Ferry]]",
    "",
    "## Up *River*",
    "- [ ] [[notes/Mill|the mill]]",
    "  - [Weir](notes/weir%20end.md#middle)",
    "- [[ferry#again]]",
    "---",
    "## Down",
    "[[Zinc.md]]",
  ],
  "Ferry.md": "---\nstatus: done\n---\nShe rowed.\n",
  "Zinc.md": "Grey.\n",
  "notes/Mill.md": "Flour.\n",
  "notes/weir end.md": "White water.\n",
  "notes/Scraps.md": "Left over.\n",
  "Bits/New.md": "{{title}}\n",
  ".obsidian/templates.json": '{"folder": "Bits"}',
  ".obsidian/app.md": "No note.\n",
  "Templates/Scene.md": "# Scene\n",
};

describe("reading-order", () => {
  it("a note of links orders the notes of a folder; what it does not list is left out, by name", async (t) => {
    const { take, outline, prose, sh, put } = await desk(t, VAULT);
    const { layout, why, title, bookId, skipped } = await take();
    assert.deepEqual(
      [layout, why, title],
      ["reading-order", "in the order of the links in Index.md", "Source"],
    );
    const chapters = await outline(bookId);
    assert.deepEqual(titled(chapters), [
      "Ferry",
      "Up *River* / Mill",
      "Up *River* / weir end",
      "Down / Zinc",
    ]);
    assert.equal(chapters[0]?.status, "done");
    assert.deepEqual(await prose(bookId), ["She rowed.\n", "Flour.\n", "White water.\n", "Grey.\n"]);
    assert.deepEqual(skipped, [
      { file: "Bits/New.md", reason: "a template of Obsidian" },
      { file: "Templates/Scene.md", reason: "a template of Obsidian" },
      { file: "notes/Scraps.md", reason: "Index.md does not list it; --adopt takes it in" },
    ]);
    const { stdout } = await sh("import", put({}), "--title", "Again", "--dry-run");
    assert.match(
      stdout,
      /^Read as a folder of notes \(in the order of the links in Index\.md\); another: --layout/,
    );
    const adopted = await take(["--adopt", "--title", "Adopted"]);
    assert.deepEqual(titled(await outline(adopted.bookId)).slice(4), ["Scraps"]);
    assert.equal((await take(["--layout", "folder", "--title", "Plain"])).chapters.length, 8);
  });

  it("its folders are the parts where it has no headings", async (t) => {
    const { take, outline } = await desk(t, {
      "SUMMARY.md": ["# Summary", "", "* [B](two/b.md)", "* [A](one/a.md)"],
      "one/a.md": "A.\n",
      "two/b.md": "B.\n",
      "README.md": "About.\n",
    });
    assert.deepEqual(titled(await outline((await take()).bookId)), ["two / b", "one / a"]);
  });

  it("comes in again, and is synced: the order stays", async (t) => {
    const { take, put, outline, sh } = await desk(t, VAULT);
    const { bookId } = await take();
    put({ "Zinc.md": "Grey and cold.\n" });
    const again = await take();
    assert.deepEqual(
      [again.bookId, ...again.chapters.map(({ status }) => status)],
      [bookId, "same", "same", "same", "updated"],
    );
    const before = titled(await outline(bookId));
    for (const word of ["cold", "wet"]) {
      put({ "Zinc.md": `Grey and ${word}.\n` });
      const { exit, stderr } = await sh("sync", put({}), "--book", bookId);
      assert.deepEqual([exit, titled(await outline(bookId))], [0, before], stderr);
    }
  });

  it("is taken for one only where there is no doubt", async (t) => {
    const notes = { "a.md": "A.\n", "b.md": "B.\n", "c.md": "C.\n", "d.md": "D.\n", "e.md": "E.\n" };
    for (const [name, ...lines] of [
      ["Index.md", "- [[b]]"],
      ["Index.md", "- [[b]]", "- [[gone]]"],
      ["Index.md", "- [[b]]", "- [[a]], the first"],
      ["Index.md", "In this order:", "- [[b]]", "- [[a]]"],
      ["Index.md", "- [[b]]", "- [Web](https://example.org)"],
      ["Index.md", "- [[b]]", "- [[Index]]"],
      ["People.md", "- [[b]]", "- [[a]]"],
    ] as const) {
      const { take } = await desk(t, { ...notes, [name]: lines });
      assert.equal((await take()).layout, "folder", lines.join());
    }
    const { take } = await desk(t, {
      ...notes,
      "Index.md": ["- [[b]]", "- [[a]]"],
      "Order.md": ["[[a]]", "[[b]]"],
    });
    assert.equal((await take()).layout, "folder");
  });
});
