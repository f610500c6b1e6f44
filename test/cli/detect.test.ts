import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandAnswer } from "../../src/cli/rows/answers.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

const CROSSING = `# The Crossing

“You are late,” said Captain Hale. Mara did not answer Captain Hale. Hale laughed, and the boats of Marrow lay still.

Tobit told Mara that nobody in Marrow would row. “Then I shall,” said Mara.
`;

describe("detect", () => {
  it("lists proposals and writes nothing", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: CROSSING })("import", "-", "--book", "1");
    const { exit, stdout, stderr } = await sh("detect", "The Crossing");
    assert.equal(exit, EXIT.done, stderr);
    assert.match(stdout, /^0\.97 {2}mention {2}Mara +character {2}3 places/m);
    assert.match(stdout, /new {6}Captain Hale, Hale +character {2}3 places/);
    assert.match(stdout, /new {6}Marrow +place/);
    assert.equal((await sh("facts", "list", "--json")).json().total, 1);
    const { proposals, engine } = (await sh("detect", "The Crossing", "--json")).json<
      CommandAnswer<"detect --apply">
    >();
    assert.equal(engine, "embedded");
    assert.ok(proposals.every(({ confidence }) => confidence > 0 && confidence < 1));
  });

  it("writes all of it in one act, has nothing more to add then, and one undo takes it back", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: CROSSING })("import", "-", "--book", "1");
    const applied = fits(await sh("detect", "The Crossing", "--apply", "--json"), "detect --apply");
    assert.deepEqual(applied.accepted.facts.map(({ name, kind }) => [name, kind]).sort(), [
      ["Captain Hale", "character"],
      ["Marrow", "place"],
      ["Tobit", "character"],
    ]);
    assert.equal(applied.accepted.mentions, 9);
    assert.deepEqual(
      (await sh("detect", "The Crossing", "--json")).json<CommandAnswer<"detect --apply">>().proposals,
      [],
    );
    await sh("undo");
    assert.equal((await sh("facts", "list", "--json")).json().total, 1);
    assert.equal(
      (await sh("detect", "The Crossing", "--json")).json<CommandAnswer<"detect --apply">>().proposals.length,
      4,
    );
  });

  it("takes only what is sure enough, and with --dry-run nothing", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: CROSSING })("import", "-", "--book", "1");
    const rehearsed = (await sh("detect", "3", "--apply", "--dry-run", "--json")).json<
      CommandAnswer<"detect --apply">
    >();
    assert.deepEqual([rehearsed.act, rehearsed.accepted.mentions], [null, 9]);
    const sure = (await sh("detect", "3", "--apply-above", "0.95", "--json")).json<
      CommandAnswer<"detect --apply">
    >();
    assert.deepEqual([sure.accepted.facts, sure.accepted.mentions], [[], 3]);
    assert.equal((await sh("facts", "list", "--json")).json().total, 1);
    for (const options of [["--apply", "--apply-above", "0.5"], ["--apply-above", "2"], ["--dry-run"]]) {
      assert.equal((await sh("detect", "3", ...options)).exit, EXIT.usage);
    }
  });

  it("proposes again what a prose write dropped", async (t) => {
    const sh = await withBook(t);
    await sh("detect", "1", "--apply");
    const rewritten = "# The Ferry\n\nBefore light came Mara, alone, to another bell entirely.\n";
    const { chapters } = (await sh("outline", "1", "--json")).json<{ chapters: { id: string }[] }>();
    const path = `/chapters/${chapters[0]?.id}/prose`;
    const put = await sh.with({ stdin: rewritten })(
      "api",
      "PUT",
      path,
      "--input",
      "-",
      "-H",
      "Content-Type: text/markdown",
    );
    assert.equal(put.exit, EXIT.done, put.stderr);
    const { proposals } = (await sh("detect", "1", "--json")).json<CommandAnswer<"detect --apply">>();
    assert.deepEqual(
      proposals.map(({ type, name, occurrences }) => [type, name, occurrences.map(({ text }) => text)]),
      [["mention", "Mara", ["Mara"]]],
    );
  });
});
