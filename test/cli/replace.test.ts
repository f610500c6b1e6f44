import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ENDPOINTS } from "../../src/contract/index.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { withBook } from "./shell.ts";

describe("replace", () => {
  it("shows whole words old and new, and writes nothing", async (t) => {
    const sh = await withBook(t);
    const acts = async () => (await sh("history", "--json")).json().total;
    const before = await acts();
    const { exit, stdout, stderr } = await sh("replace", "1", "ferry", "gull");
    assert.equal(exit, EXIT.done);
    assert.match(
      stdout,
      /^ch_\w+ {2}The Gull {2}2 paragraphs, its title follows its heading\n {2}b_\w+ {2}The \[-Ferry-\]\{\+Gull\+\}\n/,
    );
    assert.match(
      stdout,
      /\n {2}b_\w+ {2}Mara came down to the \[-ferry-\]\{\+gull\+\} before light, and the bell/,
    );
    assert.match(stdout, /\n2 replacements in 1 chapter\n$/);
    assert.equal(stderr, "Dry run: nothing was written; --apply writes it.\n");
    assert.equal(await acts(), before);
  });

  it("replaces in the chapters alone that --in names", async (t) => {
    const sh = await withBook(t);
    const argv = ["replace", "1", "Mara", "Marta", "--apply", "--json"];
    const { chapters } = (await sh(...argv, "--in", "The Lamp")).json<{ chapters: { title: string }[] }>();
    assert.deepEqual(
      chapters.map(({ title }) => title),
      ["The Lamp"],
    );
    assert.equal((await sh(...argv, "--in", "No Such")).exit, EXIT.notFound);
    assert.equal((await sh(...argv, "--in", "1", "--in", "2")).json<{ replaced: number }>().replaced, 1);
  });

  it("is coloured on a terminal, and only there", async (t) => {
    const sh = await withBook(t);
    const argv = ["replace", "1", "lamp", "torch"];
    const coloured = (await sh.with({ isTTY: true })(...argv)).stdout;
    assert.match(coloured, /the \u001b\[31mlamp\u001b\[39m\u001b\[32mtorch\u001b\[39m\./);
    for (const surroundings of [
      {},
      { isTTY: true, env: { NO_COLOR: "1" } },
      { isTTY: true, env: { TERM: "dumb" } },
    ]) {
      assert.doesNotMatch((await sh.with(surroundings)(...argv)).stdout, /\u001b/);
    }
  });

  it("widens to whole words, and leaves out what is far from a change", async (t) => {
    const sh = await withBook(t);
    const far = "and on and on ".repeat(20);
    await sh.with({ stdin: `Harbours ${far}harbour, our ${far}end.\n` })("import", "-", "--title", "Far");
    const { stdout } = await sh("replace", "Far", "(?<!\\b)our|(o)n(?= end)", "or", "--regex");
    for (const part of [
      "[-Harbours-]{+Harbors+} and on",
      "and… …and",
      " on [-harbour-]{+harbor+}, our and on",
    ]) {
      assert.ok(stdout.includes(part), part);
    }
    assert.ok(stdout.length < 500);
    assert.match(stdout, /\[-on-\]\{\+or\+\} end\.\n/);
  });

  it("--json is the documented object, of a dry run and of the act", async (t) => {
    const sh = await withBook(t);
    for (const flags of [[], ["--apply"]]) {
      const ran = await sh("replace", "1", "lamp", "torch", "--json", ...flags);
      assert.equal(ran.exit, EXIT.done);
      const answer = ENDPOINTS.replaceInBook.answer.strict().parse(ran.json());
      assert.equal(ran.stderr, "");
      assert.equal(answer.act === null, flags.length === 0);
      const [chapter] = answer.chapters;
      assert.deepEqual(
        chapter?.paragraphs.map(({ before, after, edits }) => ({ before, after, edits })),
        [
          { before: "The Lamp", after: "The Torch", edits: [{ from: 4, to: 8, insert: "Torch" }] },
          {
            before: "Mara lit the lamp. Tobit did not look up.",
            after: "Mara lit the torch. Tobit did not look up.",
            edits: [{ from: 13, to: 17, insert: "torch" }],
          },
        ],
      );
    }
  });

  it("--apply writes one act, which undo takes back", async (t) => {
    const sh = await withBook(t);
    const text = async () => (await sh("show", "1", "--format", "markdown")).stdout;
    const before = await text();
    const { stderr } = await sh("replace", "1", "mara", "ada", "--apply");
    assert.match(stderr, /^Take it back with: manuscript undo act_\w+\n$/);
    assert.equal(await text(), before.replace("Mara", "Ada"));
    await sh("undo", "--yes"); // it wrote two chapters
    assert.equal(await text(), before);
  });

  it("says so where there is nothing, and refuses what it cannot do", async (t) => {
    const sh = await withBook(t);
    assert.equal((await sh("replace", "1", "zeppelin", "x")).stdout, "Nothing to replace.\n");
    const bad = await sh("replace", "1", "(", "x", "--regex");
    assert.equal(bad.exit, EXIT.usage);
    assert.match(bad.stderr, /^manuscript: find is not a regular expression: .*Unterminated group/);
    assert.equal((await sh("replace", "No such book", "a", "b")).exit, EXIT.notFound);
    assert.equal((await sh("replace", "a")).exit, EXIT.usage);
  });
});
