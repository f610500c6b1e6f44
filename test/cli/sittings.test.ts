import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { withBook } from "./shell.ts";

const MINUTE_MS = 60_000;

/** Thirty saves in two chapters by two hands, in turn, with a long pause after twenty; what each chapter says. */
async function written(t: TestContext) {
  const sh = await withBook(t);
  let now = Date.now() - 2 * 60 * MINUTE_MS;
  const own = openManuscript(join(sh.cwd, "book.manuscript"), { clock: () => now });
  const chapters = own.store.list<string>("SELECT id FROM chapters ORDER BY position");
  for (let save = 0; save < 30; save++) {
    now += (save === 20 ? 31 : 1) * MINUTE_MS;
    const source = save % 2 === 0 ? "page" : "api";
    replaceProse(
      own,
      chapters[save % 2]!,
      { markdown: `Save ${save} ${"and on ".repeat(save)}.\n` },
      { source },
    ); // there are two
  }
  own.close();
  const text = async (chapter: string) => (await sh("show", chapter)).stdout;
  return { sh, text };
}

const linesOf = ({ stdout }: { stdout: string }) => stdout.trimEnd().split("\n");

describe("history of two hands that write at the same time", () => {
  it("has a line for each sitting, opened with --each, in pages that miss and repeat nothing", async (t) => {
    const { sh } = await written(t);
    const lines = linesOf(await sh("history", "--limit", "4"));
    assert.deepEqual(
      lines.map((line) => line.replace(/^act_\w+ +\S+ \S+ +| +since act_\w+$/g, "").replace(/ +/g, " ")),
      [
        "api 5 × wrote 1 chapter: The Lamp",
        "page 5 × wrote 1 chapter: The Ferry",
        "api 10 × wrote 1 chapter: The Lamp",
        "page 10 × wrote 1 chapter: The Ferry",
      ],
    );
    assert.equal(linesOf(await sh("history", "--each")).length, 33);
    const idsOf = (text: string) => [...text.matchAll(/^act_\w+/gm)].map(([id]) => id);
    let next: string[] = ["history", "--each", "--limit", "7"];
    let seen: string[] = [];
    while (next.length > 0) {
      const { stdout, stderr } = await sh(...next);
      seen = [...seen, ...idsOf(stdout)];
      next = stderr.startsWith("Older: ")
        ? [...stderr.trim().split(" ").slice(2), "--each", "--limit", "7"]
        : [];
    }
    assert.equal(new Set(seen).size, 33);
    const [first] = linesOf(await sh("history", "--limit", "1"));
    const { stderr } = await sh("history", "--limit", "1");
    const older = linesOf(await sh(...stderr.trim().split(" ").slice(2)));
    const count = (line = "") => Number(/ (\d+) × /.exec(line)?.[1] ?? 1);
    assert.equal(
      [first, ...older].reduce((sum, line) => sum + count(line), 0),
      33,
    );
  });

  it("undo of a line takes back that sitting alone, to the byte, and its redo brings it back", async (t) => {
    const { sh, text } = await written(t);
    const [, line = ""] = linesOf(await sh("history"));
    const [last = "", first = ""] = [...line.matchAll(/act_\w+/g)].map(([id]) => id);
    const [ferry, lamp] = [await text("1"), await text("2")];
    const dry = await sh("undo", last, "--since", first, "--dry-run");
    assert.match(
      dry.stdout,
      /^Would undo 5 acts, newest first\nact_\w+ .* page +5 × .* 1 chapter: The Ferry/,
    );
    assert.equal(await text("1"), ferry);
    const undone = await sh("undo", last, "--since", first);
    assert.equal(undone.exit, EXIT.done);
    assert.match(await text("1"), /^Save 18 /);
    assert.equal(await text("2"), lamp);
    const redo = /Redo with: manuscript (undo --since act_\w+)/.exec(undone.stderr)?.[1] ?? "";
    assert.equal((await sh(...redo.split(" "))).exit, EXIT.done);
    assert.deepEqual([await text("1"), await text("2")], [ferry, lamp]);
    const wrong = await sh("undo", first, "--since", last);
    assert.equal(wrong.exit, EXIT.notFound);
    assert.match(wrong.stderr, /line from act_\w+ to act_\w+; "manuscript history" shows/);
    assert.equal((await sh("undo", last, "--since", "2h")).exit, EXIT.usage);
  });
});
