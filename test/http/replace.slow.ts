import assert from "node:assert/strict";
import { it } from "node:test";
import { serve } from "../support/client.ts";

it("POST /books/{bookId}/replace stops a regular expression that takes too long, and writes nothing", async (t) => {
  const lab = await serve(t);
  const { id } = (await lab.ask("POST", "/books", { body: { title: "Words" } })).body;
  const markdown = `${"a".repeat(40)}!\n`;
  const chapter = { title: "C", markdown };
  const { id: chapterId } = (await lab.ask("POST", `/books/${id}/chapters`, { body: chapter })).body;
  const body = { find: "(a+)+\\d", with: "x", regex: true };
  const slow = await lab.ask("POST", `/books/${id}/replace`, { body });
  assert.deepEqual([slow.status, slow.body.error], [400, "bad_request"]);
  assert.match(slow.body.message, /takes too long/);
  const read = await lab.ask("GET", `/chapters/${chapterId}?format=markdown`);
  assert.equal(read.body.markdown, markdown);
});
