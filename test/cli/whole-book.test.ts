import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { CommandAnswer } from "../../src/cli/rows/answers.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { readAccount } from "../../src/service/account/account.ts";
import { detectMentions } from "../../src/service/ai/metered-call.ts";
import { readBill, readChapters } from "../../src/service/ai/whole-book.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { fits } from "./fits.ts";
import { type Shell, withBook } from "./shell.ts";

const TWO = [
  ["The Crossing", "Monday, 1"],
  ["The Return", "Friday, 2"],
].map(
  ([title, day]) => `# ${title}

“You are late,” said Captain Hale. Mara did not answer Captain Hale. Hale laughed, and it was ${day} February 1953.
`,
);

/** Three chapters of a credit each, and as many credits as given. */
async function withThree(t: Parameters<typeof withBook>[0], credits: number): Promise<Shell> {
  const sh = await withBook(t);
  await sh.with({ stdin: TWO.join("\n") })("import", "-", "--book", "1");
  await sh("account", "set", "--allowance", "0", "--credits", String(credits));
  return sh;
}

const costs = ({ chapters }: CommandAnswer<"detect --all">): number[] => chapters.map(({ cost }) => cost);

describe("detect --all", () => {
  it("spends nothing where not all can be paid or the writer says no, and goes on where it stopped", async (t) => {
    const sh = await withThree(t, 2);
    const short = await sh("detect", "--all");
    assert.equal(short.exit, EXIT.account);
    assert.match(short.stderr, /costs 3 credits and 2 are left/);
    await sh("account", "set", "--credits", "4");
    const no = await sh.with({ isAsked: true, stdin: "n\n" })("detect", "--all");
    assert.equal(no.exit, EXIT.wouldLose);
    assert.match(no.stderr, /^3 chapters, 3 credits; 4 left\. Go on\? \[y\/N\]/);

    const manuscript = openManuscript(join(sh.cwd, "book.manuscript"));
    const bill = await readBill(manuscript, "detectMentions", listBooks(manuscript).books[0]?.id ?? "");
    for await (const { title } of readChapters(manuscript, bill, detectMentions))
      if (title === "The Lamp") break; // as if it had been killed after the second
    assert.equal(readAccount(manuscript).credits, 2);
    manuscript.close();

    const rest = await sh.with({ isAsked: true, stdin: "y\n" })("detect", "--all");
    assert.equal(rest.exit, EXIT.done, rest.stderr);
    assert.match(rest.stderr, /^3 chapters, 1 credit; 2 left\.[\s\S]*Cost 1 credit; 1 left\.\n$/);
    assert.deepEqual(rest.stdout.match(/^\S.*$/gm), ["The Ferry", "The Lamp", "The Crossing"]);
    await sh("replace", "1", "lamp", "lantern", "--apply");
    const edited = fits(await sh("detect", "--all", "--json"), "detect --all");
    assert.deepEqual(costs(edited), [0, 1, 0]);
    assert.deepEqual([edited.cost, edited.remaining], [1, 0]);
  });

  it("writes what it proposes in one act, a name of two chapters as one fact", async (t) => {
    const sh = await withThree(t, 9);
    await sh.with({ stdin: TWO[0] ?? "" })("import", "-", "--book", "1");
    const applied = fits(await sh("detect", "--all", "--apply", "--json"), "detect --all");
    const { facts } = (await sh("facts", "list", "--json")).json<{
      facts: { name: string; mentionCount: number }[];
    }>();
    assert.equal(facts.find(({ name }) => name === "Captain Hale")?.mentionCount, 9);
    assert.equal(facts.filter(({ name }) => name.includes("Hale")).length, 1);
    await sh("undo", applied.act ?? "");
    assert.equal((await sh("facts", "list", "--json")).json().total, 1);
  });

  it("wants a chapter or --all", async (t) => {
    const sh = await withBook(t);
    for (const argv of [["detect"], ["check", "1", "--all"], ["detect", "1", "--yes"]])
      assert.equal((await sh(...argv)).exit, EXIT.usage, argv.join(" "));
  });
});

describe("check --all", () => {
  it("lists what contradicts itself in reading order, and dismisses it", async (t) => {
    const sh = await withThree(t, 3);
    const { stdout } = await sh("check", "--all", "--yes");
    assert.match(stdout, /“Monday” in The Crossing\n[\s\S]*“Friday” in The Crossing\n/);
    const [one = "", other = ""] = stdout.match(/fi_\w+/g) ?? [];
    assert.equal((await sh("check", "--all", "--dismiss", "fi_none")).exit, EXIT.notFound);
    const left = fits(await sh("check", "--all", "--dismiss", one, "--json"), "check --all");
    assert.deepEqual([left.dismissed, left.cost], [[one], 0]);
    assert.deepEqual(
      left.chapters.flatMap(({ findings }) => findings.map(({ id }) => id)),
      [other],
    );
  });
});
