import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AnswerOf } from "../../src/contract/index.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { type Shell, shell, withBook } from "./shell.ts";

/** A book of two parts, of one chapter each, and one before them. */
async function withParts(t: Parameters<typeof shell>[0]): Promise<Shell> {
  const sh = shell(t);
  await sh("init", "book.manuscript");
  await sh("book", "add", "Storms");
  for (const part of ["Part One", "Part Two"]) await sh("part", "add", part);
  await sh("chapter", "add", "Prologue", "Before it all.");
  await sh("chapter", "add", "Calm", "Nothing.", "--part", "one");
  await sh("chapter", "add", "The Storm", "Wind.", "--part", "two");
  return sh;
}

/** The outline in a line: "Prologue [Part One: Calm]". */
async function lineOf(sh: Shell): Promise<string> {
  const { parts, chapters } = (await sh("outline", "--json")).json<AnswerOf<"readOutline">>();
  const names = new Map<string | null, string>(parts.map(({ id, title }) => [id, title]));
  return chapters
    .map(({ title, partId }) => (partId === null ? title : `${title} (${names.get(partId)})`))
    .join(", ");
}

const BEFORE = "Prologue, Calm (Part One), The Storm (Part Two)";

describe("chapter", () => {
  it("move takes it where a neighbour, a part or a place says, into the part that it then stands in", async (t) => {
    const sh = await withParts(t);
    assert.equal(await lineOf(sh), BEFORE);
    for (const [words, after] of [
      [["the storm", "--after", "calm"], "Prologue, Calm (Part One), The Storm (Part One)"],
      [["the storm", "--before", "calm"], "Prologue, The Storm (Part One), Calm (Part One)"],
      [["the storm", "--before", "prologue"], "The Storm, Prologue, Calm (Part One)"],
      [["storm", "--part", "Part One"], "Prologue, Calm (Part One), The Storm (Part One)"],
      [["storm", "--part", "one", "--first"], "Prologue, The Storm (Part One), Calm (Part One)"],
      [["storm", "--part", "1", "--position", "1"], "Prologue, The Storm (Part One), Calm (Part One)"],
      [["storm", "--first"], "The Storm, Prologue, Calm (Part One)"],
      [["prologue", "--last"], "Calm (Part One), The Storm (Part Two), Prologue (Part Two)"],
      [["prologue", "--position", "2"], "Calm (Part One), Prologue (Part One), The Storm (Part Two)"],
      [["calm", "--out-of-part"], "Prologue, Calm, The Storm (Part Two)"],
      [
        ["prologue", "--part", "two", "--after", "storm"],
        "Calm (Part One), The Storm (Part Two), Prologue (Part Two)",
      ],
    ] as const) {
      const ran = await sh("chapter", "move", ...words, "--json");
      assert.equal(ran.exit, 0, `${words.join(" ")}: ${ran.stdout}`);
      const { act } = ran.json<AnswerOf<"updateChapter">>();
      assert.equal(await lineOf(sh), after, words.join(" "));
      await sh("undo", String(act));
      assert.equal(await lineOf(sh), BEFORE);
    }
    const { stdout } = await sh("chapter", "move", "storm", "--after", "prologue");
    assert.match(stdout, /The Storm: chapter 3 → 2\n/);
  });

  it("move-paragraphs says what went where, and join takes another chapter", async (t) => {
    const sh = await withParts(t);
    const { doc } = (await sh("show", "calm", "--format", "doc", "--json")).json<{
      doc: { content: { attrs: { blockId: string } }[] };
    }>();
    const block = doc.content[0]?.attrs.blockId ?? "none";
    const dry = await sh(
      "chapter",
      "move-paragraphs",
      "calm",
      block,
      "--to",
      "storm",
      "--first",
      "--dry-run",
    );
    assert.equal(dry.stdout, "Would move 1 paragraph: Calm, 0 words → The Storm, 2 words\n");
    const moved = await sh("chapter", "move-paragraphs", "calm", block, "--to", "storm", "--first");
    assert.equal(moved.stdout, "1 paragraph: Calm, 0 words → The Storm, 2 words\n");
    const within = await sh("chapter", "move-paragraphs", "storm", block);
    assert.equal(within.stdout, "1 paragraph within “The Storm”\n");
    assert.equal((await sh("show", "storm", "--format", "markdown")).stdout.trim(), "Wind.\n\nNothing.");
    const joined = await sh("chapter", "join", "storm", "prologue");
    assert.match(joined.stdout, /The Storm \+ Prologue: 5 words\n/);
    assert.equal(await lineOf(sh), "Calm (Part One), The Storm (Part Two)");
  });

  it("split makes two of one at a paragraph, join one of two", async (t) => {
    const sh = await withParts(t);
    await sh.with({ stdin: "Wind.\n\n# Rain\n\nMore.\n" })("write", "storm");
    const { doc } = (await sh("show", "storm", "--format", "doc", "--json")).json<{
      doc: { content: { attrs: { blockId: string } }[] };
    }>();
    const at = doc.content[1]?.attrs.blockId ?? "";
    const dry = await sh("chapter", "split", "storm", at, "--dry-run");
    assert.match(dry.stdout, /^Would split ch_\w+ {2}The Storm, 1 word, and Rain, 2 words\n/);
    assert.equal(await lineOf(sh), BEFORE);
    const { stdout } = await sh("chapter", "split", "storm", at);
    assert.match(stdout, /^ch_\w+ {2}The Storm, 1 word, and ch_\w+ {2}Rain, 2 words\n/);
    assert.equal(await lineOf(sh), `${BEFORE}, Rain (Part Two)`);
    assert.equal((await sh("chapter", "split", "storm", at)).exit, EXIT.notFound);
    const joined = await sh("chapter", "join", "storm");
    assert.match(joined.stdout, /^ch_\w+ {2}The Storm \+ Rain: 3 words\n/);
    assert.equal((await sh("show", "storm", "--format", "markdown")).stdout, "Wind.\n\n# Rain\n\nMore.\n");
    assert.equal((await sh("chapter", "join", "storm")).exit, EXIT.notFound);
  });

  it("split --at scenes makes a chapter of each scene, without the breaks, as one act", async (t) => {
    const sh = await withParts(t);
    const stdin =
      "***\n\nWind[^1].\n\nRain[^2].\n\n***\n\n---\n\nCalm *sea*.[^3]\n\n* * *\n\n## Ice\n\nMore.\n\n[^1]: One.\n\n[^2]: Two.\n\n[^3]: Three.\n";
    await sh.with({ stdin })("write", "storm");
    const { doc } = (await sh("show", "storm", "--format", "doc", "--json")).json<{
      doc: { content: { attrs: { blockId: string } }[] };
    }>();
    const sea = doc.content[5]?.attrs.blockId ?? "";
    await sh("notes", "add", "Which sea?", "--chapter", "storm", "--block", sea);
    const dry = await sh("chapter", "split", "storm", "--at", "scenes", "--dry-run");
    assert.match(
      dry.stdout,
      /^Would make 3 chapters of one\nThe Storm, \d words\nThe Storm 2, \d words\nIce, 2 words\n$/,
    );
    assert.equal(await lineOf(sh), BEFORE);
    const split = await sh("chapter", "split", "storm", "--at", "scenes", "--json");
    const { chapters, act } = fits(split, "chapter split --at scenes");
    assert.equal(await lineOf(sh), `${BEFORE}, The Storm 2 (Part Two), Ice (Part Two)`);
    const texts = await Promise.all(
      chapters.map(async ({ id }) => (await sh("show", id, "--format", "markdown")).stdout),
    );
    assert.deepEqual(texts, [
      "***\n\nWind[^1].\n\nRain[^2].\n\n[^1]: One.\n\n[^2]: Two.\n",
      "Calm *sea*.[^3]\n\n[^3]: Three.\n",
      "## Ice\n\nMore.\n",
    ]);
    const { snippets } = (await sh("notes", "--json")).json<{ snippets: Record<string, string>[] }>();
    assert.deepEqual([snippets[0]?.chapterId, snippets[0]?.blockId], [chapters[1]?.id, sea]);
    assert.match((await sh("undo", String(act), "--yes")).stdout, /^Undone/);
    assert.equal(await lineOf(sh), BEFORE);
    assert.equal((await sh("show", "storm", "--format", "markdown")).stdout, stdin);
    assert.match((await sh("chapter", "split", "calm", "--at", "scenes")).stderr, /“Calm” is one scene/);
    for (const words of [[], [sea, "--at", "scenes"]])
      assert.match((await sh("chapter", "split", "storm", ...words)).stderr, /scene break: --at scenes/);
  });

  it("move refuses two places, none, and a neighbour that is no other chapter of the book or not in the part", async (t) => {
    const sh = await withParts(t);
    for (const [words, said] of [
      [["1", "--first", "--last"], /Give one of/],
      [["1"], /Say where to/],
      [["1", "--after", "1"], /is not another one/],
      [["1", "--part", "two", "--after", "calm"], /"calm" is not another one of/],
      [["1", "--part", "two", "--out-of-part"], /not both/],
    ] as const) {
      const { exit, stderr } = await sh("chapter", "move", ...words);
      assert.equal(exit, EXIT.usage, words.join(" "));
      assert.match(stderr, said);
    }
    assert.equal(await lineOf(sh), BEFORE);
  });

  it("add takes its text from stdin, a place and a status; rename says both titles", async (t) => {
    const sh = await withParts(t);
    const text = "# Fog\n\nGrey.\n";
    await sh.with({ stdin: text })("chapter", "add", "Fog", "-", "--after", "calm", "--status", "revising");
    assert.equal(await lineOf(sh), "Prologue, Calm (Part One), Fog (Part One), The Storm (Part Two)");
    assert.equal((await sh("show", "Fog", "--format", "markdown")).stdout, text);
    assert.match(
      (await sh("chapter", "rename", "fog", "Mist")).stdout,
      /Fog → Mist, and the heading with it\n/,
    );
    assert.equal((await sh("show", "mist", "--format", "markdown")).stdout, text.replace("Fog", "Mist"));
    assert.match((await sh("chapter", "add", "  ")).stderr, /must not be blank/);
  });

  it("delete asks for what holds words: on a terminal, else by --yes; undo brings it back", async (t) => {
    const sh = await withBook(t);
    const titles = async () =>
      (await sh("outline", "--json")).json<AnswerOf<"readOutline">>().chapters.map(({ title }) => title);
    const refused = await sh("chapter", "delete", "lamp");
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.match(
      refused.stderr,
      /“The Lamp” holds 11 words; undo brings it all back\. Give --yes to go on\.\n$/,
    );
    assert.equal((await sh("chapter", "delete", "lamp", "--json")).exit, EXIT.wouldLose);
    const terminal = sh.with({ isAsked: true, stdin: "\n" });
    const declined = await terminal("chapter", "delete", "lamp");
    assert.equal(declined.exit, EXIT.wouldLose);
    assert.match(declined.stderr, /Go on\? \[y\/N\] manuscript: Nothing was changed\.\n$/);
    assert.deepEqual(await titles(), ["The Ferry", "The Lamp"]);
    const agreed = await terminal.with({ isAsked: true, stdin: "yes\n" })("chapter", "delete", "lamp");
    assert.match(agreed.stdout, /^Deleted “The Lamp”: 11 words\n/);
    assert.deepEqual(await titles(), ["The Ferry"]);
    await sh("undo");
    assert.deepEqual(await titles(), ["The Ferry", "The Lamp"]);
    await sh("chapter", "add", "Empty");
    assert.equal((await sh("chapter", "delete", "Empty")).exit, 0, "nothing to lose");
    assert.match((await sh("chapter", "delete", "1", "--dry-run")).stdout, /^Would delete “The Ferry”/);
  });
});

describe("part and book", () => {
  it("a part moves with its chapters, and leaves them when it is deleted", async (t) => {
    const sh = await withParts(t);
    assert.match(
      (await sh("part", "move", "two", "--before", "one")).stdout,
      /^1 {2}pt_\w+ {2}Part Two: 1 chapter\n/,
    );
    assert.equal(await lineOf(sh), "Prologue, The Storm (Part Two), Calm (Part One)");
    assert.match((await sh("part", "rename", "two", "Act Two")).stdout, /Part Two → Act Two/);
    assert.match(
      (await sh("part", "delete", "act two")).stdout,
      /^Deleted “Act Two”; 1 chapter stays where it was\n/,
    );
    assert.equal(await lineOf(sh), "Prologue, The Storm, Calm (Part One)");
    assert.match((await sh("part", "delete", "act two")).stderr, /No such part as "act two"/);
  });

  it("a book is made, renamed without being named where it is the only one, and deleted after asking", async (t) => {
    const sh = await withParts(t);
    assert.match((await sh("book", "rename", "Calms")).stdout, /Storms → Calms/);
    const { stdout } = await sh("book", "add", "Second");
    assert.match(stdout, /^bk_\w+ {2}Second\n$/);
    assert.equal((await sh("book", "rename", "Third")).exit, EXIT.usage);
    assert.match((await sh("book", "rename", "Second", "Third")).stdout, /Second → Third/);
    assert.equal((await sh("book", "delete")).exit, EXIT.usage, "which of two");
    assert.equal((await sh("book", "delete", "third")).exit, 0, "it is empty");
    const refused = await sh("book", "delete", "calms");
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.match(refused.stderr, /“Calms” holds 3 chapters, 5 words, .* undo brings all of it back/);
    assert.match((await sh("book", "delete", "--yes")).stdout, /^Deleted “Calms”: 3 chapters, 5 words/);
    await sh("undo", "--yes");
    assert.equal(await lineOf(sh), BEFORE);
  });
});

describe("goal", () => {
  it("is shown, set as far as it is given, and cleared", async (t) => {
    const sh = await withBook(t);
    assert.equal((await sh("goal")).stdout, "No goal yet.\n");
    const { goal } = (await sh("goal", "set", "80k", "--by", "2999-12-31", "--json")).json<
      AnswerOf<"setGoal">
    >();
    assert.deepEqual([goal.targetWords, goal.deadline, goal.dailyWords], [80_000, "2999-12-31", null]);
    await sh("goal", "set", "--daily", "500");
    await sh("goal", "set", "90,000");
    const shown = fits(await sh("goal", "--json"), "goal");
    assert.deepEqual(
      [shown.goal?.targetWords, shown.goal?.deadline, shown.goal?.dailyWords],
      [90_000, "2999-12-31", 500],
    );
    assert.match(
      (await sh("goal")).stdout,
      /^90,000 words, 89,967 to go, by 2999-12-31: \d+ a day, 500 a day meant\n$/,
    );
    for (const [words, said] of [
      [["set", "many"], /whole number of words/],
      [["set", "5", "--by", "soon"], /--by must be a day/],
      [["--by", "2999-12-31"], /go with set/],
      [["clear", "5"], /go with set/],
    ] as const)
      assert.match((await sh("goal", ...words)).stderr, said, words.join(" "));
    await sh("goal", "set", "--by", "none", "--daily", "none");
    assert.match((await sh("goal")).stdout, /^90,000 words, 89,967 to go\n$/);
    assert.equal((await sh("goal", "clear")).exit, 0);
    assert.equal((await sh("goal", "clear")).exit, EXIT.notFound);
  });
});
