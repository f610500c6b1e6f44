import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { type Shell, shell } from "./shell.ts";

const LONG = "Nobody at all had come down to the water that year, neither the ferryman nor his sons,";
const CHAPTER = `# The Quay

The red house stood near the quay.

${LONG} before noon, when the bell rang out over the roofs of the town and every child knew that dinner was ready at last.
`;

/** A book of two chapters, both proposed to be other by one command each. */
async function proposed(t: TestContext) {
  const sh = shell(t);
  await sh("init", "book.manuscript");
  await sh.with({ stdin: CHAPTER })("import", "-", "--title", "Quays");
  await sh("chapter", "add", "The Pier", "The red pier burnt.");
  await sh("map", "--propose", "--", "sed", "s/red/blue/; s/noon/dawn/");
  const open = async () =>
    (await sh("proposals", "list", "--json")).json<{ proposals: { id: string }[] }>().proposals;
  const show = async (chapter: string) => (await sh("show", chapter, "-f", "markdown")).stdout;
  const typed = (lines: string, surroundings: Parameters<Shell["with"]>[0] = {}) =>
    sh.with({ stdin: lines, isAsked: true, ...surroundings });
  return { sh, open, show, typed };
}

describe("proposals accept -i", () => {
  it("rejects an edit by a key, as an act of its own that undo takes back", async (t) => {
    const { sh, open, show, typed } = await proposed(t);
    const [first] = await open();
    const done = await typed("r\ny\n")("proposals", "accept", first!.id, "-i"); // two were proposed
    assert.equal(done.exit, EXIT.done, done.stderr);
    assert.match(done.stderr, /Accept this edit \[y,n,r,q,a,d,e,\?\]\?/);
    assert.match(done.stdout, /The Quay: 1 edit accepted\nThe Quay: 1 edit rejected\n$/);
    assert.match(await show("1"), /red house[\s\S]*before dawn/);
    assert.equal((await open()).length, 1);
    await sh("undo");
    assert.equal((await open()).length, 2, "what was rejected is open again");
  });

  it("goes over all open proposals of a book with --all, until q", async (t) => {
    const { open, show, typed } = await proposed(t);
    const none = await typed("")("proposals", "accept", "--all");
    assert.equal(none.exit, EXIT.usage);
    assert.match((await typed("")("proposals", "accept", "-i")).stderr, /Name a proposal/);
    await typed("q\n")("proposals", "accept", "--all", "-i");
    assert.equal((await open()).length, 2);
    const done = await typed("y\nr\ny\n")("proposals", "accept", "--all", "-i", "--book", "Quays");
    assert.equal(done.exit, EXIT.done, done.stderr);
    assert.match(done.stdout, /Proposal 1 of 2: prop_\w+ [\s\S]*\nProposal 2 of 2: prop_\w+ {2}The Pier/);
    assert.match(await show("1"), /blue house[\s\S]*before noon/);
    assert.match(await show("2"), /blue pier/);
    assert.equal((await open()).length, 0);
    assert.match((await typed("")("proposals", "accept", "--all", "-i")).stderr, /Nothing to decide/);
  });

  it("shows the changed words with a little around them, no line wider than the terminal", async (t) => {
    const { open, typed } = await proposed(t);
    const [first] = await open();
    const env = { NO_COLOR: "1" };
    const { stdout } = await typed("n\nn\n", { env, columns: 48 })("proposals", "accept", first!.id, "-i"); // as above
    assert.match(stdout, /\n…[\s\S]*\[-noon,?-\]\s?\{\+dawn,?\+\}[\s\S]*…\n/);
    assert.ok(!stdout.includes("dinner"), stdout);
    const edits = stdout.split("\n").slice(1);
    assert.ok(
      edits.every((line) => line.length <= 48 || line.startsWith("[")),
      stdout,
    );
    assert.ok(!/\b(ferr|ferrym)$/m.test(stdout), "broken between words");
  });
});
