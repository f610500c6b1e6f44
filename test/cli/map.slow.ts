import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { dump } from "../support/dump.ts";
import { fits } from "./fits.ts";
import { type Shell, withBook } from "./shell.ts";

const dumpOf = (file: string) => {
  const manuscript = openManuscript(file);
  try {
    return dump(manuscript.store);
  } finally {
    manuscript.close();
  }
};

describe("map", () => {
  it("writes only the paragraphs that the filter changed, as one act that one undo takes back", async (t) => {
    const sh = await withBook(t);
    const before = dumpOf(`${sh.cwd}/book.manuscript`);
    const answer = fits(await sh("map", "1", "--json", "--", "sed", "s/ferry/FERRY/"), "map");
    const after = dumpOf(`${sh.cwd}/book.manuscript`);
    const changed = after.blocks?.filter((row, index) => row.source !== before.blocks?.[index]?.source) ?? [];
    assert.ok(changed.length > 0);
    assert.ok(changed.every(({ source }) => String(source).includes("FERRY")));
    assert.deepEqual(after.leaves, before.leaves, "a paragraph lost its id");
    assert.equal(answer.chapters.flatMap(({ paragraphs }) => paragraphs).length, changed.length);
    await sh("undo");
    assert.deepEqual(dumpOf(`${sh.cwd}/book.manuscript`), before);
  });

  it("says what it would do, word by word, and writes nothing", async (t) => {
    const sh = await withBook(t);
    const before = dumpOf(`${sh.cwd}/book.manuscript`);
    const { stdout, stderr } = await sh("map", "1", "--dry-run", "--", "sed", "s/ferry/boat/");
    assert.match(stdout, /\[-ferry-\]\{\+boat\+\}/);
    assert.match(stderr, /Dry run/);
    assert.deepEqual(dumpOf(`${sh.cwd}/book.manuscript`), before);
    assert.match((await sh("map", "1", "--", "cat")).stdout, /changed nothing/);
  });

  it("takes a whole chapter at a time", async (t) => {
    const sh = await withBook(t);
    const before = (await sh("show", "2", "--format", "markdown")).stdout;
    await sh("map", "2", "--book", "1", "--by", "chapter", "--", "sed", "$a\\\n\\\nThe end.");
    assert.equal((await sh("show", "2", "--format", "markdown")).stdout, `${before}\nThe end.\n`);
  });

  it("says which paragraphs a filter of whole chapters took from one to another", async (t) => {
    const sh = await withBook(t);
    const lamp = "Mara lit the lamp. Tobit did not look up.";
    const filter = ["sed", "-e", "/^Mara lit/d", "-e", `/^“You are late/a\\\n\\\n${lamp}`];
    const argv = ["map", "--book", "1", "--by", "chapter"];
    const dry = await sh(...argv, "--dry-run", "--", ...filter);
    assert.match(dry.stdout, /^1 paragraph to move from The Lamp to The Ferry$/m);
    const { moved } = fits(await sh(...argv, "--json", "--", ...filter), "map");
    assert.deepEqual(
      moved.map(({ from, to, paragraphs }) => [from.title, to.title, paragraphs]),
      [["The Lamp", "The Ferry", 1]],
    );
    assert.match((await sh("show", "1", "--format", "markdown")).stdout, /Mara lit the lamp/);
  });

  it("changes nothing where the filter fails, prints nothing, makes two paragraphs or is not there", async (t) => {
    const sh = await withBook(t);
    const before = dumpOf(`${sh.cwd}/book.manuscript`);
    for (const [exit, ...command] of [
      [EXIT.failed, "false"],
      [EXIT.failed, "grep", "no such word"],
      [EXIT.failed, "true"],
      [EXIT.usage, "sed", "G;G;s/$/x/"],
      [EXIT.usage, "no-such-program"],
    ] as const) {
      const ran = await sh("map", "1", "--", ...command);
      assert.equal(ran.exit, exit, `${command}: ${ran.stderr}`);
      assert.deepEqual(dumpOf(`${sh.cwd}/book.manuscript`), before);
    }
    assert.match(
      (await sh("map", "1", "--", "false")).stderr,
      /paragraph b_\w+ of The Ferry\. Nothing was written/,
    );
  });

  it("tells the filter where the text is from", async (t) => {
    const sh: Shell = await withBook(t);
    const { stdout } = await sh(
      "map",
      "2",
      "--book",
      "1",
      "--dry-run",
      "--",
      "sh",
      "-c",
      'echo "$MANUSCRIPT_CHAPTER $MANUSCRIPT_BLOCK"',
    );
    assert.match(stdout, /ch_\w+ b_\w+/);
  });
});
