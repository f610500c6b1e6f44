import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);

interface Found {
  id: string;
  paragraphs: { blockId: string; edits: { from: number }[] }[];
}

/** A book of these chapters, ways to replace in it, and its Markdown. */
async function book(...chapters: string[]) {
  const { id } = (await lab.ask("POST", "/books", { body: { title: "Words" } })).body;
  const ids: string[] = [];
  for (const markdown of chapters)
    ids.push((await lab.ask("POST", `/books/${id}/chapters`, { body: { title: "C", markdown } })).body.id);
  const replace = (body: object, query = "", headers = {}) =>
    lab.ask("POST", `/books/${id}/replace${query}`, { body, headers });
  const read = () =>
    Promise.all(
      ids.map(async (one) => (await lab.ask("GET", `/chapters/${one}?format=markdown`)).body.markdown),
    );
  return { id, ids, replace, read };
}

const ONE = "A grey *grey* cat.\n\nGrey\\\ngrey grey.\n";
const TWO = "No grey here, `grey`.\n";
const GRAY = { find: "grey", with: "gray" };

describe("POST /books/{bookId}/replace", () => {
  it("shows every place in a dry run, and does it as one act that can be undone", async () => {
    const { id, ids, replace, read } = await book(ONE, TWO);
    const tried = (await replace(GRAY, "?dryRun=1")).body;
    assert.deepEqual([tried.bookId, tried.replaced, tried.skipped, tried.act], [id, 6, 1, null]);
    assert.deepEqual(
      tried.chapters.map((chapter: Found) => [
        chapter.id,
        chapter.paragraphs.map(({ edits }) => edits.map(({ from }) => from)),
      ]),
      [
        [
          ids[0],
          [
            [2, 7],
            [0, 5, 10],
          ],
        ],
        [ids[1], [[3]]],
      ],
    );
    assert.deepEqual(await read(), [ONE, TWO]);
    const done = await replace(GRAY);
    assert.equal(
      done.headers.get("etag"),
      (await lab.ask("GET", `/books/${id}`)).headers.get("etag")?.replace(/\.[^.]*"$/, '"'),
    );
    assert.deepEqual(await read(), [
      ONE.replaceAll("grey", "gray").replace("Grey", "Gray"),
      TWO.replace("grey", "gray"),
    ]);
    await lab.ask("POST", `/acts/${done.body.act}/undo`);
    assert.deepEqual(await read(), [ONE, TWO]);
  });

  it("replaces in chosen chapters, and in chosen places of them, as a dry run tells them", async () => {
    const { ids, replace, read } = await book(ONE, TWO);
    const { chapters } = (await replace(GRAY, "?dryRun=1")).body;
    const [first, second] = chapters[0].paragraphs;
    const places = [
      { blockId: first.blockId, from: first.edits[1].from },
      { blockId: second.blockId, from: second.edits[2].from },
    ];
    const some = await replace({ ...GRAY, only: [{ chapterId: ids[0], places }] });
    assert.equal(some.body.replaced, 2);
    assert.deepEqual(await read(), ["A grey *gray* cat.\n\nGrey\\\ngrey gray.\n", TWO]);
    const again = await replace({ ...GRAY, only: [{ chapterId: ids[0], places }] });
    assert.deepEqual([again.status, again.body.error], [409, "conflict"]);
    assert.deepEqual(again.body.standing, [first.blockId, second.blockId]);
    await replace({ ...GRAY, only: [{ chapterId: ids[1] }] });
    assert.deepEqual(await read(), [
      "A grey *gray* cat.\n\nGrey\\\ngrey gray.\n",
      TWO.replace("grey", "gray"),
    ]);
  });

  it("takes out chosen words with a blank beside each, the others stay as they are", async () => {
    const { ids, replace, read } = await book("One very very old cat, very.\n");
    const out = { find: "very", with: "" };
    const [{ blockId, edits }] = (await replace(out, "?dryRun=1")).body.chapters[0].paragraphs;
    const only = [{ chapterId: ids[0], places: [edits[0], edits[2]].map(({ from }) => ({ blockId, from })) }];
    assert.equal((await replace({ ...out, only })).status, 200);
    assert.deepEqual(await read(), ["One very old cat,.\n"]);
  });

  it("takes a regular expression", async () => {
    const { replace, read } = await book("at 5 o'clock\n");
    const done = await replace({ find: "(\\d+) o.clock", with: "$1 h", regex: true });
    assert.equal(done.body.replaced, 1);
    assert.deepEqual(await read(), ["at 5 h\n"]);
  });

  it("is refused without find, for what is not there, and where the book has changed; nothing is written", async () => {
    const { ids, replace, read } = await book(ONE);
    const other = (await book(TWO)).ids[0];
    const REFUSED: readonly [body: object, status: number, message: RegExp][] = [
      [{ with: "x" }, 400, /find/],
      [{ find: " ", with: "x" }, 400, /blank/],
      [{ find: "a\nb", with: "x" }, 400, /one line/],
      [{ find: "(", with: "x", regex: true }, 400, /not a regular expression/],
      [{ find: "a", with: "$2", regex: true }, 400, /no group/],
      [{ find: "x".repeat(2001), with: "" }, 400, /2,000/],
      [{ ...GRAY, only: [] }, 400, /only/],
      [{ ...GRAY, matchcase: true }, 400, /did you mean "matchCase"/],
      [{ ...GRAY, only: [{ chapterId: ids[0] }, { chapterId: ids[0] }] }, 400, /twice/],
      [{ ...GRAY, only: [{ chapterId: other }] }, 404, /chapter in this book/],
      [
        { ...GRAY, only: [{ chapterId: ids[0], places: [{ blockId: "b_none", from: 0 }] }] },
        409,
        /choose anew/,
      ],
    ];
    for (const [body, status, message] of REFUSED) {
      const told = await replace(body);
      assert.equal(told.status, status, told.text);
      assert.match(told.body.message, message);
    }
    assert.equal((await replace(GRAY, "", { "If-Match": '"bk_other.1.2"' })).status, 412);
    assert.equal((await lab.ask("POST", "/books/bk_none/replace", { body: GRAY })).status, 404);
    assert.deepEqual(await read(), [ONE]);
  });

  it("finds nothing: no act; under an Idempotency-Key it is done once", async () => {
    const { replace, read } = await book("Grey.\n");
    const none = await replace({ find: "red", with: "blue" });
    assert.deepEqual(
      [none.status, none.body.replaced, none.body.act, none.body.chapters],
      [200, 0, null, []],
    );
    const once = { "Idempotency-Key": "replace-1" };
    const first = await replace({ find: "grey", with: "grey grey" }, "", once);
    const again = await replace({ find: "grey", with: "grey grey" }, "", once);
    assert.deepEqual(again.body, first.body);
    assert.deepEqual(await read(), ["Grey grey.\n"]);
  });
});
