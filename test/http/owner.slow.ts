import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { it } from "node:test";
import { RequestWorker } from "../../src/http/worker.ts";
import { serve, signedIn } from "../support/client.ts";
import { firstSaid } from "../support/first-said.ts";

const DRIVER = join(import.meta.dirname, "../../src/store/file/driver.ts");

it("the owner's rows go on with a worker, and a copy is put back under questions that run", async (t) => {
  const lab = await serve(t, { worker: new RequestWorker() });
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

it("a copy is not put back while another program has the file open, and the server goes on", async (t) => {
  const lab = await serve(t, { worker: new RequestWorker() });
  const { ask } = await signedIn(lab);
  const { copy } = (await ask("POST", "/owner/backups")).body;
  const program = `const { connect } = await import(${JSON.stringify(DRIVER)});
    connect(${JSON.stringify(lab.manuscript.store.path)}).prepare("SELECT * FROM books").all(); console.log("open"); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => other.kill());
  await firstSaid(other);
  const refused = await ask("POST", "/owner/backups/restore", { body: { copy } });
  if (process.platform === "linux") {
    assert.equal(refused.status, 503);
    assert.match(refused.body.message, new RegExp(`is open in process ${other.pid}`));
  }
  assert.equal((await ask("POST", "/books", { body: { title: "Later" } })).status, 201);
  other.kill();
  await once(other, "exit");
  assert.equal((await ask("POST", "/owner/backups/restore", { body: { copy } })).status, 200);
});
