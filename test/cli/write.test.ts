import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ENDPOINTS, type EndpointId } from "../../src/contract/index.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { fits as fitsCommand } from "./fits.ts";
import { type Ran, shell, withBook } from "./shell.ts";

/** Asserts that a command answered with the body of an endpoint, and gives it. */
function fits(ran: Ran, id: EndpointId): Record<string, unknown> {
  assert.equal(ran.exit, EXIT.done, ran.stdout + ran.stderr);
  const parsed = ENDPOINTS[id].answer.safeParse(ran.json());
  assert.ok(parsed.success, `${id}: ${parsed.error}`);
  return ran.json();
}

describe("status, synopsis and undo", () => {
  it("answer as the API does, and tell how to take it back", async (t) => {
    const sh = await withBook(t);
    assert.equal(fits(await sh("status", "1", "done", "--json"), "setStatus").previousStatus, "draft");
    fits(await sh.with({ stdin: "From stdin.\n" })("synopsis", "1", "-", "--json"), "saveSynopsis");
    assert.equal((await sh("synopsis", "1")).stdout, "From stdin.\n");
    const ran = await sh("status", "1", "revising");
    assert.equal(ran.stdout, "The Ferry: done → revising\n");
    assert.match(ran.stderr, /^Take it back with: manuscript undo act_\w+\n$/);
    const undone = await sh("undo");
    assert.match(
      undone.stdout,
      /^Undone: set the status, 1 chapter: “The Ferry” \(\d{4}-\d\d-\d\d \d\d:\d\d\), act_\w+\n$/,
    );
    fits(await sh("undo", "--dry-run", "--json"), "undoAct");
    assert.equal(fits(await sh("restore", "1", "1", "--json"), "restoreRevision").changed, false);
    assert.equal((await sh("status", "1", "draft", "--json")).json().previousStatus, "done");
  });

  it("sets the status of several chapters by their numbers, as one act", async (t) => {
    const sh = await withBook(t);
    await sh("chapter", "add", "1914-1918", "War.");
    await sh("status", "2", "done");
    const dry = await sh("status", "1-2", "done", "--dry-run");
    assert.equal(dry.stdout, "The Ferry: would go from draft to done\n“The Lamp” is done already.\n");
    const { chapters, act } = fitsCommand(await sh("status", "1-2,3", "revising", "--json"), "status 3-7");
    assert.deepEqual(
      chapters.map(({ title, status, previousStatus }) => [title, status, previousStatus]),
      [
        ["The Ferry", "revising", "draft"],
        ["The Lamp", "revising", "done"],
        ["1914-1918", "revising", "draft"],
      ],
    );
    await sh("undo", String(act));
    assert.equal((await sh("status", "1914-1918", "draft")).stdout, "“1914-1918” is draft already.\n");
    const { exit, stderr } = await sh("status", "3-4", "done");
    assert.deepEqual(
      [exit, stderr],
      [EXIT.usage, "manuscript: There is no chapter 4; the book has 3 chapters.\n"],
    );
  });

  it("say that nothing has changed where a status or a title is set twice, and leave no act", async (t) => {
    const sh = await withBook(t);
    await sh("status", "1", "done");
    const { total } = (await sh("history", "--json")).json();
    const again = await sh("status", "1", "done");
    assert.deepEqual(
      [again.stdout, again.stderr],
      ["“The Ferry” is done already.\n", "Nothing has changed in the manuscript.\n"],
    );
    assert.match(
      (await sh("book", "rename", "The Ferry Book")).stdout,
      / “The Ferry Book” is called so already\.\n$/,
    );
    assert.equal((await sh("chapter", "rename", "1", "The Ferry", "--json")).json().act, null);
    assert.equal((await sh("history", "--json")).json().total, total);
  });

  it("--dry-run answers and writes nothing", async (t) => {
    const sh = await withBook(t);
    const acts = async () => (await sh("history", "--json")).json().total;
    const before = await acts();
    for (const argv of [
      ["status", "1", "done"],
      ["synopsis", "1", "x"],
      ["facts", "add", "Tobit"],
      ["facts", "edit", "Mara", "--summary", "x"],
      ["facts", "delete", "Mara"],
      ["notes", "add", "1", "x"],
      ["undo"],
    ]) {
      const { exit, stderr } = await sh(...argv, "--dry-run");
      assert.equal(exit, EXIT.done, stderr);
      assert.equal(stderr, "Dry run: nothing was written.\n", argv.join(" "));
    }
    assert.equal(await acts(), before);
  });

  it("a synopsis with a control character is refused", async (t) => {
    const sh = await withBook(t);
    assert.equal((await sh("synopsis", "1", "a\u0007b")).exit, EXIT.usage);
    const { stderr } = await sh.with({ stdin: Buffer.from([0x63, 0xe9]) })("synopsis", "1", "-");
    assert.match(stderr, /not valid UTF-8/);
  });
});

describe("facts", () => {
  it("add, edit, merge and delete, by id, name or alias", async (t) => {
    const sh = await withBook(t);
    const added = ["facts", "add", "Tobit", "--kind", "character", "--alias", "old Tobit", "--alias", "T."];
    const { fact } = fits(await sh(...added, "--attribute", "boat=Constance", "--json"), "createFact") as {
      fact: { aliases: string[]; attributes: unknown };
    };
    assert.deepEqual(fact.aliases, ["old Tobit", "T."]);
    assert.deepEqual(fact.attributes, [{ key: "boat", value: "Constance" }]);
    const edited = fits(await sh("facts", "edit", "old tobit", "--summary", "Rows.", "--json"), "updateFact");
    assert.deepEqual((edited.fact as typeof fact).aliases, ["old Tobit", "T."]);
    await sh("facts", "add", "Toby");
    const merged = fits(await sh("facts", "merge", "Tobit", "Toby", "--json"), "mergeFacts");
    assert.deepEqual([merged.aliasesAdded, merged.snippet], [["Toby"], null]);
    await sh("facts", "add", "T. Vane", "--kind", "boatman");
    assert.match(
      (await sh("facts", "merge", "Tobit", "T. Vane")).stdout,
      / moved to it\nKept in a note:\nFrom “T. Vane”:\n\nkind: boatman\n$/,
    );
    assert.match(
      (await sh("facts", "list")).stdout,
      /Mara {3}character {2}0 mentions\n.*Tobit {2}character .* Rows\./,
    );
    await sh("facts", "edit", "Tobit", "--no-aliases");
    fits(await sh("facts", "delete", "Tobit", "--json"), "deleteFact");
    assert.equal((await sh("facts", "list", "--json")).json().total, 1);
  });

  it("add takes the book before the name, or --book", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: "x\n" })("import", "-", "--title", "Second");
    assert.equal((await sh("facts", "add", "Ahab")).exit, EXIT.usage);
    assert.equal((await sh("facts", "add", "Second", "Ahab")).exit, EXIT.done);
    assert.equal((await sh("facts", "add", "Pip", "--book", "Second")).exit, EXIT.done);
    assert.equal((await sh("facts", "list", "Second", "--json")).json().total, 2);
    assert.equal((await sh("facts", "add", "Second", "Old", "Ahab")).exit, EXIT.usage);
  });

  it("a second fact of the same name is warned of; what cannot be is refused", async (t) => {
    const sh = await withBook(t);
    assert.match((await sh("facts", "add", "Mara")).stderr, /another fact of this name/);
    for (const argv of [
      ["facts", "add", "  "],
      ["facts", "add", "x".repeat(201)],
      ["facts", "add", "x", "--attribute", "eyes"],
      ["facts", "edit", "fa_0000000000000000"],
      ["facts", "delete", "mara"],
    ]) {
      assert.equal((await sh(...argv)).exit, EXIT.usage, argv.join(" "));
    }
  });
});

describe("a title or name", () => {
  it("with a line break is refused by every command that takes one", async (t) => {
    const sh = await withBook(t);
    writeFileSync(join(sh.cwd, "x.md"), "X.\n");
    const before = (await sh("history", "--json")).json().total;
    for (const argv of [
      ["book", "add", "a\nb"],
      ["book", "rename", "a\nb"],
      ["part", "add", "a\nb"],
      ["chapter", "add", "a\nb"],
      ["chapter", "rename", "1", "a\nb"],
      ["facts", "add", "a\nb"],
      ["facts", "add", "x", "--alias", "a\nb"],
      ["facts", "add", "x", "--attribute", "a\nb=c"],
      ["facts", "edit", "Mara", "--name", "a\nb"],
      ["facts", "rename", "Mara", "a\nb"],
      ["milestone", "add", "a\nb"],
      ["key", "create", "--name", "a\nb"],
      ["import", "x.md", "--title", "a\nb"],
    ]) {
      const { exit, stderr } = await sh(...argv);
      assert.deepEqual(
        [exit, /holds a line break or a tab/.test(stderr)],
        [EXIT.usage, true],
        argv.join(" ") + stderr,
      );
    }
    assert.equal((await sh("history", "--json")).json().total, before);
  });
});

describe("chapter join", () => {
  it("keeps the other chapter's front matter in a note, and undo takes it back", async (t) => {
    const sh = shell(t);
    await sh("init");
    mkdirSync(join(sh.cwd, "book"));
    writeFileSync(join(sh.cwd, "book", "01.md"), "# One\n\nA.\n");
    writeFileSync(join(sh.cwd, "book", "02.md"), "---\npov: Bob\n---\n\n# Two\n\nB.\n");
    await sh("import", "book");
    const joined = await sh("chapter", "join", "1");
    assert.match(joined.stdout, /One \+ Two: 4 words\nKept in a note:\nFrom “Two”:\n\npov: Bob\n$/);
    assert.match((await sh("notes", "list")).stdout, /pov: Bob/);
    await sh("undo", "--yes");
    assert.equal((await sh("notes", "list", "--json")).json().total, 0);
    await sh("export", "-o", "out");
    assert.match(readFileSync(join(sh.cwd, "out", "02.md"), "utf8"), /^pov: Bob$/m);
  });
});

describe("notes", () => {
  it("are listed by kind, and those whose paragraph is gone by themselves", async (t) => {
    const sh = await withBook(t);
    const { doc } = (await sh("show", "2", "--format", "doc", "--json")).json<{
      doc: { content: { attrs: { blockId: string } }[] };
    }>();
    for (const kind of ["todo", "note"])
      await sh("notes", "add", `A ${kind}`, "--kind", kind, "--block", doc.content[1]?.attrs.blockId ?? "");
    await sh("notes", "add", "Of the book", "--kind", "todo");
    const list = async (...words: string[]) => {
      const answer = fits(await sh("notes", "list", ...words, "--json"), "listSnippets");
      return (answer.snippets as { text: string }[]).map(({ text }) => text);
    };
    assert.deepEqual(await list("--kind", "note"), ["A note"]);
    assert.deepEqual(await list("--detached"), []);
    assert.equal((await sh("notes", "list", "--detached")).stdout, "No such note.\n");
    await sh.with({ stdin: "# The Lamp\n\nIt went out by itself, long before anybody came.\n" })(
      "write",
      "2",
    );
    assert.deepEqual(await list("--detached"), ["A todo", "A note"]);
    assert.deepEqual(await list("--kind", "todo", "--detached"), ["A todo"]);
  });

  it("add, list, edit and delete; edit keeps what is not given", async (t) => {
    const sh = await withBook(t);
    const argv = [
      "notes",
      "add",
      "1",
      "--kind",
      "todo",
      "--item",
      "[x] oars",
      "--item",
      "sail",
      "--chapter",
      "2",
    ];
    const { id, snippet } = fits(await sh(...argv, "--json"), "createSnippet") as {
      id: string;
      snippet: { items: unknown };
    };
    assert.deepEqual(snippet.items, [
      { text: "oars", done: true },
      { text: "sail", done: false },
    ]);
    const edit = async (...given: string[]) =>
      fits(await sh("notes", "edit", id, ...given, "--json"), "updateSnippet").snippet;
    const changed = (await edit("Before the storm", "--url", "https://example.org/")) as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      { text: changed.text, url: changed.url, items: changed.items },
      {
        text: "Before the storm",
        url: "https://example.org/",
        items: snippet.items,
      },
    );
    const plain = await sh("notes", "edit", id, "--kind", "research", "--dry-run");
    assert.match(plain.stderr, /Would drop its entries: \[x\] oars, \[ \] sail/);
    const { text, url, items } = (await edit("--kind", "note", "--no-items", "--url", "")) as Record<
      string,
      unknown
    >;
    assert.deepEqual({ text, url, items }, { text: "Before the storm", url: null, items: null });
    assert.match(
      (await sh("notes", "list", "--chapter", "2")).stdout,
      new RegExp(`^${id} {2}note {2}The Lamp {2}Before the storm\n$`),
    );
    fits(await sh("notes", "delete", id, "--json"), "deleteSnippet");
    assert.equal((await sh("notes", "list")).stdout, "No notes yet.\n");
  });

  it("anchor to a paragraph, and detach from it", async (t) => {
    const sh = await withBook(t);
    const doc = (await sh("show", "1", "--format", "doc")).json<{
      content: { attrs: { blockId: string } }[];
    }>();
    const blockId = doc.content[1]!.attrs.blockId; // the chapter has three blocks
    const { snippet } = (await sh("notes", "add", "1", "-", "--block", blockId, "--json")).json<{
      snippet?: object;
    }>();
    assert.equal(snippet, undefined, "stdin is empty, so there is nothing to note");
    const added = (await sh("notes", "add", "1", "Too dark?", "--block", blockId, "--json")).json<{
      id: string;
      snippet: { blockId: string };
    }>();
    assert.equal(added.snippet.blockId, blockId);
    const detached = (await sh("notes", "edit", added.id, "--detach", "--json")).json<{
      snippet: { blockId: null; text: string };
    }>();
    assert.equal(detached.snippet.blockId, null);
    assert.equal(detached.snippet.text, "Too dark?");
  });

  it("what cannot be a note is refused", async (t) => {
    const sh = await withBook(t);
    for (const argv of [
      ["notes", "add", "1"],
      ["notes", "add", "1", "x", "--url", "javascript:alert(1)"],
      ["notes", "add", "1", "x", "--item", "y"],
      ["notes", "add", "1", "x", "--kind", "idea"],
    ]) {
      assert.equal((await sh(...argv)).exit, EXIT.usage, argv.join(" "));
    }
    assert.equal((await sh("notes", "add", "1", "x", "--block", "b_0")).exit, EXIT.notFound);
  });
});
