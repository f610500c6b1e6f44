import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { type AnswerOf, ENDPOINTS } from "../../src/contract/index.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { complete, fakeModel, numberOf } from "../ai/llm/fake-model.ts";
import { fits } from "./fits.ts";
import { type Shell, withBook } from "./shell.ts";

const SLIPS = `# The Slip

Mara looked up, and her brown eyes were wet.

It was Monday, 1 February 1953.
`;

const NO_SLIP = "No plainly worded slip was found. What only a reader can see is not looked for.";

async function withSlips(t: Parameters<typeof withBook>[0]): Promise<Shell> {
  const sh = await withBook(t);
  await sh(
    "facts",
    "add",
    "Mara Quill",
    "--kind",
    "character",
    "--attribute",
    "eyes=grey",
    "--alias",
    "Mara",
  );
  await sh("facts", "delete", "Mara");
  await sh.with({ stdin: SLIPS })("import", "-", "--book", "1");
  return sh;
}

describe("check", () => {
  it("quotes both sides with their chapters, or answers as the API does", async (t) => {
    const sh = await withSlips(t);
    const { exit, stdout, stderr } = await sh("check", "The Slip");
    assert.equal(exit, EXIT.done, stderr);
    assert.match(stdout, /warn {2}“Monday” does not go with “1 February 1953”, which was a Sunday\./);
    assert.match(
      stdout,
      / {2}“Monday” in The Slip\n {2}“1 February 1953” in The Slip\n {2}fi_[0-9a-f]{16}\n/,
    );
    const json = (await sh("check", "3", "--json")).json();
    assert.ok(ENDPOINTS.checkConsistency.answer.safeParse(json).success);
    assert.equal((await sh("check", "1")).stdout, `${NO_SLIP}\n`);
  });

  it("says that there was nobody to compare the prose with, rather than that all is well", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "delete", "Mara");
    for (const of of [["1"], ["--all", "--yes"]]) {
      const { stdout } = await sh("check", ...of);
      assert.match(
        stdout,
        /^Only dates were compared: the story map has nobody yet\. .*detect --all/,
        stdout,
      );
    }
    const { engine } = (await sh("check", "1", "--json")).json<AnswerOf<"checkConsistency">>();
    assert.equal(engine, "embedded (no cast: dates alone are compared)");
  });

  it("dismisses a finding, once it is one, and undo brings it back", async (t) => {
    const sh = await withSlips(t);
    const found = async () =>
      (await sh("check", "3", "--json")).json<AnswerOf<"checkConsistency">>().findings.map(({ id }) => id);
    const [one = "", ...others] = await found();
    const rehearsed = await sh("check", "3", "--dismiss", one, "--dry-run");
    assert.deepEqual(
      [rehearsed.stdout, rehearsed.stderr],
      ["Would dismiss 1 finding.\n", "Dry run: nothing was written.\n"],
    );
    const dismissed = fits(await sh("check", "3", "--dismiss", one, "--json"), "check --dismiss");
    assert.deepEqual([dismissed.dismissed, dismissed.findings.map(({ id }) => id)], [[one], others]);
    assert.deepEqual(await found(), others);
    assert.equal((await sh("check", "3", "--dismiss", one)).exit, EXIT.notFound);
    await sh("undo");
    assert.deepEqual(await found(), [one, ...others]);
  });
});

describe("synopsis --draft", () => {
  const drafted = "Mara lit the lamp. Tobit did not look up.\nWith: Mara.";

  it("prints what the engine drafts, and keeps it with --save alone", async (t) => {
    const sh = await withBook(t);
    assert.deepEqual((await sh("synopsis", "2", "--draft", "--json")).json(), { synopsis: drafted });
    assert.equal((await sh("synopsis", "2")).stdout, "\n");
    const { stdout, stderr } = await sh("synopsis", "2", "--draft", "--save");
    assert.equal(stdout, `${drafted}\n`);
    assert.match(stderr, /^Take it back with/);
    assert.equal((await sh("synopsis", "2")).stdout, `${drafted}\n`);
  });

  it("leaves a synopsis that another hand wrote while it was drafted, and keeps the draft", async (t) => {
    const sh = await withBook(t);
    const meanwhile: (readonly string[])[] = [
      ["status", "2", "done"],
      ["synopsis", "2", "Theirs."],
      ["chapter", "delete", "2", "--yes"],
    ];
    const fake = await fakeModel(t, (request) => async (response) => {
      await sh(...(meanwhile.shift() ?? []));
      const text = `Mara has lit the lamp, ${meanwhile.length}.`;
      const quote = "Mara lit the lamp";
      const sentence = { text, paragraph: numberOf(request, quote), quote };
      complete(response, JSON.stringify({ sentences: [sentence] }));
    });
    await sh("account", "set", "--llm-url", fake.url, "--llm-model", "m");
    const first = await sh("synopsis", "2", "--draft", "--save");
    assert.deepEqual([first.exit, first.stdout], [EXIT.done, "Mara has lit the lamp, 2.\n"], first.stderr);
    const second = await sh("synopsis", "2", "--draft", "--save");
    assert.deepEqual([second.exit, second.stdout], [EXIT.conflict, ""]);
    assert.match(second.stderr, /The synopsis of “The Lamp” was written by another hand/);
    assert.equal((await sh("synopsis", "2")).stdout, "Theirs.\n");
    const [, path = "", words = ""] =
      /kept: (\S+); save it with: manuscript (.*) - </.exec(second.stderr) ?? [];
    assert.equal(readFileSync(path, "utf8"), "Mara has lit the lamp, 1.\n");
    await sh.with({ stdin: readFileSync(path) })(...words.split(" "), "-");
    assert.equal((await sh("synopsis", "2")).stdout, "Mara has lit the lamp, 1.\n");
    const third = await sh("synopsis", "2", "--draft", "--save");
    assert.equal(third.exit, EXIT.notFound);
    assert.match(third.stderr, /kept: /);
  });

  it("never clears a synopsis, and takes no text beside it", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: "* * *\n" })("import", "-", "--book", "1");
    for (const argv of [
      ["3", "--draft", "--save"],
      ["2", "x", "--draft"],
      ["2", "--save"],
      ["2", "--draft", "--dry-run"],
    ]) {
      assert.equal((await sh("synopsis", ...argv)).exit, EXIT.usage, argv.join(" "));
    }
  });
});
