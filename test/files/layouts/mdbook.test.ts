import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { desk, titled } from "./desk.ts";

const BOOK = {
  "book.toml": ["[book]", 'title = "The \\"Low\\" Water"', 'src = "text"', "[output.html]", 'title = "no"'],
  "text/SUMMARY.md": [
    "# Summary",
    "",
    "[Before the Flood](before.md)",
    "",
    "# Up *River*",
    "",
    "- [The Ferry](up/ferry.md)",
    "  - [The Bell (again)](<up/the bell.md>)",
    "    * [Planned]()",
    "- [Weir](./up/weir%20end.md#middle)",
    "<!-- - [Not this](no.md) -->",
    "---",
    "# Down River",
    "- [Mill](../text/down/mill.md)",
    "",
    "[Thanks](https://example.org/thanks)",
    "[After](after.md)",
  ],
  "text/before.md": "# Before\n\nNo rain.\n",
  "text/up/ferry.md": "# Ferry\r\n\r\nShe  *rowed*.\r\n",
  "text/up/the bell.md": "It rang.\n",
  "text/up/weir end.md": "White water.",
  "text/down/mill.md": "Flour.\n\n\n\nDust.\n",
  "text/after.md": "Mud.\n",
  "text/scraps.md": "Left over.\n",
  "text/river.png": Buffer.from([0x89, 0x50, 0, 1]),
};

describe("mdBook", () => {
  it("is read in the order, the parts and the titles of its summary, byte for byte", async (t) => {
    const { take, outline, prose } = await desk(t, BOOK);
    const { layout, why, bookId, title, skipped } = await take();
    assert.deepEqual([layout, why, title], ["mdbook", "text/SUMMARY.md", 'The "Low" Water']);
    assert.deepEqual(titled(await outline(bookId)), [
      "Before the Flood",
      "Up River / The Ferry",
      "Up River / The Bell (again)",
      "Up River / Weir",
      "Down River / Mill",
      "After",
    ]);
    assert.deepEqual(await prose(bookId), [
      BOOK["text/before.md"],
      BOOK["text/up/ferry.md"],
      BOOK["text/up/the bell.md"],
      BOOK["text/up/weir end.md"],
      BOOK["text/down/mill.md"],
      BOOK["text/after.md"],
    ]);
    assert.deepEqual(skipped, [
      { file: "Planned", reason: "text/SUMMARY.md names no file for it" },
      { file: "Thanks", reason: "a link, not a file of the book" },
      { file: "text/river.png", reason: "not Markdown" },
      { file: "text/scraps.md", reason: "text/SUMMARY.md does not list it; --adopt takes it in" },
    ]);
  });

  it("says how it was read, with what was left out and the remedy", async (t) => {
    const { sh, put } = await desk(t, BOOK);
    const { stdout, stderr } = await sh("import", put({}), "--dry-run");
    assert.match(stdout, /^Read as mdBook \(text\/SUMMARY\.md\); another: --layout NAME\.\n/);
    assert.match(
      stderr,
      /^Left out text\/scraps\.md: text\/SUMMARY\.md does not list it; --adopt takes it in\.$/m,
    );
  });

  it("--adopt takes what is not listed in behind what is; --layout folder reads all of it", async (t) => {
    const { take, outline } = await desk(t, BOOK);
    const adopted = await take(["--adopt"]);
    assert.equal(titled(await outline(adopted.bookId)).at(-1), "scraps");
    assert.deepEqual(
      adopted.skipped.map(({ file }) => file),
      ["Planned", "Thanks", "text/river.png"],
    );
    const { layout, chapters } = await take(["--layout", "folder"]);
    assert.deepEqual([layout, chapters.length], ["folder", 8]);
  });

  it("is found again when it comes into the same book: only what changed is written", async (t) => {
    const { take, put, sh } = await desk(t, BOOK);
    const { bookId } = await take();
    put({ "text/after.md": "Mud, and a boat.\n" });
    const { chapters } = await take(["--book", bookId]);
    assert.deepEqual(
      chapters.map(({ status }) => status),
      ["same", "same", "same", "same", "same", "updated"],
    );
    const before = await sh("import", put({}), "--book", bookId, "--dry-run", "--exit-code");
    assert.equal(before.exit, 0, before.stdout);
  });

  it("is written to by nobody: a sync is refused, and an export does not overwrite it", async (t) => {
    const { take, put, sh } = await desk(t, BOOK);
    const { bookId } = await take();
    const synced = await sh("sync", put({}), "--book", bookId);
    assert.equal(synced.exit, 2);
    assert.match(synced.stderr, /project of another program \(mdBook\)/);
    const exported = await sh("export", bookId, "-o", put({}));
    assert.equal(exported.exit, 6, exported.stderr);
  });

  it("refuses a broken line, a missing file and a way out, naming them", async (t) => {
    const { put, refusal } = await desk(t, BOOK);
    const summary = async (line: string) => {
      put({ "text/SUMMARY.md": ["# Summary", "", line] });
      return await refusal();
    };
    assert.match(await summary("- [Ferry](up/ferry.md"), /text\/SUMMARY\.md: line 3 is no link to a chapter/);
    assert.match(await summary("- [Gone](gone.md)"), /text\/gone\.md, which text\/SUMMARY\.md lists/);
    for (const way of [
      "../../secret.md",
      "/etc/passwd",
      "a/%2e%2e/../../x.md",
      ".git/x.md",
      "a%00b.md",
      "..\\..\\x.md",
    ]) {
      assert.match(await summary(`- [Way](${way})`), /hidden or outside|control character/, way);
    }
    assert.match(await summary("Nothing."), /lists no chapter/);
    assert.match(await refusal(["--layout", "quarto"]), /cannot be read as Quarto .*no _quarto\.yml/);
  });

  it("reads a summary beside its chapters, as GitBook has it, and the summary's own path", async (t) => {
    const { take, put, outline } = await desk(t, {
      "SUMMARY.md": [
        "* [One](README.md)",
        "",
        "### Later",
        "* Not written",
        "  * [Two](two.md)",
        "* [Again](two.md)",
      ],
      "README.md": "First.\n",
      "two.md": "Second.\n",
    });
    for (const path of [undefined, `${put({})}/SUMMARY.md`]) {
      const { bookId, skipped } = await take([], path);
      assert.deepEqual(titled(await outline(bookId)), ["One", "Later / Two"]);
      assert.deepEqual(skipped, [
        { file: "Not written", reason: "SUMMARY.md names no file for it" },
        { file: "two.md", reason: "SUMMARY.md lists it twice; it is taken once" },
      ]);
    }
  });
});
