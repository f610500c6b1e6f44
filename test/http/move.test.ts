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

describe("POST /chapters/{chapterId}/move", () => {
  // What stands where, which paragraphs go (the first of their block), behind which, and what comes of it.
  const CASES: readonly [what: string, from: string, to: string, [string[], string?], [string, string]][] = [
    [
      "to the end",
      "One.\n\nTwo.\n\nThree.\n",
      "Four.\n",
      [["Two."]],
      ["One.\n\nThree.\n", "Four.\n\nTwo.\n"],
    ],
    ["to the start", "One.\n\nTwo.\n", "Four.\n", [["Two."], ""], ["One.\n", "Two.\n\nFour.\n"]],
    ["behind another", "A.\n\nB.\n", "C.\n\nD.\n", [["A."], "C."], ["B.\n", "C.\n\nA.\n\nD.\n"]],
    ["in their own order", "A.\n\nB.\n\nC.\n", "D.\n", [["C.", "A."], ""], ["B.\n", "C.\n\nA.\n\nD.\n"]],
    ["every one", "A.\n\nB.", "", [["A.", "B."]], ["", "A.\n\nB."]],
    ["a list whole", "A.\n\n- b\n- c\n\nD.\n", "- e\n", [["b"]], ["A.\n\nD.\n", "- e\n\n* b\n* c\n"]],
    ["behind a list", "A.\n\nB.\n", "- e\n- f\n\nG.\n", [["B."], "f"], ["A.\n", "- e\n- f\n\nB.\n\nG.\n"]],
    ["to Windows", "A\nb.\n\nC.\n", "D.\r\n", [["A\nb."]], ["C.\n", "D.\r\n\r\nA\r\nb.\r\n"]],
    [
      "and not its link",
      "[a].\n\n[a]: /u\n\nB.\n",
      "C.\n",
      [["a."]],
      ["[a]: /u\n\nB.\n", "C.\n\n[a](/u).\n"],
    ],
    [
      "and leaves definitions behind",
      "A.\n\nB [c].\n\n[c]: /u\n\nD [c].\n",
      "E.\n",
      [["B c."]],
      ["A.\n\n[c]: /u\n\nD [c].\n", "E.\n\nB [c](/u).\n"],
    ],
    [
      "with their footnotes, under another number",
      "A[^1], B[^2].\n\nC[^2].\n\n[^1]: a\n\n[^2]: b\n",
      "D[^1].\n\nE.\n\n[^1]: d\n",
      [["A, B."], "D."],
      ["C[^2].\n\n[^2]: b\n", "D[^1].\n\nA[^1-2], B[^2].\n\nE.\n\n[^1]: d\n\n[^1-2]: a\n"],
    ],
  ];
  for (const [what, from, to, [names, behind], then] of CASES) {
    it(`moves paragraphs ${what}, and can be undone`, async () => {
      const { ids, read, move, idsIn } = await book(["One", from], ["Two", to]);
      const [chapter = "", other = ""] = ids;
      const at = new Map([...(await idsIn(chapter)), ...(await idsIn(other))]);
      const file = dump(store);
      const place = behind === undefined ? {} : { after: behind === "" ? null : at.get(behind) };
      const body = { blockIds: names.map((name) => at.get(name)), toChapterId: other, ...place };
      const done = await move(chapter, body);
      assert.equal(done.status, 200, done.text);
      assert.deepEqual(
        (await read()).map(([, markdown]) => markdown),
        then,
      );
      assert.deepEqual(
        new Set([...(await idsIn(chapter)).values(), ...(await idsIn(other)).values()]),
        new Set(at.values()),
      );
      assertSound(store);
      await lab.ask("POST", `/acts/${done.body.act}/undo`);
      assert.deepEqual(dump(store), file);
      assertSound(store);
    });
  }

  it("takes ids, notes and mentions along, counts no word as written, and a dry run writes nothing", async () => {
    const { ids, outline, idsIn, note, snippets, mentions, move } = await book(
      ["One", "# One\n\nMara came.\n\nTobit sat.\n"],
      ["Two", "# Two\n\nMara went.\n"],
    );
    const [chapter = "", other = ""] = ids;
    const at = await idsIn(chapter);
    const blockId = at.get("Mara came.");
    const [kept, gone] = [await note(String(at.get("Tobit sat."))), await note(String(blockId))];
    const [file, words, anchored] = [dump(store), (await outline()).progress.at(-1), await mentions()];
    const body = { blockIds: [blockId], toChapterId: other, ifRevision: 1 };
    const dry = await move(chapter, body, "?dryRun=1");
    assert.deepEqual([dry.status, dry.body.act, dry.body.moved, dump(store)], [200, null, [blockId], file]);
    const done = await move(chapter, body);
    assert.deepEqual([done.body.chapter.wordCount, done.body.to.wordCount], [3, 5]);
    assert.match(String(done.headers.get("etag")), new RegExp(chapter));
    assert.equal((await idsIn(other)).get("Mara came."), blockId);
    const places = (await snippets()).map((one: Record<string, unknown>) => [
      one.id,
      one.chapterId,
      one.detached,
    ]);
    assert.deepEqual(
      new Set(places),
      new Set([
        [kept, chapter, null],
        [gone, other, null],
      ]),
    );
    assert.deepEqual(
      new Set(await mentions()),
      new Set(
        anchored.map(([one, there, block, from]) => [one, block === blockId ? other : there, block, from]),
      ),
    );
    assert.deepEqual((await outline()).progress.at(-1), words);
  });

  it("leaves a paragraph that is put back where it was apart from its heading", async () => {
    const { ids, read, idsIn, move } = await book(["T", "# The Quay\n\nMara came.\n"]);
    const [chapter = ""] = ids;
    const blockIds = [(await idsIn(chapter)).get("Mara came.")];
    assert.equal((await move(chapter, { blockIds, toChapterId: chapter })).status, 200);
    assert.equal((await read())[0]?.[1], "# The Quay\n\nMara came.\n");
  });

  it("orders the paragraphs of a chapter, whose definitions stay", async () => {
    const { ids, read, idsIn, mentions, move } = await book(["T", "Mara [a].\n\n[a]: /u\n\nTobit.\n\nC.\n"]);
    const [chapter = ""] = ids;
    const [at, anchored] = [await idsIn(chapter), await mentions()];
    const done = await move(chapter, {
      blockIds: [at.get("Mara a.")],
      toChapterId: chapter,
      after: at.get("Tobit."),
    });
    assert.deepEqual(await read(), [["T", "[a]: /u\n\nTobit.\n\nMara [a].\n\nC.\n"]]);
    assert.deepEqual(await idsIn(chapter), at);
    assert.deepEqual(new Set(await mentions()), new Set(anchored));
    assert.deepEqual([done.body.chapter.id, done.body.to.id], [chapter, chapter]);
    assertSound(store);
  });

  it("refuses what cannot be moved, saying what to do, and changes nothing", async () => {
    const { ids, read, idsIn, move } = await book(
      ["T", "One.[^1]\n\n- a\n- b\n- c\n\n[^1]: Note.\n"],
      ["U", "Two.\n\n> q\n>\n> r\n>\n> s\n"],
    );
    const elsewhere = await book(["V", "Three.\n"]);
    const [chapter = "", other = ""] = ids;
    const at = new Map([...(await idsIn(chapter)), ...(await idsIn(other))]);
    const before = [dump(store), await read()];
    const there = { toChapterId: other };
    const a = { ...there, blockIds: [at.get("a")] };
    const REFUSED: readonly [body: object, status: number, message: RegExp][] = [
      [{ ...there, blockIds: [at.get("b")] }, 400, new RegExp(`inside a list.*${at.get("a")}`)],
      [{ ...there, blockIds: [at.get("Note.")] }, 400, /goes where its number goes/],
      [{ ...there, blockIds: ["b_none"] }, 404, /paragraph/],
      [{ ...there, blockIds: [at.get("Two.")] }, 404, /paragraph/],
      [{ ...there, blockIds: [] }, 400, /blockIds/],
      [{ ...there, blockIds: [at.get("a"), at.get("a")] }, 400, /twice/],
      [{ ...a, after: at.get("r") }, 400, new RegExp(`inside a list.*${at.get("q")}`)],
      [{ ...a, after: at.get("One.") }, 404, /paragraph/],
      [{ ...a, toChapterId: chapter, after: at.get("a") }, 400, /one that stays/],
      [{ ...a, toChapterId: chapter, after: at.get("c") }, 400, /one that stays/],
      [{ ...a, toChapterId: elsewhere.ids[0] }, 400, /another book/],
      [{ ...a, toChapterId: "ch_none" }, 404, /chapter/],
      [{ ...a, ifRevision: 9 }, 412, /revision 1/],
    ];
    for (const [body, status, message] of REFUSED) {
      const told = await move(chapter, body);
      assert.equal(told.status, status, told.text);
      assert.match(told.body.message, message);
    }
    assert.deepEqual([dump(store), await read()], before);
  });
});
