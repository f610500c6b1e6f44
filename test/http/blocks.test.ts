import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);
const { bookId } = lab.sample;

interface Block {
  blockId: string;
  type: string;
  markdown: string;
}

async function chapter(markdown: string) {
  const { body } = await lab.ask("POST", `/books/${bookId}/chapters`, { body: { title: "New", markdown } });
  const path = `/chapters/${body.id}`;
  const blocks = async (query = ""): Promise<Block[]> =>
    (await lab.ask("GET", `${path}?format=blocks${query}`)).body.blocks;
  const patch = (blockId: string, text: string) =>
    lab.ask("PATCH", `${path}/paragraphs/${blockId}`, { body: { markdown: text } });
  const read = async () => (await lab.ask("GET", `${path}?format=markdown`)).body.markdown;
  return { path, blocks, patch, read };
}

const PROSE = [
  "# The *Late* Ferry",
  "It was _very_ late, and [slow](https://example.org/a_b).",
  "- rope\n- a **lamp**\n  - nested `code`",
  "> Quoted *here*,\n> on two lines.",
  "* * *",
  "```js\nlet x;\n```",
  "See [the ferry] and a note.[^1]",
  "[the ferry]: https://example.org/ferry",
  "[^1]: Below *deck*.",
].join("\n\n");

const YEARS = "1914. The *war* began.\n\n1918. It __ended__.\n\n1920. Zanzibar rose.\n";

describe("GET /chapters/{chapterId}?format=blocks", () => {
  it("gives every paragraph at any depth with its own Markdown", async () => {
    const { blocks } = await chapter(PROSE);
    assert.deepEqual(
      (await blocks()).map(({ type, markdown }) => [type, markdown]),
      [
        ["heading", "# The *Late* Ferry"],
        ["paragraph", "It was _very_ late, and [slow](https://example.org/a_b)."],
        ["paragraph", "rope"],
        ["paragraph", "a **lamp**"],
        ["paragraph", "nested `code`"],
        ["paragraph", "Quoted *here*,\non two lines."],
        ["scene_break", "* * *"],
        ["code_block", "```js\nlet x;\n```"],
        ["paragraph", "See [the ferry] and a note.[^1]"],
        ["paragraph", "Below *deck*."],
      ],
    );
  });

  it("gives each paragraph that begins with a year with that year, in text, count and search too", async () => {
    const { path, blocks, read } = await chapter(YEARS);
    assert.deepEqual(
      (await blocks()).map((block) => block.markdown),
      ["1914. The *war* began.", "1918. It __ended__.", "1920. Zanzibar rose."],
    );
    const { body } = await lab.ask("GET", `${path}?format=text`);
    assert.equal(body.text, "1914. The war began.\n\n1918. It ended.\n\n1920. Zanzibar rose.");
    assert.equal(body.wordCount, 10);
    assert.equal(await read(), YEARS);
    const found = await lab.ask("GET", `/books/${bookId}/search?q=1920`);
    assert.match(JSON.stringify(found.body), /1920.*Zanzibar/);
  });

  it("takes such a paragraph back with its year, with another and without, and every other as it was", async () => {
    const { blocks, patch, read } = await chapter(YEARS);
    const [first, second] = (await blocks()).map(({ blockId }) => blockId);
    const { body } = await patch(second ?? "", "1918. It __ended__.");
    assert.deepEqual([body.changed, body.warnings], [false, []]);
    await patch(second ?? "", "1919. It __ended__ late.");
    assert.equal(await read(), YEARS.replace("1918. It __ended__.", "1919. It __ended__ late."));
    await patch(second ?? "", "It __ended__.");
    assert.equal(await read(), YEARS.replace("1918", "1919"));
    await patch(first ?? "", "1913. The *war* began.");
    assert.equal(await read(), YEARS.replace("1918", "1919").replace("1914", "1913"));
  });

  it("lets such a paragraph be proposed with its year, with another and without", async () => {
    const { path, blocks, patch, read } = await chapter(YEARS);
    const [first, second] = await blocks();
    const { revision } = (await lab.ask("GET", path)).body;
    const propose = async (blockId: string | undefined, markdown: string, before?: string) => {
      const edits = [{ op: "replace", blockId, markdown, ...(before && { before }) }];
      return lab.ask("POST", `${path}/proposals`, { body: { revision, edits } });
    };
    for (const same of ["1918. It __ended__.", "It __ended__."])
      assert.equal((await propose(second?.blockId, same)).status, 400);
    const other = await propose(second?.blockId, "1919. It __ended__.", "It __ended__.");
    const without = await propose(first?.blockId, "The *war* began in August.", first?.markdown);
    await patch(first?.blockId ?? "", "1914. The *war* really began.");
    for (const { body } of [other, without])
      assert.equal((await lab.ask("POST", `/proposals/${body.id}/accept`, { body: {} })).status, 200);
    assert.equal(await read(), YEARS.replace("1918", "1919").replace("began", "really began in August"));
  });

  it("keeps the years of the others where one goes or comes", async () => {
    const { path, blocks, read } = await chapter(YEARS);
    const [first, second] = (await blocks()).map(({ blockId }) => blockId);
    await lab.ask("POST", `${path}/paragraphs`, { body: { after: second, markdown: "1919. Snow." } });
    assert.equal(await read(), YEARS.replace("1920.", "1919. Snow.\n\n1920."));
    await lab.ask("DELETE", `${path}/paragraphs/${first}`);
    assert.equal(await read(), "1918. It __ended__.\n\n1919. Snow.\n\n1920. Zanzibar rose.\n");
    await lab.ask("DELETE", `${path}/paragraphs/${second}`);
    assert.equal(await read(), "1919. Snow.\n\n1920. Zanzibar rose.\n");
  });

  it("gives the years to an editor of format=doc, and takes them back", async () => {
    const { path, read } = await chapter(YEARS);
    const { doc, revision } = (await lab.ask("GET", `${path}?format=doc`)).body;
    const values = doc.content[0].content.map(({ attrs }: { attrs: unknown }) => attrs);
    assert.deepEqual(values, [{ value: 1914 }, { value: 1918 }, { value: 1920 }]);
    const put = async (content: unknown) =>
      (await lab.ask("PUT", `${path}/prose`, { body: { doc: { type: "doc", content } } })).body;
    assert.equal((await put(doc.content)).revision, revision);
    doc.content[0].content.splice(1, 1);
    await put(doc.content);
    assert.equal(await read(), "1914. The *war* began.\n\n1920. Zanzibar rose.\n");
  });

  it("names the blocks as format=doc does", async () => {
    const { path, blocks } = await chapter(PROSE);
    const { doc } = (await lab.ask("GET", `${path}?format=doc`)).body;
    const ids = [...JSON.stringify(doc).matchAll(/"blockId":"(\w+)"/g)].map(([, id]) => id);
    assert.deepEqual(
      (await blocks()).map(({ blockId }) => blockId),
      ids,
    );
  });

  it("gives Markdown that PATCH takes back without a change", async () => {
    const { blocks, patch, read } = await chapter(PROSE);
    for (const { blockId, type, markdown } of await blocks()) {
      if (type === "scene_break") continue;
      const { status, body } = await patch(blockId, markdown);
      assert.deepEqual([status, body.changed, body.warnings], [200, false, []], markdown);
    }
    assert.equal(await read(), PROSE);
  });

  it("lets a word be changed without the italics of its paragraph", async () => {
    const { blocks, patch, read } = await chapter("It was _very_ late.\n");
    const [{ blockId, markdown } = assert.fail()] = await blocks();
    const { body } = await patch(blockId, markdown.replace("late", "early"));
    assert.deepEqual(body.warnings, []);
    assert.equal(await read(), "It was _very_ early.\n");
  });

  it("reads an older revision, and has an entity tag of its own", async () => {
    const { path, blocks, patch } = await chapter("One.\n\nTwo.\n");
    const [{ blockId } = assert.fail()] = await blocks();
    await patch(blockId, "First.");
    assert.deepEqual(
      (await blocks("&revision=1")).map(({ markdown }) => markdown),
      ["One.", "Two."],
    );
    const first = await lab.ask("GET", `${path}?format=blocks`);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /blocks/);
    const again = await lab.ask("GET", `${path}?format=blocks`, { headers: { "If-None-Match": etag } });
    assert.equal(again.status, 304);
  });
});

describe("PATCH of a paragraph as plain text", () => {
  const CASES: readonly [what: string, before: string, sent: string, lost: string | undefined][] = [
    ["emphasis", "It was *very* late.", "It was very early.", "em"],
    ["a link and strong words", "The [slow](/s) **boat** came.", "The slow boat went.", "link, strong"],
    ["words that stand no longer", "It was *very* late.", "It was early.", undefined],
    ["a word that is only a part of another now", "It was *late*.", "It was related.", undefined],
    ["a mark that was widened", "It was *very* late.", "It was *very late*.", undefined],
    ["another spelling of the mark", "It was *very* late.", "It was _very_ early.", undefined],
  ];
  for (const [what, before, sent, lost] of CASES) {
    it(`${lost === undefined ? "says nothing" : "says so"} of ${what}`, async () => {
      const { blocks, patch } = await chapter(`${before}\n`);
      const [{ blockId } = assert.fail()] = await blocks();
      const { body } = await patch(blockId, sent);
      assert.deepEqual(body.warnings, lost === undefined ? [] : [`marks_dropped: ${lost} in ${blockId}`]);
    });
  }
});
