import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { doc, em, h, li, p, ul } from "../build.ts";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);
const { bookId } = lab.sample;

/** A chapter of this Markdown: its paragraphs' ids by their texts, and ways to write it. */
async function chapter(markdown: string) {
  const { body } = await lab.ask("POST", `/books/${bookId}/chapters`, { body: { title: "New", markdown } });
  const path = `/chapters/${body.id}`;
  const ids = async () => idsIn((await lab.ask("GET", `${path}?format=doc`)).body.doc);
  const first = await ids();
  const idOf = (text: string) => first.get(text) ?? assert.fail(`no paragraph "${text}"`);
  const read = async () => (await lab.ask("GET", `${path}?format=markdown`)).body.markdown;
  const insert = (text: string | null, added: string, more: object = {}) =>
    lab.ask("POST", `${path}/paragraphs`, {
      body: { after: text === null ? null : idOf(text), markdown: added, ...more },
    });
  const remove = (text: string, query = "") => lab.ask("DELETE", `${path}/paragraphs/${idOf(text)}${query}`);
  return { path, ids, idOf, read, insert, remove };
}

interface Node {
  attrs?: { blockId?: string };
  content?: Node[];
  text?: string;
}

function idsIn(node: Node): Map<string, string> {
  const { blockId } = node.attrs ?? {};
  const text = (node.content ?? []).map((child) => child.text ?? "").join("");
  const inner = (node.content ?? []).flatMap((child) => [...idsIn(child)]);
  return new Map(blockId === undefined ? inner : [[text, blockId]]);
}

const THREE = "One *boat*.\n\nTwo men.\n\nThree bells.\n";
const LIST = "Before.\n\n* rope\n* _lamp_\n* oar\n\nAfter.\n";

describe("POST /chapters/{chapterId}/paragraphs", () => {
  const CASES: readonly [what: string, before: string, after: string | null, added: string, then: string][] =
    [
      ["behind a paragraph", THREE, "Two men.", "Fog.", "One *boat*.\n\nTwo men.\n\nFog.\n\nThree bells.\n"],
      ["at the start", THREE, null, "# Fog\n\n_Thick_.", `# Fog\n\n_Thick_.\n\n${THREE}`],
      ["at the end", "One.\n\nTwo.", "Two.", "Three.\n", "One.\n\nTwo.\n\nThree."],
      ["into no prose", "", null, "One.", "One.\n"],
      [
        "several, of any kind",
        "One.\n",
        "One.",
        "* * *\n\n> Two.\n\n- a\n- b",
        "One.\n\n* * *\n\n> Two.\n\n- a\n- b\n",
      ],
      [
        "with \\r\\n",
        "One.\r\n\r\nTwo.\r\n",
        "One.",
        "Fog\nand rain.",
        "One.\r\n\r\nFog\r\nand rain.\r\n\r\nTwo.\r\n",
      ],
      ["with its definition", "One.\n", "One.", "See [x].\n\n[x]: /u", "One.\n\nSee [x].\n\n[x]: /u\n"],
      ["before a definition", "One [x].\n\n[x]: /u\n", "One .", "Two.", "One [x].\n\n[x]: /u\n\nTwo.\n"],
      ["between paragraphs that touch", "# One\nTwo.\n", "One", "Fog.", "# One\n\nFog.\n\nTwo.\n"],
      ["behind front matter", "---\na: 1\n---\nOne.\n", null, "Fog.", "---\na: 1\n---\n\nFog.\n\nOne.\n"],
      ["an entry into a list", LIST, "lamp", "- sail", LIST.replace("_lamp_\n", "_lamp_\n* sail\n")],
      ["entries at its end", LIST, "oar", "- sail\n- hook", LIST.replace("oar\n", "oar\n* sail\n* hook\n")],
      ["an entry into numbers", "3. a\n4. b\n", "a", "1. x", "3. a\n4. x\n4. b\n"],
      ["an entry into a loose list", "- a\n\n- b\n", "a", "- x", "- a\n\n- x\n\n- b\n"],
      ["an entry into a nested list", "- a\n  - b\n  - c\n", "b", "- x", "- a\n  - b\n  - x\n  - c\n"],
      ["an entry behind one with entries", "- a\n  - b\n- c\n", "a", "- x", "- a\n  - b\n- x\n- c\n"],
      ["a paragraph behind a list", LIST, "oar", "Fog.", LIST.replace("oar\n", "oar\n\nFog.\n")],
      ["a paragraph behind a quote", "> One.\n>\n> Two.\n", "Two.", "Fog.", "> One.\n>\n> Two.\n\nFog.\n"],
    ];
  for (const [what, before, anchor, added, then] of CASES) {
    it(`puts ${what}, every other byte and id as they were`, async () => {
      const { path, ids, read, insert } = await chapter(before);
      const old = await ids();
      const done = await insert(anchor === "One ." ? "One x." : anchor, added);
      assert.equal(done.status, 201, done.text);
      assert.equal(await read(), then);
      const now = await ids();
      for (const [text, id] of old) assert.equal(now.get(text), id, text);
      const fresh = [...now.values()].filter((id) => ![...old.values()].includes(id));
      assert.deepEqual([...done.body.blocks.map(({ blockId }: { blockId: string }) => blockId)], fresh);
      assert.equal(done.body.id, fresh[0]);
      assert.equal(done.headers.get("location"), `/api/v1${path}?format=doc`);
      await lab.ask("POST", `/acts/${done.body.act}/undo`);
      assert.equal(await read(), before);
    });
  }

  it("refuses a paragraph within a list, saying what to do, and blank Markdown, and changes nothing", async () => {
    const { path, read, insert } = await chapter(LIST);
    const within = await insert("rope", "Fog.");
    assert.deepEqual([within.status, within.body.error], [400, "bad_request"]);
    assert.match(within.body.message, /bullet_list.*last one.*"- text".*PUT/);
    for (const blank of ["", " \n", "[x]: /u\n"]) assert.equal((await insert("rope", blank)).status, 400);
    const body = { after: "b_none", markdown: "Fog." };
    assert.equal((await lab.ask("POST", `${path}/paragraphs`, { body })).status, 404);
    assert.equal((await lab.ask("POST", "/chapters/ch_none/paragraphs", { body })).status, 404);
    assert.equal(
      (await lab.ask("POST", "/chapters/ch_none/paragraphs", { body: { ...body, markdown: "" } })).status,
      400,
    );
    assert.equal((await insert("rope", "- x", { ifRevision: 7 })).status, 412);
    assert.equal(await read(), LIST);
  });

  it("keeps mentions and marginalia", async () => {
    const { path, idOf, insert } = await chapter("Mara came.\n\nTobit went.\n");
    await lab.ask("POST", `/books/${bookId}/mentions/reanchor`);
    await lab.ask("POST", `/books/${bookId}/snippets`, {
      body: { kind: "note", blockId: idOf("Tobit went.") },
    });
    const done = await insert("Mara came.", "Fog.");
    assert.deepEqual([done.body.mentionsDropped, done.body.snippetsDetached], [[], []]);
    const { doc } = (await lab.ask("GET", `${path}?format=doc`)).body;
    assert.equal(JSON.stringify(doc).match(/"mention"/g)?.length, 2);
  });
});

describe("DELETE /chapters/{chapterId}/paragraphs/{blockId}", () => {
  const CASES: readonly [what: string, before: string, text: string, then: string][] = [
    ["a paragraph", THREE, "Two men.", "One *boat*.\n\nThree bells.\n"],
    ["the first", THREE, "One boat.", "Two men.\n\nThree bells.\n"],
    ["the last", THREE, "Three bells.", "One *boat*.\n\nTwo men.\n"],
    ["the only one", "One.\n", "One.", ""],
    ["a scene break", "One.\n\n* * *\n\nTwo.\n", "", "One.\n\nTwo.\n"],
    ["a list entry", LIST, "rope", LIST.replace("* rope\n", "")],
    ["the last entry", LIST, "oar", LIST.replace("* oar\n", "")],
    ["the only entry", "One.\n\n- a\n\nTwo.\n", "a", "One.\n\nTwo.\n"],
    ["a number", "1. a\n1. b\n1. _c_\n", "b", "1. a\n1. _c_\n"],
    ["an entry of a loose list", "- a\n\n- b\n\n- _c_\n", "b", "- a\n\n- _c_\n"],
    ["an inner entry", "- a\n  - b\n- _c_\n", "b", "- a\n- _c_\n"],
    ["a paragraph of a quote", "> _One._\n>\n> Two.\n", "Two.", "> _One._\n"],
    [
      "one with a definition behind it",
      "One.\n\nSee.\n\n[x]: /u\n\nTwo [x].\n",
      "See.",
      "One.\n\nTwo [x].\n\n[x]: /u\n",
    ],
  ];
  for (const [what, before, text, then] of CASES) {
    it(`takes out ${what}, every other byte and id as they were; undo brings it back`, async () => {
      const { ids, idOf, read, remove } = await chapter(before);
      const old = await ids();
      const dry = await remove(text, "?dryRun=1");
      assert.deepEqual([dry.status, dry.body.act], [200, null], dry.text);
      assert.equal(await read(), before);
      const done = await remove(text);
      assert.equal(done.status, 200, done.text);
      assert.deepEqual([done.body.id, done.body.deleted], [idOf(text), true]);
      assert.deepEqual(
        done.body.removed.map(({ blockId }: { blockId: string }) => blockId),
        [idOf(text)],
      );
      assert.equal(await read(), then);
      assert.deepEqual(await ids(), new Map([...old].filter(([own]) => own !== text)));
      await lab.ask("POST", `/acts/${done.body.act}/undo`);
      assert.deepEqual([await read(), await ids()], [before, old]);
    });
  }

  it("tells what it cost, and leaves the note with the chapter", async () => {
    const { path, idOf, remove } = await chapter("Mara came.\n\nTobit went.\n");
    await lab.ask("POST", `/books/${bookId}/mentions/reanchor`);
    const body = { kind: "note", blockId: idOf("Mara came."), text: "Why?" };
    const note = (await lab.ask("POST", `/books/${bookId}/snippets`, { body })).body.id;
    const done = await remove("Mara came.");
    assert.deepEqual(
      [done.body.mentionsDropped[0].name, done.body.mentionsDropped[0].reason],
      ["Mara", "removed"],
    );
    assert.deepEqual(
      [done.body.snippetsDetached[0].id, done.body.snippetsDetached[0].quote],
      [note, "Mara came."],
    );
    assert.equal(done.body.wordCount, 2);
    assert.equal((await lab.ask("DELETE", `${path}/paragraphs/${idOf("Mara came.")}`)).status, 404);
  });

  it("heeds If-Match, and leaves the title of a heading that it takes out", async () => {
    const { path, idOf, remove } = await chapter("# New\n\nOne.\n\n## Later\n");
    const asked = { headers: { "If-Match": `"${path.slice(10)}.9"` } };
    assert.equal((await lab.ask("DELETE", `${path}/paragraphs/${idOf("New")}`, asked)).status, 412);
    const done = await remove("New");
    assert.deepEqual([done.body.title, done.body.titleChanged], ["New", false]);
  });
});

describe("what PATCH of a paragraph refuses", () => {
  it("points to what does it: taking out, putting behind", async () => {
    const { path, idOf } = await chapter("One.\n\n* * *\n");
    const refusal = async (text: string, body: unknown, headers = {}) => {
      const answer = await lab.ask("PATCH", `${path}/paragraphs/${idOf(text)}`, { body, headers });
      assert.equal(answer.status, 400);
      return answer.body.message;
    };
    for (const message of [
      await refusal("One.", { markdown: " \n" }),
      await refusal("One.", " \n", { "Content-Type": "text/markdown" }),
      await refusal("", { markdown: "Fog." }),
    ]) {
      assert.match(message, /DELETE \/chapters\/\{chapterId\}\/paragraphs\/\{blockId\}/);
      assert.doesNotMatch(message, /"markdown": ""/);
    }
    assert.match(
      await refusal("One.", { markdown: "Two.\n\nThree." }),
      /POST \/chapters\/\{chapterId\}\/paragraphs/,
    );
  });

  it("a blank chapter is refused before an unknown one is looked for", async () => {
    const asked = { body: { markdown: " \n" } };
    assert.equal((await lab.ask("PUT", "/chapters/ch_none/prose", asked)).status, 400);
    assert.equal((await lab.ask("PATCH", "/chapters/ch_none/paragraphs/b_none", asked)).status, 400);
  });
});

describe("PATCH /chapters/{chapterId}/paragraphs/{blockId} with a node", () => {
  const WRITTEN = "Before __noon__ the\n  *boat* [came].\n\n* rope\n\n[came]: /u\n";
  const send = (path: string, id: string, body: object, query = "") =>
    lab.ask("PATCH", `${path}/paragraphs/${id}${query}`, { body });

  it("writes letters where they changed, every other byte as its author spelt it, and can be undone", async () => {
    const { path, ids, read } = await chapter(WRITTEN);
    const { doc: whole } = (await lab.ask("GET", `${path}?format=doc`)).body;
    const [first] = whole.content;
    const id = first.attrs.blockId;
    await lab.ask("POST", `/books/${bookId}/snippets`, { body: { kind: "note", blockId: id } });
    const node = JSON.parse(JSON.stringify(first).replace("boat", "ferry"));
    const tried = await send(path, id, { node }, "?dryRun=1");
    assert.deepEqual([tried.body.changed, tried.body.act, await read()], [true, null, WRITTEN]);
    const done = await send(path, id, { node, ifRevision: 1 });
    const { changed, revision, mentionsDropped, warnings, blockId } = done.body;
    assert.deepEqual([changed, revision, mentionsDropped, warnings, blockId], [true, 2, [], [], id]);
    assert.equal(await read(), WRITTEN.replace("boat", "ferry"));
    assert.deepEqual([...(await ids()).values()][0], id);
    const again = await send(path, id, { node });
    assert.deepEqual([again.body.changed, again.body.revision], [false, 2]);
    const { snippets } = (await lab.ask("GET", `/books/${bookId}/snippets?chapterId=${path.slice(10)}`)).body;
    assert.equal(snippets[0].blockId, id);
    await lab.ask("POST", `/acts/${done.body.act}/undo`);
    assert.equal(await read(), WRITTEN);
  });

  it("changes a paragraph's kind, and its heading the chapter's title", async () => {
    const { path, idOf, read } = await chapter("# New\n\nOne.\n");
    const { attrs: _, ...head } = h(2, "Fog ", em("and"), " rain");
    const titled = await send(path, idOf("New"), { node: { ...head, attrs: { level: 2 } } });
    assert.deepEqual([titled.body.title, titled.body.titleChanged], ["Fog and rain", true]);
    const { attrs: __, ...plain } = p();
    assert.equal((await send(path, idOf("One."), { node: plain })).status, 200);
    assert.equal(await read(), "# Fog *and* rain\n\n&nbsp;\n".replace("# ", "## "));
  });

  it("refuses what is not that paragraph, saying what to do, and changes nothing", async () => {
    const { path, idOf, read } = await chapter(WRITTEN);
    const id = idOf("rope");
    const REFUSED: readonly [body: object, status: number, message: RegExp][] = [
      [{ node: p("#b_other", "x") }, 400, /another blockId than the path/],
      [{ node: p("x"), markdown: "x" }, 400, /\/(node|markdown) is not a key/],
      [{ node: ul(li("x")) }, 400, /one block.*PUT/],
      [{ node: doc(p("x")) }, 400, /one block.*PUT/],
      [{ node: { type: "paragraf" } }, 400, /not one block of the schema/],
      [{ node: { type: "raw_block", attrs: { kind: "front_matter" } } }, 400, /start of a chapter/],
      [{ node: { type: "text", text: "x" } }, 400, /one block/],
      [{}, 400, /node|markdown/],
      [{ node: p("x"), ifRevision: 7 }, 412, /revision/],
      [{ node: p("x".repeat(4 * 1024 * 1024 + 1)) }, 413, /4 MiB/],
    ];
    for (const [body, status, message] of REFUSED) {
      const told = await send(path, id, body);
      assert.equal(told.status, status, JSON.stringify(body).slice(0, 80));
      assert.match(told.body.message, message);
    }
    assert.equal((await send(path, "b_none", { node: p("x") })).status, 404);
    assert.equal((await send("/chapters/ch_none", id, { node: p("x") })).status, 404);
    assert.equal(await read(), WRITTEN);
  });
});
