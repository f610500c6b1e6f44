import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type Answer, serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);

/** A chapter with this title and prose, and ways to read and write it. */
async function chapter(title: string, markdown: string) {
  const { body } = await lab.ask("POST", `/books/${lab.sample.bookId}/chapters`, {
    body: { title, markdown },
  });
  const path = `/chapters/${body.id}`;
  const read = async () => {
    const { title: now, markdown: prose } = (await lab.ask("GET", `${path}?format=markdown`)).body;
    return [now, prose];
  };
  return { path, read, ids: await idsOf(path) };
}

async function idsOf(path: string): Promise<string[]> {
  const { content } = (await lab.ask("GET", `${path}?format=doc`)).body.doc;
  return content.map(({ attrs }: { attrs: { blockId: string } }) => attrs.blockId);
}

const retitled = ({ body }: Answer) => [body.title, body.titleChanged];

const NIGHT = "# Night\n\nIt fell.\n\n## Later\n\nIt rose.\n";

describe("a chapter's title that its first heading says", () => {
  it("follows the heading in PATCH, PUT of Markdown and of a document, and restore; undo puts both back", async () => {
    const { path, read, ids } = await chapter("Night", NIGHT);
    const { doc } = (await lab.ask("GET", `${path}?format=doc`)).body;
    const asked: [string, string, object][] = [
      ["PATCH", `${path}/paragraphs/${ids[0]}`, { markdown: "# A *Dark* Night" }],
      ["PUT", `${path}/prose`, { markdown: NIGHT.replace("Night", "A Dark Night") }],
      [
        "PUT",
        `${path}/prose`,
        { doc: { ...doc, content: doc.content.with(0, heading(ids[0], "A Dark Night")) } },
      ],
    ];
    for (const [method, target, body] of asked) {
      const dry = await lab.ask(method, `${target}?dryRun=1`, { body });
      assert.deepEqual([dry.status, ...retitled(dry)], [200, "A Dark Night", true]);
      assert.deepEqual(await read(), ["Night", NIGHT]);
      const done = await lab.ask(method, target, { body });
      assert.deepEqual(retitled(done), ["A Dark Night", true]);
      assert.equal((await read())[0], "A Dark Night");
      assert.equal((await lab.ask("POST", `/acts/${done.body.act}/undo`)).status, 200);
      assert.deepEqual(await read(), ["Night", NIGHT]);
    }
    await lab.ask("PUT", `${path}/prose`, { body: { markdown: NIGHT.replace("Night", "Dusk") } });
    const restored = await lab.ask("POST", `${path}/restore`, { body: { revision: 1 } });
    assert.deepEqual(retitled(restored), ["Night", true]);
    assert.deepEqual(await read(), ["Night", NIGHT]);
  });

  it("stays with the heading whatever else is written, and when the heading is taken out", async () => {
    const { path, read, ids } = await chapter("Night", NIGHT);
    const later = await lab.ask("PATCH", `${path}/paragraphs/${ids[2]}`, { body: { markdown: "## Dawn" } });
    assert.deepEqual(retitled(later), ["Night", false]);
    const out = await lab.ask("PUT", `${path}/prose`, {
      body: { markdown: "It fell.\n\n## Dawn\n\nIt rose.\n" },
    });
    assert.deepEqual(retitled(out), ["Night", false]);
    await lab.ask("PUT", `${path}/prose`, { body: { markdown: "# Anew\n\nIt fell.\n\n## Dawn\n" } });
    assert.equal((await read())[0], "Night", "the two are no longer equal");
  });

  it("stays when the heading becomes a paragraph, and follows a heading that takes its place", async () => {
    const { path, ids } = await chapter("Night", "# Night\n\nIt fell.\n");
    const other = await lab.ask("PUT", `${path}/prose`, {
      body: { markdown: "# Quite another thing, at sea\n\nIt fell.\n" },
    });
    assert.deepEqual(retitled(other), ["Quite another thing, at sea", true]);
    await lab.ask("POST", `/acts/${other.body.act}/undo`);
    const plain = await lab.ask("PUT", `${path}/prose`, { body: { markdown: "Night\n\nIt fell.\n" } });
    assert.deepEqual(retitled(plain), ["Night", false]);
    assert.ok(ids.length === 2);
  });

  it("is left alone where it was another one before", async () => {
    const { path, read, ids } = await chapter("Chapter Nine", NIGHT);
    const patched = await lab.ask("PATCH", `${path}/paragraphs/${ids[0]}`, { body: { markdown: "Dusk" } });
    assert.deepEqual(retitled(patched), ["Chapter Nine", false]);
    const renamed = await lab.ask("PATCH", path, { body: { title: "Chapter Ten" } });
    assert.equal(renamed.body.headingChanged, false);
    assert.deepEqual(await read(), ["Chapter Ten", NIGHT.replace("Night", "Dusk")]);
  });
});

describe("a heading that says its chapter's title", () => {
  // Title, prose, new title, prose then: nothing but the heading's text changes.
  const CASES: readonly [what: string, title: string, before: string, next: string, after: string][] = [
    ["ATX", "Night", NIGHT, "Dawn", NIGHT.replace("Night", "Dawn")],
    [
      "a closed one",
      "Night",
      "##  Night  ##\r\n\r\n*It*   fell.\r\n",
      "Day",
      "##  Day  ##\r\n\r\n*It*   fell.\r\n",
    ],
    ["setext", "Night", "Night\n=====\n\nIt_fell_.\n", "Nightfall", "Nightfall\n=====\n\nIt_fell_.\n"],
    ["not the first block", "Night", "* * *\n\n# Night\n", "Day", "* * *\n\n# Day\n"],
    ["emphasis that stays", "The Old Night", "# The *Old* Night\n", "The Old Day", "# The *Old* Day\n"],
    ["emphasis that changes", "The Old Night", "# The *Old* Night\n", "The New Night", "# The *New* Night\n"],
    ["a link", "The Night", "# [The Night](n.md)\n", "The Night Watch", "# [The Night Watch](n.md)\n"],
    ["a footnote", "Night", "# Night[^1]\n\n[^1]: Dark.\n", "Nightfall", "# Nightfall[^1]\n\n[^1]: Dark.\n"],
    ["a footnote within", "No Night", "# No[^1] Night\n\n[^1]: X.\n", "Day", "# Day[^1]\n\n[^1]: X.\n"],
    ["signs of Markdown", "Night", "# Night\n\nX.\n", "1. *Day* #", "# 1. \\*Day\\* \\#\n\nX.\n"],
    ["what would be a list", "Night", "Night\n---\n\nX.\n", "- Day", "\\- Day\n---\n\nX.\n"],
    ["a title that is no name", "* * *", "# \\* * *\n", "Day", "# Day\n"],
    ["two lines", "Night and Day", "Night\nand *Day*\n===\n", "Night or Day", "Night\nor *Day*\n===\n"],
  ];
  for (const [what, title, before, next, after] of CASES) {
    it(`follows the title: ${what}`, async () => {
      const { path, read, ids } = await chapter(title, before);
      const dry = await lab.ask("PATCH", `${path}?dryRun=1`, { body: { title: next } });
      assert.equal(dry.body.headingChanged, true);
      assert.deepEqual(await read(), [title, before]);
      const done = await lab.ask("PATCH", path, { body: { title: next } });
      assert.deepEqual([done.status, done.body.headingChanged], [200, true], done.text);
      assert.deepEqual([done.body.chapter.title, done.body.chapter.revision], [next, 2]);
      assert.deepEqual(await idsOf(path), ids);
      const [now, prose] = await read();
      assert.deepEqual([now, prose], [next, after]);
      assert.equal((await lab.ask("POST", `/acts/${done.body.act}/undo`)).status, 200);
      assert.deepEqual(await read(), [title, before]);
    });
  }

  it("keeps the mentions that the change does not touch, and names the others", async () => {
    const { path, ids } = await chapter("Mara and Tobit", "# Mara and Tobit\n");
    await lab.ask("POST", `/books/${lab.sample.bookId}/mentions/reanchor`);
    const { body } = await lab.ask("PATCH", path, { body: { title: "Mara and the Bell" } });
    assert.deepEqual(
      body.mentionsDropped.map(({ name, blockId, reason }: Record<string, string>) => [
        name,
        blockId,
        reason,
      ]),
      [["Tobit", ids[0], "edited"]],
    );
  });

  it("is refused with the title where the chapter has changed since it was read", async () => {
    const { path, read } = await chapter("Night", NIGHT);
    const headers = { "If-Match": `"${path.slice(10)}.7.7.text"` };
    assert.equal((await lab.ask("PATCH", path, { body: { title: "Day" }, headers })).status, 412);
    assert.deepEqual(await read(), ["Night", NIGHT]);
  });
});

function heading(blockId: string | undefined, text: string) {
  return { type: "heading", attrs: { blockId, level: 1 }, content: [{ type: "text", text }] };
}
