import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { readLeaves } from "../../src/prose/document/leaves.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { dump } from "../support/dump.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

const FERRY = "01-the-ferry.md";
const LAMP = "02-the-lamp.md";
const MARK = / \^b-[0-9a-z]{16}$/gm;

/** A book of two chapters with a note beside two paragraphs, exported with its block ids. */
async function exported(t: TestContext, ...flags: string[]) {
  const sh = await withBook(t);
  const leaves = async (chapter: string) =>
    (await sh("show", chapter, "--format", "doc", "--json"))
      .json<{ doc: { content: DocNode[] } }>()
      .doc.content.flatMap(readLeaves)
      .map(({ blockId, text }) => ({ id: String(blockId), text }));
  const [, first, second] = await leaves("1");
  for (const leaf of [first, second]) await sh("notes", "add", "1", "Look.", "--block", leaf!.id); // three leaves
  await sh("export", "1", "--block-ids", "-o", "out", ...flags);
  const file = (name: string) => `${sh.cwd}/out/${name}`;
  const read = (name: string) => readFileSync(file(name), "utf8");
  return {
    sh,
    leaves,
    read,
    write: (name: string, text: string) => writeFileSync(file(name), text),
    edit: (name: string, from: string | RegExp, to: string) =>
      writeFileSync(file(name), read(name).replace(from, to)),
    files: () =>
      Object.fromEntries(
        readdirSync(file("")).flatMap((name) => (name.startsWith(".") ? [] : [[name, read(name)]])),
      ),
    notes: async () => (await sh("notes", "1", "--json")).json<{ snippets: { blockId: string | null }[] }>(),
    take: (...more: string[]) => sh("import", "out", "--book", "1", "--json", ...more),
    dumped: () => {
      const manuscript = openManuscript(`${sh.cwd}/book.manuscript`);
      try {
        return dump(manuscript.store);
      } finally {
        manuscript.close();
      }
    },
  };
}

interface Conflicting {
  conflict: { paragraphs: { mine: string; theirs: string }[] };
}

/** Both paragraphs rewritten from scratch and swapped, each with its mark. */
function swapped(text: string): string {
  const [head, first, second] = text.trimEnd().split(/\n\n(?=Mara|“)/);
  const markOf = (paragraph: string | undefined) => / \^b-\w+$/.exec(paragraph ?? "")?.[0] ?? "";
  return `${head}\n\nNobody spoke.${markOf(second)}\n\nRain over the river all that week.${markOf(first)}\n`;
}

describe("export --block-ids", () => {
  it("ends every paragraph in its id, twice to the same bytes, and takes them off again", async (t) => {
    const { sh, read, leaves, files } = await exported(t);
    for (const { id, text } of await leaves("1"))
      assert.ok(read(FERRY).includes(` ^b-${id.slice(2)}\n`), text);
    const before = files();
    await sh("export", "1", "--block-ids", "-o", "out");
    assert.deepEqual(files(), before);
    await sh("export", "1", "-o", "bare");
    assert.equal(read(FERRY).replace(MARK, ""), readFileSync(`${sh.cwd}/bare/${FERRY}`, "utf8"));
  });

  for (const flags of [[], ["--plain"]]) {
    it(`is the same when imported unedited ${flags.join("")}`, async (t) => {
      const { take, dumped, sh } = await exported(t, ...flags);
      await take(); // from now on the chapters know the names of their files
      const before = dumped();
      const answer = fits(await take(), "import");
      assert.deepEqual(
        answer.chapters.map(({ status }) => status),
        ["same", "same"],
      );
      assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
      const after = dumped();
      assert.deepEqual(after.blocks, before.blocks);
      assert.deepEqual(after.chapters, before.chapters);
    });
  }

  it("puts the prose alone on stdout with its ids", async (t) => {
    const { sh, read } = await exported(t, "--plain");
    const { stdout } = await sh("export", "1", "--plain", "--block-ids", "-o", "-");
    assert.equal(stdout, `${read(FERRY)}\n${read(LAMP)}`);
    assert.equal((await sh("export", "--block-ids", "-f", "json")).exit, EXIT.usage);
  });
});

describe("an import of a folder with block ids", () => {
  it("knows paragraphs that were rewritten and swapped, and keeps their notes", async (t) => {
    const { sh, take, read, write, leaves } = await exported(t);
    const [title, first, second] = await leaves("1");
    write(FERRY, swapped(read(FERRY)));
    const [chapter] = fits(await take(), "import").chapters;
    assert.deepEqual(chapter!.paragraphs, { kept: 1, moved: 0, edited: 2, new: 0, removed: 0 });
    assert.deepEqual(chapter!.snippetsDetached, []);
    assert.deepEqual(await leaves("1"), [
      title,
      { id: second!.id, text: "Nobody spoke." },
      { id: first!.id, text: "Rain over the river all that week." },
    ]);
    assert.doesNotMatch((await sh("show", "1", "--format", "markdown")).stdout, /\^b-/);
  });

  it("would lose them without the ids", async (t) => {
    const { take, read, write } = await exported(t);
    write(FERRY, swapped(read(FERRY)).replace(MARK, ""));
    const [chapter] = fits(await take(), "import").chapters;
    assert.equal(chapter!.paragraphs.new, 2);
    assert.equal(chapter!.snippetsDetached.length, 2);
  });

  it("merges a rewritten and swapped paragraph with what the manuscript changed elsewhere", async (t) => {
    const { sh, take, read, write, leaves } = await exported(t);
    const [title, first, second] = await leaves("1");
    const stdin = JSON.stringify({ markdown: "# The Old Ferry" });
    const { id } = (await sh("show", "1", "--json")).json<{ id: string }>();
    const path = `/chapters/${id}/paragraphs/${title!.id}`;
    const put = await sh.with({ stdin })("api", "PATCH", path, "--input", "-");
    assert.equal(put.exit, EXIT.done, put.stderr);
    write(FERRY, swapped(read(FERRY)));
    const [chapter] = fits(await take(), "import").chapters;
    assert.equal(chapter!.status, "updated");
    assert.deepEqual(await leaves("1"), [
      { id: title!.id, text: "The Old Ferry" },
      { id: second!.id, text: "Nobody spoke." },
      { id: first!.id, text: "Rain over the river all that week." },
    ]);
    write(
      FERRY,
      read(FERRY)
        .replace("Nobody", "No one")
        .replace(MARK, (mark) => mark),
    );
    assert.equal(fits(await take(), "import").chapters[0]!.status, "updated");
    assert.equal((await leaves("1"))[1]!.text, "No one spoke.");
    assert.equal((await leaves("1"))[0]!.text, "The Old Ferry");
  });

  it("names a paragraph that both sides rewrote as a conflict, wherever it went", async (t) => {
    const { sh, take, read, write, leaves } = await exported(t);
    const [, first] = await leaves("1");
    const stdin = JSON.stringify({ markdown: "Fog over the water." });
    const { id } = (await sh("show", "1", "--json")).json<{ id: string }>();
    await sh.with({ stdin })("api", "PATCH", `/chapters/${id}/paragraphs/${first!.id}`, "--input", "-");
    write(FERRY, swapped(read(FERRY)));
    const ran = await take();
    assert.equal(ran.exit, EXIT.conflict);
    assert.deepEqual(ran.json<{ chapters: Conflicting[] }>().chapters[0]!.conflict.paragraphs, [
      { mine: "Rain over the river all that week.", theirs: "Fog over the water." },
    ]);
  });

  it("takes off marks of another chapter, of nothing and a second time, and leaves the writer's own", async (t) => {
    const { sh, take, read, edit, write, leaves } = await exported(t);
    const [, first] = await leaves("1");
    const [, lamp] = await leaves("2");
    const moved = `Fog from the other chapter. ^b-${first!.id.slice(2)}`;
    write(LAMP, `${read(LAMP)}\n${moved}\n\n> A note. ^note\n\nUnknown. ^b-0000000000000000\n`);
    edit(LAMP, /^Mara lit.*$/m, `$&\n\nTwice. ^b-${lamp!.id.slice(2)}`);
    const [, chapter] = fits(await take(), "import").chapters;
    assert.deepEqual(chapter!.paragraphs, { kept: 2, moved: 0, edited: 0, new: 4, removed: 0 });
    const { stdout } = await sh("show", "2", "--format", "markdown");
    assert.doesNotMatch(stdout, /\^b-/);
    assert.match(stdout, /A note\. \^note/);
    assert.equal((await leaves("1"))[1]!.id, first!.id);
    assert.equal((await leaves("2"))[1]!.id, lamp!.id);
  });

  it("makes a new book without the marks", async (t) => {
    const { sh, leaves } = await exported(t);
    const old = new Set((await leaves("1")).map(({ id }) => id));
    const answer = fits(await sh("import", "out", "--title", "Copy", "--json"), "import");
    const { stdout } = await sh("show", answer.chapters[0]!.id, "--format", "markdown");
    assert.doesNotMatch(stdout, /\^b-/);
    assert.ok((await leaves(answer.chapters[0]!.id)).every(({ id }) => !old.has(id)));
  });
});

describe("sync of a folder with block ids", () => {
  it("writes them where they were and to new paragraphs, and leaves other files without", async (t) => {
    const { sh, read, edit, leaves } = await exported(t);
    edit(LAMP, MARK, "");
    edit(FERRY, "“You are late,”", "Nobody waited.\n\n“You are late,”");
    const ran = await sh("sync", "out", "--json");
    assert.equal(ran.exit, EXIT.done, ran.stderr);
    const fresh = (await leaves("1")).find(({ text }) => text === "Nobody waited.");
    assert.match(read(FERRY), new RegExp(`Nobody waited\\. \\^b-${fresh!.id.slice(2)}\n`));
    assert.doesNotMatch(read(LAMP), MARK);
    assert.equal((await sh("sync", "out", "--exit-code")).exit, EXIT.done);
    await sh.with({ stdin: JSON.stringify({ markdown: "# The Lamp\n\nDark.\n" }) })(
      "api",
      "PUT",
      `/chapters/${(await sh("show", "2", "--json")).json<{ id: string }>().id}/prose`,
      "--input",
      "-",
    );
    await sh("sync", "out");
    assert.match(read(LAMP), /Dark\.\n$/);
  });
});
