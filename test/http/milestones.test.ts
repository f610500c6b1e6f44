import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);
const { store } = lab.manuscript;

const post = (path: string, body: object) => lab.ask("POST", path, { body });

/** A book of chapters of this Markdown, by title, and ways to it. */
async function book(...chapters: [title: string, markdown: string][]) {
  const { id } = (await post("/books", { title: "Drafts" })).body;
  const ids: string[] = [];
  for (const [title, markdown] of chapters)
    ids.push((await post(`/books/${id}/chapters`, { title, markdown })).body.id);
  const put = async (chapter: string | undefined, markdown: string) =>
    (await lab.ask("PUT", `/chapters/${chapter}/prose`, { body: { markdown } })).body;
  const mark = async (name: string, more: object = {}) =>
    (await post(`/books/${id}/milestones`, { name, ...more })).body;
  const list = async () => (await lab.ask("GET", `/books/${id}/milestones`)).body.milestones;
  return { id, ids, put, mark, list };
}

describe("milestones", () => {
  it("name the book as it is, or as it was after an act, with its length then", async () => {
    const { id, ids, put, mark, list } = await book(["One", "Mara came.\n"]);
    const first = await mark("  First draft ");
    assert.deepEqual(first.warnings, []);
    const { act } = await put(ids[0], "Mara came home late.\n");
    await post(`/books/${id}/chapters`, { title: "Two", markdown: "Bell.\n" });
    await lab.ask("DELETE", `/chapters/${ids[0]}`);
    const later = await mark("Second draft");
    const between = await mark("Between", { act });
    assert.deepEqual(
      (await list()).map((one: Record<string, unknown>) => [
        one.id,
        one.name,
        one.wordCount,
        one.chapterCount,
      ]),
      [
        [first.id, "First draft", 2, 1],
        [between.id, "Between", 4, 1],
        [later.id, "Second draft", 1, 1],
      ],
    );
    assert.equal(between.milestone.act, act);
    const { body } = await lab.ask("GET", "/acts?limit=1");
    assert.deepEqual([body.acts[0].kind, body.acts[0].touched.milestones], ["createMilestone", [between.id]]);
  });

  it("are renamed and deleted, and a second one of a name is warned of", async () => {
    const { mark, list } = await book(["One", "Mara came.\n"]);
    const { id } = await mark("Draft");
    const again = await mark("Draft");
    assert.deepEqual(again.warnings, ["same_name"]);
    const renamed = await lab.ask("PATCH", `/milestones/${again.id}`, { body: { name: "Draft 2" } });
    assert.deepEqual([renamed.body.milestone.name, renamed.body.warnings], ["Draft 2", []]);
    const gone = await lab.ask("DELETE", `/milestones/${id}`);
    assert.deepEqual([gone.status, gone.body.deleted], [200, true]);
    assert.deepEqual(
      (await list()).map(({ name }: { name: string }) => name),
      ["Draft 2"],
    );
    assert.equal((await lab.ask("DELETE", `/milestones/${id}`)).status, 404);
    await lab.ask("POST", `/acts/${gone.body.act}/undo`);
    assert.equal((await list()).length, 2);
  });

  it("refuse what is no name, no act, or an act before the book was, and write nothing", async () => {
    const { body } = await lab.ask("GET", "/acts?limit=1");
    const { id } = await book(["One", "Mara came.\n"]);
    const before = dump(store);
    for (const [asked, status] of [
      [{}, 400],
      [{ name: " " }, 400],
      [{ name: "x".repeat(201) }, 400],
      [{ name: "a", act: "act_none" }, 404],
      [{ name: "a", act: body.acts[0].id }, 400],
    ] as const)
      assert.equal((await post(`/books/${id}/milestones`, asked)).status, status, JSON.stringify(asked));
    assert.equal((await post("/books/bk_none/milestones", { name: "a" })).status, 404);
    assert.equal((await lab.ask("PATCH", "/milestones/ms_none", { body: { name: "a" } })).status, 404);
    assert.deepEqual(dump(store), before);
  });
});

describe("GET /books/{bookId}/compare", () => {
  it("counts words and paragraphs by chapter; what went to another chapter is moved, not new", async () => {
    const { id, ids, put, mark } = await book(
      ["One", "Mara came late.\n\nThe bell rang.\n\nTobit sat.\n"],
      ["Two", "Fog.\n\nRain.\n"],
      ["Three", "Gone soon.\n"],
    );
    await mark("Draft 1");
    await put(ids[0], "Tobit sat.\n\nMara came home late.\n\nThe bell rang.\n\nA new one here.\n");
    await lab.ask("PATCH", `/chapters/${ids[1]}`, { body: { title: "Second" } });
    await lab.ask("DELETE", `/chapters/${ids[2]}`);
    const four = (await post(`/books/${id}/chapters`, { title: "Four", markdown: "Dawn.\n", position: 1 }))
      .body;
    const moved = await post(`/chapters/${ids[1]}/split`, {
      blockId: (await lab.ask("GET", `/chapters/${ids[1]}?format=doc`)).body.doc.content[1].attrs.blockId,
      title: "Half",
    });
    const { status, body } = await lab.ask("GET", `/books/${id}/compare`);
    assert.equal(status, 200);
    assert.equal(body.from.milestone.name, "Draft 1");
    assert.equal(body.to.milestone, null);
    const rows = body.chapters.map((one: Record<string, { title?: string }>) => [
      one.chapterId,
      one.change,
      one.changes,
      one.from?.title ?? null,
      one.to?.title ?? null,
      Object.values(one.words ?? {}),
      Object.values(one.paragraphs ?? {}),
    ]);
    assert.deepEqual(rows, [
      [four.id, "new", [], null, "Four", [1, 0], [0, 0, 0, 1, 0]],
      [ids[0], "changed", ["prose"], "One", "One", [5, 0], [1, 1, 1, 1, 0]],
      [ids[1], "changed", ["prose", "title"], "Two", "Second", [0, 0], [1, 0, 0, 0, 0]],
      [ids[2], "removed", [], "Three", null, [0, 2], [0, 0, 0, 0, 1]],
      [moved.body.id, "new", [], null, "Half", [0, 0], [0, 0, 1, 0, 0]],
    ]);
    assert.deepEqual(body.totals, {
      from: { wordCount: 12, chapterCount: 3 },
      to: { wordCount: 16, chapterCount: 4 },
      words: { added: 6, removed: 2 },
      paragraphs: { kept: 2, edited: 1, moved: 2, new: 2, removed: 1 },
      chapters: { changed: 2, new: 2, removed: 1, moved: 0, retitled: 1 },
    });
    const back = (await lab.ask("GET", `/books/${id}/compare?from=${body.to.act}&to=Draft+1`)).body;
    assert.deepEqual(back.totals.words, { added: 2, removed: 6 });
    assert.deepEqual([back.totals.from, back.totals.to], [body.totals.to, body.totals.from]);
  });

  it("tells of parts, places and the goal, and of nothing where nothing changed", async () => {
    const { id, ids, mark } = await book(["One", "A.\n"], ["Two", "B.\n"]);
    const part = (await post(`/books/${id}/parts`, { title: "Out" })).body.id;
    await mark("Draft 1");
    const same = (await lab.ask("GET", `/books/${id}/compare`)).body;
    assert.deepEqual(
      same.chapters.map(({ change }: { change: string }) => change),
      ["same", "same"],
    );
    await lab.ask("PATCH", `/chapters/${ids[1]}`, { body: { position: 1, partId: part } });
    await lab.ask("PATCH", `/parts/${part}`, { body: { title: "Away" } });
    await lab.ask("PATCH", `/books/${id}`, { body: { title: "Later" } });
    await lab.ask("PUT", `/books/${id}/goal`, { body: { targetWords: 5 } });
    await lab.ask("PUT", `/chapters/${ids[0]}/status`, { body: { status: "done" } });
    const { body } = await lab.ask("GET", `/books/${id}/compare?from=Draft+1`);
    assert.deepEqual([body.title, body.goalChanged], [{ from: "Drafts", to: "Later" }, true]);
    assert.deepEqual(body.parts, [
      { partId: part, from: { title: "Out", position: 1 }, to: { title: "Away", position: 1 } },
    ]);
    assert.equal(body.totals.chapters.moved, 1);
    const [two, one] = body.chapters;
    assert.deepEqual([two.chapterId, two.to.partTitle], [ids[1], "Away"]);
    assert.ok(two.changes.includes("part"));
    assert.ok(one.changes.includes("status"));
  });

  it("takes days and times; before any milestone it begins with the book as it was first written", async () => {
    const { id, ids, put } = await book(["One", "A.\n"]);
    await put(ids[0], "A b c.\n");
    const asked = async (query: string) => (await lab.ask("GET", `/books/${id}/compare?${query}`)).body;
    const { acts } = (await lab.ask("GET", "/acts?limit=3")).body;
    assert.deepEqual((await asked("")).totals.from, { wordCount: 0, chapterCount: 0 });
    assert.equal((await asked(`from=${acts[1].at}`)).from.act, acts[1].id);
    assert.equal((await asked("from=2026-03-01")).totals.words.added, 0);
    const before = await asked("from=2026-02-28");
    assert.deepEqual([before.from, before.title.from], [{ act: null, at: null, milestone: null }, null]);
    assert.deepEqual(before.totals.words, { added: 3, removed: 0 });
  });

  it("refuses what names no moment, or two milestones, and says what does", async () => {
    const { id, mark } = await book(["One", "A.\n"]);
    await mark("Draft");
    await mark("Draft");
    for (const [from, status, message] of [
      ["Draf", 400, /is no act, no day .* and no milestone of this book; GET/],
      ["Draft", 400, /2 milestones are called "Draft"; name one by its id: ms_/],
      ["2026-02-30", 400, /no milestone/],
      ["act_none", 404, /No such act/],
      ["ms_none", 404, /No such milestone/],
      ["", 400, /blank/],
    ] as const) {
      const answer = await lab.ask("GET", `/books/${id}/compare?from=${from}`);
      assert.equal(answer.status, status, from);
      assert.match(answer.body.message, message);
    }
    assert.equal((await lab.ask("GET", "/books/bk_none/compare")).status, 404);
  });
});

describe("POST /books/{bookId}/restore", () => {
  it("puts a book back in one act: chapters, titles, order, parts, status, goal; one undo is exact", async () => {
    const { id, ids, put, mark } = await book(
      ["One", "Mara came late.\n\nThe bell rang.\n"],
      ["Two", "Fog.\n\nRain.\n"],
    );
    const part = (await post(`/books/${id}/parts`, { title: "Out" })).body.id;
    await lab.ask("PATCH", `/chapters/${ids[0]}`, { body: { partId: part } });
    await lab.ask("PUT", `/books/${id}/goal`, { body: { targetWords: 500 } });
    const { body: fact } = await post(`/books/${id}/facts`, { name: "Mara" });
    await post(`/books/${id}/mentions/reanchor`, {});
    const leaf = async (chapter: string | undefined, at: number) =>
      (await lab.ask("GET", `/chapters/${chapter}?format=doc`)).body.doc.content[at].attrs.blockId;
    const note = async (body: object) =>
      (await post(`/books/${id}/snippets`, { kind: "note", ...body })).body.id;
    const onBell = await note({ blockId: await leaf(ids[0], 1) });
    const onTwo = await note({ chapterId: ids[1] });
    await mark("Draft 1");
    const was = (await lab.ask("GET", `/books/${id}`)).body;

    await put(ids[0], "Nobody came.\n");
    await lab.ask("DELETE", `/chapters/${ids[1]}`);
    await lab.ask("DELETE", `/parts/${part}`);
    await lab.ask("DELETE", `/books/${id}/goal`);
    await lab.ask("PUT", `/chapters/${ids[0]}/status`, { body: { status: "done" } });
    const three = (await post(`/books/${id}/chapters`, { title: "Three", markdown: "Dawn.\n" })).body.id;
    const onDawn = await note({ blockId: await leaf(three, 0), text: "keep me" });
    await lab.ask("PATCH", `/books/${id}`, { body: { title: "Other" } });

    const before = dump(store);
    const dry = await lab.ask("POST", `/books/${id}/restore?dryRun=1`, { body: { to: "Draft 1" } });
    assert.deepEqual([dry.status, dry.body.act, dump(store)], [200, null, before]);
    const done = await lab.ask("POST", `/books/${id}/restore`, { body: { to: "Draft 1" } });
    assert.equal(done.status, 200, done.text);
    assert.deepEqual({ ...dry.body, act: done.body.act }, done.body);
    assert.deepEqual(
      [done.body.changed, done.body.mentionsDropped, done.body.mentionsRestored, done.body.goalChanged],
      [true, [], 1, true],
    );
    assert.deepEqual(done.body.snippetsDetached, [
      { id: onDawn, kind: "note", blockId: done.body.snippetsDetached[0].blockId, quote: "Dawn." },
    ]);
    assert.deepEqual(
      done.body.snippetsAttached
        .map((one: { id: string; chapterId: string }) => [one.id, one.chapterId])
        .sort(),
      [
        [onBell, ids[0]],
        [onTwo, ids[1]],
      ].sort(),
    );
    const is = (await lab.ask("GET", `/books/${id}`)).body;
    const shown = ({ title, goal, parts, chapters }: typeof is) => [
      title,
      goal.targetWords,
      parts,
      chapters.map(({ revision: _, updatedAt: __, ...one }: Record<string, unknown>) => one),
    ];
    assert.deepEqual(shown(is), shown(was));
    const { mentions } = (await lab.ask("GET", `/facts/${fact.id}`)).body;
    assert.deepEqual([mentions.length, mentions[0].text, mentions[0].chapterId], [1, "Mara", ids[0]]);
    assert.equal((await lab.ask("GET", `/books/${id}/compare`)).body.totals.words.added, 0);
    assert.equal((await lab.ask("GET", `/books/${id}/search?q=bell`)).body.total, 1);
    await lab.ask("POST", `/acts/${done.body.act}/undo`);
    assert.deepEqual(dump(store), before);
  });

  it("takes If-Match of the book, and a fact merged since means its keeper", async () => {
    const { id, ids, put, mark } = await book(["One", "Mara came.\n"]);
    const mara = (await post(`/books/${id}/facts`, { name: "Mara" })).body.id;
    await post(`/books/${id}/mentions/reanchor`, {});
    await mark("Draft 1");
    const etag = String((await lab.ask("GET", `/books/${id}`)).headers.get("etag"));
    await put(ids[0], "Nobody.\n");
    const maria = (await post(`/books/${id}/facts`, { name: "Maria" })).body.id;
    await post("/facts/merge", { keepId: maria, dropId: mara });
    const asked = { body: { to: "Draft 1" }, headers: { "If-Match": etag } };
    assert.equal((await lab.ask("POST", `/books/${id}/restore`, asked)).status, 412);
    const done = await lab.ask("POST", `/books/${id}/restore`, { body: { to: "Draft 1" } });
    assert.ok(done.headers.get("etag"));
    assert.equal((await lab.ask("GET", `/facts/${maria}`)).body.mentions[0].text, "Mara");
  });

  it("refuses a moment before the book, and what is none; nothing is written", async () => {
    const { id } = await book(["One", "A.\n"]);
    const before = dump(store);
    for (const [to, status, message] of [
      ["2020-01-01", 400, /not there yet/],
      ["nothing", 400, /no milestone/],
      ["act_none", 404, /No such act/],
    ] as const) {
      const answer = await lab.ask("POST", `/books/${id}/restore`, { body: { to } });
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.body.message, message);
    }
    assert.equal((await lab.ask("POST", `/books/${id}/restore`, { body: {} })).status, 400);
    assert.deepEqual(dump(store), before);
  });
});

describe("a chapter at a moment", () => {
  it("is compared with any other, word by word, and put back alone", async () => {
    const { id, ids, put, mark } = await book(["One", "Mara came late.\n"]);
    await mark("Draft 1");
    await put(ids[0], "Mara came.\n");
    const late = (await post(`/books/${id}/chapters`, { title: "Two", markdown: "Fog.\n" })).body.id;
    const diff = async (chapter: string | undefined, query: string) =>
      (await lab.ask("GET", `/chapters/${chapter}/diff?${query}`)).body;
    const told = await diff(ids[0], "from=Draft+1");
    assert.deepEqual([told.from, told.to, told.words], [1, 2, { added: 0, removed: 1 }]);
    assert.deepEqual((await diff(ids[0], "from=2&to=Draft+1")).words, { added: 1, removed: 0 });
    const made = await diff(late, "from=Draft+1");
    assert.deepEqual([made.from, made.to, made.paragraphs.length, made.words.added], [0, 1, 1, 1]);
    const restored = await post(`/chapters/${ids[0]}/restore`, { to: "Draft 1" });
    assert.deepEqual([restored.status, restored.body.wordCount, restored.body.revision], [200, 3, 3]);
    assert.equal((await lab.ask("GET", `/chapters/${late}`)).status, 200);
    const refused = await post(`/chapters/${late}/restore`, { to: "Draft 1" });
    assert.match(refused.body.message, /was not there at that moment/);
    for (const [path, message] of [
      [`/chapters/${late}/diff?from=Nothing`, /no milestone of this book/],
      [`/chapters/${late}/diff?from=0`, /from/],
      [`/chapters/${late}/diff?from=9`, /No such revision/],
    ] as const)
      assert.match((await lab.ask("GET", path)).body.message, message);
    for (const body of [{}, { revision: 1, to: "Draft 1" }, { to: "" }, { revision: "1" }])
      assert.equal((await post(`/chapters/${late}/restore`, body)).status, 400);
  });
});
