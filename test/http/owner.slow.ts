import assert from "node:assert/strict";
import { it } from "node:test";
import { createHelpers } from "../../src/http/helpers/helpers.ts";
import { serve, signedIn } from "../support/client.ts";

it("the owner's rows go on with helpers, and a copy is put back under questions that run", async (t) => {
  const lab = await serve(t, { helpers: createHelpers() });
  const { ask } = await signedIn(lab);
  assert.notEqual((await ask("POST", "/owner/file/check")).body.status, "fail");
  const files = [{ path: "a.md", text: "# A\n\nThe ferry left.\n" }];
  const { body } = await ask("POST", "/owner/import", { body: { files } });
  assert.equal(body.chapters.length, 1);
  const { copy } = (await ask("POST", "/owner/backups")).body;
  await ask("DELETE", `/books/${body.bookId}`);
  const search = () => ask("GET", `/books/${lab.sample.bookId}/search?q=ferry`).then(({ status }) => status);
  assert.equal(await search(), 200);
  const asked = Array.from({ length: 6 }, search);
  const restored = await ask("POST", "/owner/backups/restore", { body: { copy } });
  assert.equal(restored.status, 200, restored.text);
  // A question that had begun when its process was ended is told so.
  for (const status of await Promise.all(asked)) assert.ok(status === 200 || status === 503, String(status));
  assert.equal(await search(), 200);
  assert.equal((await ask("GET", `/books/${body.bookId}`)).status, 200);
  assert.notEqual((await ask("POST", "/owner/file/check")).body.status, "fail");
});
