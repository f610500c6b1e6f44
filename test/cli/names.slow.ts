import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { type Shell, shell, withBook } from "./shell.ts";

const { usage, notFound } = EXIT;

/** Two books: what is called so in one is not always so in the other. */
async function withTwoBooks(t: Parameters<typeof shell>[0]): Promise<Shell> {
  const sh = shell(t);
  await sh("init", "book.manuscript");
  const take = (title: string, text: string) =>
    sh.with({ stdin: text })("import", "-", "--title", title, "--split", "1");
  await take("Ferry Book", "# The Storm\n\nWind.\n\n# Anne’s Café\n\nCake.\n\n# Calm\n\nNothing.\n");
  await take("Winter Book", "# Stormy Weather\n\nRain.\n\n# Calm\n\nStill.\n\n# Œuvre\n\nWork.\n");
  return sh;
}

const titleOf = async (sh: Shell, ...words: string[]) => {
  const { exit, stdout, stderr } = await sh("show", ...words, "--json");
  return exit === 0 ? (JSON.parse(stdout).title as string) : stderr || JSON.parse(stdout).message;
};

describe("a name on the command line", () => {
  it("is found by case, quotes, accents and by a part of it that begins with a word", async (t) => {
    const sh = await withTwoBooks(t);
    for (const [words, title] of [
      [["anne's cafe", "--book", "ferry"], "Anne’s Café"],
      [["ANNES CAFÉ", "--book", "1"], "Anne’s Café"],
      [["“anne’s” café", "--book", "1"], "Anne’s Café"],
      [["cafe", "--book", "1"], "Anne’s Café"],
      [["oeuvre", "--book", "Winter Book"], "Œuvre"],
      [["storm", "--book", "1"], "The Storm"],
      [["storm", "--book", "2"], "Stormy Weather"],
    ] as const)
      assert.equal(await titleOf(sh, ...words), title, words.join(" "));
    assert.match(await titleOf(sh, "torm", "--book", "1"), /^No such chapter as "torm"/, "within a word");
  });

  it("needs no --book where one chapter alone is called so", async (t) => {
    const sh = await withTwoBooks(t);
    assert.equal(await titleOf(sh, "the storm"), "The Storm");
    assert.equal(await titleOf(sh, "weather"), "Stormy Weather");
    const { exit, stderr } = await sh("show", "Calm");
    assert.equal(exit, usage);
    assert.match(
      stderr,
      /may be any of 2: ch_\w+ \(Calm, in Ferry Book\), ch_\w+ \(Calm, in Winter Book\)\. Give the id, or the book with --book\.\n$/,
    );
    assert.equal(await titleOf(sh, "storm"), "The Storm", "a word of its own, before the beginning of one");
    assert.match((await sh("show", "stor")).stderr, /may be any of 2/);
    assert.match((await sh("show", "1")).stderr, /has 2 books; name one with --book/);
    assert.match((await sh("show", "Nowhere")).stderr, /none of the 2 books has one/);
    assert.equal((await sh("show", "Nowhere")).exit, notFound);
  });

  it("means what it names most plainly: exact, folded, alias, part", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "add", "Mara Lind", "--alias", "the Pilot");
    await sh("facts", "add", "mara", "--kind", "boat");
    await sh("facts", "add", "Pilot Boat", "--alias", "Mära");
    const edited = async (name: string) => {
      const { exit, stdout, stderr } = await sh("facts", "edit", name, "--summary", "x", "--dry-run");
      return exit === 0 ? stdout.trim().replace(/^Would change \w+ +/, "") : stderr;
    };
    assert.equal(await edited("Mara"), "Mara");
    assert.equal(await edited("mara"), "mara");
    assert.match(await edited("MARA"), /may be any of 2/, "folded, two are called so");
    assert.match(await edited("Mära"), /may be any of 2: /, "names go before an alias");
    assert.equal(await edited("lind"), "Mara Lind");
    assert.equal(await edited("THE PILOT"), "Mara Lind");
    assert.equal(await edited("pilot boat"), "Pilot Boat");
    assert.match(await edited("pilot"), /may be any of 2: .*Mara Lind.*Pilot Boat/s);
  });

  it("of a key is the whole of it: what is revoked stays so", async (t) => {
    const sh = await withBook(t);
    await sh("key", "create", "--name", "my scripts");
    assert.equal((await sh("key", "revoke", "scripts")).exit, notFound);
    assert.equal((await sh("key", "revoke", "My Scripts")).exit, 0);
  });
});

describe("the only book", () => {
  it("needs no naming, and may be named", async (t) => {
    const sh = await withBook(t);
    for (const line of [
      ["outline"],
      ["stats"],
      ["facts", "list"],
      ["notes", "list"],
      ["export", "-o", "-"],
    ]) {
      const plain = await sh(...line);
      assert.equal(plain.exit, 0, line.join(" "));
      const named = await sh(
        ...line.slice(0, line[0] === "facts" || line[0] === "notes" ? 2 : 1),
        "the ferry book",
        ...line.filter((word) => word.startsWith("-")),
      );
      assert.equal(named.stdout, plain.stdout, line.join(" "));
    }
    assert.match((await sh("map", "--dry-run", "--", "sed", "s/lamp/light/")).stdout, /The Lamp/);
    assert.match((await sh("map", "--dry-run", "--", "cat")).stdout, /would change nothing/);
    assert.match((await sh("map", "the lamp", "--dry-run", "--", "sed", "s/l/L/")).stdout, /The Lamp/);
    assert.match((await sh("replace", "Mara", "Maria")).stdout, /2 replacements/);
    assert.match((await sh("replace", "1", "Mara", "Maria")).stdout, /2 replacements/);
    assert.match(
      (await sh("replace", "old Tobit said", "x", "y")).stderr,
      /No such book as "old Tobit said"/,
    );
  });

  it("is not searched for: a first word that does not name it is one of the question's", async (t) => {
    const sh = await withBook(t);
    const asked = async (...words: string[]) =>
      (await sh("search", ...words, "--json")).json<{ query: string }>().query;
    assert.equal(await asked("bell"), "bell");
    assert.equal(await asked("old", "tobit"), "old tobit");
    assert.equal(await asked("1", "old", "tobit"), "old tobit");
    assert.equal(await asked("The Ferry Book", "bell"), "bell");
    assert.equal(await asked("ferry", "bell"), "ferry bell", "a part of its title is no name here");
    assert.equal(await asked("The Ferry Book"), "The Ferry Book");
    assert.equal(await asked("1", "bell", "--book", "1"), "1 bell");
  });

  it("stands before a note and a fact, or does not", async (t) => {
    const sh = await withBook(t);
    assert.match((await sh("notes", "add", "Check the tide.")).stdout, /Check the tide\./);
    assert.match((await sh("notes", "add", "1", "Check it.")).stdout, /sn_\w+ {2}Check it\./);
    assert.match((await sh("notes", "add", "--url", "https://example.org")).stdout, /example\.org/);
    for (const line of [
      ["facts", "add", "Old", "Tobit"],
      ["notes", "add", "Check", "the", "moon."],
    ])
      assert.match((await sh(...line)).stderr, /No such book as.*wants quotes around it/, line.join(" "));
    assert.match((await sh("facts", "add", "1", "Tobit")).stdout, /fa_\w+ {2}Tobit/);
  });

  it("is asked for where there are several", async (t) => {
    const sh = await withTwoBooks(t);
    for (const line of [
      ["outline"],
      ["search", "wind"],
      ["replace", "a", "b"],
      ["stats"],
      ["map", "--", "cat"],
    ]) {
      const { exit, stderr } = await sh(...line);
      assert.equal(exit, usage, line.join(" "));
      assert.match(stderr, /has 2 books; name one.*Ferry Book.*Winter Book/, line.join(" "));
    }
    assert.match((await sh("search", "ferry", "wind")).stdout, /The Storm/);
    assert.equal(
      (await sh("notes", "add", "Wet?", "--chapter", "weather")).exit,
      0,
      "its chapter says which",
    );
    assert.match((await sh("notes", "list", "--chapter", "weather")).stdout, /Wet\?/);
    assert.equal((await sh("notes", "add", "2", "Dry?", "--chapter", "1")).exit, 0);
    assert.equal((await sh("status", "weather", "Done")).exit, 0, "a choice in any case");
    const unknown = await sh("search", "white", "whale");
    assert.equal(unknown.exit, notFound);
    assert.match(
      unknown.stderr,
      /there are 2 books; name one before the rest, or search them --all: .*Ferry Book.*Winter Book/,
    );
  });
});
