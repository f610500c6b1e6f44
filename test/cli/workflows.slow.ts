import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

const [FERRY, LAMP] = ["01-the-ferry.md", "02-the-lamp.md"];

/** A book of two chapters and the folder that it was exported into, with ways to change its files. */
async function exported(t: TestContext) {
  const sh = await withBook(t);
  await sh("export", "1", "-o", "out");
  const path = (name: string) => `${sh.cwd}/out/${name}`;
  const read = (name: string) => readFileSync(path(name), "utf8");
  return {
    sh,
    path,
    read,
    save: (name: string, text: string) => writeFileSync(path(name), text),
    put: async (chapter: string, from: string, to: string) => {
      const shown = (await sh("show", chapter, "--format", "markdown", "--json")).json<{
        id: string;
        markdown: string;
      }>();
      assert.ok(shown.markdown.includes(from), from);
      const stdin = JSON.stringify({ markdown: shown.markdown.replace(from, to) });
      await sh.with({ stdin })("api", "PUT", `/chapters/${shown.id}/prose`, "--input", "-");
    },
    prose: async (chapter: string) => (await sh("show", chapter, "--format", "markdown")).stdout,
    ids: async () =>
      (await sh("outline", "1", "--json"))
        .json<{ chapters: { id: string }[] }>()
        .chapters.map(({ id }) => id),
  };
}

/** The text with two versions of its middle, as git leaves it. */
const unmerged = (text: string, mine: string, theirs: string) =>
  text.replace(mine, `\n<<<<<<< HEAD\n${mine}\n=======\n${theirs}\n>>>>>>> revised\n`);

describe("a folder in git", () => {
  it("is refused with a merge that is not resolved, whichever file holds it", async (t) => {
    const { sh, read, save, prose } = await exported(t);
    const before = await prose("1");
    for (const [name, mine] of [
      [FERRY, "already ringing"],
      [FERRY, "status: draft"],
      ["book.yaml", "title: The Ferry Book"],
      ["facts.yaml", "  name: Mara"],
    ] as const) {
      const text = read(name);
      save(name, unmerged(text, mine, mine.replace(/\w+$/, "Other")));
      assert.notEqual(read(name), text);
      for (const command of ["import", "sync"]) {
        const ran = await sh(command, "out");
        assert.equal(ran.exit, EXIT.usage, ran.stdout);
        assert.match(ran.stderr, new RegExp(`${name} holds a merge that is not resolved`));
      }
      save(name, text);
    }
    assert.equal(await prose("1"), before);
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
  });

  it("may hold what looks like one where the prose has had it before, in code, or on purpose", async (t) => {
    const { sh, read, save, prose } = await exported(t);
    const text = read(FERRY);
    save(FERRY, `${text}\n\`\`\`\n<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> revised\n\`\`\`\n`);
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    save(FERRY, unmerged(text, "already ringing", "still ringing"));
    assert.equal((await sh("sync", "out", "--force", "mine")).exit, EXIT.done);
    save(FERRY, read(FERRY).replace("You are late", "You are early"));
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    assert.match(await prose("1"), /<<<<<<< HEAD.*You are early/s);
  });
});

describe("front matter", () => {
  it("that stands within the prose, or is cut off, is refused and never taken for prose", async (t) => {
    const { sh, read, save, prose } = await exported(t);
    const before = await prose("1");
    const text = read(FERRY);
    for (const [broken, said] of [
      [`${text}\n${read(LAMP)}`, /holds front matter, with the id of a chapter, where it does not count/],
      [`\n${text}`, /holds front matter/],
      [text.slice(0, text.indexOf("id: ")), /ends within its front matter/],
    ] as const) {
      save(FERRY, broken);
      const ran = await sh("sync", "out", "--yes");
      assert.equal(ran.exit, EXIT.usage, ran.stdout);
      assert.match(ran.stderr, said);
    }
    assert.equal(await prose("1"), before);
  });

  it("that is gone costs a chapter nothing, though it never had a file before the export", async (t) => {
    const { sh, read, save, ids } = await exported(t);
    const before = await ids();
    save(FERRY, read(FERRY).replace(/^---.*?---\n\n/s, ""));
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    assert.deepEqual(await ids(), before);
  });
});

describe("a file without front matter", () => {
  it("stays its chapter's when it is renamed, with its notes", async (t) => {
    const { sh, path, ids } = await exported(t);
    const before = await ids();
    await sh("export", "1", "--plain", "-o", "out");
    for (const name of ["05-lamp.md", "05-Lamp.md", "05-e\u0301te.md", "05-\u00e9te.md"]) {
      renameSync(
        path(readdirSync(path("")).find((file) => file.endsWith(".md") && file !== FERRY)!),
        path(name),
      ); // one of two
      if (name === "05-\u00e9te.md")
        writeFileSync(path(name), "# The Lamp\n\nMara lit it. Tobit did not look up.\n");
      assert.equal((await sh("sync", "out")).exit, EXIT.done);
      assert.deepEqual(await ids(), before);
    }
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
  });

  it("is a chapter of its own where it is a copy", async (t) => {
    const { sh, path, ids } = await exported(t);
    const before = await ids();
    await sh("export", "1", "--plain", "-o", "out");
    copyFileSync(path(LAMP), path("09-copy.md"));
    assert.equal((await sh("import", "out/09-copy.md")).exit, EXIT.done);
    assert.equal((await ids()).length, before.length + 1);
  });
});

describe("an undo", () => {
  it("of what a sync took in is not taken back by the next sync", async (t) => {
    const { sh, read, save, prose } = await exported(t);
    save(FERRY, read(FERRY).replace("already ringing", "still ringing"));
    await sh("sync", "out");
    await sh("undo");
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    assert.match(await prose("1"), /already ringing/);
    assert.match(read(FERRY), /already ringing/);
  });
});

describe("--force", () => {
  it("decides where both sides changed the same, and nothing that one side changed alone", async (t) => {
    for (const [force, word] of [
      ["mine", "still"],
      ["theirs", "hardly"],
    ] as const) {
      const { sh, read, save, prose, put } = await exported(t);
      save(
        FERRY,
        read(FERRY).replace("already ringing", "still ringing").replace("before light", "before dawn"),
      );
      save(FERRY, `${read(FERRY)}\nNobody spoke.\n`);
      await put("1", "already ringing", "hardly ringing");
      await put("1", "You are late", "You are early");
      await put("2", "lit the lamp", "lit the old lamp");
      assert.equal((await sh("sync", "out")).exit, EXIT.conflict);
      const ran = await sh("sync", "out", "--force", force);
      assert.equal(ran.exit, EXIT.done, ran.stderr);
      const whole = new RegExp(`${word} ringing.*You are early.*Nobody spoke\\.`, "s");
      assert.match(await prose("1"), whole);
      assert.match(read(FERRY), whole);
      assert.match(await prose("2"), /lit the old lamp/);
      assert.match(read(LAMP), /lit the old lamp/);
    }
  });

  it("mine keeps out a paragraph that only the file took out, and brings back one that only the manuscript did", async (t) => {
    const { sh, read, save, prose, put } = await exported(t);
    const late = "\n“You are late,” said old Tobit.\n";
    save(FERRY, read(FERRY).replace(late, ""));
    await put("1", "You are late", "You are early");
    save(LAMP, read(LAMP).replace("lit the lamp", "lit the red lamp"));
    await put("2", "\nMara lit the lamp. Tobit did not look up.\n", "");
    assert.equal((await sh("sync", "out", "--dry-run")).exit, EXIT.conflict);
    const ran = await sh("sync", "out", "--force", "mine", "--yes");
    assert.equal(ran.exit, EXIT.done, ran.stderr);
    assert.doesNotMatch(await prose("1"), /You are/);
    assert.match(await prose("2"), /lit the red lamp/);
    assert.match(read(LAMP), /lit the red lamp/);
  });
});

describe("sync --delete", () => {
  it("writes the file again where the manuscript has changed its chapter since", async (t) => {
    const { sh, path, put, prose } = await exported(t);
    rmSync(path(LAMP));
    await put("2", "lit the lamp", "lit the old lamp");
    assert.equal((await sh("sync", "out", "--delete")).exit, EXIT.done);
    assert.match(await prose("2"), /lit the old lamp/);
    assert.match(readFileSync(path(LAMP), "utf8"), /lit the old lamp/);
    rmSync(path(LAMP));
    assert.equal((await sh("sync", "out", "--delete")).exit, EXIT.done);
    assert.notEqual((await sh("show", "2")).exit, EXIT.done);
  });
});

describe("a folder whose book is not there", () => {
  it("makes a whole new book, also where some of its files were never edited", async (t) => {
    const { sh, read, save, ids } = await exported(t);
    const { id } = (await sh("outline", "1", "--json")).json<{ id: string }>();
    assert.equal((await sh("api", "DELETE", `/books/${id}`)).exit, EXIT.done);
    save(FERRY, read(FERRY).replace("already ringing", "still ringing"));
    assert.equal((await sh("import", "out")).exit, EXIT.done);
    assert.equal((await ids()).length, 2);
  });

  it("goes into the book that it made, the second time", async (t) => {
    const { sh, read, save } = await exported(t);
    const other = (...argv: string[]) => sh("--file", "other.manuscript", ...argv);
    await sh("init", "other.manuscript");
    await other("import", "out");
    save(FERRY, read(FERRY).replace("already ringing", "still ringing"));
    const { chapters } = fits(await other("import", "out", "--json"), "import");
    assert.deepEqual(
      chapters.map(({ status }) => status),
      ["updated", "same"],
    );
    assert.equal((await other("books", "--json")).json<{ books: unknown[] }>().books.length, 1);
  });
});

describe("a folder of one book", () => {
  it("is not synced with another, nor with a book that is not there", async (t) => {
    const { sh, read } = await exported(t);
    await sh.with({ stdin: "# Oar\n\nIt broke.\n" })("import", "-", "--title", "Second");
    const before = read("book.yaml");
    const ran = await sh("sync", "out", "--book", "2");
    assert.equal(ran.exit, EXIT.usage);
    assert.match(ran.stderr, /names another book of this manuscript/);
    assert.equal(read("book.yaml"), before);
    await sh("init", "other.manuscript");
    const lost = await sh("--file", "other.manuscript", "sync", "out");
    assert.equal(lost.exit, EXIT.notFound);
    assert.match(lost.stderr, /No such book as bk_\w+, which this folder is of.*import DIR/);
  });
});

describe("a copy of a chapter's file", () => {
  it("is a chapter of its own, and the file that the chapter had stays its file", async (t) => {
    const { sh, read, save, ids, prose } = await exported(t);
    const [ferry, lamp] = await ids();
    const text = read(FERRY);
    save(FERRY, text.replace("already ringing", "still ringing"));
    save("01-the-ferry copy.md", text.replace("You are late", "You are early")); // before it by name
    const { chapters } = fits(await sh("sync", "out", "--json"), "sync");
    assert.equal(chapters.find(({ file }) => file === FERRY)?.id, ferry);
    assert.deepEqual(chapters.map(({ status }) => status).toSorted(), ["created", "same", "updated"]);
    assert.ok((await ids()).includes(lamp!)); // the book has two
    assert.match(await prose(ferry!), /still ringing.*You are late/s); // as above
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
  });

  it("does not take another chapter's place, whose id somebody pasted into it", async (t) => {
    const { sh, read, save, ids, prose } = await exported(t);
    const [ferry, lamp] = await ids();
    save(FERRY, read(FERRY).replace(ferry!, lamp!)); // the book has two
    const before = await prose(lamp!); // as above
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    assert.equal(await prose(lamp!), before); // as above
    assert.deepEqual(await ids(), [ferry, lamp]);
    assert.match(read(FERRY), new RegExp(ferry!)); // as above
  });

  it("is left alone and told of where a program that syncs folders made it", async (t) => {
    const { sh, path, read, save, ids } = await exported(t);
    const before = await ids();
    const copies = [
      "01-the-ferry (conflicted copy).md",
      "01-the-ferry (Mara's conflicted copy 2026-01-02).md",
      "01-the-ferry.sync-conflict-20260102-030405-ABCDEF7.md",
      "01-the-ferry_conflict-20260102-030405.md",
      "01-the-ferry_REMOTE_1234.md",
    ];
    for (const name of copies) save(name, read(FERRY).replace("already", name));
    const ran = await sh("sync", "out");
    assert.equal(ran.exit, EXIT.done);
    for (const name of copies) {
      assert.ok(ran.stderr.includes(`${name}: a copy of a chapter`), ran.stderr);
      assert.ok(existsSync(path(name)));
    }
    assert.deepEqual(await ids(), before);
    assert.ok(!read("book.yaml").includes("onflict"));
    assert.ok(read(LAMP).includes(before[1]!)); // the book has two
  });
});
