import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { createFact } from "../../src/service/annotations/facts.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { connect } from "../../src/store/driver.ts";
import { serve } from "../support/client.ts";
import { OWNER } from "../support/sample.ts";

describe("the server and another program on one file", () => {
  it("the very next search and read see what another program wrote", async (t) => {
    const lab = await serve(t);
    const { bookId, chapterId } = lab.sample;
    await lab.ask("GET", `/books/${bookId}/search?q=ferry`);
    const other = openManuscript(lab.manuscript.store.path);
    t.after(() => other.close());
    for (let count = 0; count < 20; count++) {
      replaceProse(other, chapterId, { markdown: `A word${count} of its own.\n` }, OWNER);
      const { body } = await lab.ask("GET", `/books/${bookId}/search?q=word${count}`);
      assert.equal(body.chapters[0]?.chapterId, chapterId, `write ${count}`);
    }
    const { body } = await lab.ask("GET", `/chapters/${chapterId}`);
    assert.match(body.text, /word19/);
  });

  it("waits for another program's write without holding up its own reads, and then writes", async (t) => {
    const lab = await serve(t);
    const holder = connect(lab.manuscript.store.path);
    holder.exec("BEGIN IMMEDIATE");
    t.after(() => holder.close());
    const written: string[] = [];
    const write = lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: { name: "Bell" } });
    const isWritten = write.then(() => written.push("Bell"));
    const read = await lab.ask("GET", "/books");
    assert.equal(read.status, 200);
    assert.deepEqual(written, [], "the lock is still held");
    holder.exec("ROLLBACK");
    await isWritten;
    assert.equal((await write).status, 201);
  });

  it("two programs that write at once lose nothing", async (t) => {
    const lab = await serve(t);
    const script = `
      const { openManuscript } = await import(${JSON.stringify(import.meta.resolve("../../src/service/manuscript.ts"))});
      const { createFact } = await import(${JSON.stringify(import.meta.resolve("../../src/service/annotations/facts.ts"))});
      const m = openManuscript(process.argv[1]);
      for (let i = 0; i < 60; i++) createFact(m, process.argv[2], { name: "theirs " + i }, { source: "cli" });
      m.close();`;
    const { path } = lab.manuscript.store;
    const args = ["--import", "tsx", "--input-type=module", "-e", script, path, lab.sample.bookId];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const exit = once(child, "exit");
    for (let count = 0; count < 60; count++) {
      const made = await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, {
        body: { name: `ours ${count}` },
      });
      assert.equal(made.status, 201);
    }
    assert.deepEqual(await exit, [0, null]);
    const { body } = await lab.ask("GET", `/books/${lab.sample.bookId}/facts`);
    assert.equal(body.facts.filter(({ name }: { name: string }) => /^(ours|theirs) /.test(name)).length, 120);
  });

  it("an acknowledged write is there after the process was killed", async (t) => {
    const lab = await serve(t);
    const { path } = lab.manuscript.store;
    const script = `
      const { openManuscript } = await import(${JSON.stringify(import.meta.resolve("../../src/service/manuscript.ts"))});
      const { createFact } = await import(${JSON.stringify(import.meta.resolve("../../src/service/annotations/facts.ts"))});
      const m = openManuscript(process.argv[1]);
      for (let i = 0; ; i++) process.stdout.write(createFact(m, process.argv[2], { name: "n" + i }, { source: "cli" }).id + "\\n");`;
    const args = ["--import", "tsx", "--input-type=module", "-e", script, path, lab.sample.bookId];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let told = "";
    for await (const chunk of child.stdout) {
      told += chunk;
      if (told.split("\n").length > 50) child.kill("SIGKILL");
    }
    const ids = told.split("\n").slice(0, -1);
    const { body } = await lab.ask("GET", `/books/${lab.sample.bookId}/facts`);
    const stored = new Set(body.facts.map(({ id }: { id: string }) => id));
    assert.ok(ids.length >= 50);
    assert.deepEqual(
      ids.filter((id) => !stored.has(id)),
      [],
    );
    createFact(lab.manuscript, lab.sample.bookId, { name: "after" }, OWNER);
  });
});
