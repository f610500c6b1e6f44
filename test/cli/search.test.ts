import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { shell, withBook } from "./shell.ts";

/** Two books: V has a whale and a ship, W a whale alone. */
async function withTwoBooks(t: Parameters<typeof shell>[0]) {
  const sh = shell(t);
  await sh("init", "two.manuscript");
  await sh.with({ stdin: "A whale by the ship.\n\nA whale by the quay.\n" })("import", "-", "--title", "V");
  await sh.with({ stdin: "The whale again.\n" })("import", "-", "--title", "W");
  return sh;
}

describe("search", () => {
  it("takes unwanted words before and behind its options, and behind --", async (t) => {
    const sh = await withTwoBooks(t);
    for (const argv of [
      ["V", "whale", "--limit", "5", "-ship"],
      ["V", "-ship", "--limit=5", "whale"],
      ["V", "whale -ship"],
      ["--", "V", "whale", "-ship"],
      ["--limit", "5", "--", "V", "-ship", "whale"],
    ]) {
      const { exit, stdout, stderr } = await sh("search", ...argv);
      assert.equal(exit, EXIT.done, stderr);
      assert.match(stdout, / {2}1 match\n {2}b_\w+ {2}A whale by the quay\.\n$/, argv.join(" "));
    }
    assert.equal(
      (await sh("--file", "two.manuscript", "search", "V", "--", "-ship")).stdout,
      "Nothing found.\n",
    );
    assert.equal((await sh("search", "V", "-h")).exit, EXIT.done);
    assert.match(
      (await sh("search", "V", "whale", "--limti", "5")).stderr,
      /unknown option '--limti'.*--limit/,
    );
  });

  it("joins its words, and needs no book where there is one only", async (t) => {
    const sh = await withBook(t);
    for (const argv of [["old", "tobit"], ["1", "old", "tobit"], ["old tobit"]]) {
      const { query, total } = (await sh("search", ...argv, "--json")).json();
      assert.deepEqual([query, total], ["old tobit", 1]);
    }
    const two = await withTwoBooks(t);
    assert.equal((await two("search")).exit, EXIT.usage);
    const { exit, stderr } = await two("search", "whale");
    assert.equal(exit, EXIT.usage);
    assert.match(stderr, /This manuscript has 2 books/);
    assert.equal((await two("search", "--all", "--book", "V", "whale")).exit, EXIT.usage);
    assert.equal((await two("search", "X", "whale")).exit, EXIT.notFound);
  });

  it("--all searches every book, each by itself", async (t) => {
    const sh = await withTwoBooks(t);
    const both = await sh("search", "--all", "whale");
    assert.match(
      both.stdout,
      /^bk_\w+ {2}V\n {2}ch_[\s\S]*\n\nbk_\w+ {2}W\n {2}ch_\w+ {2}Untitled {2}1 match\n/,
    );
    const found = fits(await sh("search", "--all", "--json", "whale", "-quay"), "search --all");
    assert.deepEqual(
      [found.query, found.total, found.relaxed, found.books.map(({ title, total }) => [title, total])],
      [
        "whale -quay",
        2,
        false,
        [
          ["V", 1],
          ["W", 1],
        ],
      ],
    );
    const one = fits(await sh("search", "--all", "whale", "again", "--json"), "search --all");
    assert.deepEqual([one.relaxed, one.books.map(({ title }) => title)], [false, ["W"]]);
    const some = fits(await sh("search", "ship", "again", "--all", "--json"), "search --all");
    assert.deepEqual([some.relaxed, some.books.map(({ title }) => title)], [true, ["V", "W"]]);
    assert.match(
      (await sh("search", "--all", "ship", "again")).stdout,
      /^Nothing holds every word; these hold some\.\n\nbk_/,
    );
    assert.equal((await sh("search", "--all", "zebra")).stdout, "Nothing found.\n");
    assert.equal((await sh("search", "--all")).exit, EXIT.usage);
  });
});

describe("the words of two lines", () => {
  const VERSE =
    "Nothing stood between\\\nbut the door.\n\nHarbour said<br>Mara Lind. Then Mara\\\nLind saw Mara Lind.\n";

  it("are found apart, and a phrase runs over the line's end", async (t) => {
    const sh = shell(t);
    await sh("init", "verse.manuscript");
    await sh.with({ stdin: VERSE })("import", "-", "--title", "V");
    for (const query of ["but", '"between but"', "mara", '"said mara"']) {
      const { chapters } = (await sh("search", "V", query, "--json")).json<{ chapters: unknown[] }>();
      assert.equal(chapters.length, 1, query);
    }
    assert.match((await sh("search", "V", "between")).stdout, / Nothing stood between but the door\.\n/);
    assert.equal((await sh("search", "V", "betweenbut")).stdout, "Nothing found.\n");
    const { stdout } = await sh("replace", "V", "door", "gate");
    assert.match(stdout, /between but the \[-door-\]\{\+gate\+\}\./);
  });

  it("are no name together, and offsets are those of the block's own text", async (t) => {
    const sh = shell(t);
    await sh("init", "verse.manuscript");
    await sh.with({ stdin: VERSE })("import", "-", "--title", "V");
    await sh("facts", "add", "V", "Mara Lind", "--kind", "character");
    const { proposals } = (await sh("detect", "1", "--json")).json<{
      proposals: { name: string; occurrences: { from: number; to: number; text: string }[] }[];
    }>();
    const spans = proposals
      .filter(({ name }) => name === "Mara Lind")
      .flatMap(({ occurrences }) => occurrences);
    const own = "Harbour saidMara Lind. Then MaraLind saw Mara Lind.";
    assert.deepEqual(
      spans.map(({ from, to }) => [from, own.slice(from, to)]),
      [
        [12, "Mara Lind"],
        [41, "Mara Lind"],
      ],
    );
    assert.equal((await sh("detect", "1", "--apply")).exit, EXIT.done);
    const { facts } = (await sh("facts", "list", "--json")).json<{
      facts: { name: string; mentionCount: number }[];
    }>();
    assert.equal(facts.find(({ name }) => name === "Mara Lind")?.mentionCount, 4); // and "Mara", and "Lind"
    const again = (await sh("detect", "1", "--json")).json<{ proposals: { name: string }[] }>();
    assert.ok(!again.proposals.some(({ name }) => name === "Mara Lind"));
  });
});
