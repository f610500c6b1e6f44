import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importFiles } from "../../src/files/import.ts";
import { type Answer, type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { MARKDOWN } from "../support/sample.ts";

const QUOTE = "Mara came down to the ferry before light, and the bell was already ringing.";

describe("the goal", () => {
  it("a goal without a deadline asks for no words a day", async (t) => {
    const lab = await serve(t);
    const { wordCount } = await outline(lab);
    const { body } = await setGoal(lab, { targetWords: wordCount + 10 });
    const blank = { deadline: null, dailyWords: null, remainingWords: 10, wordsPerDay: null };
    assert.deepEqual(body.goal, { targetWords: wordCount + 10, ...blank });
    assert.deepEqual((await outline(lab)).goal, body.goal);
  });

  it("words a day are shared among today, the deadline and the days between, rounded up", async (t) => {
    const lab = await serve(t);
    const { wordCount, progress } = await outline(lab);
    const targetWords = wordCount + 101;
    for (const [days, wordsPerDay] of [
      [9, 11],
      [1, 51],
      [0, 101],
      [-5, 101],
    ] as const) {
      const deadline = addDays(progress.at(-1).date, days);
      const { body } = await setGoal(lab, { targetWords, deadline, dailyWords: 7 });
      assert.deepEqual(
        [body.goal.deadline, body.goal.dailyWords, body.goal.wordsPerDay],
        [deadline, 7, wordsPerDay],
      );
    }
  });

  it("a goal that is reached leaves nothing to write", async (t) => {
    const lab = await serve(t);
    const { progress } = await outline(lab);
    const { body } = await setGoal(lab, { targetWords: 1, deadline: addDays(progress.at(-1).date, 9) });
    assert.deepEqual([body.goal.remainingWords, body.goal.wordsPerDay], [0, 0]);
  });

  it("a day that there is not is 400", async (t) => {
    const lab = await serve(t);
    for (const deadline of ["2026-02-30", "1 March", "2026-03-01T00:00:00Z"]) {
      assert.equal((await setGoal(lab, { targetWords: 1, deadline })).status, 400, deadline);
    }
  });

  it("deleting it answers as every delete does, and again is 404", async (t) => {
    const lab = await serve(t);
    const path = `/books/${lab.sample.bookId}/goal`;
    const { body } = await lab.ask("DELETE", path);
    assert.deepEqual(deleted(body), [lab.sample.bookId, true, [], []]);
    assert.equal((await outline(lab)).goal, null);
    assert.equal((await lab.ask("DELETE", path)).status, 404);
  });
});

describe("progress", () => {
  it("thirty days end today, and net is added less removed", async (t) => {
    const lab = await serve(t);
    const before = await today(lab);
    await put(lab, "One two three.\n");
    const { added, removed, net } = await today(lab);
    assert.deepEqual(net, added - removed);
    assert.ok(net < before.net && removed > before.removed);
    const { progress } = await outline(lab);
    assert.equal(progress[0].date, addDays(progress.at(-1).date, -29));
    assert.deepEqual(progress[0], { date: progress[0].date, added: 0, removed: 0, imported: 0, net: 0 });
  });

  it("comes for as many days as are asked for, a year at most", async (t) => {
    const lab = await serve(t);
    const ask = (days: string) => lab.ask("GET", `/books/${lab.sample.bookId}?days=${days}`);
    const { progress } = await outline(lab);
    const year = (await ask("366")).body.progress;
    assert.deepEqual([year.length, year.slice(-30)], [366, progress]);
    assert.deepEqual((await ask("1")).body.progress, progress.slice(-1));
    for (const none of ["0", "367", "-1", "1.5", "x", ""]) assert.equal((await ask(none)).status, 400, none);
  });

  it("imported words are counted apart and are not added", async (t) => {
    const lab = await serve(t);
    const before = await today(lab);
    const chapters = [{ name: "three.md", file: "three.md", text: "Three words here.\n" }];
    const files = { folder: undefined, book: undefined, chapters, skipped: [], fallbackTitle: undefined };
    await importFiles(lab.manuscript, files, { bookId: lab.sample.bookId });
    assert.deepEqual(await today(lab), { ...before, imported: 3 });
  });

  it("restored words count neither as added nor as removed", async (t) => {
    const lab = await serve(t);
    await put(lab, "One two three.\n");
    const before = await today(lab);
    const path = `/chapters/${lab.sample.chapterId}/restore`;
    assert.equal((await lab.ask("POST", path, { body: { revision: 1 } })).status, 200);
    assert.deepEqual(await today(lab), before);
    assert.equal((await lab.ask("POST", path, { body: { revision: 2 } })).status, 200);
    assert.deepEqual(await today(lab), before);
  });

  it("what is undone was never written, and what is done again was", async (t) => {
    const lab = await serve(t);
    const before = await today(lab);
    const { act } = await put(lab, `${MARKDOWN}\nSix more words stand here now.\n`);
    const written = await today(lab);
    assert.deepEqual(written, { ...before, added: before.added + 6, net: before.net + 6 });
    const undone = await lab.ask("POST", `/acts/${act}/undo`);
    assert.deepEqual(await today(lab), before);
    await lab.ask("POST", `/acts/${undone.body.act}/undo`);
    assert.deepEqual(await today(lab), written);
  });
});

describe("deletes", () => {
  it("of a chapter drops its mentions and keeps its marginalia with the book", async (t) => {
    const lab = await serve(t);
    const { chapterId, blockId, snippetId, todoId } = lab.sample;
    const { body } = await lab.ask("DELETE", `/chapters/${chapterId}`);
    assert.deepEqual(names(body), [
      ["Mara", "removed"],
      ["Tobit", "removed"],
    ]);
    assert.deepEqual(byId(body.snippetsDetached), {
      [snippetId]: { id: snippetId, kind: "note", blockId, quote: QUOTE },
      [todoId]: { id: todoId, kind: "todo", blockId: null, quote: "" },
    });
    const note = await snippet(lab, snippetId);
    assert.deepEqual([note.chapterId, note.blockId], [null, null]);
    assert.deepEqual(note.detached, { blockId, quote: QUOTE, revision: 1 });
    const todo = await snippet(lab, todoId);
    assert.deepEqual([todo.chapterId, todo.detached], [null, { blockId: null, quote: "", revision: 1 }]);
    assert.equal((await lab.ask("POST", `/acts/${body.act}/undo`)).status, 200);
    const again = await snippet(lab, snippetId);
    assert.deepEqual([again.chapterId, again.blockId, again.detached], [chapterId, blockId, null]);
  });

  it("of a part keeps its chapters in their places", async (t) => {
    const lab = await serve(t);
    const before = (await outline(lab)).chapters;
    const { body } = await lab.ask("DELETE", `/parts/${lab.sample.partId}`);
    assert.deepEqual(deleted(body), [lab.sample.partId, true, [], []]);
    const { parts, chapters } = await outline(lab);
    assert.deepEqual(
      parts.map(({ id, position }: { id: string; position: number }) => [id, position]),
      [[lab.sample.otherPartId, 1]],
    );
    assert.deepEqual(
      chapters.map(({ id, position, partId }: Place) => [id, position, partId]),
      before.map(({ id, position, partId }: Place) => [
        id,
        position,
        partId === lab.sample.partId ? null : partId,
      ]),
    );
  });

  it("of a fact drops its mentions, and no prose changes", async (t) => {
    const lab = await serve(t);
    const { factId, chapterId, blockId } = lab.sample;
    const { body } = await lab.ask("DELETE", `/facts/${factId}`);
    assert.deepEqual(names(body), [
      ["Mara", "removed"],
      ["Mara", "removed"],
    ]);
    assert.deepEqual([body.mentionsDropped[0].blockId, body.snippetsDetached], [blockId, []]);
    const { markdown, revision } = (await lab.ask("GET", `/chapters/${chapterId}?format=markdown`)).body;
    assert.deepEqual([markdown, revision], [MARKDOWN, 1]);
    const { doc } = (await lab.ask("GET", `/chapters/${chapterId}?format=doc`)).body;
    assert.doesNotMatch(JSON.stringify(doc), new RegExp(factId));
  });

  it("of a book takes all of it, and an undo brings all of it back", async (t) => {
    const lab = await serve(t);
    const { bookId, chapterId, factId, partId, snippetId } = lab.sample;
    const before = dump(lab.manuscript.store);
    const { body } = await lab.ask("DELETE", `/books/${bookId}`);
    assert.equal(body.mentionsDropped.length, 4);
    assert.deepEqual(body.snippetsDetached, []);
    for (const [method, path] of [
      ["GET", `/books/${bookId}`],
      ["GET", `/chapters/${chapterId}`],
      ["GET", `/facts/${factId}`],
      ["DELETE", `/parts/${partId}`],
      ["DELETE", `/snippets/${snippetId}`],
      ["DELETE", `/books/${bookId}`],
    ] as const) {
      assert.equal((await lab.ask(method, path)).status, 404, path);
    }
    assert.equal((await lab.ask("POST", `/acts/${body.act}/undo`)).status, 200);
    assert.deepEqual(dump(lab.manuscript.store), before);
  });
});

describe("tries", () => {
  it("a dry run of a create answers as if, and makes nothing", async (t) => {
    const lab = await serve(t);
    const before = dump(lab.manuscript.store);
    const { bookId, partId } = lab.sample;
    for (const [path, body, record] of [
      ["/books", { title: "Second" }, "book"],
      [`/books/${bookId}/parts`, { title: "Third" }, "part"],
      [`/books/${bookId}/chapters`, { title: "Third", partId, markdown: "Words.\n" }, "chapter"],
      [`/books/${bookId}/facts`, { name: "Bell" }, "fact"],
      [`/books/${bookId}/snippets`, { kind: "note" }, "snippet"],
    ] as const) {
      const tried = await lab.ask("POST", `${path}?dryRun=1`, { body });
      assert.deepEqual([tried.status, tried.body.act], [201, null], path);
      assert.equal(tried.body[record].id, tried.body.id);
    }
    assert.deepEqual(dump(lab.manuscript.store), before);
  });
});

interface Place {
  id: string;
  position: number;
  partId: string | null;
}

async function outline(lab: Lab): Promise<Answer["body"]> {
  return (await lab.ask("GET", `/books/${lab.sample.bookId}`)).body;
}

async function today(lab: Lab): Promise<{ added: number; removed: number; imported: number; net: number }> {
  return (await outline(lab)).progress.at(-1);
}

function setGoal(lab: Lab, body: object): Promise<Answer> {
  return lab.ask("PUT", `/books/${lab.sample.bookId}/goal`, { body });
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

async function put(lab: Lab, markdown: string): Promise<{ act: string }> {
  return (await lab.ask("PUT", `/chapters/${lab.sample.chapterId}/prose`, { body: { markdown } })).body;
}

async function snippet(lab: Lab, snippetId: string): Promise<Answer["body"]> {
  const { snippets } = (await lab.ask("GET", `/books/${lab.sample.bookId}/snippets`)).body;
  return snippets.find(({ id }: { id: string }) => id === snippetId);
}

function deleted({ id, deleted: isDeleted, mentionsDropped, snippetsDetached }: Answer["body"]): unknown[] {
  return [id, isDeleted, mentionsDropped, snippetsDetached];
}

function names({ mentionsDropped }: Answer["body"]): string[][] {
  return mentionsDropped.map(({ name, reason }: Record<string, string>) => [name, reason]);
}

function byId(rows: { id: string }[]): Record<string, object> {
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}
