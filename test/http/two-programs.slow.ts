import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { createFact } from "../../src/service/annotations/facts.ts";
import { serve } from "../support/client.ts";
import { OWNER } from "../support/sample.ts";

describe("the server and another program on one file", () => {
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
