import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Answer, type Lab, serve } from "../support/client.ts";
import { MARKDOWN } from "../support/sample.ts";

const FORMS = ["", "?format=doc", "?format=markdown"];

/** Writes that a chapter's reader sees, though its prose stays: `[what, method, path, body]`. */
const SEEN: readonly [string, string, string, object?][] = [
  ["a status", "PUT", "/chapters/{chapterId}/status", { status: "done" }],
  ["a synopsis", "PUT", "/chapters/{chapterId}/synopsis", { synopsis: "She is late." }],
  ["a title", "PATCH", "/chapters/{chapterId}", { title: "The Late Ferry" }],
  ["a merge", "POST", "/facts/merge", { keepId: "{otherFactId}", dropId: "{factId}" }],
  ["a deleted fact", "DELETE", "/facts/{factId}"],
  [
    "a new mention",
    "POST",
    "/chapters/{chapterId}/mentions",
    { revision: 1, mentions: [{ factId: "{otherFactId}", blockId: "{blockId}", from: 5, to: 9 }] },
  ],
  ["a sibling that moved before it", "PATCH", "/chapters/{otherChapterId}", { position: 1 }],
  ["a new sibling before it", "POST", "/books/{bookId}/chapters", { title: "First", position: 1 }],
  ["its part's end", "DELETE", "/parts/{partId}"],
];

describe("the ETag", () => {
  for (const [what, method, path, body] of SEEN) {
    it(`rises with ${what}, and is another one again after the undo`, async (t) => {
      const lab = await serve(t);
      const before = await etags(lab);
      const done = await lab.ask(method, fill(lab, path), {
        body: body && JSON.parse(fill(lab, JSON.stringify(body))),
      });
      assert.ok(done.status < 300, done.text);
      const after = await etags(lab);
      await lab.ask("POST", `/acts/${done.body.act}/undo`);
      const again = await etags(lab);
      FORMS.forEach((form, index) => {
        assert.equal(new Set([before[index], after[index], again[index]]).size, 3, form);
      });
      // A heading follows its chapter's title: that is two writes of prose, there and back.
      const revision = what === "a title" ? "3" : "1";
      assert.ok(
        again.every((etag) => etag.split(".")[1] === revision),
        "no other write makes a revision of the prose",
      );
    });
  }

  it("of prose that was undone is of a new revision", async (t) => {
    const lab = await serve(t);
    const seen = [await tagOf(lab)];
    const path = `/chapters/${lab.sample.chapterId}/prose`;
    let { act } = (await lab.ask("PUT", path, { body: { markdown: "All else.\n" } })).body;
    seen.push(await tagOf(lab));
    for (let count = 0; count < 3; count++) {
      act = (await lab.ask("POST", `/acts/${act}/undo`)).body.act;
      seen.push(await tagOf(lab));
    }
    assert.deepEqual(
      seen.map((tag) => tag.split(".")[1]),
      ["1", "2", "3", "4", "5"],
    );
  });

  it("stays through a write that changed nothing and through a dry run", async (t) => {
    const lab = await serve(t);
    const before = await etags(lab);
    const path = `/chapters/${lab.sample.chapterId}`;
    await lab.ask("PUT", `${path}/status`, { body: { status: "draft" } });
    await lab.ask("PUT", `${path}/status?dryRun=1`, { body: { status: "done" } });
    await lab.ask("PUT", `${path}/prose?dryRun=1`, { body: { markdown: "All else.\n" } });
    assert.deepEqual(await etags(lab), before);
  });

  it("of bare Markdown is its own and answers 304, weakly compared, one of a list, or any", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}`;
    const Accept = "text/markdown";
    const bare = await lab.ask("GET", path, { headers: { Accept } });
    const etag = bare.headers.get("etag") ?? "";
    assert.equal(bare.text, MARKDOWN);
    assert.ok(!(await etags(lab)).includes(etag));
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await lab.ask("GET", path, { headers: { Accept, "If-None-Match": held } });
      assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag], held);
      assert.equal(again.headers.get("vary"), "Accept");
    }
    const json = await lab.ask("GET", path, { headers: { "If-None-Match": etag } });
    assert.equal(json.status, 200, "JSON is another answer");
  });

  it("HEAD answers as GET does, without the body", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}`;
    for (const asked of [path, `${path}?format=doc`, "/books", `/books/${lab.sample.bookId}`]) {
      const [get, head] = [await lab.ask("GET", asked), await lab.ask("HEAD", asked)];
      assert.deepEqual([head.status, head.text], [200, ""]);
      for (const name of ["etag", "content-type", "content-length", "vary"]) {
        assert.equal(head.headers.get(name), get.headers.get(name), `${asked} ${name}`);
      }
    }
    const held = { "If-None-Match": await tagOf(lab) };
    assert.equal((await lab.ask("HEAD", path, { headers: held })).status, 304);
    assert.equal((await lab.ask("HEAD", "/chapters/ch_none")).status, 404);
    assert.equal((await lab.ask("HEAD", path, { key: null })).status, 401);
  });
});

describe("If-Match", () => {
  const WRITES: readonly [string, string, object?][] = [
    ["PUT", "/chapters/{chapterId}/status", { status: "revising" }],
    ["PUT", "/chapters/{chapterId}/synopsis", { synopsis: "Late." }],
    ["PATCH", "/chapters/{chapterId}", { title: "Late" }],
    ["DELETE", "/chapters/{chapterId}"],
  ];
  for (const [method, path, body] of WRITES) {
    it(`${method} ${path} compares the whole ETag, of any format`, async (t) => {
      const lab = await serve(t);
      const old = await tagOf(lab);
      await lab.ask("PUT", `/chapters/${lab.sample.chapterId}/synopsis`, { body: { synopsis: "Else." } });
      const [, doc = ""] = await etags(lab);
      const send = (held: string) =>
        lab.ask(method, fill(lab, path), { body, headers: { "If-Match": held } });
      for (const held of [old, `W/${doc}`, doc.replaceAll('"', ""), '"ch_other.1.1.text"', '""']) {
        const refused = await send(held);
        assert.deepEqual(
          [refused.status, refused.body.error, refused.body.currentRevision],
          [412, "revision_conflict", 1],
          held,
        );
      }
      assert.equal((await send(`${old}, ${doc}`)).status, 200);
    });
  }

  it("on PATCH of a paragraph and on restore compares the revision alone", async (t) => {
    const lab = await serve(t);
    const { chapterId } = lab.sample;
    const paragraph = fill(lab, "/chapters/{chapterId}/paragraphs/{blockId}");
    const first = await tagOf(lab);
    await lab.ask("PUT", `/chapters/${chapterId}/status`, { body: { status: "done" } });
    const patch = (held: string, markdown: string) =>
      lab.ask("PATCH", paragraph, { body: { markdown }, headers: { "If-Match": held } });
    const restore = (held: string) =>
      lab.ask("POST", `/chapters/${chapterId}/restore`, {
        body: { revision: 1 },
        headers: { "If-Match": held },
      });
    assert.equal((await patch(first, "Nobody.")).status, 200);
    const second = await tagOf(lab);
    for (const held of [first, `W/${second}`]) {
      for (const refused of [await patch(held, "No."), await restore(held)]) {
        assert.deepEqual([refused.status, refused.body.currentRevision], [412, 2], held);
      }
    }
    assert.equal((await restore(second)).status, 200);
    assert.equal((await patch("*", "No.")).status, 200);
    const stale = await lab.ask("PATCH", paragraph, { body: { markdown: "x", ifRevision: 1 } });
    assert.deepEqual([stale.status, stale.body.currentRevision], [412, 4]);
  });
});

describe("search", () => {
  for (const [chapters, facts, limit, shown] of [
    [10, 10, 8, [6, 2]],
    [10, 1, 8, [7, 1]],
    [2, 10, 8, [2, 6]],
    [10, 0, 8, [8, 0]],
    [10, 10, 2, [1, 1]],
    [3, 3, 20, [3, 3]],
  ] as const) {
    it(`${limit} places for ${chapters} chapters and ${facts} facts are shared ${shown.join(" to ")}`, async (t) => {
      const lab = await serve(t);
      await fillBook(lab, chapters, facts);
      const { body } = await search(lab, "lantern", `&limit=${limit}`);
      assert.deepEqual([body.chapters.length, body.facts.length], shown);
      assert.deepEqual([body.limit, body.total], [limit, chapters + facts]);
    });
  }

  it("distinct words beyond sixteen are ignored and named", async (t) => {
    const lab = await serve(t);
    const words = Array.from({ length: 18 }, (_, index) => `word${String.fromCharCode(97 + index)}`);
    assert.deepEqual((await search(lab, words.join(" "))).body.ignored, words.slice(16));
    assert.deepEqual((await search(lab, `${words.slice(0, 16).join(" ")} worda WORDB`)).body.ignored, []);
  });

  it("relaxed is true only where nothing holds every word", async (t) => {
    const lab = await serve(t);
    assert.equal((await search(lab, "lamp tobit")).body.relaxed, false);
    const { body } = await search(lab, "lamp zeppelin");
    assert.deepEqual([body.relaxed, body.total > 0, body.query], [true, true, "lamp zeppelin"]);
    const nothing = (await search(lab, "zeppelin quagmire")).body;
    assert.deepEqual([nothing.chapters, nothing.facts, nothing.total], [[], [], 0]);
  });

  it("takes exactly 500 characters", async (t) => {
    const lab = await serve(t);
    const q = `lamp ${"x".repeat(495)}`;
    assert.equal((await search(lab, q)).status, 200);
    assert.equal((await search(lab, `${q}x`)).status, 400);
  });

  it("finds what was just written, and no more what was just undone", async (t) => {
    const lab = await serve(t);
    const path = fill(lab, "/chapters/{chapterId}/paragraphs/{blockId}");
    const { act } = (await lab.ask("PATCH", path, { body: { markdown: "A zeppelin came down." } })).body;
    const [hit] = (await search(lab, "zeppelin")).body.chapters;
    assert.equal(hit.excerpts[0].blockId, lab.sample.blockId);
    await lab.ask("POST", `/acts/${act}/undo`);
    assert.equal((await search(lab, "zeppelin")).body.total, 0);
  });
});

/** The path or body with the sample's ids for its braces. */
function fill(lab: Lab, text: string): string {
  return text.replace(/\{(\w+Id)\}/g, (_, name: string) => lab.sample[name as keyof Lab["sample"]]);
}

/** The chapter's entity tags, one for each format. */
async function etags(lab: Lab): Promise<string[]> {
  const tags: string[] = [];
  for (const form of FORMS) {
    const { headers } = await lab.ask("GET", `/chapters/${lab.sample.chapterId}${form}`);
    tags.push(headers.get("etag") ?? "");
  }
  return tags;
}

async function tagOf(lab: Lab): Promise<string> {
  return (await etags(lab))[0] ?? "";
}

function search(lab: Lab, q: string, rest = ""): Promise<Answer> {
  return lab.ask("GET", `/books/${lab.sample.bookId}/search?q=${encodeURIComponent(q)}${rest}`);
}

/** Adds so many chapters and facts that hold "lantern". */
async function fillBook(lab: Lab, chapters: number, facts: number): Promise<void> {
  const path = `/books/${lab.sample.bookId}`;
  for (let count = 1; count <= chapters; count++) {
    await lab.ask("POST", `${path}/chapters`, { body: { title: `No. ${count}`, markdown: "A lantern.\n" } });
  }
  for (let count = 1; count <= facts; count++) {
    await lab.ask("POST", `${path}/facts`, { body: { name: `Lantern ${count}` } });
  }
}
