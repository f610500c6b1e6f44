import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createKey } from "../../src/service/account/keys.ts";
import { type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { suite } from "../support/sandbox.ts";

describe("a key that may read and propose", () => {
  let lab: Lab;
  const keys: Record<"one" | "other" | "writer" | "reader", string> = {
    one: "",
    other: "",
    writer: "",
    reader: "",
  };
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
    // One name for both: what counts is the key.
    keys.one = createKey(lab.manuscript, { name: "editor", allow: ["read", "propose"] }).key;
    keys.other = createKey(lab.manuscript, { name: "editor", allow: ["read", "propose"] }).key;
    keys.writer = createKey(lab.manuscript, { allow: ["read", "write"] }).key;
    keys.reader = createKey(lab.manuscript, { allow: ["read", "ai"] }).key;
  });

  const notes = () => `/books/${lab.sample.bookId}/snippets`;
  const note = async (key: string, body: object = {}): Promise<string> => {
    const made = await lab.ask("POST", notes(), {
      key,
      body: { kind: "note", text: "Which bell?", blockId: lab.sample.blockId, ...body },
    });
    assert.equal(made.status, 201, made.text);
    return made.body.id;
  };
  const proposal = async (key: string): Promise<string> => {
    const { chapterId, blockId } = lab.sample;
    const { revision } = (await lab.ask("GET", `/chapters/${chapterId}`)).body;
    const edits = [{ op: "replace", blockId, markdown: "Nobody came." }];
    const made = await lab.ask("POST", `/chapters/${chapterId}/proposals`, {
      key,
      body: { revision, edits },
    });
    assert.equal(made.status, 201, made.text);
    return made.body.id;
  };

  it("writes notes, changes and deletes its own, and the history says that it did", async () => {
    const id = await note(keys.one);
    const changed = await lab.ask("PATCH", `/snippets/${id}`, {
      key: keys.one,
      body: { kind: "note", text: "Whose bell?" },
    });
    assert.deepEqual([changed.status, changed.body.snippet?.text], [200, "Whose bell?"], changed.text);
    const [act] = (await lab.ask("GET", "/acts?limit=1")).body.acts;
    assert.deepEqual([act.kind, act.by], ["updateSnippet", "editor"]);
    assert.equal((await lab.ask("DELETE", `/snippets/${id}`, { key: keys.one })).status, 200);
    assert.equal((await lab.ask("GET", `/snippets/${id}`)).status, 404);
  });

  it("leaves the notes of others alone, and is told what it may do", async () => {
    const theirs = [lab.sample.snippetId, lab.sample.todoId, await note(keys.other), await note(lab.key)];
    const before = dump(lab.manuscript.store);
    for (const id of theirs)
      for (const [method, body] of [["PATCH", { kind: "note", text: "Mine now." }], ["DELETE"]] as const) {
        const refused = await lab.ask(method, `/snippets/${id}`, { key: keys.one, body });
        assert.deepEqual([refused.status, refused.body.error], [403, "category_disabled"], refused.text);
        assert.match(refused.body.message, /only what it made itself/);
      }
    assert.deepEqual(dump(lab.manuscript.store), before);
    const missing = await lab.ask("DELETE", "/snippets/sn_none", { key: keys.one });
    assert.equal(missing.status, 404);
  });

  it("withdraws its own proposals, whole or in part, and nobody else's", async () => {
    const id = await proposal(keys.one);
    const refused = await lab.ask("POST", `/proposals/${id}/reject`, { key: keys.other, body: {} });
    assert.deepEqual([refused.status, refused.body.error], [403, "category_disabled"], refused.text);
    const accepted = await lab.ask("POST", `/proposals/${id}/accept`, { key: keys.one, body: {} });
    assert.deepEqual([accepted.status, accepted.body.error], [403, "category_disabled"]);
    assert.match(accepted.body.message, /notes and proposals of its own/);
    const done = await lab.ask("POST", `/proposals/${id}/reject`, { key: keys.one, body: { edits: [0] } });
    assert.deepEqual([done.status, done.body.proposal?.status], [200, "rejected"], done.text);
    const by = await lab.ask("POST", `/proposals/${await proposal(keys.one)}/reject`, {
      key: keys.writer,
      body: {},
    });
    assert.equal(by.status, 200);
  });

  it("keeps what it made where that was deleted and brought back", async () => {
    const id = await note(keys.one);
    const { act } = (await lab.ask("DELETE", `/snippets/${id}`)).body;
    await lab.ask("POST", `/acts/${act}/undo`);
    assert.equal((await lab.ask("DELETE", `/snippets/${id}`, { key: keys.one })).status, 200);
  });

  it("does none of it where proposing is switched off, nor does a key that may only read", async (t) => {
    const body = { kind: "note", text: "No." };
    const refused = await lab.ask("POST", notes(), { key: keys.reader, body });
    assert.deepEqual([refused.status, refused.body.error], [403, "category_disabled"]);
    assert.doesNotMatch(refused.body.message, /of its own/);
    for (const tier of ["propose", "write"] as const) {
      const other = await serve(t, { disable: [tier] });
      const { key } = createKey(other.manuscript, { allow: ["read", "propose"] });
      const path = `/books/${other.sample.bookId}/snippets`;
      const answer = await other.ask("POST", path, { key, body });
      assert.deepEqual([answer.status, answer.body.error], [403, "category_disabled"], tier);
    }
  });
});

describe("a note that answers another", () => {
  let lab: Lab;
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
  });
  const answer = (body: object) => lab.ask("POST", `/books/${lab.sample.bookId}/snippets`, { body });

  it("stands beside the same place and quotes what it answers", async () => {
    const { snippetId, blockId, chapterId } = lab.sample;
    const made = await answer({ kind: "note", text: "No, it is dawn.", replyTo: snippetId });
    assert.equal(made.status, 201, made.text);
    const { snippet } = made.body;
    assert.deepEqual(
      [snippet.text, snippet.blockId, snippet.chapterId],
      ["> Too dark?\n\nNo, it is dawn.", blockId, chapterId],
    );
    const again = await answer({ kind: "note", text: "So be it.", replyTo: made.body.id });
    assert.equal(again.body.snippet.text, "> No, it is dawn.\n\nSo be it.");
  });

  it("quotes a line of a long note, and the entries of a to-do list", async () => {
    const long = await answer({ kind: "note", text: `${"word ".repeat(100)}\nsecond line` });
    const made = await answer({ kind: "note", text: "Yes.", replyTo: long.body.id });
    assert.match(made.body.snippet.text, /^> word (word )+word…\n\nYes\.$/);
    assert.ok(made.body.snippet.text.length < 120);
    const todo = await answer({ kind: "note", text: "In the drawer.", replyTo: lab.sample.todoId });
    assert.equal(todo.body.snippet.text, "> tide table\n\nIn the drawer.");
  });

  it("is refused with a place of its own, or where there is nothing to answer", async () => {
    const { snippetId, chapterId } = lab.sample;
    const placed = await answer({ kind: "note", text: "x", replyTo: snippetId, chapterId });
    assert.deepEqual([placed.status, placed.body.error], [400, "bad_request"], placed.text);
    assert.equal((await answer({ kind: "note", text: "x", replyTo: "sn_none" })).status, 404);
    assert.equal((await answer({ kind: "note", text: "", replyTo: snippetId })).status, 400);
    const { id } = (await lab.ask("POST", "/books", { body: { title: "Two" } })).body;
    const other = await lab.ask("POST", `/books/${id}/snippets`, {
      body: { kind: "note", text: "x", replyTo: snippetId },
    });
    assert.equal(other.status, 404);
    const full = await answer({ kind: "note", text: "x".repeat(100_000), replyTo: snippetId });
    assert.equal(full.status, 400, full.text.slice(0, 300));
  });
});
