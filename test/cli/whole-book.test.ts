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

/** Four chapters of a credit each, and as many credits as given. */
async function withFour(t: Parameters<typeof withBook>[0], credits: number): Promise<Shell> {
  const sh = await withBook(t);
  for (const stdin of TWO) await sh.with({ stdin })("import", "-", "--book", "1");
  await sh("account", "set", "--allowance", "0", "--credits", String(credits));
  return sh;
}

describe("detect --all", () => {
  it("shows the bill, reads every chapter in order, and costs nothing the next time", async (t) => {
    const sh = await withFour(t, 5);
    const { exit, stdout, stderr } = await sh("detect", "--all");
    assert.equal(exit, EXIT.done, stderr);
    assert.match(stderr, /^4 chapters, 4 credits; 5 left\.\n/);
    assert.match(stderr, /Cost 4 credits; 1 left\.\n$/);
    assert.deepEqual(stdout.match(/^\S.*$/gm), ["The Ferry", "The Lamp", "The Crossing", "The Return"]);
    const again = fits(await sh("detect", "--all", "--json"), "detect --all");
    assert.deepEqual([again.cost, again.remaining], [0, 1]);
    assert.deepEqual(
      again.chapters.map(({ title, cost }) => [title, cost]),
      [
        ["The Ferry", 0],
        ["The Lamp", 0],
        ["The Crossing", 0],
        ["The Return", 0],
      ],
    );
  });

  it("goes on where it stopped: what was done is paid for, an edited chapter is not", async (t) => {
    const sh = await withFour(t, 4);
    const manuscript = openManuscript(join(sh.cwd, "book.manuscript"));
    const bookId = listBooks(manuscript).books[0]?.id ?? "";
    const bill = await readBill(manuscript, "detectMentions", bookId);
    const done: string[] = [];
    for await (const { title } of readChapters(manuscript, bill, detectMentions)) {
      done.push(title);
      if (done.length === 2) break; // as if it had been killed
    }
    assert.equal(readAccount(manuscript).credits, 2);
    manuscript.close();
    assert.deepEqual(done, ["The Ferry", "The Lamp"]);
    const rest = (await sh("detect", "--all", "--json")).json<CommandAnswer<"detect --all">>();
    assert.deepEqual(
      rest.chapters.map(({ cost }) => cost),
      [0, 0, 1, 1],
    );
    await sh("account", "set", "--credits", "9");
    await sh("replace", "1", "lamp", "lantern", "--apply");
    const edited = (await sh("detect", "--all", "--json")).json<CommandAnswer<"detect --all">>();
    assert.deepEqual(
      edited.chapters.map(({ cost }) => cost),
      [0, 1, 0, 0],
    );
  });

  it("spends nothing where not all of it can be paid, or the writer says no", async (t) => {
    const sh = await withFour(t, 3);
    const short = await sh("detect", "--all");
    assert.equal(short.exit, EXIT.account);
    assert.match(short.stderr, /costs 4 credits and 3 are left/);
    await sh("account", "set", "--credits", "5");
    const no = await sh.with({ isAsked: true, stdin: "n\n" })("detect", "--all");
    assert.equal(no.exit, EXIT.wouldLose);
    assert.match(no.stderr, /^4 chapters, 4 credits; 5 left\. Go on\? \[y\/N\]\n/);
    assert.match((await sh("account", "show")).stdout, /Credits +5/);
    assert.equal((await sh.with({ isAsked: true, stdin: "y\n" })("detect", "--all")).exit, EXIT.done);
    assert.match((await sh("account", "show")).stdout, /Credits +1/);
    const unasked = await sh.with({ isAsked: true })("check", "--all", "--yes");
    assert.equal(unasked.exit, EXIT.account);
  });

  it("writes what it proposes in one act, a name of two chapters as one fact", async (t) => {
    const sh = await withFour(t, 9);
    const applied = fits(await sh("detect", "--all", "--apply", "--json"), "detect --all");
    assert.deepEqual(
      applied.accepted?.facts.filter(({ name }) => name.includes("Hale")).map(({ name }) => name),
      ["Captain Hale"],
    );
    const { facts } = (await sh("facts", "list", "--json")).json<{
      facts: { name: string; mentionCount: number }[];
    }>();
    assert.equal(facts.find(({ name }) => name === "Captain Hale")?.mentionCount, 6);
    await sh("undo", applied.act ?? "");
    assert.equal((await sh("facts", "list", "--json")).json().total, 1);
  });

  it("wants a chapter or --all", async (t) => {
    const sh = await withBook(t);
    for (const argv of [[], ["1", "--all"], ["1", "--yes"]])
      for (const command of ["detect", "check"])
        assert.equal((await sh(command, ...argv)).exit, EXIT.usage, `${command} ${argv.join(" ")}`);
  });
});

describe("check --all", () => {
  it("lists what contradicts itself in reading order, and dismisses it", async (t) => {
    const sh = await withFour(t, 9);
    const { stdout } = await sh("check", "--all");
    assert.match(stdout, /“Monday” in The Crossing\n[^]*“Friday” in The Return\n/);
    const found = fits(await sh("check", "--all", "--json"), "check --all");
    const ids = found.chapters.flatMap(({ findings }) => findings.map(({ id }) => id));
    assert.equal(ids.length, 2);
    assert.equal((await sh("check", "--all", "--dismiss", "fi_none")).exit, EXIT.notFound);
    const left = fits(await sh("check", "--all", "--dismiss", ids[0] ?? "", "--json"), "check --all");
    assert.deepEqual(left.dismissed, ids.slice(0, 1));
    assert.deepEqual(
      left.chapters.flatMap(({ findings }) => findings.map(({ id }) => id)),
      ids.filter((id) => id !== ids[0]),
    );
    assert.equal(left.cost, 0);
  });
});
