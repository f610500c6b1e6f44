import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { changeAccount } from "../../src/service/account/account.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { fakeModel } from "../ai/llm/fake-model.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

it("detect --all stops at a language model that hangs, and goes on behind what it has answered", async (t) => {
  const sh = await withBook(t);
  for (const title of ["One", "Two"])
    await sh.with({ stdin: `# ${title}\n\nIt rained.\n` })("import", "-", "--book", "1");
  await sh("account", "set", "--allowance", "0", "--credits", "9");
  let isSlow = true;
  const fake = await fakeModel(t, ({ user }) =>
    isSlow && !user.includes("before light") ? () => {} : '{"items": []}',
  );
  const manuscript = openManuscript(join(sh.cwd, "book.manuscript"));
  changeAccount(manuscript, { llm: { url: fake.url, model: "m", timeoutSeconds: 2 } });
  manuscript.close();
  const hung = await sh("detect", "--all", "--yes");
  assert.equal(hung.exit, EXIT.failed, hung.stderr);
  assert.match(hung.stderr, /^1 of 4 chapters done and paid for[\s\S]*three chapters in a row/m);
  isSlow = false;
  const { chapters } = fits(await sh("detect", "--all", "--json"), "detect --all");
  assert.deepEqual(
    chapters.map(({ cost }) => cost),
    [0, 1, 1, 1],
  );
});
