import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { changeAccount } from "../../src/service/account/account.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { type Lab, secondWriter, serve } from "../support/client.ts";
import { MARKDOWN } from "../support/sample.ts";
import { suite } from "../support/sandbox.ts";

describe("read tier", () => {
  let lab: Lab;
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
  });

  it("lists the books", async () => {
    const { status, body } = await lab.ask("GET", "/books");
    assert.equal(status, 200);
    assert.equal(body.total, 1);
    assert.deepEqual(Object.keys(body.books[0]), [
      "id",
      "title",
      "wordCount",
      "chapterCount",
      "createdAt",
      "updatedAt",
    ]);
  });

  it("reads the outline: parts, chapters in order, goal, thirty days of progress", async () => {
    const { body } = await lab.ask("GET", `/books/${lab.sample.bookId}`);
    assert.deepEqual(
      body.parts.map(({ title }: { title: string }) => title),
      ["Out", "Back"],
    );
    assert.deepEqual(body.parts[0].chapterIds, [lab.sample.chapterId]);
    assert.deepEqual(
      body.chapters.map(({ position, status }: { position: number; status: string }) => [position, status]),
      [
        [1, "draft"],
        [2, "revising"],
      ],
    );
    assert.equal(body.goal.targetWords, 1000);
    assert.equal(body.goal.remainingWords, 1000 - body.wordCount);
    assert.equal(body.progress.length, 30);
    assert.equal(body.progress.at(-1).added, body.wordCount);
  });

  it("reads a chapter as text, document, Markdown and bare Markdown", async () => {
    const path = `/chapters/${lab.sample.chapterId}`;
    const text = (await lab.ask("GET", path)).body;
    assert.match(
      text.text,
      /^The Ferry\n\nMara came down to the ferry before light.*\n\n“You are late,” said old Tobit\.\n\n\* \* \*\n\n/,
    );
    assert.equal((await lab.ask("GET", `${path}?format=markdown`)).body.markdown, MARKDOWN);
    const bare = await lab.ask("GET", path, { headers: { Accept: "text/markdown" } });
    assert.equal(bare.text, MARKDOWN);
    assert.match(bare.headers.get("content-type") ?? "", /^text\/markdown/);
    const { doc } = (await lab.ask("GET", `${path}?format=doc`)).body;
    assert.equal(doc.type, "doc");
    assert.ok(
      doc.content.every(
        ({ type, attrs }: { type: string; attrs: object }) =>
          type.includes("list") || type === "blockquote" || "blockId" in attrs,
      ),
    );
    assert.match(JSON.stringify(doc), /"type":"mention","attrs":\{"mentionId":"me_/);
    assert.equal((await lab.ask("GET", `${path}?format=html`)).status, 400);
  });

  it("answers 304 while the client's copy is good, format by format", async () => {
    const path = `/chapters/${lab.sample.chapterId}`;
    const first = await lab.ask("GET", path);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^"ch_[^.]+\.1\.\d+\.text"$/);
    assert.equal(first.headers.get("vary"), "Accept");
    assert.equal((await lab.ask("GET", path, { headers: { "If-None-Match": etag } })).status, 304);
    assert.equal(
      (await lab.ask("GET", `${path}?format=doc`, { headers: { "If-None-Match": etag } })).status,
      200,
    );
  });

  it("reads a fact and where it is mentioned", async () => {
    const { body } = await lab.ask("GET", `/facts/${lab.sample.factId}`);
    assert.equal(body.fact.name, "Mara");
    assert.equal(body.fact.mentionCount, body.mentions.length);
    const [first] = body.mentions;
    assert.deepEqual(
      [first.chapterTitle, first.from, first.to, first.text, first.before],
      ["The Ferry", 0, 4, "Mara", ""],
    );
    assert.match(first.after, /^ came down/);
  });

  it("searches prose and cast", async () => {
    const { body } = await lab.ask("GET", `/books/${lab.sample.bookId}/search?q=lit%20lamp&limit=99`);
    assert.equal(body.limit, 50);
    assert.equal(body.chapters[0].chapterId, lab.sample.otherChapterId);
    const [{ text, highlights }] = body.chapters[0].excerpts;
    assert.match(text.slice(...highlights[0]), /lit|lamp/i);
    assert.equal(
      (await lab.ask("GET", `/books/${lab.sample.bookId}/search?q=keeps`)).body.facts[0].name,
      "Mara",
    );
    for (const bad of [
      "",
      "?q=",
      "?q=%20",
      "?q=a&q=b",
      `?q=${"x".repeat(501)}`,
      "?q=a&limit=0",
      "?q=a&limit=1.5",
      "?q=a&limit=x",
    ]) {
      assert.equal((await lab.ask("GET", `/books/${lab.sample.bookId}/search${bad}`)).status, 400, bad);
    }
    const nothing = await lab.ask("GET", `/books/${lab.sample.bookId}/search?q=%3F!`);
    assert.deepEqual([nothing.status, nothing.body.total], [200, 0]);
  });

  it("lists marginalia, of the book and of one chapter", async () => {
    const path = `/books/${lab.sample.bookId}/snippets`;
    assert.equal((await lab.ask("GET", path)).body.total, 2);
    assert.equal((await lab.ask("GET", `${path}?chapterId=${lab.sample.otherChapterId}`)).body.total, 0);
    assert.equal((await lab.ask("GET", `${path}?chapterId=ch_nobody`)).status, 404);
  });
});

describe("prose writes", () => {
  it("PUT Markdown keeps what is the same, drops every mention and lists it, detaches marginalia and keeps the note", async (t) => {
    const lab = await serve(t);
    const { chapterId, blockId, snippetId } = lab.sample;
    const markdown = MARKDOWN.replace(/Mara came[^\n]*\n\n/, "").replace("- lamp", "- lamps");
    const put = await lab.ask("PUT", `/chapters/${chapterId}/prose`, {
      body: markdown,
      headers: { "Content-Type": "text/markdown" },
    });
    assert.equal(put.status, 200);
    assert.equal(put.body.revision, 2);
    assert.equal(put.body.changed, true);
    assert.deepEqual(
      put.body.removed.map(({ blockId: id }: { blockId: string }) => id),
      [blockId],
    );
    assert.deepEqual(
      put.body.mentionsDropped.map(({ name, reason }: Record<string, string>) => [name, reason]),
      [
        ["Mara", "removed"],
        ["Tobit", "markdown"],
      ],
    );
    assert.deepEqual(
      put.body.snippetsDetached.map(({ id }: { id: string }) => id),
      [snippetId],
    );
    const { snippets } = (await lab.ask("GET", `/books/${lab.sample.bookId}/snippets`)).body;
    const note = snippets.find(({ id }: { id: string }) => id === snippetId);
    assert.deepEqual(
      [note.blockId, note.chapterId, note.detached.blockId, note.detached.revision],
      [null, chapterId, blockId, 1],
    );
    const restored = await lab.ask("POST", `/chapters/${chapterId}/restore`, { body: { revision: 1 } });
    assert.equal(restored.body.revision, 3);
    const again = (await lab.ask("GET", `/books/${lab.sample.bookId}/snippets`)).body.snippets;
    assert.equal(again.find(({ id }: { id: string }) => id === snippetId).blockId, blockId);
  });

  it("PUT of the document that GET gave changes nothing", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}`;
    const { doc } = (await lab.ask("GET", `${path}?format=doc`)).body;
    const put = await lab.ask("PUT", `${path}/prose`, { body: { doc } });
    assert.deepEqual(
      [put.status, put.body.changed, put.body.revision, put.body.mentionsDropped],
      [200, false, 1, []],
    );
  });

  it("PUT of the same Markdown drops mentions, unless they are to be kept", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}/prose`;
    const kept = await lab.ask("PUT", `${path}?mentions=keep`, { body: { markdown: MARKDOWN } });
    assert.deepEqual([kept.body.changed, kept.body.mentionsDropped.length], [false, 0]);
    const dropped = await lab.ask("PUT", path, { body: { markdown: MARKDOWN } });
    assert.deepEqual([dropped.body.changed, dropped.body.mentionsDropped.length], [true, 2]);
    const { body } = await lab.ask("PUT", path, { body: { markdown: "New.\n" } });
    assert.deepEqual(
      [body.blocks.length, body.removed.length > 0, body.snippetsDetached.length],
      [1, true, 1],
    );
  });

  it("PATCH changes one paragraph and keeps its id, its marginalia and everything else", async (t) => {
    const lab = await serve(t);
    const { chapterId, blockId, snippetId } = lab.sample;
    const path = `/chapters/${chapterId}/paragraphs/${blockId}`;
    const same = await lab.ask("PATCH", path, {
      body: MARKDOWN.split("\n\n")[1],
      headers: { "Content-Type": "text/markdown" },
    });
    assert.deepEqual([same.body.changed, same.body.mentionsDropped], [false, []]);
    const patched = await lab.ask("PATCH", path, { body: { markdown: "Nobody came." } });
    assert.deepEqual(
      [patched.body.changed, patched.body.revision, patched.body.mentionsDropped.length],
      [true, 2, 1],
    );
    const { markdown } = (await lab.ask("GET", `/chapters/${chapterId}?format=markdown`)).body;
    assert.equal(markdown, MARKDOWN.replace(/Mara came[^\n]*/, "Nobody came."));
    const { snippets } = (await lab.ask("GET", `/books/${lab.sample.bookId}/snippets`)).body;
    assert.equal(snippets.find(({ id }: { id: string }) => id === snippetId).blockId, blockId);
    assert.equal((await lab.ask("PATCH", path, { body: { markdown: "One.\n\nTwo." } })).status, 400);
    assert.equal((await lab.ask("PATCH", path, { body: { markdown: " " } })).status, 400);
    assert.equal(
      (await lab.ask("PATCH", `/chapters/${chapterId}/paragraphs/b_none`, { body: { markdown: "x" } }))
        .status,
      404,
    );
    assert.equal(
      (
        await lab.ask("PATCH", `/chapters/${lab.sample.otherChapterId}/paragraphs/${blockId}`, {
          body: { markdown: "x" },
        })
      ).status,
      404,
    );
  });

  it("PATCH reaches a paragraph inside a quote or a list", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}`;
    const { doc } = (await lab.ask("GET", `${path}?format=doc`)).body;
    const quote = doc.content.find(({ type }: { type: string }) => type === "blockquote");
    const patched = await lab.ask("PATCH", `${path}/paragraphs/${quote.content[0].attrs.blockId}`, {
      body: { markdown: "The tide waits." },
    });
    assert.equal(patched.status, 200);
    const { markdown } = (await lab.ask("GET", `${path}?format=markdown`)).body;
    assert.equal(markdown, MARKDOWN.replace(/> The tide[\s\S]*tide\.\n/, "> The tide waits.\n"));
  });

  it("refuses a write to a chapter that has moved on, by If-Match and by ifRevision", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}`;
    const etag = (await lab.ask("GET", path)).headers.get("etag") ?? "";
    await lab.ask("PUT", `${path}/status`, { body: { status: "done" } });
    const first = await lab.ask("PUT", `${path}/prose`, {
      body: { markdown: "One.\n" },
      headers: { "If-Match": etag },
    });
    assert.equal(first.status, 200, "a changed status does not refuse a rewrite");
    const second = await lab.ask("PUT", `${path}/prose`, {
      body: { markdown: "Two.\n" },
      headers: { "If-Match": etag },
    });
    assert.deepEqual(
      [second.status, second.body.error, second.body.currentRevision],
      [412, "revision_conflict", 2],
    );
    const third = await lab.ask("PUT", `${path}/prose`, { body: { markdown: "Two.\n", ifRevision: 1 } });
    assert.equal(third.status, 412);
    assert.equal(
      (await lab.ask("PUT", `${path}/prose`, { body: { markdown: "Two.\n", ifRevision: 2 } })).status,
      200,
    );
  });
});

describe("tiers", () => {
  it("a write without a subscription is 403 subscription_required, before its body is looked at", async (t) => {
    const lab = await serve(t);
    changeAccount(lab.manuscript, { subscription: false });
    const refused = await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: { nonsense: 1 } });
    assert.deepEqual([refused.status, refused.body.error], [403, "subscription_required"]);
    assert.equal((await lab.ask("GET", "/books")).status, 200);
    changeAccount(lab.manuscript, { subscription: true });
    assert.equal(
      (await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: { name: "Bell" } })).status,
      201,
    );
  });

  it("an AI call without credits is 402, and without an engine 503; neither costs anything", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}/synopsis`;
    Object.assign(lab.manuscript, { reader: null });
    const idle = await lab.ask("POST", path);
    assert.deepEqual([idle.status, idle.body.error], [503, "unavailable"]);
    changeAccount(lab.manuscript, { allowance: 0, credits: 0 });
    const refused = await lab.ask("POST", path);
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.required, refused.body.available],
      [402, "insufficient_credits", 1, 0],
    );
    assert.equal((await lab.ask("POST", "/chapters/ch_none/check")).status, 404);
  });

  it("a key that does not allow a tier, or a server that does not, is 403 category_disabled", async (t) => {
    const lab = await serve(t, { disable: ["ai"] });
    const { key } = createKey(lab.manuscript, { allow: ["read"] });
    const refused = await lab.ask("PUT", `/chapters/${lab.sample.chapterId}/status`, {
      body: { status: "done" },
      key,
    });
    assert.deepEqual([refused.status, refused.body.error], [403, "category_disabled"]);
    assert.equal((await lab.ask("GET", "/books", { key })).status, 200);
    const ai = await lab.ask("POST", `/chapters/${lab.sample.chapterId}/check`);
    assert.deepEqual([ai.status, ai.body.error], [403, "category_disabled"]);
  });
});

describe("two writers in one server", () => {
  it("what belongs to another is not found, in the same words as what is missing", async (t) => {
    const other = secondWriter(t);
    const own = await serve(t);
    const lab = await serve(t, { manuscripts: [own.manuscript, other.manuscript] });
    const key = createKey(own.manuscript, {}).key;
    assert.equal((await lab.ask("GET", `/books/${own.sample.bookId}`, { key })).status, 200);
    assert.equal((await lab.ask("GET", `/books/${other.sample.bookId}`, { key: other.key })).status, 200);
    const { bookId, chapterId, factId, snippetId, blockId } = other.sample;
    for (const [method, path, body] of [
      ["GET", `/books/${bookId}`],
      ["GET", `/chapters/${chapterId}`],
      ["GET", `/facts/${factId}`],
      ["PUT", `/chapters/${chapterId}/prose`, { markdown: "Mine.\n" }],
      ["PATCH", `/chapters/${chapterId}/paragraphs/${blockId}`, { markdown: "Mine." }],
      ["PATCH", `/snippets/${snippetId}`, { kind: "note" }],
      ["DELETE", `/snippets/${snippetId}`],
      ["POST", "/facts/merge", { keepId: own.sample.factId, dropId: factId }],
    ] as const) {
      const theirs = await lab.ask(method, path, { key, body });
      const missing = await lab.ask(method, path.replace(/(bk|ch|fa|sn|b)_\w+/g, "$1_missing"), {
        key,
        body,
      });
      assert.deepEqual(
        [theirs.status, theirs.body],
        [404, missing.status === 404 ? missing.body : theirs.body],
        `${method} ${path}`,
      );
    }
  });
});
