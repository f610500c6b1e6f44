import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { suite } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";
import { bookOf } from "./book-of.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);
const { store } = lab.manuscript;

const book = bookOf(lab);

const WHOLE = "# One\n\nMara *came*.\n\n\n## Two\n\nTobit [sat][x].\nMara too.\n\n> Bell.\n\n[x]: /u\n";

describe("POST /chapters/{chapterId}/split", () => {
  it("makes two of a chapter; ids, mentions and notes go with their text, no word counts, and it can be undone", async () => {
    const { ids, outline, read, idsIn, note, snippets, mentions, split, join } = await book(
      ["One", WHOLE],
      ["End", "End.\n"],
    );
    const [chapter = ""] = ids;
    await lab.ask("PUT", `/chapters/${chapter}/status`, { body: { status: "revising" } });
    const before = await idsIn(chapter);
    const kept = await note(String(before.get("Mara came.")));
    const moved = await note(String(before.get("Bell.")));
    const [file, words, anchored] = [dump(store), (await outline()).progress.at(-1), await mentions()];
    const dry = await split(chapter, { blockId: before.get("Two") }, "?dryRun=1");
    assert.deepEqual([dry.status, dry.body.act, dump(store)], [201, null, file]);

    const done = await split(chapter, { blockId: before.get("Two"), ifRevision: 1 });
    assert.equal(done.status, 201, done.text);
    assert.deepEqual(await read(), [
      ["One", "# One\n\nMara *came*.\n"],
      ["Two", "## Two\n\nTobit [sat][x].\nMara too.\n\n> Bell.\n\n[x]: /u\n"],
      ["End", "End.\n"],
    ]);
    const { id, status, position, partId } = done.body.chapter;
    assert.deepEqual([done.body.id, status, position, partId], [id, "revising", 2, null]);
    assert.equal(done.headers.get("location"), `/api/v1/chapters/${id}`);
    assert.deepEqual(new Map([...(await idsIn(chapter)), ...(await idsIn(id))]), before);
    const places = new Map((await snippets()).map((one: { id: string }) => [one.id, one]));
    for (const [snippet, there, block] of [
      [kept, chapter, "Mara came."],
      [moved, id, "Bell."],
    ] as const) {
      const { chapterId, blockId, detached } = places.get(snippet) as Record<string, unknown>;
      assert.deepEqual([chapterId, blockId, detached], [there, before.get(block), null]);
    }
    const first = before.get("Mara came.");
    assert.deepEqual(
      new Set(await mentions()),
      new Set(anchored.map(([one, , block, from]) => [one, block === first ? chapter : id, block, from])),
    );
    assert.deepEqual((await outline()).progress.at(-1), words);
    assertSound(store);

    const back = await lab.ask("POST", `/acts/${done.body.act}/undo`);
    assert.deepEqual(dump(store), file);
    assertSound(store);
    await lab.ask("POST", `/acts/${back.body.act}/undo`);
    assertSound(store);
    assert.deepEqual((await read()).length, 3);

    const joined = await join(chapter);
    assert.deepEqual(joined.body.joined, { id, title: "Two", status: "revising" });
    assert.equal(joined.body.snippet, null);
    assert.deepEqual(await read(), [
      ["One", WHOLE.replace("\n\n\n", "\n\n")],
      ["End", "End.\n"],
    ]);
    assert.deepEqual(await idsIn(chapter), before);
    assert.deepEqual(new Set(await mentions()), new Set(anchored));
    assertSound(store);
  });

  it("spells out a link whose definition stays behind, and calls a chapter without a heading as the other", async () => {
    const { ids, read, idsIn, split } = await book(["T", "See [a][x].\n\n[x]: /u\n\nSee [b][x], *too*.\n"]);
    const blockId = [...(await idsIn(ids[0] ?? ""))].find(([text]) => text.startsWith("See b"))?.[1];
    await split(ids[0] ?? "", { blockId });
    assert.deepEqual(await read(), [
      ["T", "See [a][x].\n\n[x]: /u\n"],
      ["T", "See [b](/u), *too*.\n"],
    ]);
  });

  it("leaves a footnote with its number, wherever it stood", async () => {
    const { ids, read, idsIn, split } = await book([
      "T",
      "One[^a].\n\n[^c]: Third.\n\nTwo[^b].\n\nThree[^c].\n\n[^a]: First.\n\n[^b]: Second.\n",
    ]);
    const before = await idsIn(ids[0] ?? "");
    const { body } = await split(ids[0] ?? "", { blockId: before.get("Two.") });
    assert.deepEqual(await read(), [
      ["T", "One[^a].\n\n[^a]: First.\n"],
      ["T", "Two[^b].\n\nThree[^c].\n\n[^b]: Second.\n\n[^c]: Third.\n"],
    ]);
    assert.deepEqual(new Map([...(await idsIn(ids[0] ?? "")), ...(await idsIn(body.id))]), before);
  });

  it("refuses what cannot be split, saying where it can, and changes nothing", async () => {
    const { ids, read, idsIn, split } = await book(["T", "One.[^1]\n\n- a\n- b\n\n[^1]: Note.\n"], ["U", ""]);
    const [chapter = "", empty = ""] = ids;
    const at = await idsIn(chapter);
    const before = [dump(store), await read()];
    const REFUSED: readonly [body: object, status: number, message: RegExp][] = [
      [{ blockId: at.get("b") }, 400, new RegExp(`inside a list.*${at.get("a")}`)],
      [{ blockId: at.get("One.") }, 400, /not the first/],
      [{ blockId: at.get("Note.") }, 400, /no footnote/],
      [{ blockId: "b_none" }, 404, /paragraph/],
      [{ blockId: at.get("a"), title: " " }, 400, /blank/],
      [{ blockId: at.get("a"), ifRevision: 9 }, 412, /revision 1/],
      [{}, 400, /blockId/],
    ];
    for (const [body, status, message] of REFUSED) {
      const told = await split(chapter, body);
      assert.equal(told.status, status, told.text);
      assert.match(told.body.message, message);
    }
    assert.equal((await split(empty, { blockId: at.get("a") })).status, 404);
    assert.deepEqual([dump(store), await read()], before);
  });
});

describe("POST /chapters/{chapterId}/join", () => {
  const CASES: readonly [what: string, one: string, other: string, then: string][] = [
    ["puts a blank line between", "One.\n", "Two.\n", "One.\n\nTwo.\n"],
    ["without a last line end", "One.", "# Two", "One.\n\n# Two"],
    [
      "keeps definitions before and behind",
      "[a].\n\n[a]: /u\n",
      "[b]: /v\n\n[b].\n",
      "[a].\n\n[a]: /u\n[b]: /v\n\n[b].\n",
    ],
    ["takes the first one's line ends", "One.\r\n", "Two\nlines.\n", "One.\r\n\r\nTwo\r\nlines.\r\n"],
    ["parts lists", "- a\n", "- b\n", "- a\n\n* b\n"],
    [
      "gives a footnote another number",
      "A[^1].\n\n[^1]: a\n",
      "B[^1], *c*[^2].\n\n[^1]: b\n",
      "A[^1].\n\n[^1]: a\n\nB[^1-2], *c*[^2].\n\n[^1-2]: b\n",
    ],
    ["joins nothing to something", "", "Two.\n", "Two.\n"],
    ["joins something to nothing", "One.\n", "", "One.\n"],
    [
      "spells out a link that another definition would take",
      "[x].\n\n[x]: /u\n",
      "[x]!\n\n[x]: /v\n",
      "[x].\n\n[x]: /u\n\n[x](/v)!\n\n[x]: /v\n",
    ],
  ];
  for (const [what, one, other, then] of CASES) {
    it(`${what}, and can be undone`, async () => {
      const { ids, read, join, idsIn } = await book(["One", one], ["Two", other]);
      const [chapter = "", next = ""] = ids;
      const before = new Set([...(await idsIn(chapter)).values(), ...(await idsIn(next)).values()]);
      const file = dump(store);
      const done = await join(chapter);
      assert.equal(done.status, 200, done.text);
      assert.deepEqual(await read(), [["One", then]]);
      assert.deepEqual(new Set((await idsIn(chapter)).values()), before);
      assertSound(store);
      await lab.ask("POST", `/acts/${done.body.act}/undo`);
      assert.deepEqual(dump(store), file);
      assertSound(store);
    });
  }

  it("adds the synopsis, takes notes along, and is refused for the last chapter", async () => {
    const { ids, outline, note, idsIn, snippets, join } = await book(["One", "One.\n"], ["Two", "Two.\n"]);
    const [chapter = "", next = ""] = ids;
    for (const [one, synopsis] of [
      [chapter, "They meet."],
      [next, "They part."],
    ])
      await lab.ask("PUT", `/chapters/${one}/synopsis`, { body: { synopsis } });
    await note(String((await idsIn(next)).get("Two.")));
    await lab.ask("POST", `/books/${(await outline()).id}/snippets`, {
      body: { kind: "note", chapterId: next },
    });
    assert.equal((await join(chapter, { ifRevision: 3 })).status, 412);
    await join(chapter, { ifRevision: 1 });
    assert.equal((await outline()).chapters[0].synopsis, "They meet.\n\nThey part.");
    const ours = (await snippets()).map((one: Record<string, unknown>) => [one.chapterId, one.detached]);
    assert.deepEqual(ours, [
      [chapter, null],
      [chapter, null],
    ]);
    const last = await join(chapter);
    assert.deepEqual([last.status, last.body.error], [404, "not_found"]);
    assert.match(last.body.message, /last of its book/);
  });

  it("keeps front matter, and a synopsis that is too long to add, in a note on the first paragraph that came", async () => {
    const {
      id: bookId,
      ids,
      outline,
      idsIn,
      snippets,
      join,
    } = await book(["One", "One.\n"], ["Two", "> Two.\n\nThree.\n"]);
    const [chapter = "", next = ""] = ids;
    const [first, second] = ["a".repeat(15_000), "b".repeat(15_000)];
    await lab.ask("PUT", `/chapters/${chapter}/synopsis`, { body: { synopsis: first } });
    await lab.ask("PUT", `/chapters/${next}/synopsis`, { body: { synopsis: second } });
    const attributes = [
      { key: "hair", value: "red", fromChapterId: next },
      { key: "eyes", value: `"fromChapterId":"${next}"` },
    ];
    const { id: factId } = (
      await lab.ask("POST", `/books/${bookId}/facts`, { body: { name: "Mara", attributes } })
    ).body;
    store.act({ kind: "importBook", source: "import" }, () => {
      const block = "---\r\ntitle: Two\r\npov: Bob\r\n---\r\n";
      store.run("UPDATE chapters SET front_matter = ? WHERE id = ?", block, next);
      return () => ({});
    });
    const blockId = (await idsIn(next)).get("Two.");
    const file = dump(store);
    const dry = await join(chapter, {}, "?dryRun=1");
    assert.deepEqual([dry.body.act, dry.body.snippet.blockId, dump(store)], [null, blockId, file]);
    const done = await join(chapter);
    assert.equal((await outline()).chapters[0].synopsis, first);
    assert.deepEqual(await snippets(), [done.body.snippet]);
    const { kind, text, ...note } = done.body.snippet;
    assert.deepEqual([kind, note.chapterId, note.blockId], ["note", chapter, blockId]);
    assert.equal(text, `From “Two”:\n\ntitle: Two\npov: Bob\n\n${second}`);
    assert.deepEqual((await lab.ask("GET", `/facts/${factId}`)).body.fact.attributes, [
      { ...attributes[0], fromChapterId: chapter },
      attributes[1],
    ]);
    assertSound(store);
    await lab.ask("POST", `/acts/${done.body.act}/undo`);
    assert.deepEqual(dump(store), file);
  });

  it("makes no note of front matter that only says what the chapter's fields say", async () => {
    const { ids, join } = await book(["One", "One.\n"], ["Two", "Two.\n"]);
    store.act({ kind: "importBook", source: "import" }, () => {
      const block = "---\ntitle: Two\nstatus: done\n---\n";
      store.run("UPDATE chapters SET front_matter = ? WHERE id = ?", block, ids[1]);
      return () => ({});
    });
    assert.equal((await join(ids[0] ?? "")).body.snippet, null);
  });

  it("puts another chapter than the next behind, before or after it, and refuses itself and another book's", async () => {
    const { ids, read, join, idsIn } = await book(
      ["One", "One.\n"],
      ["Two", "Two.\n"],
      ["Three", "Three.\n"],
    );
    const [one = "", two = "", three = ""] = ids;
    const before = [...(await idsIn(one)), ...(await idsIn(three))];
    const elsewhere = await book(["Else", "Else.\n"]);
    const file = dump(store);
    for (const [chapterId, status, message] of [
      [three, 400, /itself/],
      [elsewhere.ids[0], 400, /another book/],
      ["ch_none", 404, /chapter/],
    ] as const) {
      const told = await join(three, { chapterId });
      assert.equal(told.status, status, told.text);
      assert.match(told.body.message, message);
    }
    assert.deepEqual(dump(store), file);
    const done = await join(three, { chapterId: one });
    assert.deepEqual(done.body.joined, { id: one, title: "One", status: "draft" });
    assert.deepEqual(await read(), [
      ["Two", "Two.\n"],
      ["Three", "Three.\n\nOne.\n"],
    ]);
    assert.deepEqual(new Map(await idsIn(three)), new Map(before));
    assertSound(store);
    await lab.ask("POST", `/acts/${done.body.act}/undo`);
    assert.deepEqual(dump(store), file);
    assert.equal((await join(one, { chapterId: two })).status, 200);
  });
});
