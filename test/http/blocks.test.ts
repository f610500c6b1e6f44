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
