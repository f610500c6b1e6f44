import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Answer, type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { MARKDOWN } from "../support/sample.ts";

const NOTHING = {
  books: [],
  parts: [],
  chapters: [],
  facts: [],
  snippets: [],
  proposals: [],
  milestones: [],
};

describe("the change feed", () => {
  it("after an act come the later ones, newest last, at most as many as asked for", async (t) => {
    const lab = await serve(t);
    const start = await newest(lab);
    const made = [await status(lab, "done"), await status(lab, "draft"), await status(lab, "revising")];
    const all = (await lab.ask("GET", `/acts?after=${start}`)).body;
    assert.deepEqual([ids(all), all.total], [made, 3]);
    const two = (await lab.ask("GET", `/acts?after=${start}&limit=2`)).body;
    assert.deepEqual([ids(two), two.total], [made.slice(0, 2), 3]);
    assert.deepEqual(ids((await lab.ask("GET", "/acts?limit=2")).body), made.slice(1));
    const none = (await lab.ask("GET", `/acts?after=${made[2]}`)).body;
    assert.deepEqual([none.acts, none.total], [[], 0]);
    assert.equal((await lab.ask("GET", "/acts?after=act_none")).status, 404);
    assert.equal((await lab.ask("GET", "/acts?limit=0")).status, 400);
  });

  it("each names the operation, who asked and what it touched", async (t) => {
    const lab = await serve(t);
    const { bookId, chapterId, partId, blockId, factId, snippetId } = lab.sample;
    for (const [method, path, body, kind, touched] of [
      ["PUT", `/chapters/${chapterId}/status`, { status: "done" }, "setStatus", { chapters: [chapterId] }],
      ["PATCH", `/facts/${factId}`, { kind: "girl" }, "updateFact", { facts: [factId] }],
      ["PATCH", `/parts/${partId}`, { title: "Up" }, "updatePart", { parts: [partId] }],
      ["PUT", `/books/${bookId}/goal`, { targetWords: 9 }, "setGoal", { books: [bookId] }],
      ["PATCH", `/snippets/${snippetId}`, { kind: "note" }, "updateSnippet", { snippets: [snippetId] }],
      [
        "PATCH",
        `/chapters/${chapterId}/paragraphs/${blockId}`,
        { markdown: "Nobody." },
        "replaceParagraph",
        { chapters: [chapterId] },
      ],
    ] as const) {
      const { act } = (await lab.ask(method, path, { body })).body;
      const last = (await lab.ask("GET", "/acts?limit=1")).body.acts[0];
      const { at: _, names, ...entry } = last;
      const who = { source: "api", by: "test", bookIds: [bookId] };
      const plain = { id: act, kind, ...who, undoes: null, undoneBy: null };
      assert.deepEqual(entry, { ...plain, touched: { ...NOTHING, ...touched } });
      assert.deepEqual(Object.keys(names), Object.values(touched).flat());
    }
  });

  it("says what each touched is called, and was called last where it is gone", async (t) => {
    const lab = await serve(t);
    const { chapterId, factId, snippetId } = lab.sample;
    await lab.ask("PATCH", `/snippets/${snippetId}`, { body: { kind: "note", text: "Who lit it?" } });
    const { name } = (await lab.ask("GET", `/facts/${factId}`)).body.fact;
    await lab.ask("DELETE", `/facts/${factId}`);
    await lab.ask("DELETE", `/snippets/${snippetId}`);
    await status(lab, "done");
    const { acts } = (await lab.ask("GET", "/acts?limit=3")).body;
    const names = Object.assign({}, ...acts.map((act: Answer["body"]) => act.names));
    assert.equal(names[factId], name);
    assert.equal(names[snippetId], "Who lit it?");
    assert.equal(names[chapterId], (await lab.ask("GET", `/chapters/${chapterId}`)).body.title);
  });

  it("a write that changed nothing is an act that touched nothing", async (t) => {
    const lab = await serve(t);
    await status(lab, "draft");
    const { touched, bookIds } = (await lab.ask("GET", "/acts?limit=1")).body.acts[0];
    assert.deepEqual([touched, bookIds], [NOTHING, []]);
  });

  it("names the book of each act, and of one whose record or book is deleted", async (t) => {
    const lab = await serve(t);
    const start = await newest(lab);
    const made = async (path: string, body: unknown) => (await lab.ask("POST", path, { body })).body.id;
    const bookId = await made("/books", { title: "Another" });
    const partId = await made(`/books/${bookId}/parts`, { title: "One" });
    const chapterId = await made(`/books/${bookId}/chapters`, { title: "Gone", partId, markdown: "So.\n" });
    const factId = await made(`/books/${bookId}/facts`, { name: "Ahab" });
    const snippetId = await made(`/books/${bookId}/snippets`, { kind: "note", text: "Why?" });
    const milestoneId = await made(`/books/${bookId}/milestones`, { name: "First draft" });
    for (const path of [
      `/snippets/${snippetId}`,
      `/facts/${factId}`,
      `/milestones/${milestoneId}`,
      `/chapters/${chapterId}`,
      `/parts/${partId}`,
      `/books/${bookId}`,
    ])
      assert.equal((await lab.ask("DELETE", path)).status, 200, path);
    const { acts } = (await lab.ask("GET", `/acts?after=${start}`)).body;
    assert.equal(acts.length, 12);
    for (const act of acts) assert.deepEqual(act.bookIds, [bookId], act.kind);
    const [sitting] = (await lab.ask("GET", `/acts?group=sitting&limit=1`)).body.acts;
    assert.deepEqual(sitting.bookIds, [bookId]);
  });

  it("undoneBy names the undo that stands: undone, done again, undone again", async (t) => {
    const lab = await serve(t);
    const act = await status(lab, "done");
    const chain = [act];
    for (const wanted of ["draft", "done", "draft"]) {
      const undone = await undo(lab, String(chain.at(-1)));
      chain.push(undone.body.act);
      assert.equal(
        (await lab.ask("GET", `/chapters/${lab.sample.chapterId}`)).body.status,
        wanted,
        `${chain.length - 1} undos`,
      );
    }
    const { acts } = (await lab.ask("GET", "/acts?limit=4")).body;
    assert.deepEqual(
      acts.map(({ id, source, undoes, undoneBy }: Answer["body"]) => [id, source, undoes, undoneBy]),
      [
        [chain[0], "api", null, chain[1]],
        [chain[1], "undo", chain[0], null],
        [chain[2], "undo", chain[1], chain[3]],
        [chain[3], "undo", chain[2], null],
      ],
    );
  });
});

describe("undo", () => {
  it("answers with its own act, the one undone and the chapters with their new revisions", async (t) => {
    const lab = await serve(t);
    const { chapterId, blockId } = lab.sample;
    const { act } = (await patch(lab, blockId, "Nobody.")).body;
    const undone = await undo(lab, act);
    assert.equal(undone.status, 200);
    assert.match(undone.body.act, /^act_/);
    assert.deepEqual([undone.body.undone, undone.body.chapters], [act, [{ id: chapterId, revision: 3 }]]);
    assert.equal((await lab.ask("GET", `/chapters/${chapterId}?format=markdown`)).body.markdown, MARKDOWN);
  });

  it("reaches an older edit of another paragraph", async (t) => {
    const lab = await serve(t);
    const { chapterId, blockId } = lab.sample;
    const first = (await patch(lab, blockId, "Nobody came.")).body.act;
    const { doc } = (await lab.ask("GET", `/chapters/${chapterId}?format=doc`)).body;
    await patch(lab, doc.content[2].attrs.blockId, "“Late,” said he.");
    assert.equal((await undo(lab, first)).status, 200);
    assert.equal(
      (await lab.ask("GET", `/chapters/${chapterId}?format=markdown`)).body.markdown,
      MARKDOWN.replace(/“You are late.*/, "“Late,” said he."),
    );
  });

  it("is 409 where the paragraph has been edited since, and nothing changes", async (t) => {
    const lab = await serve(t);
    const { act } = (await patch(lab, lab.sample.blockId, "Nobody came.")).body;
    await patch(lab, lab.sample.blockId, "Everybody came.");
    const [standing] = await refused(lab, act);
    assert.deepEqual([standing?.table, standing?.reason], ["blocks", "changed"]);
  });

  it("a deleted snippet comes back to a paragraph that was only edited", async (t) => {
    const lab = await serve(t);
    const { blockId, snippetId, bookId } = lab.sample;
    const { act } = (await lab.ask("DELETE", `/snippets/${snippetId}`)).body;
    await patch(lab, blockId, "Nobody came.");
    assert.equal((await undo(lab, act)).status, 200);
    const { snippets } = (await lab.ask("GET", `/books/${bookId}/snippets`)).body;
    assert.equal(snippets.find(({ id }: { id: string }) => id === snippetId).blockId, blockId);
  });

  it("of a deleted snippet is 409 where its paragraph has gone, or its chapter", async (t) => {
    const lab = await serve(t);
    const { snippetId, chapterId } = lab.sample;
    const { act } = (await lab.ask("DELETE", `/snippets/${snippetId}`)).body;
    await lab.ask("PUT", `/chapters/${chapterId}/prose`, { body: { markdown: "All else.\n" } });
    assert.deepEqual(await refused(lab, act), [{ table: "snippets", id: snippetId, reason: "in_use" }]);
    await lab.ask("DELETE", `/chapters/${chapterId}`);
    const standing = await refused(lab, act);
    assert.deepEqual(standing[0], { table: "snippets", id: snippetId, reason: "parent_gone" });
  });

  it("of a deleted fact is 409 where a paragraph that it was mentioned in has changed, or gone", async (t) => {
    const lab = await serve(t);
    const { factId, chapterId, blockId } = lab.sample;
    const [mention] = (await lab.ask("GET", `/facts/${factId}`)).body.mentions;
    const { act } = (await lab.ask("DELETE", `/facts/${factId}`)).body;
    await patch(lab, blockId, "Nobody came.");
    const expected = [{ table: "mentions", id: mention.id, reason: "in_use" }];
    assert.deepEqual(await refused(lab, act), expected);
    await lab.ask("PUT", `/chapters/${chapterId}/prose`, { body: { markdown: "All else.\n" } });
    assert.deepEqual(await refused(lab, act), expected);
  });

  it("of a new chapter is 409 while marginalia stands in it", async (t) => {
    const lab = await serve(t);
    const { bookId } = lab.sample;
    const made = (
      await lab.ask("POST", `/books/${bookId}/chapters`, { body: { title: "New", markdown: "Text.\n" } })
    ).body;
    const note = await lab.ask("POST", `/books/${bookId}/snippets`, {
      body: { kind: "note", chapterId: made.id },
    });
    const standing = await refused(lab, made.act);
    assert.ok(standing.some(({ id, reason }) => id === note.body.id && reason === "in_use"));
    await lab.ask("DELETE", `/snippets/${note.body.id}`);
    assert.equal((await undo(lab, made.act)).status, 200);
  });

  it("a second undo of the same act is 409", async (t) => {
    const lab = await serve(t);
    const act = await status(lab, "done");
    assert.equal((await undo(lab, act)).status, 200);
    const [standing] = await refused(lab, act);
    assert.deepEqual(standing, { table: "chapters", id: lab.sample.chapterId, reason: "changed" });
  });
});

describe("what two revisions do not share", () => {
  it("comes word by word, the newest with the one before it unless others are named", async (t) => {
    const lab = await serve(t);
    const { chapterId, blockId } = lab.sample;
    const path = `/chapters/${chapterId}`;
    for (const markdown of ["Mara came up late.", "Mara came up early."])
      await lab.ask("PATCH", `${path}/paragraphs/${blockId}`, { body: { markdown } });
    const { body } = await lab.ask("GET", `${path}/diff`);
    assert.deepEqual([body.from, body.to, body.title], [2, 3, "The Ferry"]);
    assert.deepEqual(body.words, { added: 1, removed: 1 });
    const changes = [
      { op: "same", text: "Mara came up " },
      { op: "removed", text: "late" },
      { op: "added", text: "early" },
      { op: "same", text: "." },
    ];
    assert.deepEqual(body.paragraphs, [{ blockId, status: "edited", changes }]);
    assert.deepEqual((await lab.ask("GET", `${path}/diff?from=2&to=3`)).body, body);
    const back = (await lab.ask("GET", `${path}/diff?from=3&to=1`)).body;
    assert.deepEqual([back.from, back.to], [3, 1]);
    assert.deepEqual((await lab.ask("GET", `${path}/diff?from=3`)).body.paragraphs, []);
  });

  it("is 404 without chapter or revision, 400 for no number", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}/diff`;
    assert.equal((await lab.ask("GET", "/chapters/ch_none/diff")).status, 404);
    const missing = await lab.ask("GET", `${path}?from=9`);
    assert.equal(missing.status, 404);
    assert.match(missing.body.message, /revision 9 of this chapter/);
    for (const none of ["from=0", "to=x", "from=1&from=2"]) {
      assert.equal((await lab.ask("GET", `${path}?${none}`)).status, 400, none);
    }
  });
});

describe("revisions", () => {
  it("each has its act, time, source and words, newest last", async (t) => {
    const lab = await serve(t);
    const { chapterId, blockId } = lab.sample;
    const { wordCount } = (await lab.ask("GET", `/chapters/${chapterId}`)).body;
    const patched = (await patch(lab, blockId, "Nobody came.")).body;
    const restored = await lab.ask("POST", `/chapters/${chapterId}/restore`, { body: { revision: 1 } });
    const { revisions, total } = (await lab.ask("GET", `/chapters/${chapterId}/revisions`)).body;
    const keys = ["act", "added", "at", "kind", "removed", "revision", "source", "wordCount"];
    assert.deepEqual(Object.keys(revisions[0]).sort(), keys);
    const less = wordCount - patched.wordCount;
    assert.deepEqual(
      revisions.map(({ revision, act, source, wordCount: words, added, removed }: Answer["body"]) => [
        revision,
        act,
        source,
        words,
        added,
        removed,
      ]),
      [
        [1, revisions[0].act, "cli", wordCount, wordCount, 0],
        [2, patched.act, "api", wordCount - less, 0, less],
        [3, restored.body.act, "restore", wordCount, less, 0],
      ],
    );
    assert.equal(total, 3);
    const kinds = revisions.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(kinds, [kinds[0], "replaceParagraph", "restoreRevision"]);
    const times = revisions.map(({ at }: { at: string }) => at);
    assert.deepEqual(times, [...times].sort());
    assert.equal((await lab.ask("GET", "/chapters/ch_none/revisions")).status, 404);
  });

  it("an old one is read in every format, with the ids that it had", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}`;
    const read = async (query: string) => (await lab.ask("GET", `${path}?${query}`)).body;
    const [text, { doc }] = [(await read("format=text")).text, await read("format=doc")];
    await lab.ask("PUT", `${path}/prose`, { body: { markdown: "All else.\n" } });
    assert.equal((await read("revision=1")).text, text);
    assert.equal((await read("revision=1&format=text")).text, text);
    assert.equal((await read("revision=1&format=markdown")).markdown, MARKDOWN);
    const old = await read("revision=1&format=doc");
    assert.deepEqual(blockIds(old.doc), blockIds(doc));
    assert.equal(old.revision, 1);
    const bare = await lab.ask("GET", `${path}?revision=1`, { headers: { Accept: "text/markdown" } });
    assert.equal(bare.text, MARKDOWN);
    assert.equal((await read("revision=2")).text, "All else.");
    for (const [asked, code] of [
      ["3", 404],
      ["0", 400],
      ["x", 400],
    ] as const) {
      assert.equal((await lab.ask("GET", `${path}?revision=${asked}`)).status, code, asked);
    }
  });
});

interface Standing {
  table: string;
  id: string;
  reason: string;
}

async function newest(lab: Lab): Promise<string> {
  return (await lab.ask("GET", "/acts?limit=1")).body.acts[0].id;
}

async function status(lab: Lab, to: string): Promise<string> {
  return (await lab.ask("PUT", `/chapters/${lab.sample.chapterId}/status`, { body: { status: to } })).body
    .act;
}

function patch(lab: Lab, blockId: string, markdown: string): Promise<Answer> {
  const path = `/chapters/${lab.sample.chapterId}/paragraphs/${blockId}`;
  return lab.ask("PATCH", path, { body: { markdown } });
}

function undo(lab: Lab, act: string): Promise<Answer> {
  return lab.ask("POST", `/acts/${act}/undo`);
}

/** What stands in the way of an undo, which is refused and leaves everything as it is. */
async function refused(lab: Lab, act: string): Promise<Standing[]> {
  const before = dump(lab.manuscript.store);
  const { status: code, body } = await undo(lab, act);
  assert.deepEqual([code, body.error], [409, "conflict"], body.message);
  assert.deepEqual(dump(lab.manuscript.store), before);
  return body.standing;
}

function ids({ acts }: { acts: { id: string }[] }): string[] {
  return acts.map(({ id }) => id);
}

function blockIds(doc: object): string[] {
  return [...JSON.stringify(doc).matchAll(/"blockId":"([^"]+)"/g)].map((match) => match[1]!); // the group matched
}
