import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { connect } from "../../src/store/file/driver.ts";
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

  it("writes nothing more once that has put a trigger into the file, and reads on", async (t) => {
    const lab = await serve(t);
    const add = (name: string) => lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: { name } });
    assert.equal((await add("Bell")).status, 201);
    const other = connect(lab.manuscript.store.path);
    t.after(() => other.close());
    other.exec("CREATE TRIGGER evil AFTER INSERT ON facts BEGIN DELETE FROM facts; END");
    const refused = await add("Ferry");
    assert.equal(refused.status, 503);
    assert.match(refused.body.message, /the trigger evil is not its own/);
    assert.equal((await lab.ask("GET", `/books/${lab.sample.bookId}/facts`)).status, 200);
    other.exec("DROP TRIGGER evil");
    assert.equal((await add("Ferry")).status, 201);
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
});
